//! Products and categories as operators see them: as clients do, whether they can or not, with what is stored besides.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::Value;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::suggestion::meant_or;

use super::export::settings_between;
use super::index::CategoryNode;
use super::model::{CategoryResource, ProductResource};
use super::queries;
use super::record::OptionRecord;
use super::refresh::stored_listing;
use super::render::{ProductRow, ShownPrice};
use super::state::Frame;
use super::write::stored_categories;

/// Products read at once.
const SLICE: i64 = 500;

/// A product as the API shows it, with what only operators see.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProductDetails {
    /// The product as the API shows it, or would if it were active.
    #[serde(flatten)]
    pub resource: ProductResource,
    /// Whether it is visible.
    pub active: bool,
    /// Whether customers see it: it is active, and so are its category and all above.
    pub visible: bool,
    /// The price, in minor units.
    pub price_amount: i64,
    /// The price before a reduction in minor units as it is stored: customers see it while it is above the price.
    pub stored_compare_at_amount: Option<i64>,
    /// The price's currency.
    pub currency: &'static str,
    /// Name of a tax class of the configuration.
    pub tax_class: Option<String>,
    /// The images as they are stored: absolute URLs, or paths below the media folder.
    pub stored_images: Vec<String>,
    /// All options as they are stored, inactive ones too, with what choices add to the price.
    pub stored_options: Vec<OptionRecord>,
    /// Settings by module.
    pub modules: BTreeMap<String, Value>,
}

/// The slugs of all products.
pub async fn product_slugs(db: &Db) -> Result<Vec<String>, DbError> {
    db.read(queries::PRODUCT_SLUGS).scalars().await
}

/// What is told about a slug that no product has: the one that was probably meant, or else where all are shown.
pub async fn no_such_product(db: &Db, slug: &str) -> Result<String, DbError> {
    let known = product_slugs(db).await?;
    let instead = meant_or(slug, known.iter().map(String::as_str), "`stoa product list` shows all");
    Ok(format!("there is no product `{slug}`{instead}"))
}

/// The slugs of all categories.
pub async fn category_slugs(db: &Db) -> Result<Vec<String>, DbError> {
    db.read(queries::CATEGORY_SLUGS).scalars().await
}

#[derive(sqlx::FromRow)]
struct DetailsRow {
    #[sqlx(flatten)]
    shown: ProductRow,
    active: bool,
    visible: bool,
    tax_class: Option<String>,
}

/// What is stored of a product beside what clients see.
struct Stored {
    active: bool,
    visible: bool,
    compare_at_amount: Option<i64>,
    tax_class: Option<String>,
    images: Vec<String>,
    options: Vec<OptionRecord>,
}

impl DetailsRow {
    fn split(self) -> (ProductRow, Stored) {
        let stored = Stored {
            active: self.active,
            visible: self.visible,
            compare_at_amount: self.shown.facts.compare_at_amount,
            tax_class: self.tax_class,
            images: self.shown.images.0.clone(),
            options: self.shown.options.0.clone(),
        };
        (self.shown, stored)
    }
}

impl Stored {
    fn details(self, resource: ProductResource, modules: BTreeMap<String, Value>) -> ProductDetails {
        ProductDetails {
            active: self.active,
            visible: self.visible,
            price_amount: resource.price.amount,
            stored_compare_at_amount: self.compare_at_amount,
            currency: resource.price.currency,
            tax_class: self.tax_class,
            stored_images: self.images,
            stored_options: self.options,
            modules,
            resource,
        }
    }
}

/// One product, active or not.
pub async fn product_details(db: &Db, frame: &Frame, slug: &str) -> Result<Option<ProductDetails>, DbError> {
    let row = db.read(queries::DETAILS_BY_SLUG).bind(slug).bind(frame.modules.as_str());
    let row = row.optional::<DetailsRow>().await?;
    Ok(with_settings(db, frame, row.into_iter().collect()).await?.pop())
}

/// The id of a product, active or not.
pub async fn find_product_id(db: &Db, slug: &str) -> Result<Option<i64>, DbError> {
    db.read(queries::ID_BY_SLUG).bind(slug).optional_scalar().await
}

/// The products with ids above `after`, active or not, in the order of their ids: a slice at a time, an empty one at the
/// end.
pub async fn product_details_after(db: &Db, frame: &Frame, after: i64) -> Result<Vec<ProductDetails>, DbError> {
    let rows = db.read(queries::DETAILS_AFTER).bind(after).bind(frame.modules.as_str()).bind(SLICE);
    let rows = rows.all::<DetailsRow>().await?;
    with_settings(db, frame, rows).await
}

async fn with_settings(db: &Db, frame: &Frame, rows: Vec<DetailsRow>) -> Result<Vec<ProductDetails>, DbError> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(Vec::new()) };
    let mut settings = settings_between(db, first.shown.id - 1, last.shown.id).await?;
    let (rows, stored): (Vec<_>, Vec<_>) = rows.into_iter().map(DetailsRow::split).unzip();
    let resources = frame.resources(db, rows, ShownPrice::List).await?;
    let details = stored.into_iter().zip(resources).map(|(stored, resource)| {
        let modules = settings.remove(&resource.id).unwrap_or_default();
        stored.details(resource, modules)
    });
    Ok(details.collect())
}

/// A category as the API shows it, with what only operators see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CategoryDetails {
    /// The category as the API shows it. One that customers do not see has neither products nor children that they do.
    #[serde(flatten)]
    pub resource: CategoryResource,
    /// Slug of the category above.
    pub parent: Option<String>,
    /// Whether it is shown, as far as it goes.
    pub active: bool,
    /// Whether customers see it: it is active, and so are all above.
    pub visible: bool,
    /// The image as it is stored: an absolute URL, or a path below the media folder.
    pub stored_image: Option<String>,
}

/// All categories, active or not, in the order of their ids.
pub async fn category_details(db: &Db, frame: &Frame) -> Result<Vec<CategoryDetails>, DbError> {
    let listing = stored_listing(db).await?;
    let stored = stored_categories(db).await?;
    let ids = stored.iter().map(|category| (category.slug.clone(), category.id)).collect::<HashMap<_, _>>();
    let details = stored.into_iter().map(|category| {
        let node = CategoryNode {
            id: category.id,
            name: category.name,
            slug: category.slug,
            parent_id: category.parent.as_ref().and_then(|parent| ids.get(parent).copied()),
            image: category.image.clone(),
        };
        CategoryDetails {
            resource: listing.resource(&node, |image| frame.image_url(image)),
            parent: category.parent,
            active: category.active,
            visible: category.visible,
            stored_image: category.image,
        }
    });
    Ok(details.collect())
}

//! Reading the whole catalog, as records that say everything (contract 4).

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError, Sql};
use stoa_kernel::sql;

use super::record::{CategoryRecord, Member, ProductRecord};
use super::write::ProductState;

const CATEGORIES: Sql = sql!(
    "SELECT c.slug, c.name, p.slug AS parent, c.image, c.active
     FROM categories c LEFT JOIN categories p ON p.id = c.parent_id ORDER BY c.id"
);

const PRODUCTS: Sql = sql!(
    "SELECT p.id, p.slug, p.name, p.subtitle, p.sku, p.description, p.price_amount, p.tax_class,
            p.brand, p.gtin, p.weight_grams, p.compare_at_amount, p.unit_price, p.safety,
            c.slug AS category, p.images, p.active, p.capabilities, p.options
     FROM products p LEFT JOIN categories c ON c.id = p.category_id
     WHERE p.id > $1 ORDER BY p.id LIMIT $2"
);

const PRODUCT: Sql = sql!(
    "SELECT p.id, p.slug, p.name, p.subtitle, p.sku, p.description, p.price_amount, p.tax_class,
            p.brand, p.gtin, p.weight_grams, p.compare_at_amount, p.unit_price, p.safety,
            c.slug AS category, p.images, p.active, p.capabilities, p.options
     FROM products p LEFT JOIN categories c ON c.id = p.category_id
     WHERE p.slug = $1"
);

const SETTINGS: Sql = sql!(
    "SELECT product_id, module, settings FROM product_settings
     WHERE product_id > $1 AND product_id <= $2"
);

/// Products read at once.
const SLICE: i64 = 500;

#[derive(sqlx::FromRow)]
struct CategoryRow {
    slug: String,
    name: String,
    parent: Option<String>,
    image: Option<String>,
    active: bool,
}

#[derive(sqlx::FromRow)]
struct ProductRow {
    id: i64,
    #[sqlx(flatten)]
    state: ProductState,
}

#[derive(sqlx::FromRow)]
struct SettingsRow {
    product_id: i64,
    module: String,
    settings: Json<Value>,
}

/// A slice of exported products.
#[derive(Debug)]
pub struct Exported {
    /// The products, in the order of their ids.
    pub products: Vec<ProductRecord>,
    /// What [`export_products`] takes to go on; `None` at the end.
    pub after: Option<i64>,
}

/// All categories, each after the one above it.
pub async fn export_categories(db: &Db) -> Result<Vec<CategoryRecord>, DbError> {
    let mut waiting = db.read(CATEGORIES).all::<CategoryRow>().await?;
    let mut records: Vec<CategoryRecord> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let known = |parent: &str| records.iter().any(|record| record.slug == parent);
        let (ready, later): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|row| row.parent.as_deref().is_none_or(known));
        if ready.is_empty() {
            // The writer lets no circle come about; should there be one, it is not lost.
            records.extend(later.into_iter().map(record));
            break;
        }
        records.extend(ready.into_iter().map(record));
        waiting = later;
    }
    Ok(records)
}

fn record(row: CategoryRow) -> CategoryRecord {
    CategoryRecord {
        slug: row.slug,
        name: Member::Value(row.name),
        parent: Member::known(row.parent),
        image: Member::known(row.image),
        active: Member::Value(row.active),
    }
}

/// The products with ids above `after`, a slice at a time, so that memory stays bounded.
pub async fn export_products(db: &Db, after: i64) -> Result<Exported, DbError> {
    let rows = db.read(PRODUCTS).bind(after).bind(SLICE).all::<ProductRow>().await?;
    let Some(last) = rows.last().map(|row| row.id) else {
        return Ok(Exported { products: Vec::new(), after: None });
    };
    let mut settings = settings_between(db, after, last).await?;
    let products = rows.into_iter().map(|row| {
        let settings = settings.remove(&row.id).unwrap_or_default();
        ProductState { settings, ..row.state }.record()
    });
    Ok(Exported { products: products.collect(), after: Some(last) })
}

/// One product as a record that says everything.
pub async fn export_product(db: &Db, slug: &str) -> Result<Option<ProductRecord>, DbError> {
    let Some(row) = db.read(PRODUCT).bind(slug).optional::<ProductRow>().await? else { return Ok(None) };
    let settings = settings_between(db, row.id - 1, row.id).await?.remove(&row.id).unwrap_or_default();
    Ok(Some(ProductState { settings, ..row.state }.record()))
}

/// Settings of the products with ids above `after` up to `last`, by id and module.
pub(super) async fn settings_between(
    db: &Db,
    after: i64,
    last: i64,
) -> Result<BTreeMap<i64, BTreeMap<String, Value>>, DbError> {
    let mut settings: BTreeMap<i64, BTreeMap<String, Value>> = BTreeMap::new();
    for row in db.read(SETTINGS).bind(after).bind(last).all::<SettingsRow>().await? {
        settings.entry(row.product_id).or_default().insert(row.module, row.settings.0);
    }
    Ok(settings)
}

//! Looking for products as operators do: by what they are called or known by, with filters, a page at a time.
//!
//! A page begins behind a product, not after so many: the last page costs what the first does. A text is looked for anywhere in
//! names while there are few products, and at their beginning where there are many, so that no search reads all of them.

mod queries;

use serde_json::Value;
use sqlx::types::Json;
use stoa_kernel::console::{MOST_COUNTED, MOST_FOUND, RowCount, Sort, SortPart};
use stoa_kernel::db::{Db, DbError, Query, Sql};
use stoa_kernel::fold::fold;
use stoa_kernel::{PageSql, SearchSql};

use super::state::Frame;
use super::write::Availability;

/// Up to so many products are looked through whole.
const FEW: i64 = 20_000;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct ProductSearch {
    /// A part of a name, a slug or a SKU.
    pub text: Option<String>,
    /// Only those that are active, or that are not.
    pub active: Option<bool>,
    /// Only those that stand in the category of this slug.
    pub category: Option<String>,
    /// Only those with this capability.
    pub capability: Option<String>,
    /// In the order of `name`, whatever its case, or `price`, unless a text is looked for. None is the newest first.
    pub sort: Option<Sort>,
    /// Only those that follow this one in that order.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// A product as a list of operators shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductListed {
    /// The product's id.
    pub id: i64,
    /// The name in URLs.
    pub slug: String,
    /// The name.
    pub name: String,
    /// The stock keeping unit.
    pub sku: Option<String>,
    /// The price, in minor units.
    pub price_amount: i64,
    /// The first of its images as it is stored: an absolute URL, or a path below the media folder.
    pub image: Option<String>,
    /// Capability keys.
    pub capabilities: Vec<String>,
    /// Whether it is active.
    pub active: bool,
    /// Whether customers see it: it is active, and so are its category and all above.
    pub visible: bool,
    /// Slug and name of its category.
    pub category: Option<(String, String)>,
    /// Whether it can be had, as far as a module says.
    pub availability: Option<Availability>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    slug: String,
    name: String,
    sku: Option<String>,
    price_amount: i64,
    images: Json<Vec<Value>>,
    capabilities: Json<Vec<String>>,
    active: bool,
    visible: bool,
    category_slug: Option<String>,
    category_name: Option<String>,
    shortage: Option<i64>,
}

impl From<Row> for ProductListed {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            slug: row.slug,
            name: row.name,
            sku: row.sku,
            price_amount: row.price_amount,
            image: row.images.0.first().and_then(Value::as_str).map(str::to_owned),
            capabilities: row.capabilities.0,
            active: row.active,
            visible: row.visible,
            category: row.category_slug.zip(row.category_name),
            availability: row.shortage.map(Availability::of_shortage),
        }
    }
}

/// Products that were looked for, active or not.
pub async fn search_products(db: &Db, frame: &Frame, search: &ProductSearch) -> Result<Vec<ProductListed>, DbError> {
    let rows = match search.sort.as_ref().and_then(|sort| Some((sort, in_order(sort)?))) {
        Some((sort, page)) if search.text.is_none() => {
            // The row that the page begins behind bounds no ids.
            let (all, sql) = (&ProductSearch { after: None, ..search.clone() }, sort.direction.page(page));
            let read = |part: SortPart, left| async move {
                let query = part.bind(Way::All.bind(db, sql, all, left));
                query.bind(frame.modules.as_str()).all::<Row>().await
            };
            sort.read(search.after, search.limit, read).await?
        }
        _ => {
            let way = Way::of(db, search).await?;
            let query = way.bind(db, way.sql().page.descending, search, search.limit);
            query.bind(frame.modules.as_str()).all::<Row>().await?
        }
    };
    Ok(rows.into_iter().map(ProductListed::from).collect())
}

/// The statements that list products in this order.
fn in_order(sort: &Sort) -> Option<PageSql> {
    match sort.column {
        "name" => Some(queries::BY_NAME),
        "price" => Some(queries::BY_PRICE),
        _ => None,
    }
}

/// How many there are on all pages together.
pub async fn count_products(db: &Db, search: &ProductSearch) -> Result<RowCount, DbError> {
    let way = Way::of(db, search).await?;
    let search = ProductSearch { after: None, ..search.clone() };
    let most = if let Way::Beginning(..) = way { MOST_FOUND } else { MOST_COUNTED };
    Ok(RowCount::up_to(most, way.bind(db, way.sql().count, &search, most + 1).scalar().await?))
}

/// How a text is looked for.
enum Way {
    /// Not at all.
    All,
    /// Not at all, but among those that are inactive.
    Inactive,
    /// Not at all, but in one category.
    InCategory,
    /// Anywhere.
    Holding(String),
    /// At the beginning of names and slugs, or as the whole SKU.
    Beginning(String, String),
}

impl Way {
    async fn of(db: &Db, search: &ProductSearch) -> Result<Self, DbError> {
        let Some(text) = &search.text else {
            return Ok(match search {
                ProductSearch { category: Some(_), .. } => Self::InCategory,
                ProductSearch { active: Some(false), .. } => Self::Inactive,
                _ => Self::All,
            });
        };
        let folded = fold(text);
        let number = db.read(queries::COUNT_ALL).bind(FEW + 1).scalar::<i64>().await?;
        if number > FEW {
            return Ok(Self::Beginning(folded, text.clone()));
        }
        Ok(Self::Holding(folded))
    }

    const fn sql(&self) -> SearchSql {
        match self {
            Self::All => queries::SEARCH,
            Self::Inactive => queries::SEARCH_INACTIVE,
            Self::InCategory => queries::SEARCH_IN_CATEGORY,
            Self::Holding(_) => queries::SEARCH_HOLDING,
            Self::Beginning(..) => queries::SEARCH_BEGINNING,
        }
    }

    fn bind<'a>(&self, db: &'a Db, sql: Sql, search: &ProductSearch, limit: i64) -> Query<'a> {
        // Keys hold letters, digits and `_` alone, and stand in quotes.
        let capability = search.capability.as_ref().map(|key| format!("%\"{key}\"%"));
        // What the statement says itself is not asked once more, so that its index is all that is read.
        let active = search.active.filter(|_| !matches!(self, Self::Inactive));
        let query = db.read(sql).bind(active).bind(search.category.clone()).bind(capability);
        let query = query.bind(search.after.unwrap_or(i64::MAX)).bind(limit);
        match self {
            Self::All | Self::Inactive | Self::InCategory => query,
            Self::Holding(folded) => query.bind_holding(folded),
            Self::Beginning(folded, text) => query.bind_beginning(folded).bind(text.clone()),
        }
    }
}

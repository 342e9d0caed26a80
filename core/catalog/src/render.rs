//! Building the bodies of catalog answers.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::page::{self, last_page, page_number};
use stoa_kernel::module::{Buyer, Details, ShownProduct};

use super::answers::CachedAnswer;
use super::facts::{ProductFacts, is_reduced};
use super::index::{Among, ListingIndex};
use super::model::{Price, ProductCategory, ProductResource};
use super::price_history::lowest_recent;
use super::prices::{UnitAmount, settings_of, unit_amount};
use super::product_cache::ProductBody;
use super::queries;
use super::record::OptionRecord;
use super::sharing::ListOf;
use super::state::{Catalog, Frame};
use super::write::Availability;

/// Products on a page (S8).
pub(super) const PRODUCTS_PER_PAGE: u64 = 24;

/// Products that a search returns (S8).
pub(super) const SEARCH_RESULTS: usize = 8;

/// Fewest characters of a term, after trimming (S8).
const SHORTEST_TERM: usize = 2;

/// A product as the statements that read it for clients give it.
#[derive(sqlx::FromRow)]
pub(super) struct ProductRow {
    pub(super) id: i64,
    name: String,
    slug: String,
    subtitle: Option<String>,
    sku: Option<String>,
    description: Option<String>,
    price_amount: i64,
    #[sqlx(flatten)]
    pub(super) facts: ProductFacts,
    pub(super) images: Json<Vec<String>>,
    capabilities: Json<Vec<String>>,
    pub(super) options: Json<Vec<OptionRecord>>,
    category_id: Option<i64>,
    category_name: Option<String>,
    category_slug: Option<String>,
    shortage: Option<i64>,
}

impl ProductRow {
    fn is_reduced(&self) -> bool {
        is_reduced(self.price_amount, self.facts.compare_at_amount)
    }

    fn resource(
        self,
        frame: &Frame,
        price: UnitAmount,
        lowest_recent: Option<i64>,
        details: Details,
    ) -> ProductResource {
        let UnitAmount { amount: unit_amount, varies: price_varies } = price;
        let is_reduced = self.is_reduced();
        let category = self.category_id.zip(self.category_name).zip(self.category_slug);
        ProductResource {
            id: self.id,
            name: self.name,
            slug: self.slug,
            subtitle: self.subtitle,
            sku: self.sku,
            description: self.description,
            price: Price {
                amount: unit_amount,
                currency: frame.money.currency().code(),
                formatted: frame.money.format(unit_amount),
            },
            compare_at_amount: self.facts.compare_at_amount.filter(|amount| is_reduced && *amount > unit_amount),
            lowest_recent_amount: lowest_recent.filter(|_| is_reduced),
            unit_price: self.facts.unit_price.and_then(|stated| stated.shown(unit_amount, &frame.money)),
            brand: self.facts.brand,
            gtin: self.facts.gtin,
            weight_grams: self.facts.weight_grams,
            safety: self.facts.safety.map(|safety| safety.0),
            category: category.map(|((id, name), slug)| ProductCategory { id, name, slug }),
            images: self.images.0.iter().map(|image| frame.image_url(image)).collect(),
            capabilities: self.capabilities.0,
            options: self.options.0.iter().filter_map(|option| option.shown(&frame.money)).collect(),
            availability: self.shortage.map(Availability::of_shortage),
            details,
            price_varies,
        }
    }
}

/// Which price of a product is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownPrice {
    /// What one costs a guest now, after the modules have had their say.
    Unit,
    /// What the operator has set.
    List,
}

impl Frame {
    /// These products as clients see them, in their order, with what the modules say about them.
    pub(super) async fn resources(
        &self,
        db: &Db,
        rows: Vec<ProductRow>,
        price: ShownPrice,
    ) -> Result<Vec<ProductResource>, DbError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let settings = settings_of(db, rows.iter().map(|row| row.id), |_| true).await?;
        let reduced = rows.iter().filter(|row| row.is_reduced()).map(|row| row.id).collect::<Vec<_>>();
        let lowest = lowest_recent(db, &reduced).await?;
        let none = Map::new();
        let shown = rows.iter().map(|row| ShownProduct {
            product_id: row.id,
            slug: &row.slug,
            price_amount: row.price_amount,
            capabilities: &row.capabilities.0,
            module_settings: settings.get(&row.id).unwrap_or(&none),
        });
        let details = self.details.read(&shown.collect::<Vec<_>>()).await?;
        let buyer = Buyer::guest(db.now());
        let resource = |(row, details): (ProductRow, Details)| {
            let lowest_recent = lowest.get(&row.id).copied();
            let price = match (price, settings.get(&row.id)) {
                (ShownPrice::Unit, Some(settings)) => {
                    unit_amount(&self.selling, &buyer, row.price_amount, &row.capabilities.0, settings)
                }
                (ShownPrice::Unit, None) | (ShownPrice::List, _) => UnitAmount::listed(row.price_amount),
            };
            row.resource(self, price, lowest_recent, details)
        };
        Ok(rows.into_iter().zip(details).map(resource).collect())
    }

    /// The absolute URL of an image: of a file in the media folder, or as it is.
    pub(super) fn image_url(&self, image: &str) -> String {
        image_url(&self.base_url, image)
    }
}

/// The absolute URL of an image: of a file in the media folder, or as it is.
pub fn image_url(base_url: &str, image: &str) -> String {
    if is_elsewhere(image) {
        return image.to_owned();
    }
    format!("{base_url}/media/{}", image.split('/').map(path_segment).collect::<Vec<_>>().join("/"))
}

/// Whether an image is a URL already, whose scheme may be written in any case (RFC 3986, 3.1).
pub fn is_elsewhere(image: &str) -> bool {
    image
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
}

/// What must be escaped in one segment of a path (RFC 3986).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as one segment of a path.
pub fn path_segment(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// What a list of products is asked for.
#[derive(Debug, Default)]
pub(super) struct Filters {
    term: Option<String>,
    category: Option<String>,
    page: u64,
    pairs: Vec<(String, String)>,
}

impl Filters {
    /// Reads the query string; the last of several values counts.
    pub(super) fn parse(query: &str) -> Self {
        let (page, pairs) = page::split_query(Some(query));
        let last = |name: &str| pairs.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.trim());
        Self {
            term: last("q").and_then(searchable),
            category: last("category").filter(|text| !text.is_empty()).map(str::to_owned),
            page: page_number(page.as_deref()),
            pairs,
        }
    }
}

/// The folded term, if it is long enough to be searched (S4.2 rule 2).
pub(super) fn searchable(term: &str) -> Option<String> {
    (term.chars().nth(SHORTEST_TERM - 1).is_some()).then(|| stoa_kernel::fold::fold(term))
}

#[derive(Serialize)]
struct DataOnly<T> {
    data: T,
}

/// `meta` of a category's page.
#[derive(Serialize, JsonSchema)]
pub(super) struct CategoryPageMeta {
    /// The page of this answer, from 1.
    current_page: u64,
    /// The number of pages, at least 1.
    last_page: u64,
    /// All products of all pages.
    total: u64,
}

pub(super) fn to_json(body: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(body).map_err(ApiError::internal)
}

/// The places of a page in a list of this length.
pub(super) fn page_range(page: u64, total: usize) -> Range<usize> {
    let first = (page - 1).saturating_mul(PRODUCTS_PER_PAGE);
    let first = usize::try_from(first).unwrap_or(usize::MAX).min(total);
    let size = usize::try_from(PRODUCTS_PER_PAGE).expect("a page is small");
    first..first.saturating_add(size).min(total)
}

impl Catalog {
    /// `GET /products/{slug}` (S4.2 rule 4).
    pub(super) async fn product(&self, db: &Db, version: i64, slug: &str) -> Result<CachedAnswer, ApiError> {
        if let Some(kept) = self.product_cache.of_slug(version, slug) {
            return Ok(self.answer_of(kept));
        }
        // Boxed, so that what is kept is answered without the room that the database needs.
        Box::pin(self.read_product(db, version, slug)).await
    }

    async fn read_product(&self, db: &Db, version: i64, slug: &str) -> Result<CachedAnswer, ApiError> {
        let row = db.read(queries::BY_SLUG).bind(slug).bind(self.frame().modules.as_str());
        let row = row.optional::<ProductRow>().await?;
        let products = self.frame().resources(db, row.into_iter().collect(), ShownPrice::Unit).await?;
        let product = products.first().ok_or_else(ApiError::not_found)?;
        Ok(self.answer_of(self.cache_body(version, product)?))
    }

    fn cache_body(&self, version: i64, product: &ProductResource) -> Result<ProductBody, ApiError> {
        self.product_cache.put(version, product).map_err(ApiError::internal)
    }

    /// `GET /products` (S4.2 rules 1 to 3).
    pub(super) async fn products(
        &self,
        db: &Db,
        listing: &ListingIndex,
        filters: Filters,
    ) -> Result<CachedAnswer, ApiError> {
        let category = filters.category.as_deref().map(|filter| listing.category_by_filter(filter));
        let chosen = filters.pairs.iter().filter(|(name, _)| self.frame().facets.has(name));
        let mut chosen = chosen.map(|(name, value)| (name.as_str(), value.trim())).collect::<BTreeMap<_, _>>();
        chosen.retain(|_, value| !value.is_empty());
        let on_page = |found: usize| page_range(filters.page, found);
        // What is chosen may stand anywhere in the list.
        let looked_at = |found: usize| if chosen.is_empty() { on_page(found) } else { 0..found };
        let (mut ids, mut total) = match (&filters.term, category) {
            (_, Some(None)) => (Vec::new(), 0),
            (None, Some(Some(category))) => slice(listing.of_category(category.id), looked_at),
            (None, None) => slice(listing.all(), looked_at),
            (Some(term), category) => {
                let category = category.flatten().map(|category| category.id);
                self.matching(listing, term, category, looked_at).await
            }
        };
        if !chosen.is_empty() {
            (ids, total) = slice(&self.choose(listing.version, ids, &chosen).await?, on_page);
        }
        let list = match category.flatten() {
            Some(category) => ListOf::Category(category.id),
            None => ListOf::Everything,
        };
        let products = self.products_by_id(db, listing.version, &ids).await?;
        let path = format!("{}/api/v1/products", self.frame().base_url);
        let (links, meta) =
            page::describe(&path, &filters.pairs, filters.page, PRODUCTS_PER_PAGE, total, products.len() as u64);
        let mut after = b"],\"links\":".to_vec();
        after.extend(to_json(&links)?);
        after.extend(b",\"meta\":");
        after.extend(to_json(&meta)?);
        after.push(b'}');
        Ok(self.assemble(list, b"{\"data\":[", &products, &after))
    }

    /// What is wanted of the products that a term finds, and how many these are.
    async fn matching(
        &self,
        listing: &ListingIndex,
        term: &str,
        category: Option<i64>,
        wanted: impl Fn(usize) -> Range<usize>,
    ) -> (Vec<i64>, u64) {
        let texts = self.texts_at(listing.version).await;
        let mut positions = texts.find(term, Among::Visible);
        drop(texts);
        if let Some(category) = category {
            positions = positions.filter(|position| listing.category_at(position) == category);
        }
        let range = wanted(positions.count());
        let ids = positions
            .slice(range.start, range.len())
            .into_iter()
            .filter_map(|position| listing.all().get(position).copied());
        (ids.collect(), positions.count() as u64)
    }

    /// `GET /search` (S4.2 rule 6).
    pub(super) async fn search(&self, db: &Db, listing: &ListingIndex, query: &str) -> Result<CachedAnswer, ApiError> {
        let ids = match Filters::parse(query).term {
            None => Vec::new(),
            Some(term) => {
                let texts = self.texts_at(listing.version).await;
                let positions = texts.find(&term, Among::Available).slice(0, SEARCH_RESULTS);
                positions.into_iter().filter_map(|position| listing.all().get(position).copied()).collect()
            }
        };
        let products = self.products_by_id(db, listing.version, &ids).await?;
        Ok(self.assemble(ListOf::Everything, b"{\"data\":[", &products, b"]}"))
    }

    /// `GET /categories`: the active roots (contract 2).
    pub(super) fn categories(&self, listing: &ListingIndex) -> Result<CachedAnswer, ApiError> {
        let body = to_json(&DataOnly { data: listing.roots(|image| self.frame().image_url(image)) })?;
        Ok(self.assemble(ListOf::Nothing, &body, &[], &[]))
    }

    /// `GET /categories/{slug}` (S4.2 rule 5).
    pub(super) async fn category(
        &self,
        db: &Db,
        listing: &ListingIndex,
        slug: &str,
        page: u64,
    ) -> Result<CachedAnswer, ApiError> {
        let category = listing.category_by_slug(slug).ok_or_else(ApiError::not_found)?;
        let (ids, total) = slice(listing.of_category(category.id), |found| page_range(page, found));
        let products = self.products_by_id(db, listing.version, &ids).await?;
        let mut before = b"{\"data\":{\"category\":".to_vec();
        before.extend(to_json(&listing.resource(category, |image| self.frame().image_url(image)))?);
        before.extend(b",\"products\":[");
        let mut after = b"]},\"meta\":".to_vec();
        let last_page = last_page(total, PRODUCTS_PER_PAGE);
        after.extend(to_json(&CategoryPageMeta { current_page: page, last_page, total })?);
        after.push(b'}');
        Ok(self.assemble(ListOf::Category(category.id), &before, &products, &after))
    }

    /// The products with these ids, in this order; those that are gone are left out.
    pub(super) async fn products_by_id(
        &self,
        db: &Db,
        version: i64,
        ids: &[i64],
    ) -> Result<Vec<ProductBody>, ApiError> {
        let kept = ids.iter().map(|id| self.product_cache.of_id(version, *id)).collect::<Vec<_>>();
        let missing = ids.iter().zip(&kept).filter(|(_, body)| body.is_none()).map(|(id, _)| *id).collect::<Vec<_>>();
        if missing.is_empty() {
            return Ok(kept.into_iter().flatten().collect());
        }
        let wanted = db.read(queries::BY_IDS).bind_ids(missing);
        let rows = wanted.bind(self.frame().modules.as_str()).all::<ProductRow>().await?;
        let mut read = HashMap::with_capacity(rows.len());
        for product in self.frame().resources(db, rows, ShownPrice::Unit).await? {
            read.insert(product.id, self.cache_body(version, &product)?);
        }
        Ok(ids.iter().zip(kept).filter_map(|(id, body)| body.or_else(|| read.remove(id))).collect())
    }
}

/// What is wanted of a list of ids of this length, and the length.
fn slice(ids: &[i64], wanted: impl Fn(usize) -> Range<usize>) -> (Vec<i64>, u64) {
    (ids[wanted(ids.len())].to_vec(), ids.len() as u64)
}

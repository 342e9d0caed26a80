//! The public routes of the catalog (S4.1, S4.2).

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use stoa_kernel::auth::LimitClass;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::Db;
use stoa_kernel::http::answer::{Data, schema_of};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{ClientLanguage, Name, RawQuery};
use stoa_kernel::http::page::{PAGE_PARAMETER, Paged, page_number, split_query};
use stoa_kernel::http::shape::{DescribesAnswer, Takes};
use stoa_kernel::http::shared_cache::is_personal;
use stoa_kernel::http::table::{AnswerShape, Operation, QueryParameter, Routes, routes};

use super::answers::{AnswerKey, AnswerKind, CachedAnswer};
use super::browse::{self, BrowseMeta};
use super::examples::{example_category, example_links, example_meta, example_product};
use super::index::ListingIndex;
use super::model::{CategoryResource, ProductResource};
use super::render::{CategoryPageMeta, Filters};
use super::state::Catalog;

type CatalogState = State<Arc<Catalog>>;

/// The routes, in the order of the specification's summary.
pub(crate) fn catalog_routes() -> Routes<Arc<Catalog>> {
    routes()
        .get("products.index", "/products", products)
        .summary("List products")
        .description("Active products sorted by name, 24 on a page. There is no page-size or sort option.")
        .example(|| json!({"data": [example_product()], "links": example_links(), "meta": example_meta()}))
        .public(LimitClass::Catalog)
        .cached()
        .get("products.show", "/products/{slug}", product)
        .summary("Read a product")
        .description("An active product. One that is not on sale is 404.")
        .path_parameter("The product's slug, as lists have it; not its id.", "desk-lamp")
        .example(|| json!({"data": example_product()}))
        .public(LimitClass::Catalog)
        .cached()
        .get("categories.index", "/categories", categories)
        .summary("List categories")
        .description("Active categories without a parent, each with its active children one level down.")
        .example(|| json!({"data": [example_category()]}))
        .public(LimitClass::Catalog)
        .cached()
        .get("categories.show", "/categories/{slug}", category)
        .summary("Read a category with its products")
        .description("An active category and its own active products, sorted by name, 24 on a page.")
        .path_parameter("The category's slug; not its id.", "lighting")
        .example(|| {
            json!({"data": {"category": example_category(), "products": [example_product()]},
                           "meta": {"current_page": 1, "last_page": 1, "total": 1}})
        })
        .public(LimitClass::Catalog)
        .cached()
        .get("search.index", "/search", search)
        .summary("Search products")
        .description(
            "At most 8 products whose name or description holds the term and that can be bought now. \
                      A term of fewer than 2 characters finds nothing.",
        )
        .example(|| json!({"data": [example_product()]}))
        .public(LimitClass::Catalog)
        .cached()
        .get("products.browse", "/browse", look_around)
        .summary("Browse products with filters")
        .description(
            "Products by words, category, price, brand and options, in the order that is wished for, 24 on a page. \
             `meta.facets` says what else there is to choose by, and how many products each choice leaves.",
        )
        .example(|| {
            json!({"data": [example_product()], "meta": {
                "current_page": 1, "last_page": 1, "total": 1,
                "facets": [{"parameter": "option.color", "key": "color", "label": "Color",
                            "values": [{"value": "brass", "label": "Brass", "count": 1}]}],
            }})
        })
        .public(LimitClass::Catalog)
        .fails_with(&[422])
        .cached()
}

/// An answer of the catalog, with the shape of its body.
struct Cached<B> {
    response: Response,
    body: std::marker::PhantomData<fn() -> B>,
}

impl<B> IntoResponse for Cached<B> {
    fn into_response(self) -> Response {
        self.response
    }
}

/// The shape of a cached body.
trait BodyShape {
    const DESCRIPTION: &'static str;
    type Body: JsonSchema;
}

impl<B: BodyShape> DescribesAnswer for Cached<B> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: B::DESCRIPTION, schema: schema_of::<B::Body> });
    }
}

struct ProductsBody;
struct ProductBody;
struct CategoriesBody;
struct CategoryBody;
struct SearchBody;
struct BrowseBody;

impl BodyShape for ProductsBody {
    const DESCRIPTION: &'static str = "A page of products";
    type Body = Paged<ProductResource>;
}

impl BodyShape for ProductBody {
    const DESCRIPTION: &'static str = "The product";
    type Body = Data<ProductResource>;
}

impl BodyShape for CategoriesBody {
    const DESCRIPTION: &'static str = "The categories";
    type Body = Data<Vec<CategoryResource>>;
}

impl BodyShape for CategoryBody {
    const DESCRIPTION: &'static str = "The category and a page of its products";
    type Body = Self;
}

impl JsonSchema for CategoryBody {
    fn schema_name() -> Cow<'static, str> {
        "CategoryDetail".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["data", "meta"],
            "properties": {
                "data": {
                    "type": "object",
                    "required": ["category", "products"],
                    "properties": {
                        "category": schema_of::<CategoryResource>(generator),
                        "products": {"type": "array", "items": schema_of::<ProductResource>(generator)},
                    },
                },
                "meta": schema_of::<CategoryPageMeta>(generator),
            },
        })
    }
}

impl BodyShape for SearchBody {
    const DESCRIPTION: &'static str = "At most 8 products";
    type Body = Data<Vec<ProductResource>>;
}

impl BodyShape for BrowseBody {
    const DESCRIPTION: &'static str = "A page of products, and what there is to choose by";
    type Body = Self;
}

impl JsonSchema for BrowseBody {
    fn schema_name() -> Cow<'static, str> {
        "BrowsePage".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["data", "meta"],
            "properties": {
                "data": {"type": "array", "items": schema_of::<ProductResource>(generator)},
                "meta": schema_of::<BrowseMeta>(generator),
            },
        })
    }
}

/// The request's headers for conditional requests, and whether it says who asks.
struct Conditions {
    headers: HeaderMap,
    is_personal: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Conditions {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut headers = HeaderMap::new();
        for given in parts.headers.get_all(http::header::IF_NONE_MATCH) {
            headers.append(http::header::IF_NONE_MATCH, given.clone());
        }
        Ok(Self { headers, is_personal: is_personal(&parts.headers) })
    }
}

impl Takes for Conditions {}

const TERM: QueryParameter = QueryParameter {
    name: "q",
    description: "A part of the name or description, in any case; at least 2 characters after trimming.",
    kind: "string",
    pattern: None,
    example: "lamp",
};

/// The query string of `GET /products`.
struct ListQuery(String);

/// The query string of `GET /search`.
struct SearchQuery(String);

/// The query string of `GET /browse`.
struct BrowseQuery(String);

macro_rules! query_extractor {
    ($query:ident, $parameters:expr) => {
        impl<S: Send + Sync> FromRequestParts<S> for $query {
            type Rejection = ApiError;

            async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
                Ok(Self(parts.uri.query().unwrap_or_default().to_owned()))
            }
        }

        impl Takes for $query {
            fn takes(operation: &mut Operation) {
                operation.query.extend($parameters);
            }
        }
    };
}

const CATEGORY: QueryParameter = QueryParameter {
    name: "category",
    description: "A category's slug or id; products that stand in that very category. \
                  `MODULE.KEY` chooses by what a module adds, as `meta.facets` of `GET /browse` offers it.",
    kind: "string",
    pattern: None,
    example: "lamps",
};

query_extractor!(ListQuery, [TERM, CATEGORY, PAGE_PARAMETER]);
query_extractor!(SearchQuery, [TERM]);
query_extractor!(BrowseQuery, browse::PARAMETERS);

impl<B> Cached<B> {
    fn new(answer: CachedAnswer, conditions: &Conditions) -> Self {
        Self { response: answer.respond(&conditions.headers, conditions.is_personal), body: std::marker::PhantomData }
    }
}

/// Answers a list from what is cached, or puts it together and caches it.
async fn list<B>(
    catalog: &Catalog,
    kind: AnswerKind,
    asked: String,
    conditions: &Conditions,
    build: impl AsyncFnOnce(&ListingIndex, &str) -> Result<CachedAnswer, ApiError>,
) -> ApiResult<Cached<B>> {
    let listing = catalog.listing_index();
    let key = AnswerKey { version: listing.version, kind, asked: asked.into_boxed_str() };
    let answer = if let Some(kept) = catalog.answers.get(&key) {
        kept
    } else {
        // Boxed, so that what is kept is answered without the room that this needs.
        let made = Box::pin(build(&listing, &key.asked)).await?;
        if !made.is_live {
            catalog.answers.put(key, made.clone());
        }
        made
    };
    Ok(Cached::new(answer, conditions))
}

async fn products(
    State(catalog): CatalogState,
    db: Db,
    ListQuery(query): ListQuery,
    conditions: Conditions,
) -> ApiResult<Cached<ProductsBody>> {
    list(&catalog, AnswerKind::Products, query, &conditions, async |listing, query| {
        catalog.products(&db, listing, Filters::parse(query)).await
    })
    .await
}

async fn product(
    State(catalog): CatalogState,
    db: Db,
    Name(slug): Name,
    conditions: Conditions,
) -> ApiResult<Cached<ProductBody>> {
    let version = catalog.listing_index().version;
    Ok(Cached::new(catalog.product(&db, version, &slug).await?, &conditions))
}

async fn categories(State(catalog): CatalogState, conditions: Conditions) -> ApiResult<Cached<CategoriesBody>> {
    list(&catalog, AnswerKind::Categories, String::new(), &conditions, async |listing, _| catalog.categories(listing))
        .await
}

async fn category(
    State(catalog): CatalogState,
    db: Db,
    Name(slug): Name,
    PageQuery(page): PageQuery,
    conditions: Conditions,
) -> ApiResult<Cached<CategoryBody>> {
    let asked = format!("{page} {slug}");
    list(&catalog, AnswerKind::Category, asked, &conditions, async |listing, _| {
        catalog.category(&db, listing, &slug, page).await
    })
    .await
}

async fn search(
    State(catalog): CatalogState,
    db: Db,
    SearchQuery(query): SearchQuery,
    conditions: Conditions,
) -> ApiResult<Cached<SearchBody>> {
    list(&catalog, AnswerKind::Search, query, &conditions, async |listing, query| {
        catalog.search(&db, listing, query).await
    })
    .await
}

async fn look_around(
    State(catalog): CatalogState,
    db: Db,
    BrowseQuery(query): BrowseQuery,
    ClientLanguage(language): ClientLanguage,
    conditions: Conditions,
) -> ApiResult<Cached<BrowseBody>> {
    let mut answer = list(&catalog, AnswerKind::Browse(language), query, &conditions, async |listing, query| {
        catalog.browse(&db, listing, query, language).await
    })
    .await?;
    // Modules say in the client's language what can be chosen.
    answer.response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-language"));
    Ok(answer)
}

/// The page number of the query string.
struct PageQuery(u64);

impl<S: Send + Sync> FromRequestParts<S> for PageQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let RawQuery(query) = RawQuery::from_request_parts(parts, state).await?;
        let (page, _) = split_query(query.as_deref());
        Ok(Self(page_number(page.as_deref())))
    }
}

impl Takes for PageQuery {
    fn takes(operation: &mut Operation) {
        operation.query.push(PAGE_PARAMETER);
    }
}

//! Pagination: reading the page number, and the members `links` and `meta` (contract 2).

use std::borrow::Cow;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderValue, header};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;

use super::answer::schema_of;
use super::error::ApiError;
use super::extract;
use super::shape::{DescribesAnswer, Takes};
use super::table::{API_BASE, AnswerShape, Operation, QueryParameter};

/// Items on a page of orders, invoices, credit notes, support tickets and module lists.
pub const PER_PAGE: u64 = 20;

/// How many page links `meta.links` shows on each side of the current page.
const WINDOW: u64 = 2;

/// `links` of a paginated answer: absolute URLs, or null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "PaginationLinks")]
pub struct Links {
    /// The first page.
    pub first: String,
    /// The last page.
    pub last: String,
    /// The page before, null on the first.
    pub prev: Option<String>,
    /// The page after, null on the last.
    pub next: Option<String>,
}

/// One entry of `meta.links`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "PaginationMetaLink")]
pub struct MetaLink {
    /// The absolute URL, null where there is no such page.
    pub url: Option<String>,
    /// What to show.
    pub label: String,
    /// The page number, null for a gap or a missing page.
    pub page: Option<u64>,
    /// Whether this is the current page.
    pub active: bool,
}

/// `meta` of a paginated answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "PaginationMeta")]
pub struct Meta {
    /// The page of this answer, from 1.
    pub current_page: u64,
    /// The number of the first item on this page, null when the page is empty.
    pub from: Option<u64>,
    /// The number of pages, at least 1.
    pub last_page: u64,
    /// Links as a row of page numbers.
    pub links: Vec<MetaLink>,
    /// The URL without its query.
    pub path: String,
    /// Most items on a page.
    pub per_page: u64,
    /// The number of the last item on this page, null when the page is empty.
    pub to: Option<u64>,
    /// All items of all pages.
    pub total: u64,
}

/// The page number of a query string: what is no positive number counts as 1.
pub fn page_number(text: Option<&str>) -> u64 {
    let Some(text) = text.map(str::trim) else { return 1 };
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return 1;
    }
    // More digits than fit is still a page past the end.
    text.parse::<u64>().unwrap_or(u64::MAX).clamp(1, u64::from(u32::MAX))
}

/// The last page of `total` items, at least 1.
pub fn last_page(total: u64, per_page: u64) -> u64 {
    total.div_ceil(per_page).max(1)
}

/// Makes `links` and `meta`. `pairs` is the query string without `page`.
pub fn describe(
    path: &str,
    pairs: &[(String, String)],
    page: u64,
    per_page: u64,
    total: u64,
    shown: u64,
) -> (Links, Meta) {
    let last = last_page(total, per_page);
    let url = |page: u64| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs).append_pair("page", &page.to_string());
        format!("{path}?{}", query.finish())
    };
    let prev = (page > 1).then(|| (page - 1).min(last));
    let next = (page < last).then(|| page + 1);
    let links = Links { first: url(1), last: url(last), prev: prev.map(url), next: next.map(url) };
    let arrow =
        |label: &str, page: Option<u64>| MetaLink { url: page.map(url), label: label.to_owned(), page, active: false };
    let mut meta_links = vec![arrow("\u{ab} Previous", prev)];
    let mut before = 0;
    for number in shown_pages(page, last) {
        if number > before + 1 {
            meta_links.push(arrow("\u{2026}", None));
        }
        meta_links.push(MetaLink {
            url: Some(url(number)),
            label: number.to_string(),
            page: Some(number),
            active: number == page,
        });
        before = number;
    }
    meta_links.push(arrow("Next \u{bb}", next));
    let from = (shown > 0).then(|| (page - 1) * per_page + 1);
    let meta = Meta {
        current_page: page,
        from,
        last_page: last,
        links: meta_links,
        path: path.to_owned(),
        per_page,
        to: from.map(|from| from + shown - 1),
        total,
    };
    (links, meta)
}

/// The first and last two pages and those around the current one.
fn shown_pages(page: u64, last: u64) -> impl Iterator<Item = u64> {
    let near = page.saturating_sub(WINDOW).max(1)..=page.saturating_add(WINDOW).min(last);
    let ends = (1..=2.min(last)).chain(last.saturating_sub(1).max(1)..=last);
    let mut pages = ends.chain(near).collect::<Vec<_>>();
    pages.sort_unstable();
    pages.dedup();
    pages.into_iter()
}

/// The page that a request asks for, with what is needed to answer it.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// The page number, from 1.
    pub number: u64,
    path: String,
    pairs: Vec<(String, String)>,
}

impl PageRequest {
    /// How many items come before this page, as `OFFSET` takes it.
    pub fn offset(&self) -> i64 {
        i64::try_from((self.number - 1).saturating_mul(PER_PAGE)).unwrap_or(i64::MAX)
    }

    /// How many items are on a page, as `LIMIT` takes it.
    pub fn limit(&self) -> i64 {
        i64::try_from(PER_PAGE).expect("a page is small")
    }

    /// The answer with these items, out of `total`.
    pub fn answer<T>(self, items: Vec<T>, total: i64) -> Paged<T> {
        let total = u64::try_from(total).unwrap_or(0);
        let shown = u64::try_from(items.len()).unwrap_or(0);
        let (links, meta) = describe(&self.path, &self.pairs, self.number, PER_PAGE, total, shown);
        Paged { data: items, links, meta }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PageRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let shop = extract::shop_of(parts)?;
        let path = format!("{}{}", shop.base_url, parts.uri.path());
        let (page, pairs) = split_query(parts.uri.query());
        Ok(Self { number: page_number(page.as_deref()), path, pairs })
    }
}

/// The page's text and all other pairs of a query string.
pub fn split_query(query: Option<&str>) -> (Option<String>, Vec<(String, String)>) {
    let mut page = None;
    let mut pairs = Vec::new();
    for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if name == "page" {
            page = Some(value.into_owned());
        } else {
            pairs.push((name.into_owned(), value.into_owned()));
        }
    }
    (page, pairs)
}

/// The query parameter `page`, for the document.
pub const PAGE_PARAMETER: QueryParameter = QueryParameter {
    name: "page",
    description: "The page, from 1. What is no positive number counts as 1; a page past the end is empty.",
    kind: "integer",
    pattern: None,
    example: "1",
};

impl Takes for PageRequest {
    fn takes(operation: &mut Operation) {
        operation.query.push(PAGE_PARAMETER);
    }
}

/// A page that holds one thing, as the example of a route's answer; `path` is that of the route.
pub fn example_page(path: &str, item: &serde_json::Value) -> serde_json::Value {
    let (links, meta) = describe(&format!("https://shop.example{API_BASE}{path}"), &[], 1, 20, 1, 1);
    json!({"data": [item], "links": links, "meta": meta})
}

/// A page of a list: `data`, `links` and `meta`.
#[derive(Debug, Clone, Serialize)]
pub struct Paged<T> {
    data: Vec<T>,
    links: Links,
    meta: Meta,
}

impl<T: Serialize> IntoResponse for Paged<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self) {
            Ok(body) => {
                let content_type = HeaderValue::from_static("application/json");
                ([(header::CONTENT_TYPE, content_type)], body).into_response()
            }
            Err(error) => ApiError::internal(error).into_response(),
        }
    }
}

/// Named after the things: `OrderPage`.
impl<T: JsonSchema> JsonSchema for Paged<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}Page", T::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("page of {}", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["data", "links", "meta"],
            "properties": {
                "data": {"type": "array", "items": schema_of::<T>(generator)},
                "links": schema_of::<Links>(generator),
                "meta": schema_of::<Meta>(generator),
            },
        })
    }
}

impl<T: JsonSchema> DescribesAnswer for Paged<T> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: "A page", schema: schema_of::<Self> });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_positive_number_is_page_one() {
        for text in ["", "0", "-1", "abc", "+", "+2", "0x2", "1.5", "\0", "²"] {
            assert_eq!(page_number(Some(text)), 1, "{text:?}");
        }
        assert_eq!(page_number(None), 1);
    }

    #[test]
    fn a_huge_page_is_past_the_end() {
        assert_eq!(page_number(Some("99999999999999999999999999")), u64::from(u32::MAX));
        let (links, meta) = describe("https://a.example/p", &[], u64::from(u32::MAX), 24, 60, 0);
        assert_eq!((links.next, meta.from, meta.to), (None, None, None));
        assert_eq!(links.prev.as_deref(), Some("https://a.example/p?page=3"));
    }

    #[test]
    fn links_keep_the_query() {
        let pairs = [(String::from("q"), String::from("a b&c"))];
        let (links, meta) = describe("https://a.example/p", &pairs, 2, 24, 60, 24);
        assert_eq!(links.first, "https://a.example/p?q=a+b%26c&page=1");
        assert_eq!((meta.from, meta.to, meta.last_page), (Some(25), Some(48), 3));
        let active: Vec<_> = meta.links.iter().filter(|link| link.active).collect();
        assert_eq!(active.len(), 1);
        assert_eq!(active[0].page, Some(2));
    }

    #[test]
    fn long_lists_show_the_ends_and_the_neighbors() {
        assert_eq!(shown_pages(50, 100).collect::<Vec<_>>(), [1, 2, 48, 49, 50, 51, 52, 99, 100]);
        assert_eq!(shown_pages(1, 1).collect::<Vec<_>>(), [1]);
    }
}

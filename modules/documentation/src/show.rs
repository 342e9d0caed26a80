//! What is asked for and answered.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::response::IntoResponse;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use stoa_core::config::Config as ShopConfig;
use stoa_core::http::accept::takes_gzip;
use stoa_core::http::extract::{AssetPath, Uses};
use stoa_core::http::file::FILE_POLICY;
use stoa_core::http::shape::Takes;
use stoa_core::pages::answer::{HtmlPage, Keeping, PageResponse};
use stoa_core::prelude::*;

use crate::library::{ASSETS, Chapter, LIBRARY, Named};
use crate::page::{Heading, Page};
use crate::search::{Found, MOST, search};
use crate::sources;

pub(crate) fn pages() -> Routes<()> {
    routes()
        .get("documentation.contents", "/docs", contents)
        .get("documentation.search", "/docs/search", find)
        .get("documentation.asset", "/docs/assets/{file}", asset)
        .get("documentation.picture", "/docs/pictures/{file}", picture)
        .get("documentation.page", "/docs/{*path}", page)
}

/// What every page shows around itself.
struct Frame {
    css: &'static str,
    icon: &'static str,
    version: &'static str,
    shop: String,
    chapters: &'static [Chapter],
    /// The page that is shown.
    address: String,
    question: String,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Shown {
    frame: Frame,
    page: &'static Page,
    headings: Vec<&'static Heading>,
    before: Option<&'static Named>,
    after: Option<&'static Named>,
}

#[derive(Template)]
#[template(path = "search.html")]
struct Results {
    frame: Frame,
    found: Vec<Found>,
    most: usize,
}

/// A request with what its page needs.
struct Asked {
    headers: HeaderMap,
    question: String,
    config: Arc<ShopConfig>,
}

impl FromRequestParts<()> for Asked {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &()) -> Result<Self, ApiError> {
        let Uses(config) = Uses::<Arc<ShopConfig>>::from_request_parts(parts, state).await?;
        let query = parts.uri.query().unwrap_or_default();
        let question = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "q");
        let question = question.map(|(_, value)| value.trim().to_owned()).unwrap_or_default();
        Ok(Self { headers: parts.headers.clone(), question, config })
    }
}

impl Takes for Asked {}

/// The headers of a request for a file.
struct Headers(HeaderMap);

impl<S: Send + Sync> FromRequestParts<S> for Headers {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.clone()))
    }
}

impl Takes for Headers {}

impl Asked {
    fn frame(&self, address: &str) -> Frame {
        let asset = |name| ASSETS.name_of(name).expect("files that templates name are there");
        Frame {
            css: asset("docs.css"),
            icon: asset("favicon.svg"),
            version: env!("CARGO_PKG_VERSION"),
            shop: self.config.shop.name.clone(),
            chapters: &LIBRARY.chapters,
            address: address.to_owned(),
            question: self.question.clone(),
        }
    }

    fn answer(&self, template: &impl Template) -> ApiResult<PageResponse> {
        let html = template.render().map_err(ApiError::internal)?.into();
        let takes_gzip = takes_gzip(&self.headers);
        let page = HtmlPage { status: StatusCode::OK, html, keeping: Keeping::Everybody, takes_gzip };
        let mut answer = page.into_response();
        answer.headers_mut().insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
        Ok(PageResponse(answer))
    }
}

async fn contents(asked: Asked) -> ApiResult<PageResponse> {
    show("", &asked)
}

async fn page(AssetPath(path): AssetPath, asked: Asked) -> ApiResult<PageResponse> {
    if path == "llms.txt" {
        return Ok(text(list_for_agents(), "text/plain; charset=utf-8"));
    }
    if let Some(address) = path.strip_suffix(".md") {
        let page = LIBRARY.page(address).filter(|page| page.is_markdown()).ok_or_else(ApiError::not_found)?;
        let source = sources::text(&page.source).ok_or_else(ApiError::not_found)?;
        return Ok(text(source.to_owned(), "text/markdown; charset=utf-8"));
    }
    show(path.trim_end_matches('/'), &asked)
}

fn show(address: &str, asked: &Asked) -> ApiResult<PageResponse> {
    let page = LIBRARY.page(address).ok_or_else(ApiError::not_found)?;
    let (before, after) = LIBRARY.neighbours(address);
    let headings = page.headings.iter().filter(|heading| heading.level <= 3).collect();
    asked.answer(&Shown { frame: asked.frame(address), page, headings, before, after })
}

async fn find(asked: Asked) -> ApiResult<PageResponse> {
    asked.answer(&Results { frame: asked.frame("search"), found: search(&asked.question), most: MOST })
}

async fn asset(AssetPath(file): AssetPath, Headers(headers): Headers) -> ApiResult<PageResponse> {
    ASSETS.answer(&file, &headers).map(PageResponse).ok_or_else(ApiError::not_found)
}

async fn picture(AssetPath(file): AssetPath) -> ApiResult<PageResponse> {
    let kinds = [(".webp", "image/webp"), (".png", "image/png"), (".svg", "image/svg+xml")];
    let kind = kinds.iter().find(|(ending, _)| file.ends_with(ending)).map(|(_, kind)| *kind);
    let found = kind.zip(sources::bytes(&format!("docs/pictures/{file}")));
    let (kind, bytes) = found.ok_or_else(ApiError::not_found)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY)),
    ];
    Ok(PageResponse((headers, Body::from(bytes)).into_response()))
}

fn text(text: String, kind: &'static str) -> PageResponse {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
    ];
    PageResponse((headers, text).into_response())
}

/// All pages in the form of <https://llmstxt.org>, each as Markdown.
fn list_for_agents() -> String {
    let mut list = String::from(
        "# Stoa\n\n> An online shop as one program: HTTP API, storefront, console, command line and background work over SQLite or \
         PostgreSQL.\n\nThe API describes itself at /api/v1/openapi.json. Each page below is Markdown.\n",
    );
    for chapter in &LIBRARY.chapters {
        let _ = write!(list, "\n## {}\n\n", chapter.title);
        for (address, name) in &chapter.pages {
            let ending = if LIBRARY.page(address).is_some_and(Page::is_markdown) { ".md" } else { "" };
            let _ = writeln!(list, "- [{name}](/docs/{address}{ending})");
        }
    }
    list
}

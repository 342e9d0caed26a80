//! What programs read beside the sitemap: robots, the product feed, and the icon.

use axum::extract::State;
use axum::response::IntoResponse;
use http::{HeaderMap, HeaderValue, header};
use serde_json::{Value, json};

use stoa_core::http::file::FILE_POLICY;
use stoa_core::http::shared_cache::{LIST_KEY, PRODUCTS_KEY, SharedAnswer, SurrogateKeys};
use stoa_core::pages::TemplateValue;
use stoa_core::pages::answer::{Html, PageResponse};
use stoa_core::prelude::*;

use crate::frame::frame;
use crate::view::{Shop, Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.robots", "/robots.txt", robots).get("storefront.feed", "/feed/products.xml", feed).get(
        "storefront.icon",
        "/favicon.svg",
        icon,
    )
}

/// Most products that the feed lists.
const MOST_PRODUCTS: usize = 49_000;

/// The feed is made anew so often.
const SECONDS_OF_AN_HOUR: i64 = 3_600;

/// The media type of what programs read.
const XML: &str = "application/xml";

async fn all_products(view: &mut View) -> ApiResult<Vec<Value>> {
    let mut products = Vec::new();
    let mut page = 1_u64;
    loop {
        let answer = view.visitor.get(&format!("/products?page={page}"), &[]).await?.json();
        products.extend(answer["data"].as_array().cloned().unwrap_or_default());
        if page >= answer["meta"]["last_page"].as_u64().unwrap_or(1) || products.len() >= MOST_PRODUCTS {
            return Ok(products);
        }
        page += 1;
    }
}

async fn feed(State(storefront): State<Storefront>, mut view: View) -> ApiResult<PageResponse> {
    let version = view.shop.catalog_version.clone();
    let hour = view.shop.clock.now().timestamp().div_euclid(SECONDS_OF_AN_HOUR);
    let kept = storefront.feed().of_hour(&version, Some(hour), async {
        let products = all_products(&mut view).await?;
        fill(&storefront, &view, "feed.xml", json!({"products": products})).map(Html::from)
    });
    let document = kept.await?;
    Ok(shared(view, &document))
}

async fn robots(State(storefront): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let text = fill(&storefront, &view, "robots.txt", json!({}))?;
    Ok(answer(view, &text.into(), "text/plain; charset=utf-8"))
}

async fn icon(State(storefront): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let letter = view.shop.config.shop.name.chars().find(|letter| letter.is_alphanumeric()).unwrap_or('S').to_string();
    let text = fill(&storefront, &view, "favicon.svg.xml", json!({"letter": letter.to_uppercase()}))?;
    Ok(answer(view, &text.into(), "image/svg+xml"))
}

fn fill(storefront: &Storefront, view: &View, template: &str, values: Value) -> ApiResult<String> {
    let shop: &Shop = &view.shop;
    let mut all = frame(storefront, shop, view.visitor.language, &view.path);
    if let (Value::Object(all), Value::Object(values)) = (&mut all, values) {
        all.extend(values);
    }
    storefront.theme(shop)?.render(template, &TemplateValue::from_serialize(&all)).map_err(ApiError::internal)
}

/// A document about all products, which caches outside keep until one changes.
pub(crate) fn shared(view: View, document: &Html) -> PageResponse {
    let cache = view.shop.config.catalog.cache.filter(|_| !view.is_personal());
    let PageResponse(mut response) = answer(view, document, XML);
    if let Some(cache) = cache {
        let keys = SurrogateKeys::default().with(LIST_KEY).with(PRODUCTS_KEY);
        SharedAnswer::new(cache, keys).write(response.headers_mut());
    }
    PageResponse(response)
}

fn answer(view: View, document: &Html, content_type: &'static str) -> PageResponse {
    let (content, is_compressed) = document.taken_by(&view.visitor.headers);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=600"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    view.finish((headers, content).into_response())
}

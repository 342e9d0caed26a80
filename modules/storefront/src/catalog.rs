//! Home, categories, products and search.

use axum::extract::State;
use serde_json::{Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::http::extract::Name;
use stoa_core::pages::PanelOn;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::view::{Storefront, View};

/// Categories on the home page, each with some of its products.
const SHELVES: usize = 4;

/// Products of each of them.
const ON_A_SHELF: usize = 4;

/// What lists may be asked for, and is passed on to the API.
const FILTERS: [&str; 6] = ["q", "sort", "min", "max", "available", "brand"];

pub(crate) fn pages() -> Routes<Storefront> {
    routes()
        .get("storefront.home", "/", home)
        .get("storefront.category", "/c/{slug}", category)
        .get("storefront.product", "/p/{slug}", product)
        .get("storefront.search", "/search", search)
}

/// Answers with the page as it was made for whoever came before, if there is one.
macro_rules! unless_kept {
    ($view:ident, $template:literal) => {
        match $view.kept($template) {
            Ok(page) => return Ok(page),
            Err(view) => view,
        }
    };
}

async fn home(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let mut view = unless_kept!(view, "home.html");
    let newest = view.ask("/browse?sort=newest").await?.data();
    let categories = view.categories().await?;
    let mut shelves = Vec::new();
    for category in categories.as_array().into_iter().flatten() {
        if shelves.len() == SHELVES {
            break;
        }
        let slug = category["slug"].as_str().unwrap_or_default();
        let answer = view.ask(&format!("/browse?category={}", path_segment(slug))).await?;
        let products = first(answer.data(), ON_A_SHELF);
        if products.as_array().is_some_and(|products| !products.is_empty()) {
            shelves.push(json!({"category": category, "products": products}));
        }
    }
    view.show("home.html", json!({"newest": first(newest, 8), "shelves": shelves})).await
}

async fn category(State(_): State<Storefront>, Name(slug): Name, view: View) -> ApiResult<PageResponse> {
    let mut view = unless_kept!(view, "category.html");
    let found = view.ask(&format!("/categories/{}", path_segment(&slug))).await?;
    if !found.status.is_success() {
        return Err(ApiError::not_found());
    }
    let category = found.data()["category"].clone();
    let listing = listing(&mut view, Some(&slug)).await?;
    view.show("category.html", json!({"category": category, "listing": listing})).await
}

async fn search(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let mut view = unless_kept!(view, "search.html");
    let listing = listing(&mut view, None).await?;
    view.show("search.html", json!({"listing": listing})).await
}

async fn product(State(_): State<Storefront>, Name(slug): Name, view: View) -> ApiResult<PageResponse> {
    let view = unless_kept!(view, "product.html");
    let values = product_values(view, &slug, json!({})).await?;
    let (view, values) = values;
    view.show("product.html", values).await
}

/// What the page of a product shows; with what was typed and refused, when it comes back.
pub(crate) async fn product_values(mut view: View, slug: &str, more: Value) -> ApiResult<(View, Value)> {
    let found = view.ask(&format!("/products/{}", path_segment(slug))).await?;
    if !found.status.is_success() {
        return Err(ApiError::not_found());
    }
    let product = found.data();
    let related = match product["category"]["slug"].as_str() {
        Some(category) => view.ask(&format!("/browse?category={}", path_segment(category))).await?.data(),
        None => Value::Null,
    };
    let others = related.as_array().into_iter().flatten().filter(|other| other["id"] != product["id"]);
    let others = others.take(4).cloned().collect::<Vec<_>>();
    let panels = view.panels(PanelOn::Product);
    let below = view.answered(PanelOn::BelowProduct, slug, &[]).await?;
    let structured = structured(&view, &product);
    let mut values = json!({
        "product": product, "related": others, "panels": panels, "below": below, "structured": structured, "typed": {}, "refusal": null,
    });
    if let (Value::Object(values), Value::Object(more)) = (&mut values, more) {
        values.extend(more);
    }
    Ok((view, values))
}

/// What search engines are told of a product (schema.org), as text that cannot end its element.
fn structured(view: &View, product: &Value) -> String {
    let stock = if product["availability"] == "out_of_stock" { "OutOfStock" } else { "InStock" };
    let address = format!("{}/p/{}", &*view.shop.base_url, path_segment(product["slug"].as_str().unwrap_or_default()));
    let mut said = json!({
        "@context": "https://schema.org", "@type": "Product", "name": product["name"], "image": product["images"],
        "url": address,
        "offers": {
            "@type": "Offer", "url": address, "priceCurrency": product["price"]["currency"],
            "price": view.shop.money.decimal(product["price"]["amount"].as_i64().unwrap_or_default()),
            "availability": format!("https://schema.org/{stock}"),
        },
    });
    for (name, member) in [("description", "description"), ("sku", "sku"), ("gtin", "gtin")] {
        if product[member].is_string() {
            said[name] = product[member].clone();
        }
    }
    if product["brand"].is_string() {
        said["brand"] = json!({"@type": "Brand", "name": product["brand"]});
    }
    said.to_string().replace('<', "\\u003c")
}

/// A page of products by what the address asks for.
async fn listing(view: &mut View, category: Option<&str>) -> ApiResult<Value> {
    let query = view.query();
    let of_category = category.into_iter().map(|category| ("category", category));
    let wanted = query.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    let known = wanted.clone().filter(|(name, _)| FILTERS.contains(name) || name.contains('.') || *name == "page");
    let asked = written(of_category.chain(known));
    // The address of another page of the same list.
    let others = written(wanted.filter(|(name, _)| *name != "page"));
    let answer = view.ask(&format!("/browse?{asked}")).await?;
    let body = answer.json();
    if !answer.status.is_success() {
        return Ok(json!({"products": [], "meta": {"total": 0, "current_page": 1, "last_page": 1}, "query": query,
                         "facets": {}, "refusal": body}));
    }
    let meta = &body["meta"];
    let begun = if others.is_empty() { String::new() } else { format!("{others}&") };
    Ok(json!({
        "products": body["data"], "meta": meta, "facets": meta["facets"], "query": query,
        "page_link": format!("{}?{begun}page=", view.path), "is_filtered": query.keys().any(|name| name != "page" && name != "q"),
        "refusal": null,
    }))
}

/// Parameters as the query of an address; empty ones are left out.
pub(crate) fn written<'a>(parameters: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters.filter(|(_, value)| !value.is_empty()));
    query.finish()
}

fn first(list: Value, most: usize) -> Value {
    match list {
        Value::Array(mut items) => {
            items.truncate(most);
            Value::Array(items)
        }
        other => other,
    }
}

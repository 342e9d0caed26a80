//! Forms of modules' panels: `/do/subscriptions/3/cancel` is `POST /api/v1/subscriptions/3/cancel` by whoever is logged in.

use axum::extract::State;
use http::Method;
use serde_json::{Value, json};

use stoa_core::http::extract::AssetPath;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::account::for_senders;
use crate::forms::{Form, refusal, status_of};
use crate::view::{Storefront, View};
use crate::{account, cart, catalog, orders};

/// Where to go when a form says nothing.
const PURCHASES: &str = "/account/purchases";

pub(crate) fn pages() -> Routes<Storefront> {
    routes().post("storefront.act", "/do/{*path}", act)
}

/// The fields are the body, but for `_method`, another method, `_numbers`, the names of those that are numbers, and `_back`, the page of
/// the form. What is refused is told there, with all that was typed.
async fn act(
    State(_): State<Storefront>,
    AssetPath(path): AssetPath,
    view: View,
    form: Form,
) -> ApiResult<PageResponse> {
    let method = match form.get("_method") {
        Some("DELETE") => Method::DELETE,
        Some("PATCH") => Method::PATCH,
        _ => Method::POST,
    };
    let numbers = form.get("_numbers").unwrap_or_default().split(' ').collect::<Vec<_>>();
    let mut body = json!({});
    for (name, value) in form.below("").filter(|(name, _)| !name.starts_with('_')) {
        body[name] = if numbers.contains(&name) { form.number(name) } else { json!(value) };
    }
    let back = form.get("_back").filter(|back| is_page_of_forms(back)).unwrap_or(PURCHASES).to_owned();
    for_senders!(view, &form.typed(), &back);
    let answer = view.send(method, &format!("/{path}"), &body).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-done");
        return Ok(view.redirect(&back));
    }
    let mut refused = refusal(&answer);
    refused["form"] = json!(path);
    show_again(view, &back, &Refused { status: status_of(&answer), refusal: refused, typed: form.typed() }).await
}

/// What came of a form that was refused.
pub(crate) struct Refused {
    pub(crate) status: http::StatusCode,
    /// What the API says, and as `form` the form that it is about.
    pub(crate) refusal: Value,
    pub(crate) typed: Value,
}

/// Pages with forms of modules on them.
fn is_page_of_forms(path: &str) -> bool {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_%".contains(&byte));
    let is_one = ["/account", "/cart"].contains(&path);
    is_plain && (is_one || ["/account/", "/order/", "/p/"].iter().any(|start| path.starts_with(start)))
}

/// Shows the page of a form once more.
async fn show_again(mut view: View, back: &str, refused: &Refused) -> ApiResult<PageResponse> {
    back.clone_into(&mut view.path);
    back.clone_into(&mut view.target);
    let last = back.rsplit('/').next().unwrap_or_default();
    let last = percent_encoding::percent_decode_str(last).decode_utf8_lossy().into_owned();
    if back.starts_with("/p/") {
        let more = json!({"refusal": refused.refusal, "typed": refused.typed});
        let (view, values) = catalog::product_values(view, &last, more).await?;
        return view.show_as(refused.status, "product.html", values).await;
    }
    if back.starts_with("/order/") || back.starts_with("/account/orders/") {
        return orders::show_again(view, &last, refused).await;
    }
    match back {
        "/account" => account::show_with(view, Some(refused)).await,
        "/cart" => cart::show_with(view, refused.status, refused.refusal.clone()).await,
        _ => account::show_purchases(view, Some(refused)).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_back_to_pages_of_the_shop_alone() {
        for page in
            ["/account", "/cart", "/account/purchases", "/account/orders/O-000001", "/order/O%2D000001", "/p/tea"]
        {
            assert!(is_page_of_forms(page), "{page}");
        }
        for page in [
            "//evil.example",
            "/p/\\evil",
            "https://evil.example",
            "/account/../login",
            "/login",
            "/carts",
            "/p/a?next=b",
        ] {
            assert!(!is_page_of_forms(page), "{page}");
        }
    }
}

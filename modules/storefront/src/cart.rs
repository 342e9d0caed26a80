//! The cart.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::catalog::product_values;
use crate::forms::{Form, refusal, status_of};
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.cart", "/cart", show).post("storefront.cart.add", "/cart", add).post(
        "storefront.cart.change",
        "/cart/{line}",
        change,
    )
}

async fn show(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    show_with(view, StatusCode::OK, Value::Null).await
}

/// The cart; with what was refused of a form in it.
pub(crate) async fn show_with(mut view: View, status: StatusCode, refusal: Value) -> ApiResult<PageResponse> {
    let totals = view.ask("/checkout/requirements").await?.data();
    let panels = if view.visitor.has_session() { view.answered(PanelOn::Cart, "", &[]).await? } else { Vec::new() };
    let values = json!({"requirements": totals, "panels": panels, "refusal": refusal});
    view.show_as(status, "cart.html", values).await
}

async fn add(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let slug = form.get("slug").unwrap_or_default().to_owned();
    let product = view.ask(&format!("/products/{}", path_segment(&slug))).await?;
    if !product.status.is_success() {
        return Err(ApiError::not_found());
    }
    let product = product.data();
    let chosen = selections(&product, &form);
    let body = json!({"product_id": product["id"], "quantity": form.number("quantity"), "selections": chosen});
    let answer = view.send(Method::POST, "/cart", &body).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-added");
        return Ok(view.redirect("/cart"));
    }
    let status = status_of(&answer);
    let mut typed = form.typed();
    // Of an option with several boxes, each that was ticked.
    for (key, values) in chosen.as_object().into_iter().flatten().filter(|(_, value)| value.is_array()) {
        typed[format!("selections.{key}")] = values.clone();
    }
    let more = json!({"typed": typed, "refusal": refusal(&answer)});
    let (view, values) = product_values(view, &slug, more).await?;
    view.show_as(status, "product.html", values).await
}

/// What was chosen of a product's options, in the types that the API takes.
fn selections(product: &Value, form: &Form) -> Value {
    let mut chosen = Map::new();
    for option in product["options"].as_array().into_iter().flatten() {
        let Some(key) = option["key"].as_str() else { continue };
        let name = format!("selections.{key}");
        let value = match option["type"].as_str() {
            Some("checkbox") => {
                let all = form.all(&name).collect::<Vec<_>>();
                if all.is_empty() { Value::Null } else { json!(all) }
            }
            Some("toggle") => form.get(&name).map_or(Value::Null, |_| Value::Bool(true)),
            Some("number") => form.get(&name).map_or(Value::Null, |text| {
                serde_json::from_str::<serde_json::Number>(text).map_or_else(|_| Value::from(text), Value::Number)
            }),
            _ => form.value(&name),
        };
        if !value.is_null() {
            chosen.insert(key.to_owned(), value);
        }
    }
    Value::Object(chosen)
}

async fn change(
    State(_): State<Storefront>,
    stoa_core::http::extract::Name(line): stoa_core::http::extract::Name,
    mut view: View,
    form: Form,
) -> ApiResult<PageResponse> {
    let path = format!("/cart/{}", path_segment(&line));
    let is_removed = form.raw("remove").is_some();
    let answer = if is_removed {
        view.send(Method::DELETE, &path, &json!({})).await?
    } else {
        view.send(Method::PATCH, &path, &json!({"quantity": form.number("quantity")})).await?
    };
    // A line that is gone already, as in another tab, is as gone as it should be.
    let is_gone = answer.status == StatusCode::NOT_FOUND;
    if answer.status.is_success() || is_gone {
        view.notice(match (is_removed, is_gone) {
            (true, _) => "storefront-notice-removed",
            (false, true) => "storefront-notice-line-gone",
            (false, false) => "storefront-notice-cart-changed",
        });
        return Ok(view.redirect("/cart"));
    }
    let mut refused = refusal(&answer);
    refused["line"] = json!(line);
    refused["quantity"] = form.value("quantity");
    show_with(view, status_of(&answer), refused).await
}

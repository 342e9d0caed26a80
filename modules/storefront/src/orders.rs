//! One order: for whoever placed it, or holds its link.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::http::extract::Name;
use stoa_core::pages::PanelOn;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::catalog::encoded;
use crate::checkout::begin_payment;
use crate::forms::{Form, refusal, status_of};
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes()
        .get("storefront.order", "/order/{number}", show)
        .post("storefront.order.pay", "/order/{number}", pay)
        .get("storefront.withdrawal", "/withdrawal", withdrawal)
        .post("storefront.withdrawal.declare", "/withdrawal", declare)
}

/// An own order by its number.
pub(crate) async fn own_order(view: &mut View, number: &str) -> ApiResult<Option<Value>> {
    let Some(id) = number.strip_prefix("O-").and_then(|digits| digits.parse::<u64>().ok()) else { return Ok(None) };
    if !view.visitor.has_session() {
        return Ok(None);
    }
    let answer = view.ask(&format!("/orders/{id}")).await?;
    Ok(answer.status.is_success().then(|| answer.data()))
}

/// The order that the address names, with the key of its link or as the customer's own.
async fn find(view: &mut View, number: &str) -> ApiResult<(Value, Option<String>)> {
    let key = view.query().get("key").and_then(Value::as_str).map(str::to_owned);
    if let Some(key) = &key {
        let path = format!("/guest-orders/{}", encoded(number));
        let answer = view.visitor.get(&path, &[("x-order-key", key.as_str())]).await?;
        if answer.status.is_success() {
            return Ok((answer.data(), Some(key.clone())));
        }
    }
    let order = own_order(view, number).await?.ok_or_else(ApiError::not_found)?;
    Ok((order, None))
}

async fn show(State(_): State<Storefront>, Name(number): Name, mut view: View) -> ApiResult<PageResponse> {
    let (order, key) = find(&mut view, &number).await?;
    let panels = view.panels(PanelOn::Order);
    let values = json!({"order": order, "key": key, "panels": panels});
    view.show_as(StatusCode::OK, "order.html", values).await
}

/// Pays an own order that is not paid yet.
async fn pay(State(_): State<Storefront>, Name(number): Name, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let order = own_order(&mut view, &number).await?.ok_or_else(ApiError::not_found)?;
    let chosen = order["payment_method"].as_str().unwrap_or("manual").to_owned();
    let gateway = form.text("gateway").map_or(chosen, str::to_owned);
    begin_payment(view, &order, &gateway).await
}

/// A page that the law of the European Union wants; there is none where it does not count.
async fn withdrawal(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let query = view.query();
    show_withdrawal(view, StatusCode::OK, Value::Object(query), Value::Null, 1).await
}

async fn show_withdrawal(
    view: View,
    status: StatusCode,
    typed: Value,
    refusal: Value,
    step: u8,
) -> ApiResult<PageResponse> {
    if !view.offers_withdrawal() {
        return Err(ApiError::not_found());
    }
    view.show_as(status, "withdrawal.html", json!({"typed": typed, "refusal": refusal, "step": step})).await
}

/// The two steps of a withdrawal: which order, then the confirmation. Whoever comes by the order's link is known; whoever types its
/// number and an address hears the same whether there is such an order or not.
async fn declare(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let typed = form.typed();
    if form.raw("confirm").is_none() {
        return show_withdrawal(view, StatusCode::OK, typed, Value::Null, 2).await;
    }
    let answer = if let Some(key) = form.text("key") {
        let number = form.text("order_number").unwrap_or_default();
        let path = format!("/guest-orders/{}/withdrawals", encoded(number));
        let body = json!({"statement": form.value("statement")});
        view.visitor.call(Method::POST, &path, &body, &[("x-order-key", key)]).await?
    } else {
        let body = json!({
            "order_number": form.value("order_number"), "email": form.value("email"), "statement": form.value("statement"),
        });
        view.visitor.call(Method::POST, "/withdrawal-requests", &body, &[]).await?
    };
    if answer.status.is_success() {
        return show_withdrawal(view, StatusCode::OK, typed, Value::Null, 3).await;
    }
    let (status, refused) = (status_of(&answer), refusal(&answer));
    show_withdrawal(view, status, typed, refused, 1).await
}

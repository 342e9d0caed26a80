//! One order: for whoever placed it, or holds its link.

use axum::extract::State;
use http::Method;
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
    let panels = view.shop.panels.iter().filter(|owned| owned.panel.on == PanelOn::Order);
    let panels = panels.map(stoa_core::pages::OwnedPanel::template_name).collect::<Vec<_>>();
    let values = json!({"order": order, "key": key, "panels": panels});
    view.show_as(http::StatusCode::OK, "order.html", values).await
}

/// Pays an own order that is not paid yet.
async fn pay(State(_): State<Storefront>, Name(number): Name, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let order = own_order(&mut view, &number).await?.ok_or_else(ApiError::not_found)?;
    let chosen = order["payment_method"].as_str().unwrap_or("manual").to_owned();
    let gateway = form.text("gateway").map_or(chosen, str::to_owned);
    begin_payment(view, &order, &gateway).await
}

async fn withdrawal(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let query = view.query();
    view.show_as(http::StatusCode::OK, "withdrawal.html", json!({"typed": query, "refusal": null, "step": 1})).await
}

/// The two steps of a withdrawal: which order, then the confirmation.
async fn declare(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let typed = form.typed();
    let is_confirmed = form.raw("confirm").is_some();
    if !is_confirmed {
        let values = json!({"typed": typed, "refusal": null, "step": 2});
        return view.show_as(http::StatusCode::OK, "withdrawal.html", values).await;
    }
    let body = json!({
        "order_number": form.value("order_number"), "email": form.value("email"), "statement": form.value("statement"),
    });
    let answer = view.send(Method::POST, "/withdrawals/declare", &body).await?;
    if answer.status.is_success() {
        let values = json!({"typed": typed, "refusal": null, "step": 3});
        return view.show_as(http::StatusCode::OK, "withdrawal.html", values).await;
    }
    let values = json!({"typed": typed, "refusal": refusal(&answer), "step": 2});
    view.show_as(status_of(&answer), "withdrawal.html", values).await
}

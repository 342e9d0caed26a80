//! Withdrawing from a contract, without a login (directive 2023/2673).

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::forms::{Form, refusal, status_of};
use crate::orders::OrderLink;
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.withdrawal", "/withdrawal", show).post(
        "storefront.withdrawal.declare",
        "/withdrawal",
        declare,
    )
}

/// A page that the law of the European Union wants; there is none where it does not count.
async fn show(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    let query = view.query();
    show_step(view, StatusCode::OK, Value::Object(query), Value::Null, 1).await
}

async fn show_step(view: View, status: StatusCode, typed: Value, refusal: Value, step: u8) -> ApiResult<PageResponse> {
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
        return show_step(view, StatusCode::OK, typed, Value::Null, 2).await;
    }
    let link = OrderLink::of(form.text("order_number").unwrap_or_default(), form.text("key"));
    let answer = if let Some(order) = link.path() {
        let body = json!({"statement": form.value("statement")});
        view.visitor.call(Method::POST, &format!("{order}/withdrawals"), &body, &link.headers()).await?
    } else {
        let body = json!({
            "order_number": form.value("order_number"), "email": form.value("email"), "statement": form.value("statement"),
        });
        view.visitor.call(Method::POST, "/withdrawal-requests", &body, &[]).await?
    };
    if answer.status.is_success() {
        return show_step(view, StatusCode::OK, typed, Value::Null, 3).await;
    }
    let (status, refused) = (status_of(&answer), refusal(&answer));
    show_step(view, status, typed, refused, 1).await
}

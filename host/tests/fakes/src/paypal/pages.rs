//! The page where a customer agrees.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::StatusCode;
use serde_json::Value;

use super::Shared;
use crate::page::{page, part};
use crate::server::lock;

pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/checkoutnow/{id}", get(show))
        .route("/checkoutnow/{id}/{choice}", post(choose))
        .with_state(shared)
}

fn order(shared: &Shared, id: &str) -> Value {
    lock(&shared.account).orders.get(id).cloned().unwrap_or_default()
}

async fn show(State(shared): State<Arc<Shared>>, path: RawPathParams) -> Response {
    let id = part(&path, "id");
    let order = order(&shared, &id);
    if order["status"] != "PAYER_ACTION_REQUIRED" {
        return (StatusCode::NOT_FOUND, "This page is over.").into_response();
    }
    let unit = &order["purchase_units"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let amount = format!("{} {}", text(&unit["amount"]["value"]), text(&unit["amount"]["currency_code"]));
    let choices = [
        ("Pay now", format!("/checkoutnow/{id}/pay")),
        ("Pay now with a card that is declined", format!("/checkoutnow/{id}/declined")),
        ("Cancel", format!("/checkoutnow/{id}/cancel")),
    ];
    page("PayPal", &text(&unit["description"]), &amount, &choices).into_response()
}

async fn choose(State(shared): State<Arc<Shared>>, path: RawPathParams) -> Response {
    let (id, choice) = (part(&path, "id"), part(&path, "choice"));
    let order = order(&shared, &id);
    let context = &order["payment_source"]["paypal"]["experience_context"];
    let pays = choice != "cancel";
    if pays && order["status"] == "PAYER_ACTION_REQUIRED" {
        if choice == "declined" {
            lock(&shared.account).declined.insert(id.clone());
        }
        shared.send(&shared.approve(&id));
    }
    let address = context[if pays { "return_url" } else { "cancel_url" }].as_str().unwrap_or("/");
    let separator = if address.contains('?') { '&' } else { '?' };
    Redirect::to(&format!("{address}{separator}token={id}")).into_response()
}

//! The page where a customer pays.

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
    Router::new().route("/pay/{id}", get(show)).route("/pay/{id}/{status}", post(choose)).with_state(shared)
}

fn payment(shared: &Shared, id: &str) -> Value {
    lock(&shared.account).payments.get(id).cloned().unwrap_or_default()
}

async fn show(State(shared): State<Arc<Shared>>, path: RawPathParams) -> Response {
    let id = part(&path, "id");
    let payment = payment(&shared, &id);
    if payment["status"] != "open" {
        return (StatusCode::NOT_FOUND, "This page is over.").into_response();
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let amount = format!("{} {}", text(&payment["amount"]["value"]), text(&payment["amount"]["currency"]));
    let choices = [
        ("Pay", format!("/pay/{id}/paid")),
        ("Pay by transfer, which takes days", format!("/pay/{id}/pending")),
        ("Fail to pay", format!("/pay/{id}/failed")),
        ("Cancel", format!("/pay/{id}/canceled")),
    ];
    page("Mollie", &text(&payment["description"]), &amount, &choices).into_response()
}

async fn choose(State(shared): State<Arc<Shared>>, path: RawPathParams) -> Response {
    let (id, status) = (part(&path, "id"), part(&path, "status"));
    let payment = payment(&shared, &id);
    let is_choice = matches!(status.as_str(), "paid" | "pending" | "failed" | "canceled");
    if payment["status"] == "open" && is_choice {
        shared.becomes(&id, &status);
        shared.send(&id);
    }
    let address = if status == "canceled" { &payment["cancelUrl"] } else { &payment["redirectUrl"] };
    let address = address.as_str().or(payment["redirectUrl"].as_str()).unwrap_or("/").to_owned();
    Redirect::to(&address).into_response()
}

//! The page where a customer pays.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::StatusCode;

use super::objects::with_account;
use super::{Outcome, Shared};
use crate::page::{page, part};

pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new().route("/pay/{id}", get(show)).route("/pay/{id}/{choice}", post(choose)).with_state(shared)
}

async fn show(State(shared): State<Arc<Shared>>, path: RawPathParams) -> Response {
    let id = part(&path, "id");
    let session = with_account(&shared, |account| account.sessions.get(&id).cloned()).unwrap_or_default();
    if session["status"] != "open" {
        return (StatusCode::NOT_FOUND, "This page is over.").into_response();
    }
    let amount = format!("{} {}", session["amount_total"], session["currency"].as_str().unwrap_or_default());
    let what = session["metadata"]["order_number"].as_str().unwrap_or("Order").to_owned();
    let choices = [
        ("Pay", format!("/pay/{id}/pay")),
        ("Pay by debit, which takes days", format!("/pay/{id}/later")),
        ("Go back", format!("/pay/{id}/back")),
    ];
    page("Stripe", &what, &amount, &choices).into_response()
}

async fn choose(State(shared): State<Arc<Shared>>, path: RawPathParams) -> Response {
    let (id, choice) = (part(&path, "id"), part(&path, "choice"));
    let session = with_account(&shared, |account| account.sessions.get(&id).cloned()).unwrap_or_default();
    let outcome = match choice.as_str() {
        "pay" => Some(Outcome::Pay),
        "later" => Some(Outcome::PayLater),
        _ => None,
    };
    let address = if outcome.is_some() { &session["success_url"] } else { &session["cancel_url"] };
    let address = address.as_str().unwrap_or("/").to_owned();
    if let (Some(outcome), "open") = (outcome, session["status"].as_str().unwrap_or_default()) {
        shared.send(&shared.happens(&id, outcome));
    }
    Redirect::to(&address).into_response()
}

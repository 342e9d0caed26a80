//! PayPal's interface.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::HeaderMap;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::checks::{check_caller, check_client, check_order, check_refund, missing, read_body, refusal};
use super::events::signature;
use super::{Account, Shared, transactions, vault};
use crate::form::fields;
use crate::idempotency::Known;
use crate::json::{Answer, header, respond};
use crate::page::part;
use crate::server::lock;

pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/oauth2/token", post(new_token))
        .route("/v2/checkout/orders", post(new_order))
        .route("/v2/checkout/orders/{id}", get(show_order))
        .route("/v2/checkout/orders/{id}/capture", post(capture_order))
        .route("/v2/payments/captures/{id}", get(show_capture))
        .route("/v1/reporting/transactions", get(list_transactions))
        .route("/v2/payments/captures/{id}/refund", post(refund_capture))
        .route("/v2/payments/refunds/{id}", get(show_refund))
        .route("/v1/notifications/verify-webhook-signature", post(verify))
        .with_state(shared)
}

fn written(answer: Answer) -> Response {
    respond(answer, "application/json")
}

async fn new_token(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    written(check_client(&headers, &shared.settings).and_then(|()| {
        if body != "grant_type=client_credentials" {
            return Err((
                400,
                json!({"error": "unsupported_grant_type", "error_description": "unsupported grant_type"}),
            ));
        }
        let mut account = lock(&shared.account);
        let token = account.id("TOKEN");
        let token = format!("A21AA{token}");
        account.tokens.insert(token.clone());
        Ok((
            200,
            json!({
                "scope": "https://uri.paypal.com/services/checkout",
                "access_token": token,
                "token_type": "Bearer",
                "app_id": "APP-80W284485P519543T",
                "expires_in": 32_400,
                "nonce": "2026-01-15T12:00:00Z",
            }),
        ))
    }))
}

/// Does what is asked for, once for each request id; what was refused may be asked for again.
fn once(
    shared: &Shared,
    headers: &HeaderMap,
    body: &Bytes,
    work: impl FnOnce(&mut Account, &serde_json::Value) -> Answer,
) -> Answer {
    let mut account = lock(&shared.account);
    check_caller(headers, &account)?;
    let body = read_body(headers, body)?;
    let key = header(headers, "paypal-request-id");
    if let Known::Answered(_, answer) = account.answers.find(key, "") {
        return Ok((200, answer));
    }
    let answer = work(&mut account, &body);
    if let Ok((status, answer)) = &answer {
        account.answers.keep(key, "", *status, answer);
    }
    answer
}

async fn new_order(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    written(once(&shared, &headers, &body, |account, body| {
        check_order(body)?;
        vault::new_order(&shared, account, body)
    }))
}

async fn show_order(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let account = lock(&shared.account);
    written(
        check_caller(&headers, &account).and_then(|()| {
            account.orders.get(&part(&path, "id")).map(|order| (200, order.clone())).ok_or_else(missing)
        }),
    )
}

async fn capture_order(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let id = part(&path, "id");
    let answer = once(&shared, &headers, &body, |account, _| Ok((201, shared.capture(account, &id)?)));
    if let Ok((201, order)) = &answer {
        let capture = &order["purchase_units"][0]["payments"]["captures"][0];
        let kind = if capture["status"] == "PENDING" { "PENDING" } else { "COMPLETED" };
        shared.send(&shared.event(&format!("PAYMENT.CAPTURE.{kind}"), capture));
    }
    written(answer)
}

async fn show_capture(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let account = lock(&shared.account);
    written(
        check_caller(&headers, &account).and_then(|()| Ok((200, transactions::capture(&account, &part(&path, "id"))?))),
    )
}

async fn list_transactions(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let account = lock(&shared.account);
    let query = fields(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    written(check_caller(&headers, &account).and_then(|()| transactions::list(&account, &query)))
}

async fn refund_capture(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let id = part(&path, "id");
    let answer = once(&shared, &headers, &body, |account, body| {
        check_refund(body)?;
        Ok((201, shared.new_refund(account, &id, &body["amount"], &body["custom_id"])?))
    });
    if let Ok((201, refund)) = &answer {
        shared.send(&shared.event("PAYMENT.CAPTURE.REFUNDED", refund));
    }
    written(answer)
}

async fn show_refund(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let account = lock(&shared.account);
    written(
        check_caller(&headers, &account).and_then(|()| {
            account.refunds.get(&part(&path, "id")).map(|refund| (200, refund.clone())).ok_or_else(missing)
        }),
    )
}

/// What a shop asks about a signature.
#[derive(Deserialize)]
struct Question {
    auth_algo: String,
    cert_url: String,
    transmission_id: String,
    transmission_sig: String,
    transmission_time: String,
    webhook_id: String,
    webhook_event: Box<RawValue>,
}

async fn verify(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let checked = check_caller(&headers, &lock(&shared.account));
    written(checked.and_then(|()| {
        let malformed = |_| refusal(400, "VALIDATION_ERROR", "MALFORMED", "Invalid request - see details");
        let asked: Question = serde_json::from_slice(&body).map_err(malformed)?;
        let event = asked.webhook_event.get().as_bytes();
        let expected = signature(&asked.transmission_id, &asked.transmission_time, &asked.webhook_id, event);
        let is_real = expected == asked.transmission_sig
            && asked.webhook_id == shared.settings.webhook_id
            && asked.auth_algo == "SHA256withRSA"
            && asked.cert_url.starts_with("https://api.sandbox.paypal.com/");
        Ok((200, json!({"verification_status": if is_real { "SUCCESS" } else { "FAILURE" }})))
    }))
}

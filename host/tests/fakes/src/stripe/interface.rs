//! Stripe's interface.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::checks::{Refusal, check_caller, check_charge, check_form, check_refund, check_session, invalid};
use super::objects::with_account;
use super::{Account, Outcome, Shared};
use crate::form::fields;
use crate::idempotency::Known;
use crate::page::part;

pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/checkout/sessions", post(new_session))
        .route("/v1/checkout/sessions/{id}", get(show_session))
        .route("/v1/checkout/sessions/{id}/expire", post(expire_session))
        .route("/v1/payment_intents", post(new_charge).get(list_charges))
        .route("/v1/payment_intents/{id}", get(show_charge))
        .route("/v1/payment_intents/{id}/cancel", post(cancel_charge))
        .route("/v1/refunds", post(new_refund).get(list_refunds))
        .route("/v1/refunds/{id}", get(show_refund))
        .with_state(shared)
}

/// The body of a failure.
pub(super) fn problem(status: u16) -> Vec<u8> {
    let kind = if status >= 500 { "api_error" } else { "invalid_request_error" };
    let code = (status == 429).then_some("rate_limit");
    let error = json!({"error": {"type": kind, "code": code, "message": format!("Something is wrong ({status}).")}});
    error.to_string().into_bytes()
}

type Answered = Result<Value, Refusal>;

fn respond(answered: Answered) -> Response {
    let (status, body) = answered.map_or_else(|refusal| refusal, |body| (200, body));
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}

fn missing(what: &str, id: &str) -> Refusal {
    invalid(404, Some("resource_missing"), &format!("No such {what}: '{id}'"))
}

/// Does what a form asks for, once for each key.
fn once(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    path: &str,
    body: &Bytes,
    work: impl FnOnce(&mut Account, &BTreeMap<String, String>) -> Answered,
) -> Response {
    let checked = check_caller(headers, &shared.settings.secret_key).and_then(|()| check_form(headers));
    let key = match checked {
        Ok(key) => key,
        Err(refusal) => return respond(Err(refusal)),
    };
    let Some(fields) = fields(body) else {
        return respond(Err(invalid(400, None, "a parameter stands there twice")));
    };
    let request = format!("{path} {fields:?}");
    respond(with_account(shared, |account| match account.answers.find(&key, &request) {
        Known::Answered(200, answer) => Ok(answer),
        Known::Answered(status, answer) => Err((status, answer)),
        Known::Other => {
            let message =
                "Keys for idempotent requests can only be used with the same parameters they were first used with.";
            Err((400, json!({"error": {"type": "idempotency_error", "message": message}})))
        }
        Known::New => {
            let answered = work(account, &fields);
            let (status, answer) = answered.clone().map_or_else(|refusal| refusal, |answer| (200, answer));
            account.answers.keep(&key, &request, status, &answer);
            answered
        }
    }))
}

async fn new_session(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    once(&shared, &headers, "sessions", &body, |account, fields| {
        check_session(fields, (shared.settings.clock)())?;
        Ok(shared.new_session(account, fields))
    })
}

async fn show_session(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let id = part(&path, "id");
    let expand = query.is_some_and(|query| query.contains("payment_intent"));
    respond(check_caller(&headers, &shared.settings.secret_key).and_then(|()| {
        with_account(&shared, |account| {
            let session = account.sessions.get(&id).cloned().ok_or_else(|| missing("checkout.session", &id))?;
            Ok(Shared::shown(account, session, expand))
        })
    }))
}

async fn expire_session(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let id = part(&path, "id");
    let status = with_account(&shared, |account| account.sessions.get(&id).map(|session| session["status"].clone()));
    let refusal = match status.as_ref().and_then(Value::as_str) {
        None => Some(missing("checkout.session", &id)),
        Some("open") => None,
        Some(other) => {
            let message = format!(
                "Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of \
                 {other}."
            );
            Some(invalid(400, None, &message))
        }
    };
    if refusal.is_none() && check_caller(&headers, &shared.settings.secret_key).is_ok() {
        shared.send(&shared.happens(&id, Outcome::Expire));
    }
    once(&shared, &headers, &format!("sessions/{id}/expire"), &body, |account, _| match refusal {
        Some(refusal) => Err(refusal),
        None => account.sessions.get(&id).cloned().ok_or_else(|| missing("checkout.session", &id)),
    })
}

async fn new_charge(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    once(&shared, &headers, "payment_intents", &body, |account, fields| {
        check_charge(fields)?;
        shared.charge(account, fields)
    })
}

async fn list_charges(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = fields(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    respond(check_caller(&headers, &shared.settings.secret_key).map(|()| {
        let intents = with_account(&shared, |account| account.intents.values().cloned().collect::<Vec<_>>());
        let of = query.get("customer").map(String::as_str).unwrap_or_default();
        let made = |intent: &Value| intent["object"] == "payment_intent" && intent["customer"] == of;
        let shown = intents.into_iter().rev().filter(made).collect::<Vec<_>>();
        json!({"object": "list", "url": "/v1/payment_intents", "has_more": false, "data": shown})
    }))
}

async fn show_charge(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let id = part(&path, "id");
    respond(check_caller(&headers, &shared.settings.secret_key).and_then(|()| {
        let intent = with_account(&shared, |account| account.intents.get(&id).cloned());
        intent.ok_or_else(|| missing("payment_intent", &id))
    }))
}

async fn cancel_charge(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let id = part(&path, "id");
    once(&shared, &headers, &format!("payment_intents/{id}/cancel"), &body, |account, _| {
        let intent = account.intents.get_mut(&id).ok_or_else(|| missing("payment_intent", &id))?;
        if intent["status"] != "requires_payment_method" {
            let message = "You cannot cancel this PaymentIntent because it has a status of succeeded.";
            return Err(invalid(400, Some("payment_intent_unexpected_state"), message));
        }
        intent["status"] = json!("canceled");
        Ok(intent.clone())
    })
}

async fn new_refund(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    once(&shared, &headers, "refunds", &body, |account, fields| {
        let (intent_id, amount) = check_refund(fields)?;
        let intent = account.intents.get(&intent_id).cloned();
        let intent = intent.ok_or_else(|| missing("payment_intent", &intent_id))?;
        match Shared::refundable(account, &intent) {
            0 => Err(invalid(400, Some("charge_already_refunded"), "Charge has already been refunded.")),
            left if amount > left => {
                let message = format!("Refund amount ({amount}) is greater than unrefunded amount on charge ({left})");
                Err(invalid(400, None, &message))
            }
            _ => Ok(shared.new_refund(account, &intent, amount, fields)),
        }
    })
}

async fn list_refunds(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = fields(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    respond(check_caller(&headers, &shared.settings.secret_key).map(|()| {
        let refunds = with_account(&shared, |account| account.refunds.clone());
        let of = query.get("payment_intent");
        let shown =
            refunds.into_iter().rev().filter(|refund| of.is_none_or(|id| refund["payment_intent"] == id.as_str()));
        json!({"object": "list", "url": "/v1/refunds", "has_more": false, "data": shown.collect::<Vec<_>>()})
    }))
}

async fn show_refund(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let id = part(&path, "id");
    respond(check_caller(&headers, &shared.settings.secret_key).and_then(|()| {
        with_account(&shared, |account| {
            let refund = account.refunds.iter().find(|refund| refund["id"] == id.as_str());
            refund.cloned().ok_or_else(|| missing("refund", &id))
        })
    }))
}

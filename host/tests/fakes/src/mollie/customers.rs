//! Customers, what they let be charged again, and charging it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Value, json};

use super::checks::{check_caller, check_customer, read_body, refusal};
use super::interface::{once, written};
use super::{Account, Shared};
use crate::json::Refusal;
use crate::page::part;
use crate::server::lock;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/v2/customers", post(new_customer))
        .route("/v2/customers/{id}/mandates", get(list_mandates))
        .route("/v2/customers/{id}/payments", get(list_payments))
}

async fn new_customer(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let checked = check_caller(&headers, &shared.settings.api_key).and_then(|()| read_body(&headers, &body));
    written(checked.and_then(|body| {
        once(&shared, &headers, |account| {
            check_customer(&body)?;
            let id = account.id("cst_");
            let customer = json!({
                "resource": "customer",
                "id": id,
                "mode": "test",
                "name": body["name"],
                "email": body["email"],
                "locale": body["locale"],
                "metadata": body["metadata"],
                "createdAt": "2026-01-15T12:00:00+00:00",
                "_links": {"self": link(&shared, &format!("/v2/customers/{id}"))},
            });
            account.customers.insert(id, customer.clone());
            Ok((201, customer))
        })
    }))
}

async fn list_mandates(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    list(&shared, &path, query.as_deref(), &headers, "mandates", |account| {
        account.mandates.iter().rev().cloned().collect()
    })
}

async fn list_payments(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    // The ids are counted up, so the newest is the last.
    list(&shared, &path, query.as_deref(), &headers, "payments", |account| {
        account.payments.values().rev().cloned().collect()
    })
}

/// What belongs to a customer, the newest first.
fn list(
    shared: &Shared,
    path: &RawPathParams,
    query: Option<&str>,
    headers: &HeaderMap,
    what: &str,
    all: impl FnOnce(&Account) -> Vec<Value>,
) -> Response {
    let id = part(path, "id");
    written(check_caller(headers, &shared.settings.api_key).and_then(|()| {
        let account = lock(&shared.account);
        account.customers.get(&id).ok_or_else(|| missing(&id))?;
        let limit = query.and_then(|query| query.strip_prefix("limit=")?.parse::<usize>().ok()).unwrap_or(50);
        if !(1..=250).contains(&limit) {
            return Err(refusal(400, "The limit is invalid", Some("limit")));
        }
        let all = all(&account).into_iter().filter(|one| one["customerId"] == id.as_str());
        let shown = all.take(limit).collect::<Vec<_>>();
        let links =
            json!({"self": link(shared, &format!("/v2/customers/{id}/{what}")), "previous": null, "next": null});
        Ok((200, json!({"count": shown.len(), "_embedded": {what: shown}, "_links": links})))
    }))
}

fn missing(id: &str) -> Refusal {
    refusal(404, &format!("No customer exists with token {id}."), None)
}

fn link(shared: &Shared, path: &str) -> Value {
    json!({"href": format!("{}{path}", shared.base_url), "type": "application/hal+json"})
}

/// Whether a payment can be the part of a sequence that it says it is.
pub(super) fn check_sequence(account: &Account, body: &Value) -> Result<(), Refusal> {
    let text = |member: &str| body[member].as_str().unwrap_or_default();
    if !body["customerId"].is_null() && !account.customers.contains_key(text("customerId")) {
        return Err(refusal(422, "The customer id is invalid", Some("customerId")));
    }
    match text("sequenceType") {
        "first" if account.saves_nothing => Err(refusal(422, "No suitable payment methods found", None)),
        "recurring" if mandate(account, body).is_none() => {
            Err(refusal(422, "The customer has no suitable mandates for this payment", Some("mandateId")))
        }
        _ => Ok(()),
    }
}

/// The mandate that a recurring payment is under: the one that it names, or the newest of its customer.
fn mandate<'a>(account: &'a Account, body: &Value) -> Option<&'a Value> {
    let is_named = |mandate: &&Value| {
        mandate["customerId"] == body["customerId"]
            && (body["mandateId"].is_null() || mandate["id"] == body["mandateId"])
            && mandate["status"] != "invalid"
    };
    account.mandates.iter().rev().find(is_named)
}

/// Charges a new recurring payment: cards at once, bank accounts within days.
pub(super) fn charge(account: &mut Account, payment: &mut Value) {
    let Some(mandate) = mandate(account, payment).cloned() else { return };
    payment["mandateId"] = mandate["id"].clone();
    payment["method"] = mandate["method"].clone();
    if let Some(links) = payment["_links"].as_object_mut() {
        links.remove("checkout");
    }
    payment["expiresAt"] = Value::Null;
    let is_declined = account.declines > 0;
    account.declines = account.declines.saturating_sub(1);
    let status = match (is_declined, mandate["method"] == "directdebit") {
        (true, _) => "failed",
        (false, true) => "pending",
        (false, false) => "paid",
    };
    super::set_status(payment, status);
    payment["isCancelable"] = json!(status == "pending");
}

/// Makes the mandate of a first payment that was paid. The bank account of who has paid by iDEAL is told to Mollie later.
pub(super) fn agree(account: &mut Account, id: &str) {
    let agrees = |payment: &Value| payment["sequenceType"] == "first" && payment["mandateId"].is_null();
    if !account.payments.get(id).is_some_and(agrees) {
        return;
    }
    let mandate = account.id("mdt_");
    let Some(payment) = account.payments.get_mut(id) else { return };
    let is_bank = payment["method"] == "ideal";
    payment["mandateId"] = json!(mandate);
    account.mandates.push(json!({
        "resource": "mandate",
        "id": mandate,
        "mode": "test",
        "status": if is_bank { "pending" } else { "valid" },
        "method": if is_bank { "directdebit" } else { "creditcard" },
        "details": {},
        "mandateReference": null,
        "signatureDate": "2026-01-15",
        "customerId": payment["customerId"],
        "scopes": ["customer-not-present"],
        "createdAt": "2026-01-15T12:01:00+00:00",
    }));
}

//! Mollie's interface.

use std::sync::Arc;

use axum::Router;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Value, json};

use super::checks::{check_caller, check_payment, check_refund, decimals, read_body, refusal};
use super::{Account, Shared, customers};
use crate::idempotency::Known;
use crate::json::{Answer, Refusal, decimal, header, hundredths, respond};
use crate::page::part;
use crate::server::lock;

pub(super) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v2/payments", post(new_payment))
        .route("/v2/payments/{id}", get(show_payment).delete(cancel_payment))
        .route("/v2/payments/{id}/refunds", post(refund_payment).get(list_refunds))
        .route("/v2/payments/{id}/refunds/{refund}", get(show_refund))
        .merge(customers::routes())
        .with_state(shared)
}

pub(super) fn written(answer: Answer) -> Response {
    respond(answer, "application/hal+json")
}

fn missing(id: &str) -> Refusal {
    refusal(404, &format!("No payment exists with token {id}."), None)
}

/// Does what is asked for, once for each key.
pub(super) fn once(shared: &Shared, headers: &HeaderMap, work: impl FnOnce(&mut Account) -> Answer) -> Answer {
    let key = header(headers, "idempotency-key");
    let mut account = lock(&shared.account);
    if let Known::Answered(status, body) = account.answers.find(key, "") {
        return Ok((status, body));
    }
    let answer = work(&mut account);
    if let Ok((status, body)) = &answer {
        account.answers.keep(key, "", *status, body);
    }
    answer
}

async fn new_payment(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let checked = check_caller(&headers, &shared.settings.api_key).and_then(|()| read_body(&headers, &body));
    written(checked.and_then(|body| {
        once(&shared, &headers, |account| {
            check_payment(&body)?;
            customers::check_sequence(account, &body)?;
            Ok((201, shared.new_payment(account, &body)))
        })
    }))
}

async fn show_payment(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let id = part(&path, "id");
    written(check_caller(&headers, &shared.settings.api_key).and_then(|()| {
        let account = lock(&shared.account);
        let mut payment = account.payments.get(&id).cloned().ok_or_else(|| missing(&id))?;
        if query.is_some_and(|query| query.contains("embed=refunds")) {
            let refunds = account.refunds_of(&id);
            if !refunds.is_empty() {
                payment["_embedded"] = json!({"refunds": refunds});
            }
        }
        Ok((200, payment))
    }))
}

async fn cancel_payment(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let id = part(&path, "id");
    let answer = check_caller(&headers, &shared.settings.api_key).and_then(|()| {
        let payment = lock(&shared.account).payments.get(&id).cloned().ok_or_else(|| missing(&id))?;
        if payment["isCancelable"] != true {
            return Err(refusal(422, "The payment cannot be cancelled", None));
        }
        shared.becomes(&id, "canceled");
        Ok((200, lock(&shared.account).payments[&id].clone()))
    });
    if answer.is_ok() {
        shared.send(&id);
    }
    written(answer)
}

async fn refund_payment(
    State(shared): State<Arc<Shared>>,
    path: RawPathParams,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let id = part(&path, "id");
    let checked = check_caller(&headers, &shared.settings.api_key).and_then(|()| read_body(&headers, &body));
    written(checked.and_then(|body| {
        once(&shared, &headers, |account| {
            check_refund(&body)?;
            let payment = account.payments.get(&id).cloned().ok_or_else(|| missing(&id))?;
            let is_enough = hundredths(&body["amount"]["value"]) <= hundredths(&payment["amountRemaining"]["value"]);
            if payment["status"] != "paid" || !is_enough || body["amount"]["currency"] != payment["amount"]["currency"]
            {
                return Err(refusal(422, "The amount is higher than the maximum", Some("amount")));
            }
            Ok((201, shared.new_refund(account, &id, &body["amount"], &body)))
        })
    }))
}

async fn list_refunds(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let id = part(&path, "id");
    written(check_caller(&headers, &shared.settings.api_key).and_then(|()| {
        let account = lock(&shared.account);
        account.payments.get(&id).ok_or_else(|| missing(&id))?;
        let refunds = account.refunds_of(&id);
        let links = json!({"self": {"href": "...", "type": "application/hal+json"}, "previous": null, "next": null});
        Ok((200, json!({"count": refunds.len(), "_embedded": {"refunds": refunds}, "_links": links})))
    }))
}

async fn show_refund(State(shared): State<Arc<Shared>>, path: RawPathParams, headers: HeaderMap) -> Response {
    let (id, refund) = (part(&path, "id"), part(&path, "refund"));
    written(check_caller(&headers, &shared.settings.api_key).and_then(|()| {
        let refunds = lock(&shared.account).refunds_of(&id);
        let found = refunds.into_iter().find(|known| known["id"] == refund.as_str());
        found.map(|found| (200, found)).ok_or_else(|| refusal(404, "No refund exists with this token.", None))
    }))
}

impl Shared {
    fn new_payment(&self, account: &mut Account, body: &Value) -> Value {
        let id = account.id("tr_");
        let link = |path: String, kind: &str| json!({"href": format!("{}{path}", self.base_url), "type": kind});
        let mut payment = json!({
            "resource": "payment",
            "id": id,
            "mode": if self.settings.api_key.starts_with("live_") { "live" } else { "test" },
            "createdAt": "2026-01-15T12:00:00+00:00",
            "amount": body["amount"],
            "description": body["description"],
            "method": body["method"],
            "metadata": body["metadata"],
            "status": "open",
            "isCancelable": true,
            "expiresAt": "2026-01-15T12:15:00+00:00",
            "profileId": "pfl_Fake",
            "customerId": body["customerId"],
            "mandateId": body["mandateId"],
            "sequenceType": body["sequenceType"].as_str().unwrap_or("oneoff"),
            "locale": body["locale"],
            "redirectUrl": body["redirectUrl"],
            "cancelUrl": body["cancelUrl"],
            "webhookUrl": body["webhookUrl"],
            "_links": {
                "self": link(format!("/v2/payments/{id}"), "application/hal+json"),
                "checkout": link(format!("/pay/{id}"), "text/html"),
            },
        });
        if payment["sequenceType"] == "recurring" {
            customers::charge(account, &mut payment);
        }
        account.payments.insert(id, payment.clone());
        payment
    }

    /// Makes a refund of an amount that is there to be refunded.
    pub(super) fn new_refund(&self, account: &mut Account, payment: &str, amount: &Value, body: &Value) -> Value {
        let id = account.id("re_");
        let refund = json!({
            "resource": "refund",
            "id": id,
            "mode": "test",
            "amount": amount,
            "status": "pending",
            "createdAt": "2026-01-15T12:05:00+00:00",
            "description": body["description"],
            "metadata": body["metadata"],
            "paymentId": payment,
            "_links": {"self": {"href": format!("{}/v2/payments/{payment}/refunds/{id}", self.base_url), "type": "application/hal+json"}},
        });
        account.refunds.push(refund.clone());
        if let Some(payment) = account.payments.get_mut(payment) {
            let currency = payment["amount"]["currency"].clone();
            let decimals = decimals(currency.as_str().unwrap_or_default()).unwrap_or(2);
            let refunded = hundredths(&payment["amountRefunded"]["value"]) + hundredths(&amount["value"]);
            let remaining = hundredths(&payment["amount"]["value"]) - refunded;
            payment["amountRefunded"] = json!({"currency": currency, "value": decimal(refunded, decimals)});
            payment["amountRemaining"] = json!({"currency": currency, "value": decimal(remaining, decimals)});
        }
        refund
    }
}

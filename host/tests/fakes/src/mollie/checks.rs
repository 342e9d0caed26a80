//! What Mollie refuses about requests.

use http::HeaderMap;
use serde_json::{Value, json};

use crate::json::{Refusal, header, is_decimal, unknown_member};

/// Decimals of the currencies that Mollie takes.
pub(super) fn decimals(currency: &str) -> Option<usize> {
    match currency {
        "ISK" | "JPY" => Some(0),
        "AED" | "AUD" | "BRL" | "CAD" | "CHF" | "CZK" | "DKK" | "EUR" | "GBP" | "HKD" | "HUF" | "ILS" | "MXN"
        | "MYR" | "NOK" | "NZD" | "PHP" | "PLN" | "RON" | "SEK" | "SGD" | "THB" | "TWD" | "USD" | "ZAR" => Some(2),
        _ => None,
    }
}

const PAYMENT: &[&str] = &[
    "amount",
    "description",
    "redirectUrl",
    "cancelUrl",
    "webhookUrl",
    "locale",
    "metadata",
    "method",
    "billingAddress",
    "customerId",
    "mandateId",
    "sequenceType",
];

const CUSTOMER: &[&str] = &["name", "email", "locale", "metadata"];

const REFUND: &[&str] = &["amount", "description", "metadata"];

const LOCALES: &[&str] = &[
    "ca_ES", "cs_CZ", "da_DK", "de_AT", "de_CH", "de_DE", "en_BE", "en_GB", "en_NL", "en_US", "es_ES", "fi_FI",
    "fr_BE", "fr_FR", "it_IT", "nb_NO", "nl_BE", "nl_NL", "pl_PL", "pt_PT", "sv_SE",
];

/// An error of Mollie's.
pub(super) fn refusal(status: u16, detail: &str, field: Option<&str>) -> Refusal {
    let title = match status {
        401 => "Unauthorized Request",
        404 => "Not Found",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Entity",
        429 => "Too Many Requests",
        _ => "Error",
    };
    let mut body = json!({
        "status": status,
        "title": title,
        "detail": detail,
        "_links": {"documentation": {"href": "https://docs.mollie.com/overview/handling-errors", "type": "text/html"}},
    });
    if let Some(field) = field {
        body["field"] = json!(field);
    }
    (status, body)
}

/// The body of a failure.
pub(super) fn problem(status: u16) -> Vec<u8> {
    refusal(status, "Something is wrong.", None).1.to_string().into_bytes()
}

/// Whether the caller is who it has to be.
pub(super) fn check_caller(headers: &HeaderMap, api_key: &str) -> Result<(), Refusal> {
    let is_known = header(headers, "authorization") == format!("Bearer {api_key}");
    is_known.then_some(()).ok_or_else(|| refusal(401, "Missing authentication, or failed to authenticate", None))
}

/// The body of a request that changes something.
pub(super) fn read_body(headers: &HeaderMap, body: &[u8]) -> Result<Value, Refusal> {
    if header(headers, "content-type") != "application/json" {
        return Err(refusal(415, "The content type must be application/json", None));
    }
    if header(headers, "idempotency-key").is_empty() {
        return Err(refusal(400, "this fake wants an idempotency key", None));
    }
    let value = serde_json::from_slice::<Value>(body).ok().filter(Value::is_object);
    value.ok_or_else(|| refusal(400, "Could not parse the request body", None))
}

fn check_amount(amount: &Value) -> Result<(), Refusal> {
    let text = |member: &str| amount[member].as_str().unwrap_or_default();
    let Some(decimals) = decimals(text("currency")) else {
        return Err(refusal(422, "The currency is not supported", Some("amount.currency")));
    };
    if !is_decimal(text("value"), decimals) {
        return Err(refusal(422, "The amount contains an invalid value", Some("amount")));
    }
    Ok(())
}

/// Whether this is what a payment is made of.
pub(super) fn check_payment(body: &Value) -> Result<(), Refusal> {
    if let Some(unknown) = unknown_member(body, PAYMENT) {
        return Err(refusal(422, "this fake does not know the field", Some(unknown)));
    }
    check_amount(&body["amount"])?;
    let text = |member: &str| body[member].as_str().unwrap_or_default();
    if text("description").is_empty() || text("description").chars().count() > 255 {
        return Err(refusal(422, "The description is invalid", Some("description")));
    }
    for field in ["redirectUrl", "cancelUrl", "webhookUrl"] {
        let is_url = text(field).starts_with("http://") || text(field).starts_with("https://");
        let is_required = field == "redirectUrl" && body["sequenceType"] != "recurring";
        if !is_url && (is_required || !body[field].is_null()) {
            return Err(refusal(422, "The URL is invalid", Some(field)));
        }
    }
    if ["localhost", "127.0.0.1", "//[::1]", ".test"].iter().any(|local| text("webhookUrl").contains(local)) {
        let detail = "The webhook URL is invalid because it is unreachable from Mollie's point of view";
        return Err(refusal(422, detail, Some("webhookUrl")));
    }
    if !body["locale"].is_null() && !LOCALES.contains(&text("locale")) {
        return Err(refusal(422, "The locale is invalid", Some("locale")));
    }
    if body["metadata"].to_string().len() > 1024 {
        return Err(refusal(422, "The metadata is too large", Some("metadata")));
    }
    let is_part = body["sequenceType"].is_null() || ["oneoff", "first", "recurring"].contains(&text("sequenceType"));
    if !is_part {
        return Err(refusal(422, "The sequence type is invalid", Some("sequenceType")));
    }
    if text("sequenceType") == "recurring" && text("customerId").is_empty() {
        return Err(refusal(422, "The customer id is required", Some("customerId")));
    }
    Ok(())
}

/// Whether this is what a customer is made of.
pub(super) fn check_customer(body: &Value) -> Result<(), Refusal> {
    if let Some(unknown) = unknown_member(body, CUSTOMER) {
        return Err(refusal(422, "this fake does not know the field", Some(unknown)));
    }
    let email = &body["email"];
    let is_address = email.as_str().is_some_and(|email| email.is_ascii() && email.contains('@'));
    if !email.is_null() && !is_address {
        return Err(refusal(422, "The email address is invalid", Some("email")));
    }
    Ok(())
}

/// Whether this is what a refund is made of.
pub(super) fn check_refund(body: &Value) -> Result<(), Refusal> {
    if let Some(unknown) = unknown_member(body, REFUND) {
        return Err(refusal(422, "this fake does not know the field", Some(unknown)));
    }
    check_amount(&body["amount"])
}

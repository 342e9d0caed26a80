//! What Stripe refuses about requests.

use std::collections::BTreeMap;

use http::HeaderMap;
use serde_json::{Value, json};

use super::VERSION;

/// A refusal: its status and its body.
pub(super) type Refusal = (u16, Value);

/// Parameters of a new session that this fake knows, which is a part of Stripe's.
const SESSION: &[&str] = &[
    "mode",
    "line_items[0][quantity]",
    "line_items[0][price_data][currency]",
    "line_items[0][price_data][unit_amount]",
    "line_items[0][price_data][product_data][name]",
    "line_items[0][price_data][product_data][description]",
    "client_reference_id",
    "customer_email",
    "customer_creation",
    "adaptive_pricing[enabled]",
    "payment_intent_data[description]",
    "payment_intent_data[setup_future_usage]",
    "success_url",
    "cancel_url",
    "locale",
    "expires_at",
];

/// Parameters of a payment intent that is confirmed without its customer.
const CHARGE: &[&str] = &["amount", "currency", "customer", "payment_method", "off_session", "confirm", "description"];

const REFUND: &[&str] = &["payment_intent", "amount", "reason"];

const LOCALES: &[&str] = &["auto", "bg", "cs", "da", "de", "el", "en", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv"];

/// A refusal of the kind `invalid_request_error`.
pub(super) fn invalid(status: u16, code: Option<&str>, message: &str) -> Refusal {
    (status, json!({"error": {"type": "invalid_request_error", "code": code, "message": message}}))
}

/// Whether the caller is who it has to be, in the version it has to say.
pub(super) fn check_caller(headers: &HeaderMap, secret_key: &str) -> Result<(), Refusal> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if text("authorization") != format!("Bearer {secret_key}") {
        let message = "Invalid API Key provided: sk_****";
        return Err((401, json!({"error": {"type": "invalid_request_error", "message": message}})));
    }
    if text("stripe-version") != VERSION {
        return Err(invalid(400, None, "this fake speaks another version"));
    }
    Ok(())
}

/// The idempotency key of a form.
pub(super) fn check_form(headers: &HeaderMap) -> Result<String, Refusal> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if text("content-type") != "application/x-www-form-urlencoded" {
        return Err(invalid(400, None, "Invalid request (check that your POST content type is a form)"));
    }
    match text("idempotency-key") {
        key if (1..=255).contains(&key.len()) => Ok(key.to_owned()),
        _ => Err(invalid(400, None, "this fake wants an idempotency key of at most 255 characters")),
    }
}

/// Whether these are parameters that a session is made of.
pub(super) fn check_session(fields: &BTreeMap<String, String>, now: i64) -> Result<(), Refusal> {
    known(fields, SESSION, &["metadata[", "payment_intent_data[metadata]["])?;
    if required(fields, "mode")? != "payment" {
        return Err(invalid(400, Some("parameter_invalid"), "this fake knows the mode payment"));
    }
    let currency = required(fields, "line_items[0][price_data][currency]")?;
    if currency.len() != 3 || currency != currency.to_lowercase() {
        return Err(invalid(400, None, &format!("Invalid currency: {currency}")));
    }
    let unit = whole(fields, "line_items[0][price_data][unit_amount]")?;
    if unit > 99_999_999 {
        return Err(invalid(400, Some("amount_too_large"), "Amount must be no more than 999,999.99"));
    }
    if unit < 50 && currency == "eur" {
        return Err(invalid(400, Some("amount_too_small"), "The total amount due must add up to at least €0.50 eur"));
    }
    whole(fields, "line_items[0][quantity]")?;
    required(fields, "line_items[0][price_data][product_data][name]")?;
    for key in ["success_url", "cancel_url"] {
        let url = required(fields, key)?;
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(invalid(400, Some("url_invalid"), "Not a valid URL"));
        }
    }
    if let Some(locale) = fields.get("locale").filter(|locale| !LOCALES.contains(&locale.as_str())) {
        return Err(invalid(400, None, &format!("Invalid locale: {locale}")));
    }
    if fields.contains_key("expires_at") {
        let expires_at = whole(fields, "expires_at")?;
        if !(now + 30 * 60..=now + 24 * 3600).contains(&expires_at) {
            let message =
                "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.";
            return Err(invalid(400, None, message));
        }
    }
    if let Some(email) = fields.get("customer_email").filter(|email| !email.contains('@')) {
        return Err(invalid(400, Some("email_invalid"), &format!("Invalid email address: {email}")));
    }
    limits(fields)
}

/// Whether these are parameters with which a customer is charged who is not there.
pub(super) fn check_charge(fields: &BTreeMap<String, String>) -> Result<(), Refusal> {
    known(fields, CHARGE, &["metadata["])?;
    limits(fields)?;
    whole(fields, "amount")?;
    required(fields, "currency")?;
    required(fields, "customer")?;
    required(fields, "payment_method")?;
    if required(fields, "off_session")? != "true" || required(fields, "confirm")? != "true" {
        return Err(invalid(400, None, "this fake knows intents that are confirmed without the customer"));
    }
    Ok(())
}

/// Whether these are parameters that a refund is made of; gives the payment intent and the amount.
pub(super) fn check_refund(fields: &BTreeMap<String, String>) -> Result<(String, i64), Refusal> {
    known(fields, REFUND, &["metadata["])?;
    limits(fields)?;
    Ok((required(fields, "payment_intent")?.to_owned(), whole(fields, "amount")?))
}

fn known(fields: &BTreeMap<String, String>, names: &[&str], prefixes: &[&str]) -> Result<(), Refusal> {
    let is_known = |key: &str| names.contains(&key) || prefixes.iter().any(|prefix| key.starts_with(prefix));
    match fields.keys().find(|key| !is_known(key)) {
        None => Ok(()),
        Some(key) => Err(invalid(400, Some("parameter_unknown"), &format!("Received unknown parameter: {key}"))),
    }
}

/// Metadata has keys of 40 and values of 500 characters.
fn limits(fields: &BTreeMap<String, String>) -> Result<(), Refusal> {
    let too_long = fields.iter().any(|(key, value)| key.contains("metadata[") && value.chars().count() > 500);
    if too_long {
        return Err(invalid(400, None, "Metadata values can have up to 500 characters"));
    }
    Ok(())
}

fn required<'a>(fields: &'a BTreeMap<String, String>, key: &str) -> Result<&'a str, Refusal> {
    let value = fields.get(key).map(String::as_str).filter(|text| !text.is_empty());
    value.ok_or_else(|| invalid(400, Some("parameter_missing"), &format!("Missing required param: {key}.")))
}

fn whole(fields: &BTreeMap<String, String>, key: &str) -> Result<i64, Refusal> {
    let text = required(fields, key)?;
    let number = text.parse::<i64>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| invalid(400, Some("parameter_invalid_integer"), &format!("Invalid integer: {text}")))
}

//! What PayPal refuses about requests.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use serde_json::{Value, json};

use super::{Account, Settings};
use crate::json::{Refusal, header, is_decimal, unknown_member};

/// Decimals of the currencies that PayPal takes.
pub(super) fn decimals(currency: &str) -> Option<usize> {
    match currency {
        "HUF" | "JPY" | "TWD" => Some(0),
        "AUD" | "BRL" | "CAD" | "CHF" | "CNY" | "CZK" | "DKK" | "EUR" | "GBP" | "HKD" | "ILS" | "MXN" | "MYR"
        | "NOK" | "NZD" | "PHP" | "PLN" | "SEK" | "SGD" | "THB" | "USD" => Some(2),
        _ => None,
    }
}

/// An error of PayPal's, with the issue that tells it from others of its name.
pub(super) fn refusal(status: u16, name: &str, issue: &str, description: &str) -> Refusal {
    let body = json!({
        "name": name,
        "message": "The requested action could not be performed.",
        "debug_id": "90957fca61718",
        "details": [{"issue": issue, "description": description}],
        "links": [],
    });
    (status, body)
}

/// One of the kind 422.
pub(super) fn unprocessable(issue: &str, description: &str) -> Refusal {
    refusal(422, "UNPROCESSABLE_ENTITY", issue, description)
}

/// One about something that is not there.
pub(super) fn missing() -> Refusal {
    let description = "Specified resource ID does not exist. Please check the resource ID and try again.";
    refusal(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID", description)
}

fn malformed(issue: &str, field: &str) -> Refusal {
    refusal(400, "INVALID_REQUEST", issue, field)
}

/// The body of a failure.
pub(super) fn problem(status: u16) -> Vec<u8> {
    let name = if status >= 500 { "INTERNAL_SERVER_ERROR" } else { "INVALID_REQUEST" };
    json!({"name": name, "message": "Something is wrong.", "debug_id": "1"}).to_string().into_bytes()
}

/// Whether the application is the one that is known.
pub(super) fn check_client(headers: &HeaderMap, settings: &Settings) -> Result<(), Refusal> {
    let expected = STANDARD.encode(format!("{}:{}", settings.client_id, settings.client_secret));
    if header(headers, "authorization") != format!("Basic {expected}") {
        let description = "Client Authentication failed";
        return Err((401, json!({"error": "invalid_client", "error_description": description})));
    }
    if header(headers, "content-type") != "application/x-www-form-urlencoded" {
        return Err((415, json!({"error": "invalid_request", "error_description": "a form was expected"})));
    }
    Ok(())
}

/// Whether the token is one that was given out.
pub(super) fn check_caller(headers: &HeaderMap, account: &Account) -> Result<(), Refusal> {
    let token = header(headers, "authorization").strip_prefix("Bearer ");
    if !token.is_some_and(|token| account.tokens.contains(token)) {
        return Err((
            401,
            json!({"error": "invalid_token", "error_description": "Token signature verification failed"}),
        ));
    }
    Ok(())
}

/// The body of a request that changes something.
pub(super) fn read_body(headers: &HeaderMap, body: &[u8]) -> Result<Value, Refusal> {
    if header(headers, "content-type") != "application/json" {
        return Err(refusal(415, "UNSUPPORTED_MEDIA_TYPE", "UNSUPPORTED_MEDIA_TYPE", "JSON was expected"));
    }
    if !(1..=108).contains(&header(headers, "paypal-request-id").len()) {
        return Err(malformed("PAYPAL_REQUEST_ID_REQUIRED", "a PayPal-Request-Id is required"));
    }
    if body.is_empty() {
        return Ok(json!({}));
    }
    let value = serde_json::from_slice::<Value>(body).ok().filter(Value::is_object);
    value.ok_or_else(|| malformed("MALFORMED_REQUEST_JSON", "The request JSON is not well formed."))
}

/// Whether this is an amount in PayPal's form.
pub(super) fn check_amount(amount: &Value) -> Result<(), Refusal> {
    let text = |member: &str| amount[member].as_str().unwrap_or_default();
    let Some(decimals) = decimals(text("currency_code")) else {
        return Err(unprocessable("CURRENCY_NOT_SUPPORTED", "Currency code is not supported"));
    };
    if text("value").len() > 32 || !is_decimal(text("value"), decimals) {
        return Err(unprocessable("DECIMAL_PRECISION", "The value of the field should not be more than its decimals."));
    }
    Ok(())
}

/// Whether this is what an order is made of.
pub(super) fn check_order(body: &Value) -> Result<(), Refusal> {
    let wallet = &body["payment_source"]["paypal"];
    let context = &wallet["experience_context"];
    let units = body["purchase_units"].as_array().filter(|units| units.len() == 1);
    let unit = units.map(|units| &units[0]).ok_or_else(|| malformed("MISSING_REQUIRED_PARAMETER", "purchase_units"))?;
    let unknown = unknown_member(body, &["intent", "purchase_units", "payment_source"])
        .or_else(|| unknown_member(unit, &["custom_id", "description", "amount", "invoice_id", "reference_id"]))
        .or_else(|| {
            let known = [
                "brand_name",
                "locale",
                "user_action",
                "shipping_preference",
                "return_url",
                "cancel_url",
                "landing_page",
                "payment_method_preference",
            ];
            unknown_member(context, &known)
        })
        .or_else(|| unknown_member(wallet, &["experience_context", "attributes", "vault_id", "stored_credential"]));
    if let Some(unknown) = unknown {
        return Err(malformed("INVALID_PARAMETER", unknown));
    }
    if body["intent"] != "CAPTURE" {
        return Err(malformed("INVALID_PARAMETER_VALUE", "intent"));
    }
    check_amount(&unit["amount"])?;
    for (text, longest) in [(&unit["custom_id"], 127), (&unit["description"], 127), (&context["brand_name"], 127)] {
        if text.as_str().is_some_and(|text| text.is_empty() || text.chars().count() > longest) {
            return Err(malformed("INVALID_STRING_LENGTH", "The value of a field is either too short or too long."));
        }
    }
    check_vault(wallet)?;
    if unit["invoice_id"].as_str().is_some_and(|text| text.is_empty() || text.len() > 127) {
        return Err(malformed("INVALID_STRING_LENGTH", "invoice_id"));
    }
    if wallet["vault_id"].is_string() {
        // Nobody is sent anywhere.
        return Ok(());
    }
    for field in ["return_url", "cancel_url"] {
        if !context[field].as_str().is_some_and(|url| url.starts_with("http")) {
            return Err(malformed("MISSING_REQUIRED_PARAMETER", field));
        }
    }
    let is_choice = |field: &str, choices: &[&str]| {
        context[field].is_null() || context[field].as_str().is_some_and(|value| choices.contains(&value))
    };
    let are_choices = is_choice("user_action", &["CONTINUE", "PAY_NOW"])
        && is_choice("shipping_preference", &["GET_FROM_FILE", "NO_SHIPPING", "SET_PROVIDED_ADDRESS"])
        && is_choice("locale", &["en-GB", "en-US", "de-DE", "nl-NL", "fr-FR"]);
    are_choices.then_some(()).ok_or_else(|| malformed("INVALID_PARAMETER_VALUE", "experience_context"))
}

/// Whether what is to be saved, or was saved, is said as it has to be.
fn check_vault(wallet: &Value) -> Result<(), Refusal> {
    let is_among = |value: &Value, words: &[&str]| value.as_str().is_some_and(|word| words.contains(&word));
    let (vault, credential) = (&wallet["attributes"]["vault"], &wallet["stored_credential"]);
    if !vault.is_null() {
        let unknown = unknown_member(&wallet["attributes"], &["vault"])
            .or_else(|| unknown_member(vault, &["store_in_vault", "usage_type", "customer_type", "description"]));
        if let Some(unknown) = unknown {
            return Err(malformed("INVALID_PARAMETER", unknown));
        }
        if !is_among(&vault["usage_type"], &["MERCHANT", "PLATFORM"]) {
            return Err(malformed("MISSING_REQUIRED_PARAMETER", "usage_type"));
        }
        if !is_among(&vault["store_in_vault"], &["ON_SUCCESS"]) {
            let description = "Vault instruction is required. Please use `vault.store_in_vault` to provide it.";
            return Err(unprocessable("VAULT_INSTRUCTION_REQUIRED", description));
        }
    }
    let is_known = is_among(&credential["payment_initiator"], &["CUSTOMER", "MERCHANT"])
        && (credential["usage"].is_null() || is_among(&credential["usage"], &["FIRST", "SUBSEQUENT", "DERIVED"]));
    if !credential.is_null() && !is_known {
        return Err(malformed("INVALID_PARAMETER_VALUE", "stored_credential"));
    }
    Ok(())
}

/// Whether this is what a refund is made of.
pub(super) fn check_refund(body: &Value) -> Result<(), Refusal> {
    if let Some(unknown) = unknown_member(body, &["amount", "custom_id", "note_to_payer", "invoice_id"]) {
        return Err(malformed("INVALID_PARAMETER", unknown));
    }
    check_amount(&body["amount"])
}

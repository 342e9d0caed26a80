//! Requests and answers in JSON.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use serde_json::Value;

/// An answer that was refused: its status and its body.
pub(crate) type Refusal = (u16, Value);

/// An answer: its status and its body.
pub(crate) type Answer = Result<(u16, Value), Refusal>;

/// Writes an answer.
pub(crate) fn respond(answer: Answer, content_type: &'static str) -> Response {
    let (status, body) = answer.unwrap_or_else(|refusal| refusal);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [("content-type", content_type)], body.to_string()).into_response()
}

/// A header as text; empty when it is not there.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The first member of an object that is not among the known ones.
pub(crate) fn unknown_member<'a>(object: &'a Value, known: &[&str]) -> Option<&'a str> {
    object.as_object()?.keys().map(String::as_str).find(|key| !known.contains(key))
}

/// Whether a text is a decimal number with exactly so many decimals, above zero.
pub(crate) fn is_decimal(text: &str, decimals: usize) -> bool {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let has_point = text.contains('.');
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    !whole.is_empty()
        && are_digits(whole)
        && are_digits(rest)
        && rest.len() == decimals
        && has_point == (decimals > 0)
        && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}

/// A decimal number in hundredths, for sums.
pub(crate) fn hundredths(amount: &Value) -> i64 {
    let text = amount.as_str().unwrap_or_default();
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{rest:0<2.2}");
    digits.parse().unwrap_or_default()
}

/// Hundredths as a decimal number, with so many decimals.
pub(crate) fn decimal(hundredths: i64, decimals: usize) -> String {
    match decimals {
        0 => (hundredths / 100).to_string(),
        _ => format!("{}.{:02}", hundredths / 100, hundredths % 100),
    }
}

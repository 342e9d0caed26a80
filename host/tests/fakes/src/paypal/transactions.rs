//! The search for transactions.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Account;
use super::checks::{missing, refusal};
use crate::json::{Answer, Refusal};

/// The transactions of a time, of which PayPal tells whoever may search.
pub(super) fn list(account: &Account, query: &BTreeMap<String, String>) -> Answer {
    if account.hides_transactions {
        let description = "Authorization failed due to insufficient permissions.";
        return Err(refusal(403, "NOT_AUTHORIZED", "NOT_AUTHORIZED", description));
    }
    let value = |name: &str| query.get(name).map_or("", String::as_str);
    let number = |name: &str| value(name).parse::<usize>().ok().filter(|number| *number >= 1);
    // Times of this form can be compared as text.
    let is_time = |text: &str| text.len() == 20 && text.ends_with('Z');
    let (from, to) = (value("start_date"), value("end_date"));
    let (Some(page), Some(size), true) = (number("page"), number("page_size"), is_time(from) && is_time(to)) else {
        return Err(refusal(400, "INVALID_REQUEST", "INVALID_REQUEST", "Request is not well-formed."));
    };
    let found = account.orders.values().flat_map(infos).filter(|info| {
        let time = info["transaction_initiation_date"].as_str().unwrap_or_default();
        (from..=to).contains(&time)
    });
    let found = found.collect::<Vec<_>>();
    let details = found.iter().skip((page - 1) * size).take(size).map(|info| json!({"transaction_info": info}));
    Ok((
        200,
        json!({
            "transaction_details": details.collect::<Vec<_>>(),
            "account_number": "QYR5Z8XDVJNXQ",
            "start_date": from,
            "end_date": to,
            "last_refreshed_datetime": "2026-01-15T23:59:59Z",
            "page": page,
            "total_items": found.len(),
            "total_pages": found.len().div_ceil(size),
        }),
    ))
}

/// What went back through an order, and what was captured.
fn infos(order: &Value) -> Vec<Value> {
    let unit = &order["purchase_units"][0];
    let of = |kind: &str, code: &str, sign: &str| {
        let all = unit["payments"][kind].as_array().cloned().unwrap_or_default();
        let info = move |one: Value| {
            json!({
                "transaction_id": one["id"],
                "transaction_event_code": code,
                "transaction_initiation_date": one["create_time"],
                "transaction_amount": {
                    "currency_code": one["amount"]["currency_code"],
                    "value": format!("{sign}{}", one["amount"]["value"].as_str().unwrap_or_default()),
                },
                "transaction_status": "S",
                "invoice_id": unit["invoice_id"],
                "custom_field": unit["custom_id"],
            })
        };
        all.into_iter().map(info).collect::<Vec<_>>()
    };
    [of("refunds", "T1107", "-"), of("captures", "T0003", "")].concat()
}

/// A capture as it is.
pub(super) fn capture(account: &Account, id: &str) -> Result<Value, Refusal> {
    let captures = account.orders.values().map(|order| &order["purchase_units"][0]["payments"]["captures"][0]);
    captures.into_iter().find(|capture| capture["id"] == id).cloned().ok_or_else(missing)
}

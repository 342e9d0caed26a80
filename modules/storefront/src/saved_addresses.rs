//! The addresses that a customer has saved, at the checkout.

use serde_json::{Value, json};

use stoa_core::prelude::*;

use crate::view::View;

/// What the form has of an address.
const FIELDS: [&str; 8] = ["name", "company", "line1", "line2", "postal_code", "city", "country", "phone"];

/// All of them; none for who is not logged in.
pub(crate) async fn saved(view: &mut View) -> ApiResult<Vec<Value>> {
    if !view.visitor.has_session() {
        return Ok(Vec::new());
    }
    Ok(view.ask("/addresses").await?.data().as_array().cloned().unwrap_or_default())
}

/// Fills the form with the address that it begins with.
pub(crate) async fn begin_with_default(view: &mut View, typed: &mut Value) -> ApiResult<()> {
    let saved = saved(view).await?;
    if let Some(chosen) = saved.iter().find(|address| address["is_default_billing"] == true).or_else(|| saved.first()) {
        fill(typed, "billing", chosen);
    }
    Ok(())
}

/// Fills the part of the form that is named, `billing` or `shipping`, with the address that was chosen for it.
pub(crate) async fn use_chosen(view: &mut View, typed: &mut Value, part: &str) -> ApiResult<()> {
    let chosen = typed.get(format!("saved_{part}")).and_then(Value::as_str).and_then(|id| id.parse::<i64>().ok());
    let saved = saved(view).await?;
    let address = saved.iter().find(|address| chosen.is_some() && address["id"].as_i64() == chosen);
    match (part, address) {
        ("billing", Some(address)) => fill(typed, part, address),
        ("shipping", Some(address)) => {
            fill(typed, part, address);
            typed["ship_elsewhere"] = json!("1");
        }
        _ => {}
    }
    Ok(())
}

fn fill(typed: &mut Value, part: &str, address: &Value) {
    for field in FIELDS {
        typed[format!("{part}.{field}")] = address[field].clone();
    }
}

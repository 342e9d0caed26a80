//! What customers let be saved, and orders that are captured as they are made with it.

use serde_json::{Value, json};

use super::checks::unprocessable;
use super::{Account, Charge, Shared};
use crate::json::Answer;
use crate::server::lock;

/// Makes an order from a request that was checked.
pub(super) fn new_order(shared: &Shared, account: &mut Account, body: &Value) -> Answer {
    let wallet = &body["payment_source"]["paypal"];
    if wallet["attributes"]["vault"].is_object() && account.saves_nothing {
        let description = "The API caller is not allowed to vault the given source.";
        return Err(unprocessable("NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE", description));
    }
    if let Some(id) = wallet["vault_id"].as_str() {
        return charge(shared, account, body, id);
    }
    let order = shared.new_order(account, body);
    if wallet["attributes"]["vault"].is_object() {
        account.saving.insert(order["id"].as_str().unwrap_or_default().to_owned());
    }
    Ok((201, order))
}

/// Makes an order that is captured at once. What PayPal answers to an id that its vault does not have is written nowhere for
/// this request; it is what captures answer.
fn charge(shared: &Shared, account: &mut Account, body: &Value, vault_id: &str) -> Answer {
    if !account.vault.contains_key(vault_id) {
        return Err(unprocessable("TOKEN_ID_NOT_FOUND", "Specified token was not found."));
    }
    let invoice = &body["purchase_units"][0]["invoice_id"];
    let has_invoice =
        |order: &Value| order["status"] == "COMPLETED" && order["purchase_units"][0]["invoice_id"] == *invoice;
    if invoice.is_string() && account.orders.values().any(has_invoice) {
        let description = "Duplicate Invoice ID detected.";
        return Err(unprocessable("DUPLICATE_INVOICE_ID", description));
    }
    let charge = account.charges.pop_front().unwrap_or(Charge::Take);
    if charge == Charge::Decline {
        let description = "The instrument presented was either declined by the processor or bank.";
        return Err(unprocessable("INSTRUMENT_DECLINED", description));
    }
    let mut order = shared.new_order(account, body);
    let id = order["id"].as_str().unwrap_or_default().to_owned();
    if charge == Charge::AskCustomer {
        return Ok((201, order));
    }
    order["status"] = json!("APPROVED");
    order["update_time"] = json!("2026-01-15T12:02:00Z");
    order["payment_source"] = json!({"paypal": {"email_address": "ada@example.com", "account_id": "QYR5Z8XDVJNXQ"}});
    account.orders.insert(id.clone(), order.clone());
    if charge == Charge::LeaveToCapture {
        return Ok((201, order));
    }
    let mut captured = shared.capture(account, &id)?;
    if charge == Charge::Deny {
        captured["purchase_units"][0]["payments"]["captures"][0]["status"] = json!("DECLINED");
        account.orders.insert(id, captured.clone());
    }
    Ok((201, captured))
}

/// Saves the wallet of a customer whose order was captured, at once or later.
pub(super) fn save(shared: &Shared, account: &mut Account, order: &mut Value) {
    let id = order["id"].as_str().unwrap_or_default().to_owned();
    if !account.saving.remove(&id) {
        return;
    }
    let up = shared.link(&format!("/v2/checkout/orders/{id}"), "up", "GET");
    let vault = if account.saves_later.remove(&id) {
        account.unfinished.insert(id);
        json!({"status": "APPROVED", "links": [up]})
    } else {
        let token = new_token(shared, account, &id);
        json!({"id": token["id"], "status": "VAULTED", "customer": token["customer"], "links": [up]})
    };
    order["payment_source"]["paypal"]["attributes"] = json!({"vault": vault});
}

fn new_token(shared: &Shared, account: &mut Account, order: &str) -> Value {
    let id = account.id("vault").to_lowercase();
    let path = format!("/v3/vault/payment-tokens/{id}");
    let token = json!({
        "time_created": "2026-01-15T12:02:00.449PST",
        "id": id,
        "customer": {"id": "208743798"},
        "metadata": {"order_id": order},
        "payment_source": {"paypal": {
            "permit_multiple_payment_tokens": false,
            "usage_type": "MERCHANT",
            "customer_type": "CONSUMER",
            "email_address": "ada@example.com",
            "payer_id": "QYR5Z8XDVJNXQ",
        }},
        "links": [shared.link(&path, "self", "GET"), shared.link(&path, "delete", "DELETE")],
    });
    account.vault.insert(id, token.clone());
    token
}

impl Shared {
    /// Saves what was left to be saved later; gives the token, of which the order itself says nothing yet.
    pub(super) fn finish_saving(&self, order: &str) -> Value {
        let mut account = lock(&self.account);
        assert!(account.unfinished.remove(order), "nothing is left to be saved");
        new_token(self, &mut account, order)
    }

    /// Lets an order say what was saved later.
    pub(super) fn show_saved(&self, order: &str) {
        let mut account = lock(&self.account);
        let is_of = |token: &&Value| token["metadata"]["order_id"] == order;
        let id = account.vault.values().find(is_of).map(|token| token["id"].clone());
        if let Some(order) = account.orders.get_mut(order) {
            let vault = &mut order["payment_source"]["paypal"]["attributes"]["vault"];
            vault["id"] = id.unwrap_or_default();
            vault["status"] = json!("VAULTED");
        }
    }
}

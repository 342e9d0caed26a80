//! PayPal's objects, with the members that its documents list.

use serde_json::{Value, json};

use super::checks::{decimals, missing, unprocessable};
use super::{Account, Shared, vault};
use crate::json::{Refusal, decimal, hundredths};
use crate::server::lock;

impl Shared {
    pub(super) fn link(&self, path: &str, rel: &str, method: &str) -> Value {
        json!({"href": format!("{}{path}", self.base_url), "rel": rel, "method": method})
    }

    pub(super) fn new_order(&self, account: &mut Account, body: &Value) -> Value {
        let id = account.id("ORDER");
        let mut unit = body["purchase_units"][0].clone();
        unit["reference_id"] = json!("default");
        let context = body["payment_source"]["paypal"]["experience_context"].clone();
        let order = json!({
            "id": id,
            "intent": "CAPTURE",
            "status": "PAYER_ACTION_REQUIRED",
            "payment_source": {"paypal": {"experience_context": context}},
            "purchase_units": [unit],
            "create_time": "2026-01-15T12:00:00Z",
            "links": [
                self.link(&format!("/v2/checkout/orders/{id}"), "self", "GET"),
                self.link(&format!("/checkoutnow/{id}"), "payer-action", "GET"),
            ],
        });
        account.orders.insert(id, order.clone());
        order
    }

    /// Lets the customer agree; gives the event.
    pub(super) fn approve(&self, id: &str) -> Value {
        let mut account = lock(&self.account);
        account.counter += 1;
        let moment = format!("2026-01-15T12:{:02}:00Z", account.counter % 60);
        let Some(order) = account.orders.get_mut(id) else { return Value::Null };
        order["status"] = json!("APPROVED");
        order["update_time"] = json!(moment);
        let order = order.clone();
        drop(account);
        self.event("CHECKOUT.ORDER.APPROVED", &order)
    }

    /// Takes the money of an order.
    pub(super) fn capture(&self, account: &mut Account, id: &str) -> Result<Value, Refusal> {
        let order = account.orders.get(id).cloned().ok_or_else(missing)?;
        match order["status"].as_str().unwrap_or_default() {
            "APPROVED" => {}
            "COMPLETED" => return Err(unprocessable("ORDER_ALREADY_CAPTURED", "Order already captured.")),
            _ => {
                let description = "Payer has not yet approved the Order for payment.";
                return Err(unprocessable("ORDER_NOT_APPROVED", description));
            }
        }
        if account.declined.remove(id) {
            if let Some(order) = account.orders.get_mut(id) {
                order["status"] = json!("PAYER_ACTION_REQUIRED");
            }
            let description = "The instrument presented was either declined by the processor or bank.";
            return Err(unprocessable("INSTRUMENT_DECLINED", description));
        }
        let is_held = account.held.remove(id);
        let capture_id = account.id("CAPTURE");
        let unit = &order["purchase_units"][0];
        let mut capture = json!({
            "id": capture_id,
            "status": if is_held { "PENDING" } else { "COMPLETED" },
            "amount": unit["amount"],
            "final_capture": true,
            "custom_id": unit["custom_id"],
            "supplementary_data": {"related_ids": {"order_id": id}},
            "create_time": "2026-01-15T12:02:00Z",
            "links": [self.link(&format!("/v2/payments/captures/{capture_id}"), "self", "GET")],
        });
        if is_held {
            capture["status_details"] = json!({"reason": "PENDING_REVIEW"});
        }
        let mut captured = order.clone();
        captured["status"] = json!("COMPLETED");
        captured["purchase_units"][0]["payments"] = json!({"captures": [capture]});
        vault::save(self, account, &mut captured);
        account.orders.insert(id.to_owned(), captured.clone());
        Ok(captured)
    }

    /// The order that a capture belongs to.
    fn order_of(account: &Account, capture: &str) -> Option<String> {
        let is_of = |order: &Value| order["purchase_units"][0]["payments"]["captures"][0]["id"] == capture;
        account.orders.iter().find(|(_, order)| is_of(order)).map(|(id, _)| id.clone())
    }

    /// Brings a capture into a status; gives it.
    pub(super) fn capture_becomes(&self, order: &str, status: &str) -> Value {
        let mut account = lock(&self.account);
        let Some(order) = account.orders.get_mut(order) else { return Value::Null };
        let capture = &mut order["purchase_units"][0]["payments"]["captures"][0];
        capture["status"] = json!(status);
        capture.clone()
    }

    /// Sends an amount of a capture back.
    pub(super) fn new_refund(
        &self,
        account: &mut Account,
        capture: &str,
        amount: &Value,
        custom_id: &Value,
    ) -> Result<Value, Refusal> {
        let order_id = Self::order_of(account, capture).ok_or_else(missing)?;
        let unit = &account.orders[&order_id]["purchase_units"][0];
        let captured = &unit["payments"]["captures"][0];
        let refunded = unit["payments"]["refunds"].as_array().into_iter().flatten();
        let refunded = refunded.map(|refund| hundredths(&refund["amount"]["value"])).sum::<i64>();
        let (left, wanted) = (hundredths(&captured["amount"]["value"]) - refunded, hundredths(&amount["value"]));
        if left == 0 {
            return Err(unprocessable("CAPTURE_FULLY_REFUNDED", "The capture has already been fully refunded."));
        }
        if wanted > left || amount["currency_code"] != captured["amount"]["currency_code"] {
            let description = "The refund amount must be less than or equal to the capture amount.";
            return Err(unprocessable("REFUND_AMOUNT_EXCEEDED", description));
        }
        let id = account.id("REFUND");
        let refund = json!({
            "id": id,
            "status": "COMPLETED",
            "amount": amount,
            "custom_id": custom_id,
            "create_time": "2026-01-15T12:09:00Z",
            "links": [
                self.link(&format!("/v2/payments/refunds/{id}"), "self", "GET"),
                self.link(&format!("/v2/payments/captures/{capture}"), "up", "GET"),
            ],
        });
        account.refunds.insert(id, refund.clone());
        if let Some(order) = account.orders.get_mut(&order_id) {
            let payments = &mut order["purchase_units"][0]["payments"];
            let status = if wanted == left { "REFUNDED" } else { "PARTIALLY_REFUNDED" };
            payments["captures"][0]["status"] = json!(status);
            match payments["refunds"].as_array_mut() {
                Some(refunds) => refunds.push(refund.clone()),
                None => payments["refunds"] = json!([refund]),
            }
        }
        Ok(refund)
    }

    /// Refunds from PayPal's own pages, where a refund inherits the name of its payment; gives the event.
    pub(super) fn refund_elsewhere(&self, capture: &str, value: &str) -> Value {
        let mut account = lock(&self.account);
        let Some(order) = Self::order_of(&account, capture) else { return Value::Null };
        let unit = account.orders[&order]["purchase_units"][0].clone();
        let currency = unit["amount"]["currency_code"].as_str().unwrap_or_default().to_owned();
        let places = decimals(&currency).unwrap_or(2);
        let amount = json!({"currency_code": currency, "value": decimal(hundredths(&json!(value)), places)});
        let refund = self.new_refund(&mut account, capture, &amount, &unit["custom_id"]);
        drop(account);
        self.event("PAYMENT.CAPTURE.REFUNDED", &refund.unwrap_or_default())
    }

    /// An event about a resource.
    pub(super) fn event(&self, kind: &str, resource: &Value) -> Value {
        let id = lock(&self.account).id("EVENT");
        json!({
            "id": format!("WH-{id}"),
            "event_version": "1.0",
            "create_time": "2026-01-15T12:02:01Z",
            "resource_type": kind.split('.').next().unwrap_or_default().to_lowercase(),
            "event_type": kind,
            "summary": "Something has happened",
            "resource": resource,
            "links": [],
        })
    }
}

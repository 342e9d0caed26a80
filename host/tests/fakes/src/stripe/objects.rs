//! Stripe's objects, with the members that its documents list.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Account, Outcome, Shared, VERSION};
use crate::server::lock;

/// The members of `metadata[…]`.
fn metadata(fields: &BTreeMap<String, String>, prefix: &str) -> Value {
    let named = fields.iter().filter_map(|(key, value)| {
        let name = key.strip_prefix(prefix)?.strip_prefix('[')?.strip_suffix(']')?;
        Some((name.to_owned(), Value::from(value.as_str())))
    });
    Value::Object(named.collect())
}

impl Shared {
    /// Makes a session from a request that was checked.
    pub(super) fn new_session(&self, account: &mut Account, fields: &BTreeMap<String, String>) -> Value {
        let text = |key: &str| fields.get(key).map_or(Value::Null, |text| Value::from(text.as_str()));
        let number = |key: &str| fields.get(key).and_then(|text| text.parse::<i64>().ok());
        let unit = number("line_items[0][price_data][unit_amount]").unwrap_or_default();
        let total = unit * number("line_items[0][quantity]").unwrap_or(1);
        let now = (self.settings.clock)();
        let id = account.id("cs_test_a");
        let session = json!({
            "id": id,
            "object": "checkout.session",
            "adaptive_pricing": {"enabled": fields.get("adaptive_pricing[enabled]").is_none_or(|text| text == "true")},
            "allow_promotion_codes": null,
            "amount_subtotal": total,
            "amount_total": total,
            "automatic_tax": {"enabled": false, "liability": null, "provider": null, "status": null},
            "cancel_url": text("cancel_url"),
            "client_reference_id": text("client_reference_id"),
            "created": now,
            "currency": text("line_items[0][price_data][currency]"),
            "customer": null,
            "customer_details": null,
            "customer_email": text("customer_email"),
            "expires_at": number("expires_at").unwrap_or(now + 86_400),
            "livemode": self.settings.secret_key.contains("_live_"),
            "locale": text("locale"),
            "metadata": metadata(fields, "metadata"),
            "mode": "payment",
            "payment_intent": null,
            "payment_method_types": ["card"],
            "payment_status": "unpaid",
            "status": "open",
            "success_url": text("success_url"),
            "total_details": {"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
            "ui_mode": "hosted_page",
            "url": format!("{}/pay/{id}", self.base_url),
        });
        // What only the intent will have, once the customer pays.
        let intent = json!({
            "metadata": metadata(fields, "payment_intent_data[metadata]"),
            "description": text("payment_intent_data[description]"),
            "setup_future_usage": text("payment_intent_data[setup_future_usage]"),
            "customer": fields.get("customer_creation").is_some_and(|when| when == "always").then(|| account.id("cus_")),
        });
        account.sessions.insert(id.clone(), session.clone());
        account.intents.insert(id, intent);
        session
    }

    /// Lets something happen to a session; gives the event.
    pub(super) fn happens(&self, session_id: &str, outcome: Outcome) -> Value {
        let mut account = lock(&self.account);
        let (status, payment_status, intent_status, kind) = match outcome {
            Outcome::Pay => ("complete", "paid", "succeeded", "checkout.session.completed"),
            Outcome::PayLater => ("complete", "unpaid", "processing", "checkout.session.completed"),
            Outcome::MoneyArrives => ("complete", "paid", "succeeded", "checkout.session.async_payment_succeeded"),
            Outcome::MoneyFails => {
                ("complete", "unpaid", "requires_payment_method", "checkout.session.async_payment_failed")
            }
            Outcome::Expire => ("expired", "unpaid", "", "checkout.session.expired"),
        };
        let mut session = account.sessions.get(session_id).cloned().unwrap_or_default();
        if !intent_status.is_empty() {
            let id = match session["payment_intent"].as_str() {
                Some(id) => id.to_owned(),
                None => account.id("pi_"),
            };
            let prepared = account.intents.get(session_id).cloned().unwrap_or_default();
            let error = (outcome == Outcome::MoneyFails).then(|| {
                json!({"type": "card_error", "code": "payment_method_provider_decline", "message": "The bank refused the debit."})
            });
            let intent = json!({
                "id": id,
                "object": "payment_intent",
                "amount": session["amount_total"],
                "amount_received": if intent_status == "succeeded" { session["amount_total"].clone() } else { json!(0) },
                "currency": session["currency"],
                "customer": prepared["customer"],
                "description": prepared["description"],
                "payment_method": account.id("pm_"),
                "setup_future_usage": prepared["setup_future_usage"],
                "last_payment_error": error,
                "latest_charge": format!("ch_{id}"),
                "livemode": session["livemode"],
                "metadata": prepared["metadata"],
                "status": intent_status,
            });
            account.intents.insert(id.clone(), intent);
            session["payment_intent"] = json!(id);
        }
        session["status"] = json!(status);
        session["payment_status"] = json!(payment_status);
        // A page that is over cannot be opened any more.
        session["url"] = Value::Null;
        account.sessions.insert(session_id.to_owned(), session.clone());
        drop(account);
        self.event(kind, &session)
    }

    /// A session as it is answered, with the intent written out where that was asked for.
    pub(super) fn shown(account: &Account, mut session: Value, expand_intent: bool) -> Value {
        let intent = session["payment_intent"].as_str().and_then(|id| account.intents.get(id));
        if let (true, Some(intent)) = (expand_intent, intent) {
            session["payment_intent"] = intent.clone();
        }
        session
    }

    /// Charges a customer who is not there; the card may be declined.
    pub(super) fn charge(
        &self,
        account: &mut Account,
        fields: &BTreeMap<String, String>,
    ) -> Result<Value, (u16, Value)> {
        let is_declined = account.declines > 0;
        account.declines = account.declines.saturating_sub(1);
        let text = |key: &str| fields.get(key).map_or(Value::Null, |text| Value::from(text.as_str()));
        let amount = fields.get("amount").and_then(|text| text.parse::<i64>().ok()).unwrap_or_default();
        let id = account.id("pi_");
        let error = is_declined
            .then(|| json!({"type": "card_error", "code": "card_declined", "message": "Your card was declined."}));
        let intent = json!({
            "id": id,
            "object": "payment_intent",
            "amount": amount,
            "amount_received": if is_declined { 0 } else { amount },
            "currency": text("currency"),
            "customer": text("customer"),
            "description": text("description"),
            "last_payment_error": error,
            "latest_charge": format!("ch_{id}"),
            "livemode": self.settings.secret_key.contains("_live_"),
            "metadata": metadata(fields, "metadata"),
            "payment_method": if is_declined { Value::Null } else { text("payment_method") },
            "setup_future_usage": null,
            "status": if is_declined { "requires_payment_method" } else { "succeeded" },
        });
        account.intents.insert(id, intent.clone());
        match error {
            None => Ok(intent),
            Some(mut error) => {
                error["payment_intent"] = intent;
                Err((402, json!({"error": error})))
            }
        }
    }

    /// Makes a refund of an amount that is there to be refunded.
    pub(super) fn new_refund(
        &self,
        account: &mut Account,
        intent: &Value,
        amount: i64,
        fields: &BTreeMap<String, String>,
    ) -> Value {
        let id = account.id("re_");
        let refund = json!({
            "id": id,
            "object": "refund",
            "amount": amount,
            "balance_transaction": null,
            "charge": intent["latest_charge"],
            "created": (self.settings.clock)(),
            "currency": intent["currency"],
            "metadata": metadata(fields, "metadata"),
            "payment_intent": intent["id"],
            "reason": fields.get("reason"),
            "receipt_number": null,
            "status": "succeeded",
        });
        account.refunds.push(refund.clone());
        refund
    }

    /// What of a payment was not refunded yet.
    pub(super) fn refundable(account: &Account, intent: &Value) -> i64 {
        let refunded = account.refunds.iter().filter(|refund| refund["payment_intent"] == intent["id"]);
        let refunded = refunded.filter(|refund| refund["status"] != "failed");
        let refunded = refunded.filter_map(|refund| refund["amount"].as_i64()).sum::<i64>();
        intent["amount_received"].as_i64().unwrap_or_default() - refunded
    }

    /// Refunds from the dashboard; gives both events.
    pub(super) fn refund_elsewhere(&self, payment_intent: &str, amount: i64) -> [Value; 2] {
        let mut account = lock(&self.account);
        let intent = account.intents.get(payment_intent).cloned().unwrap_or_default();
        let refund = self.new_refund(&mut account, &intent, amount, &BTreeMap::new());
        let charge = json!({
            "id": intent["latest_charge"],
            "object": "charge",
            "amount": intent["amount"],
            "amount_captured": intent["amount_received"],
            "amount_refunded": intent["amount_received"].as_i64().unwrap_or_default() - Self::refundable(&account, &intent),
            "currency": intent["currency"],
            "metadata": intent["metadata"],
            "payment_intent": payment_intent,
            "refunded": Self::refundable(&account, &intent) == 0,
            "status": "succeeded",
        });
        drop(account);
        [self.event("refund.created", &refund), self.event("charge.refunded", &charge)]
    }

    /// An event about an object.
    pub(super) fn event(&self, kind: &str, object: &Value) -> Value {
        let id = lock(&self.account).id("evt_");
        json!({
            "id": id,
            "object": "event",
            "api_version": VERSION,
            "created": (self.settings.clock)(),
            "data": {"object": object},
            "livemode": self.settings.secret_key.contains("_live_"),
            "pending_webhooks": 1,
            "request": {"id": null, "idempotency_key": null},
            "type": kind,
        })
    }
}

/// Gives and takes the account, for handlers.
pub(super) fn with_account<T>(shared: &Arc<Shared>, work: impl FnOnce(&mut Account) -> T) -> T {
    work(&mut lock(&shared.account))
}

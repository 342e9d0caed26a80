//! What customers let be saved at PayPal, and charging it without them: an order that is captured as it is made.
//!
//! A method is kept as its id in PayPal's vault. PayPal knows a repeated request for six hours, and has no list of orders in
//! which one could be looked for before it is made. So a charge is asked for again for some hours only, and from then on
//! looked for among the transactions, for it must not be made twice.

use chrono::TimeDelta;
use serde_json::{Value, json};

use stoa_kernel::gateways::{AttemptRequest, AttemptStatus, GatewayError, StartedAttempt};

use super::super::exchange::{Failure, not_understood, path_segment};
use super::amount::Amount;
use super::answers::{Order, OrderStatus, Vaulted};
use super::{Paypal, unspeakable};

/// How long after its beginning a charge is asked for again: an hour less than PayPal knows that it is the same.
pub(super) const REPEATABLE: TimeDelta = TimeDelta::hours(5);

impl Paypal {
    /// Makes an order with which the customer agrees to be charged again. A shop that PayPal does not let save anything takes
    /// the money once.
    pub(super) async fn order_and_save(&self, request: &AttemptRequest, once: &Value) -> Result<Order, Failure> {
        let mut order = once.clone();
        order["payment_source"]["paypal"]["attributes"] = json!({"vault": {
            "store_in_vault": "ON_SUCCESS",
            "usage_type": "MERCHANT",
            "customer_type": "CONSUMER",
        }});
        match self.new_order(&request.reference.to_string(), &order).await {
            Err(failure) if failure.is("NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE") => {}
            made => return made,
        }
        tracing::warn!(order.number = request.order_number, "PayPal does not let this shop save what is paid with");
        self.new_order(&format!("once-{}", request.reference), once).await
    }

    /// What can be charged again because of this order.
    pub(super) async fn method_of(&self, id: &str) -> Result<Option<String>, GatewayError> {
        match self.order(id).await?.vaulted() {
            Vaulted::Nothing => Ok(None),
            Vaulted::As(id) => Ok(Some(id)),
            Vaulted::Later => Err(GatewayError::Unknown(String::from("PayPal has not saved the method yet"))),
        }
    }

    /// Charges a method, once for each reference.
    pub(super) async fn charge(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        let amount = Amount::of(request.amount).ok_or_else(|| unspeakable(request.amount))?;
        let vault_id = path_segment(method)?;
        if self.clock.now() - request.started_at > REPEATABLE {
            return self.find_charge(request).await;
        }
        let order = json!({
            "intent": "CAPTURE",
            "purchase_units": [{
                "custom_id": request.reference,
                "invoice_id": invoice_id(request),
                "description": request.order_number,
                "amount": amount,
            }],
            "payment_source": {"paypal": {
                "vault_id": vault_id,
                "stored_credential": {"payment_initiator": "MERCHANT", "usage": "SUBSEQUENT"},
            }},
        });
        match self.new_order(&request.reference.to_string(), &order).await {
            Ok(order) => self.charged(order).await,
            // That is no refusal: this very charge was made before.
            Err(failure) if failure.is("DUPLICATE_INVOICE_ID") => {
                Err(GatewayError::Unknown(String::from("PayPal says that this was charged before")))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// What came of an order that was made with a saved method.
    async fn charged(&self, order: Order) -> Result<StartedAttempt, GatewayError> {
        let report = match order.status {
            OrderStatus::Created | OrderStatus::Saved | OrderStatus::Approved => self.capture(&order).await?,
            OrderStatus::PayerActionRequired | OrderStatus::Voided | OrderStatus::Completed => {
                order.report().ok_or_else(not_understood)?
            }
        };
        if report.status == AttemptStatus::Pending {
            // The customer is not there to agree, and without that nobody takes the money.
            let words = report.detail.unwrap_or_else(|| String::from("PayPal wants the customer to agree"));
            return Err(GatewayError::Refused(words));
        }
        Ok(StartedAttempt { gateway_attempt_id: Some(order.id), redirect_url: None, expires_at: None, report })
    }
}

/// What the order of a charge is called among the transactions. PayPal may refuse to make two of one name.
pub(super) fn invoice_id(request: &AttemptRequest) -> String {
    format!("{}-{}", request.order_number, request.reference)
}

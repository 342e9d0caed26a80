//! What customers let be saved at Mollie, and charging it without them: a first payment of a customer, under whose mandate
//! recurring ones follow.
//!
//! A method is kept as the ids of customer and mandate. Charges are looked for before one is made: Mollie forgets an
//! idempotency key after an hour, and must not charge twice after that.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_kernel::gateways::{AttemptRequest, GatewayError, StartedAttempt};

use super::super::exchange::{Failure, not_understood, path_segment};
use super::Mollie;
use super::answers::{Customer, Mandates, Payment, Payments};

/// What stands between the two ids of a method.
const BETWEEN: char = '|';

impl Mollie {
    /// Begins a payment with which the customer agrees to be charged again. A shop without any payment method that can be charged
    /// again is refused that, and takes the money once.
    pub(super) async fn pay_and_save(&self, request: &AttemptRequest, once: &Value) -> Result<Payment, Failure> {
        let words = match self.first_payment(request, once).await {
            Err(Failure::Refused { status: StatusCode::UNPROCESSABLE_ENTITY, words, .. }) => words,
            begun => return begun,
        };
        tracing::warn!(
            order.number = request.order_number,
            error = words,
            "Mollie lets nothing be saved that this order is paid with"
        );
        self.new_payment(&format!("once-{}", request.reference), once).await
    }

    async fn first_payment(&self, request: &AttemptRequest, once: &Value) -> Result<Payment, Failure> {
        let mut customer = json!({"metadata": {"reference": request.reference}});
        if let Some(email) = &request.customer_email {
            customer["name"] = json!(email);
            customer["email"] = json!(email);
        }
        let key = format!("customer-{}", request.reference);
        let customer: Customer = self.api.send(Method::POST, "/v2/customers", Some(&key), Some(&customer)).await?;
        let mut body = once.clone();
        body["customerId"] = json!(customer.id);
        body["sequenceType"] = json!("first");
        self.new_payment(&request.reference.to_string(), &body).await
    }

    /// What can be charged again because of this payment.
    pub(super) async fn method_of(&self, id: &str) -> Result<Option<String>, GatewayError> {
        let payment = self.payment(id).await?;
        let Some(customer) = payment.recurring_customer() else { return Ok(None) };
        let path = format!("/v2/customers/{}/mandates?limit=250", path_segment(customer)?);
        let mandates: Mandates = self.api.get(&path).await?;
        let mandates = mandates.embedded.mandates;
        let mandate = mandates.iter().find(|mandate| payment.is_under(mandate) && mandate.is_usable());
        Ok(mandate.map(|mandate| format!("{customer}{BETWEEN}{}", mandate.id)))
    }

    /// Charges a method, once for each reference.
    pub(super) async fn charge(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        let broken = || GatewayError::Refused(String::from("the saved method is none of Mollie's"));
        let (customer, mandate) = method.split_once(BETWEEN).ok_or_else(broken)?;
        if let Some(payment) = self.find_charge(request, customer).await? {
            return started(payment);
        }
        let mut body = self.payment_of(request)?;
        body["customerId"] = json!(customer);
        body["mandateId"] = json!(mandate);
        body["sequenceType"] = json!("recurring");
        // A mandate that is over is refused; a card that is declined is a payment that has failed.
        started(self.new_payment(&request.reference.to_string(), &body).await?)
    }

    /// The payment that this reference has made before: it is among the newest, for the reference is asked about until its end
    /// is known.
    async fn find_charge(&self, request: &AttemptRequest, customer: &str) -> Result<Option<Payment>, Failure> {
        let path = format!("/v2/customers/{}/payments?limit=250", path_segment(customer)?);
        let made: Payments = self.api.get(&path).await?;
        Ok(made.embedded.payments.into_iter().find(|payment| payment.is_of(request.reference)))
    }
}

fn started(payment: Payment) -> Result<StartedAttempt, GatewayError> {
    let report = payment.report().ok_or_else(not_understood)?;
    Ok(StartedAttempt { gateway_attempt_id: Some(payment.id), redirect_url: None, expires_at: None, report })
}

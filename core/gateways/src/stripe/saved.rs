//! What customers let be saved at Stripe, and charging it without them: a payment intent that is confirmed as it is made.
//!
//! A method is kept as the ids of customer and payment method. Intents are looked for before one is made: Stripe forgets an
//! idempotency key after a day, and must not charge twice after that.

use stoa_kernel::gateways::{AttemptReport, AttemptRequest, AttemptStatus, GatewayError, StartedAttempt};

use super::super::exchange::{Failure, not_understood, path_segment};
use super::answers::{List, PaymentIntent};
use super::{Stripe, amount, unspeakable};

/// What stands between the two ids of a method.
const BETWEEN: char = '|';

/// Whether an attempt is such an intent, and not a session.
pub(super) fn is_intent(gateway_attempt_id: &str) -> bool {
    gateway_attempt_id.starts_with("pi_")
}

impl Stripe {
    /// What can be charged again because of this attempt.
    pub(super) async fn method_of(&self, id: &str) -> Result<Option<String>, GatewayError> {
        let saved = if is_intent(id) {
            let intent = self.intent(id).await?;
            intent.method().map(|(customer, method)| (customer.to_owned(), method.to_owned()))
        } else {
            self.session(id).await?.saved_method()
        };
        Ok(saved.map(|(customer, method)| format!("{customer}{BETWEEN}{method}")))
    }

    /// Charges a method, once for each reference.
    pub(super) async fn charge(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        let broken = || GatewayError::Refused(String::from("the saved method is none of Stripe's"));
        let (customer, method) = method.split_once(BETWEEN).ok_or_else(broken)?;
        if let Some(intent) = self.find(request, customer).await? {
            return started(intent);
        }
        let amount = amount::to_stripe(request.amount).ok_or_else(|| unspeakable(request.amount))?.to_string();
        let currency = request.amount.currency.code().to_lowercase();
        let reference = request.reference.to_string();
        let fields = [
            ("amount", amount.as_str()),
            ("currency", &currency),
            ("customer", customer),
            ("payment_method", method),
            ("off_session", "true"),
            ("confirm", "true"),
            ("description", &request.order_number),
            ("metadata[reference]", &reference),
            ("metadata[order_number]", &request.order_number),
        ];
        // A card that is declined, or that wants its owner to confirm, is refused with 402.
        started(self.api.post("/v1/payment_intents", &reference, &fields).await?)
    }

    /// The intent that this reference has made before.
    async fn find(&self, request: &AttemptRequest, customer: &str) -> Result<Option<PaymentIntent>, Failure> {
        let path = format!("/v1/payment_intents?customer={}&limit=100", path_segment(customer)?);
        let made: List<PaymentIntent> = self.api.get(&path).await?;
        Ok(made.data.into_iter().find(|intent| intent.subject().reference == Some(request.reference)))
    }

    pub(super) async fn intent(&self, id: &str) -> Result<PaymentIntent, Failure> {
        self.api.get(&format!("/v1/payment_intents/{}", path_segment(id)?)).await
    }

    /// Ends an intent that has not succeeded; what it came to decides.
    pub(super) async fn cancel_intent(&self, id: &str) -> Result<AttemptReport, GatewayError> {
        let path = format!("/v1/payment_intents/{}/cancel", path_segment(id)?);
        let intent = match self.api.post::<PaymentIntent>(&path, &format!("cancel-{id}"), &[]).await {
            Ok(intent) => intent,
            Err(Failure::Refused { .. }) => self.intent(id).await?,
            Err(unknown @ Failure::Unknown(_)) => return Err(unknown.into()),
        };
        let report = intent.report().ok_or_else(not_understood)?;
        let is_over = report.status == AttemptStatus::Failed;
        Ok(if is_over { AttemptReport { status: AttemptStatus::Cancelled, ..report } } else { report })
    }
}

fn started(intent: PaymentIntent) -> Result<StartedAttempt, GatewayError> {
    let report = intent.report().ok_or_else(not_understood)?;
    Ok(StartedAttempt { gateway_attempt_id: Some(intent.id), redirect_url: None, expires_at: None, report })
}

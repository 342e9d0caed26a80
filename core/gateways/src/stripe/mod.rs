//! Stripe: customers pay on the page of a checkout session.
//!
//! A session holds the whole order as one line, since what an order is made of is the shop's business. Refunds are looked
//! for before they are asked for: Stripe forgets an idempotency key after a day, and must not pay twice after that.

mod amount;
mod answers;
mod api;
mod event;
mod saved;
mod signature;

use chrono::TimeDelta;
use serde::de::IgnoredAny;

use stoa_kernel::config::{MIN_KEY, MIN_SIGNING_KEY, StripeConfig};
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Callback, CallbackError, ExaminedProvider, Gateway, GatewayError,
    Notification, RefundReport, RefundRequest, StartedAttempt,
};
use stoa_kernel::i18n::Message;
use stoa_kernel::money::Money;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::secret::Secret;
use stoa_kernel::text;

use super::exchange::{Failure, is_reached, not_understood, path_segment};
use super::usable_key;
use answers::{List, Refund, Session};
use api::Api;

/// The least and the most that a session may last: Stripe takes 30 minutes to 24 hours after it was asked, which is a
/// little later than the attempt was written down, by a clock that is not quite ours.
const SHORTEST: TimeDelta = TimeDelta::minutes(35);
const LONGEST: TimeDelta = TimeDelta::minutes(23 * 60 + 50);

/// Payments through Stripe.
#[derive(Debug)]
pub(super) struct Stripe {
    api: Api,
    webhook_secret: Option<Secret>,
}

impl Stripe {
    /// As it is configured.
    pub(super) fn new(config: &StripeConfig, http: HttpClient) -> Self {
        Self {
            api: Api::new(config.api_base.as_str(), usable_key(config.secret_key.as_ref(), MIN_KEY), http),
            webhook_secret: usable_key(config.webhook_secret.as_ref(), MIN_SIGNING_KEY),
        }
    }

    async fn session(&self, id: &str) -> Result<Session, Failure> {
        let path = format!("/v1/checkout/sessions/{}?expand[]=payment_intent", path_segment(id)?);
        self.api.get(&path).await
    }
}

impl Gateway for Stripe {
    const ID: &'static str = "stripe";

    fn label(&self) -> Message {
        text!("gateway-stripe")
    }

    fn icon(&self) -> Option<&'static str> {
        Some("card")
    }

    fn accepts(&self, amount: Money) -> bool {
        amount::accepts(amount)
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let amount = amount::to_stripe(request.amount).ok_or_else(|| unspeakable(request.amount))?.to_string();
        let currency = request.amount.currency.code().to_lowercase();
        let reference = request.reference.to_string();
        let (earliest, latest) = (request.started_at + SHORTEST, request.started_at + LONGEST);
        let expires_at = request.expires_at.unwrap_or(latest).clamp(earliest, latest).timestamp().to_string();
        let mut fields = vec![
            ("mode", "payment"),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", &currency),
            ("line_items[0][price_data][unit_amount]", &amount),
            ("line_items[0][price_data][product_data][name]", &request.order_number),
            ("client_reference_id", &reference),
            ("metadata[reference]", &reference),
            ("metadata[order_number]", &request.order_number),
            ("payment_intent_data[description]", &request.order_number),
            ("payment_intent_data[metadata][reference]", &reference),
            ("payment_intent_data[metadata][order_number]", &request.order_number),
            // The customer pays what the order says, in its currency.
            ("adaptive_pricing[enabled]", "false"),
            ("success_url", &request.return_url),
            ("cancel_url", &request.cancel_url),
            ("locale", request.language.tag()),
            ("expires_at", &expires_at),
        ];
        if let Some(email) = &request.customer_email {
            fields.push(("customer_email", email));
        }
        if request.save_method {
            fields
                .extend([("customer_creation", "always"), ("payment_intent_data[setup_future_usage]", "off_session")]);
        }
        let session: Session = self.api.post("/v1/checkout/sessions", &reference, &fields).await?;
        let report = session.report().ok_or_else(not_understood)?;
        let expires_at = session.expires_at();
        Ok(StartedAttempt { gateway_attempt_id: Some(session.id), redirect_url: session.url, expires_at, report })
    }

    async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        if saved::is_intent(gateway_attempt_id) {
            return self.intent(gateway_attempt_id).await?.report().ok_or_else(not_understood);
        }
        self.session(gateway_attempt_id).await?.report().ok_or_else(not_understood)
    }

    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        if saved::is_intent(gateway_attempt_id) {
            return self.cancel_intent(gateway_attempt_id).await;
        }
        let path = format!("/v1/checkout/sessions/{}/expire", path_segment(gateway_attempt_id)?);
        let key = format!("expire-{gateway_attempt_id}");
        let report = match self.api.post::<Session>(&path, &key, &[]).await {
            Ok(session) => session.report().ok_or_else(not_understood)?,
            // Only an open session can be ended; what this one came to decides.
            Err(Failure::Refused { .. }) => self.look_up(gateway_attempt_id).await?,
            Err(unknown @ Failure::Unknown(_)) => return Err(unknown.into()),
        };
        match report.status {
            AttemptStatus::Expired => Ok(AttemptReport { status: AttemptStatus::Cancelled, ..report }),
            AttemptStatus::Pending => Err(GatewayError::Unknown(String::from("the session is still open"))),
            AttemptStatus::Processing | AttemptStatus::Succeeded | AttemptStatus::Failed | AttemptStatus::Cancelled => {
                Ok(report)
            }
        }
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        if let Some(id) = &request.refund_id {
            let refund: Refund = self.api.get(&format!("/v1/refunds/{}", path_segment(id)?)).await?;
            return refund.report().ok_or_else(not_understood);
        }
        let amount = amount::to_stripe(request.amount).ok_or_else(|| unspeakable(request.amount))?.to_string();
        let payment_intent = match &request.payment_id {
            Some(id) => id.clone(),
            None => self.payment_intent_of(&request.gateway_attempt_id).await?,
        };
        let made = list_refunds(&payment_intent, &self.api).await?;
        if let Some(refund) = made.data.iter().find(|refund| refund.reference() == Some(request.reference)) {
            return refund.report().ok_or_else(not_understood);
        }
        if made.has_more {
            return Err(GatewayError::Unknown(String::from("there are too many refunds to find this one among them")));
        }
        let reference = request.reference.to_string();
        let reason = request.reason.chars().take(500).collect::<String>();
        let fields = [
            ("payment_intent", payment_intent.as_str()),
            ("amount", &amount),
            ("metadata[reference]", &reference),
            ("metadata[order_number]", &request.order_number),
            ("metadata[reason]", &reason),
        ];
        let refund: Refund = self.api.post("/v1/refunds", &reference, &fields).await?;
        refund.report().ok_or_else(not_understood)
    }

    fn saves_methods(&self) -> bool {
        true
    }

    async fn saved_method(&self, gateway_attempt_id: &str) -> Result<Option<String>, GatewayError> {
        self.method_of(gateway_attempt_id).await
    }

    async fn charge_saved(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        self.charge(request, method).await
    }

    async fn examine(&self) -> Option<ExaminedProvider> {
        let answer = is_reached(self.api.get::<IgnoredAny>("/v1/refunds?limit=1").await);
        Some(ExaminedProvider { place: self.api.base().to_owned(), key: "payments.stripe.secret_key", answer })
    }

    fn has_callbacks(&self) -> bool {
        true
    }

    async fn verify(&self, callback: &Callback<'_>) -> Result<Notification, CallbackError> {
        let unverified = |reason: &str| CallbackError::Unverified(reason.to_owned());
        let secret = self.webhook_secret.as_ref().ok_or_else(|| unverified("there is no secret to verify with"))?;
        signature::verify(callback.headers, callback.body, secret, callback.now).map_err(unverified)?;
        event::read(callback.body, &self.api).await
    }
}

impl Stripe {
    async fn payment_intent_of(&self, session_id: &str) -> Result<String, GatewayError> {
        if saved::is_intent(session_id) {
            return Ok(session_id.to_owned());
        }
        let session = self.session(session_id).await?;
        let nothing_paid = || GatewayError::Refused(String::from("nothing was paid in this session"));
        session.payment_id().map(str::to_owned).ok_or_else(nothing_paid)
    }
}

/// The refunds of a payment, as many as Stripe shows at once.
async fn list_refunds(payment_intent: &str, api: &Api) -> Result<List<Refund>, Failure> {
    let path = format!("/v1/refunds?payment_intent={}&limit=100", path_segment(payment_intent)?);
    api.get(&path).await
}

fn unspeakable(amount: Money) -> GatewayError {
    GatewayError::Refused(format!("{amount} is no amount that Stripe takes"))
}

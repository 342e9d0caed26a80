//! Mollie: customers choose how to pay, and pay, on the page of a payment.
//!
//! Refunds are looked for before they are asked for: Mollie forgets an idempotency key after an hour, and must not pay
//! twice after that.

mod amount;
mod answers;
mod api;
mod callback;
mod reachable;
mod saved;

use http::Method;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use stoa_kernel::config::{MIN_KEY, MIN_SIGNING_KEY, MollieConfig};
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Callback, CallbackError, ExaminedProvider, Gateway, GatewayError,
    Notification, RefundReport, RefundRequest, StartedAttempt,
};
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::money::Money;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::secret::Secret;
use stoa_kernel::text;

use super::exchange::{Failure, is_reached, not_understood, path_segment};
use super::usable_key;
use amount::Amount;
use answers::{Payment, Refund, Refunds};
use api::{Api, NOTHING};
use reachable::is_public;

/// Payments through Mollie.
#[derive(Debug)]
pub(super) struct Mollie {
    api: Api,
    webhook_secret: Option<Secret>,
    has_webhook_secret: bool,
}

impl Mollie {
    /// As it is configured.
    pub(super) fn new(config: &MollieConfig, http: HttpClient) -> Self {
        Self {
            api: Api::new(config.api_base.as_str(), usable_key(config.api_key.as_ref(), MIN_KEY), http),
            webhook_secret: usable_key(config.webhook_secret.as_ref(), MIN_SIGNING_KEY),
            has_webhook_secret: config.webhook_secret.is_some(),
        }
    }

    /// What every payment of this attempt is made of.
    fn payment_of(&self, request: &AttemptRequest) -> Result<Value, GatewayError> {
        let amount = Amount::of(request.amount).ok_or_else(|| unspeakable(request.amount))?;
        let mut body = json!({
            "amount": amount,
            "description": request.order_number,
            "metadata": {"reference": request.reference, "order_number": request.order_number},
        });
        // A subscription tells what single callbacks would, with a signature.
        if !self.has_webhook_secret && is_public(&request.callback_url) {
            body["webhookUrl"] = json!(request.callback_url);
        }
        Ok(body)
    }

    async fn new_payment(&self, key: &str, body: &Value) -> Result<Payment, Failure> {
        self.api.send(Method::POST, "/v2/payments", Some(key), Some(body)).await
    }

    async fn payment(&self, id: &str) -> Result<Payment, Failure> {
        self.api.get(&format!("/v2/payments/{}", path_segment(id)?)).await
    }

    /// The refund of this reference, if it was made before.
    async fn find_refund(&self, payment: &str, request: &RefundRequest) -> Result<Option<Refund>, GatewayError> {
        let made: Refunds = self.api.get(&format!("/v2/payments/{payment}/refunds?limit=250")).await?;
        let has_more = made.has_more();
        let found = made.embedded.refunds.into_iter().find(|refund| refund.reference() == Some(request.reference));
        if found.is_none() && has_more {
            return Err(GatewayError::Unknown(String::from("there are too many refunds to find this one among them")));
        }
        Ok(found)
    }
}

impl Gateway for Mollie {
    const ID: &'static str = "mollie";

    fn label(&self) -> Message {
        text!("gateway-mollie")
    }

    fn icon(&self) -> Option<&'static str> {
        Some("card")
    }

    fn accepts(&self, amount: Money) -> bool {
        amount::accepts(amount)
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let mut body = self.payment_of(request)?;
        body["redirectUrl"] = json!(request.return_url);
        body["cancelUrl"] = json!(request.cancel_url);
        body["locale"] = json!(locale(request.language));
        let payment = if request.save_method {
            self.pay_and_save(request, &body).await?
        } else {
            self.new_payment(&request.reference.to_string(), &body).await?
        };
        Ok(StartedAttempt {
            redirect_url: payment.checkout(),
            expires_at: payment.expires_at,
            report: payment.report().ok_or_else(not_understood)?,
            gateway_attempt_id: Some(payment.id),
        })
    }

    async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.payment(gateway_attempt_id).await?.report().ok_or_else(not_understood)
    }

    /// Mollie cannot cancel everything: a payment for which the customer has chosen iDEAL, for example, stays open for some
    /// minutes. That is a refusal, for the attempt is as it was.
    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        let path = format!("/v2/payments/{}", path_segment(gateway_attempt_id)?);
        let key = format!("cancel-{gateway_attempt_id}");
        let words = match self.api.send::<Payment, _>(Method::DELETE, &path, Some(&key), NOTHING).await {
            Ok(payment) => return payment.report().ok_or_else(not_understood),
            Err(Failure::Refused { words, .. }) => words,
            Err(unknown @ Failure::Unknown(_)) => return Err(unknown.into()),
        };
        let report = self.look_up(gateway_attempt_id).await?;
        match report.status {
            AttemptStatus::Pending => Err(GatewayError::Refused(words)),
            AttemptStatus::Expired => Ok(AttemptReport { status: AttemptStatus::Cancelled, ..report }),
            AttemptStatus::Processing | AttemptStatus::Succeeded | AttemptStatus::Failed | AttemptStatus::Cancelled => {
                Ok(report)
            }
        }
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        let payment = path_segment(&request.gateway_attempt_id)?;
        let refund: Refund = if let Some(id) = &request.refund_id {
            self.api.get(&format!("/v2/payments/{payment}/refunds/{}", path_segment(id)?)).await?
        } else if let Some(made) = self.find_refund(payment, request).await? {
            made
        } else {
            let amount = Amount::of(request.amount).ok_or_else(|| unspeakable(request.amount))?;
            let body = json!({
                "amount": amount,
                "description": request.order_number,
                "metadata": {"reference": request.reference},
            });
            let path = format!("/v2/payments/{payment}/refunds");
            let key = request.reference.to_string();
            self.api.send(Method::POST, &path, Some(&key), Some(&body)).await?
        };
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
        // Nobody has this payment. Being told so is an answer, and takes the right that looking payments up takes.
        let answer = is_reached(self.api.get::<IgnoredAny>("/v2/payments/tr_examined").await);
        Some(ExaminedProvider { place: self.api.base().to_owned(), key: "payments.mollie.api_key", answer })
    }

    fn has_callbacks(&self) -> bool {
        true
    }

    fn unproven_payment(&self, callback: &Callback<'_>) -> Option<String> {
        if self.has_webhook_secret { None } else { callback::payment_id(callback.body).ok() }
    }

    async fn verify(&self, callback: &Callback<'_>) -> Result<Notification, CallbackError> {
        match &self.webhook_secret {
            Some(secret) => callback::of_subscription(callback.headers, callback.body, secret, &self.api).await,
            None if self.has_webhook_secret => {
                Err(CallbackError::Unverified(String::from("the secret to verify with is unusable")))
            }
            None => callback::of_payment(callback.body, &self.api).await,
        }
    }
}

/// The language of Mollie's pages.
fn locale(language: Language) -> &'static str {
    match language {
        Language::DE => "de_DE",
        Language::NL => "nl_NL",
        _ => "en_GB",
    }
}

fn unspeakable(amount: Money) -> GatewayError {
    GatewayError::Refused(format!("{amount} is no amount that Mollie takes"))
}

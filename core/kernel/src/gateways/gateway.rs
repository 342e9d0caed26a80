//! The code between the shop and a payment provider.

use std::future::{Future, ready};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::callback::{Callback, CallbackError, Notification};
use super::report::{AttemptReport, RefundReport};
use crate::i18n::{Language, Message};
use crate::money::Money;

/// What a gateway is asked for when a customer wants to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRequest {
    /// Our reference, the same whenever the same attempt is started again. Goes along as the provider's idempotency key and
    /// as what callbacks name.
    pub reference: Uuid,
    /// The order's number, for people.
    pub order_number: String,
    /// What is to be paid, exactly.
    pub amount: Money,
    /// Where the customer comes back to.
    pub return_url: String,
    /// Where the customer comes back to without having paid.
    pub cancel_url: String,
    /// Where the provider tells what happened.
    pub callback_url: String,
    /// The customer's address, if the provider asks for one.
    pub customer_email: Option<String>,
    /// The language to speak to the customer.
    pub language: Language,
    /// When the attempt was written down; the same whenever it is started again, so that providers, which compare a repeated
    /// request with the first, see no difference.
    pub started_at: DateTime<Utc>,
    /// When the order ends unpaid, if it does.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether the customer is to be asked to let the method be charged again later, where the provider can.
    pub save_method: bool,
}

/// An attempt as the provider has begun it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedAttempt {
    /// The provider's id of it; what [`Gateway::look_up`] and [`Gateway::cancel`] get.
    pub gateway_attempt_id: Option<String>,
    /// Where the customer pays; none when there is nothing to see.
    pub redirect_url: Option<String>,
    /// When the provider gives it up by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// How far it has come already.
    pub report: AttemptReport,
}

/// What a gateway is asked for when money goes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    /// Our reference, the same whenever the same refund is asked for again. Goes along as the provider's idempotency key.
    pub reference: Uuid,
    /// The order's number, for people.
    pub order_number: String,
    /// The provider's id of the attempt that paid.
    pub gateway_attempt_id: String,
    /// What the provider said refunds refer to, if it said anything.
    pub payment_id: Option<String>,
    /// The provider's id of the refund, if it was begun before.
    pub refund_id: Option<String>,
    /// What goes back.
    pub amount: Money,
    /// The operator's reason.
    pub reason: String,
}

/// Why a gateway did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The provider said no: for certain nothing has happened.
    #[error("the provider refused: {0}")]
    Refused(String),
    /// Nobody knows whether it happened: no answer, or one that cannot be understood. Ask again, never guess.
    #[error("the provider gave no usable answer: {0}")]
    Unknown(String),
}

/// What came of asking a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExaminedProvider {
    /// Where it was asked: scheme and host.
    pub place: String,
    /// The setting that holds the key, such as `payments.stripe.secret_key`.
    pub key: &'static str,
    /// Whether it answered and took the key.
    pub answer: Result<(), GatewayError>,
}

/// A gateway to a payment provider. Register it with [`crate::module::ModuleContext::gateway`].
///
/// Every method may be called again with the same reference after a crash and must then come to the same end. None is
/// called while a transaction is open.
pub trait Gateway: Send + Sync + 'static {
    /// The lasting id: 1 to 40 lower-case letters, digits and `_`. Orders and callback addresses refer to it.
    const ID: &'static str;

    /// What customers read.
    fn label(&self) -> Message;

    /// The name of an icon that a storefront may have, such as `card`.
    fn icon(&self) -> Option<&'static str> {
        None
    }

    /// Minutes that an order has before it ends unpaid: from its placing, if it is placed with this gateway, and at least
    /// from when the customer begins to pay this way. 0 is for ever, `None` no more than the shop gives every order.
    fn expiry_minutes(&self) -> Option<u32> {
        None
    }

    /// Whether an attempt is over as soon as it is begun, without the customer. It is begun with the order then.
    fn settles_at_once(&self) -> bool {
        false
    }

    /// Whether an amount can be paid this way: some providers lack currencies, or take no small amounts.
    fn accepts(&self, amount: Money) -> bool {
        let _ = amount;
        true
    }

    /// What the customer is to do when there is no page to send them to, in the shop's own words; `amount` is written as
    /// customers read it everywhere else.
    fn instructions(&self, order_number: &str, amount: &str) -> Option<String> {
        let _ = (order_number, amount);
        None
    }

    /// Begins an attempt, or gives again the one that this reference has begun.
    fn start(&self, request: &AttemptRequest) -> impl Future<Output = Result<StartedAttempt, GatewayError>> + Send;

    /// What became of an attempt. Does what is left to do when the customer has agreed, such as taking the money, and is
    /// therefore not asked about attempts that are to bring none any more.
    fn look_up(&self, gateway_attempt_id: &str) -> impl Future<Output = Result<AttemptReport, GatewayError>> + Send;

    /// Makes sure that an attempt cannot be paid any more. Reports what it came to: cancelled, or succeeded or processing
    /// because it was too late. A refusal leaves the attempt open: some providers let nothing be cancelled for a while.
    fn cancel(&self, gateway_attempt_id: &str) -> impl Future<Output = Result<AttemptReport, GatewayError>> + Send;

    /// Sends money back, or tells what became of the refund of this reference.
    fn refund(&self, request: &RefundRequest) -> impl Future<Output = Result<RefundReport, GatewayError>> + Send;

    /// Whether the provider can save what a customer pays with, and charge it again without them.
    fn saves_methods(&self) -> bool {
        false
    }

    /// What the provider calls the method that a paid attempt has saved: what [`Gateway::charge_saved`] gets. None if it
    /// has saved none, for example because the customer did not want to; [`GatewayError::Unknown`] while the provider has still
    /// to save it, of which [`Notice::MethodSaved`](super::Notice::MethodSaved) may tell. The shop keeps it encrypted.
    fn saved_method(
        &self,
        gateway_attempt_id: &str,
    ) -> impl Future<Output = Result<Option<String>, GatewayError>> + Send {
        let _ = gateway_attempt_id;
        ready(Ok(None))
    }

    /// Charges a saved method, or gives again what came of it under this reference. The customer is not there, so there is
    /// no page to send them to: a method that cannot be charged without them is refused.
    fn charge_saved(
        &self,
        request: &AttemptRequest,
        method: &str,
    ) -> impl Future<Output = Result<StartedAttempt, GatewayError>> + Send {
        let _ = (request, method);
        ready(Err(GatewayError::Refused(String::from("this gateway saves no payment methods"))))
    }

    /// Asks the provider for something that changes nothing, to see whether it is there and takes the shop's keys; none for a
    /// gateway without a provider. Told by `stoa doctor`.
    fn examine(&self) -> impl Future<Output = Option<ExaminedProvider>> + Send {
        ready(None)
    }

    /// Whether the provider calls back; when not, callbacks are 404 (S4.6 rule 3).
    fn has_callbacks(&self) -> bool {
        false
    }

    /// The provider's id of the payment that a callback is about which nothing proves but that the provider knows it. One that
    /// no attempt of this gateway has is refused, and the provider is not asked. None where something else proves a callback.
    fn unproven_payment(&self, callback: &Callback<'_>) -> Option<String> {
        let _ = callback;
        None
    }

    /// Verifies a callback on its raw body, before anything of it is parsed (S4.6 rule 2), and says what it means.
    fn verify(&self, callback: &Callback<'_>) -> impl Future<Output = Result<Notification, CallbackError>> + Send {
        let _ = callback;
        ready(Err(CallbackError::Unverified(String::from("this gateway has no callbacks"))))
    }
}

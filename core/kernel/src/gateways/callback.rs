//! What providers tell by themselves (S4.6).

use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::report::{AttemptReport, RefundReport};
use crate::secret::Secret;

/// A callback as it came, not looked at yet.
#[derive(Debug, Clone, Copy)]
pub struct Callback<'a> {
    /// All headers.
    pub headers: &'a HeaderMap,
    /// The raw body; what is signed.
    pub body: &'a [u8],
    /// Our time, against which signed times are held.
    pub now: DateTime<Utc>,
}

/// Why a callback is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallbackError {
    /// It does not prove that it comes from the provider: 403.
    #[error("not verified: {0}")]
    Unverified(String),
    /// Whether it does could not be found out, since the provider did not answer: 500, so that it comes again.
    #[error("could not be verified: {0}")]
    Unavailable(String),
}

/// What a verified callback says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification {
    /// What tells this message from every other of the gateway, the same when it is repeated. A provider that posts
    /// nothing but an id of a payment makes it from the id and all that can change about it.
    pub event_id: String,
    /// The provider's name of what happened.
    pub event_type: String,
    /// Which payment it is about; none for what concerns no payment of ours.
    pub subject: Option<NoticeSubject>,
    /// What it means.
    pub notice: Notice,
}

/// Which attempt or refund a notification is about. What was stored when we started it decides, never a name of an order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeSubject {
    /// The reference that we gave the attempt.
    pub reference: Option<Uuid>,
    /// The provider's id of the attempt, as [`super::StartedAttempt::gateway_attempt_id`] was.
    #[serde(rename = "provider_id")]
    pub gateway_attempt_id: Option<String>,
    /// The provider's id of the money, as [`AttemptReport::payment_id`] was.
    pub payment_id: Option<String>,
}

/// What a notification means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The attempt is now like this.
    Attempt(AttemptReport),
    /// Something about the attempt, or about one of our refunds of it, has changed that only the provider's answer to a
    /// question tells.
    Ask,
    /// One of our refunds is now like this; found by its reference or by the provider's id. One that is not found was made
    /// elsewhere.
    Refund {
        /// The reference that we gave the refund.
        reference: Option<Uuid>,
        /// What became of it.
        report: RefundReport,
    },
    /// The provider has saved what the customer paid with, some time after they paid.
    MethodSaved {
        /// What [`Gateway::charge_saved`](super::Gateway::charge_saved) gets. It is kept encrypted at once, or not at all: none
        /// in a notification that was read from the inbox.
        #[serde(skip)]
        method: Option<Secret>,
    },
    /// Something that the operator has to look at: a dispute, a chargeback, a refund that was not made here.
    Review(String),
    /// Nothing that concerns the shop.
    Nothing,
}

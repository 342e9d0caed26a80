//! What Stripe answers, and what it means.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use stoa_kernel::gateways::{AttemptReport, AttemptStatus, NoticeSubject, RefundReport, RefundStatus};
use stoa_kernel::money::Money;

use super::super::exchange::{Problem, plain_words};
use super::amount::from_stripe;

/// Under which name our reference stands in Stripe's metadata.
const REFERENCE: &str = "reference";

/// A checkout session: the page on which the customer pays.
#[derive(Debug, Deserialize)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) url: Option<String>,
    #[serde(default)]
    mode: String,
    /// `open`, `complete` or `expired`.
    status: Option<String>,
    /// `paid`, `unpaid` or `no_payment_required`.
    payment_status: String,
    amount_total: Option<i64>,
    currency: Option<String>,
    expires_at: Option<i64>,
    client_reference_id: Option<String>,
    metadata: Option<BTreeMap<String, String>>,
    payment_intent: Option<Reference<PaymentIntent>>,
}

/// An object of Stripe's that is written out only when that was asked for.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Reference<T> {
    Id(String),
    Object(T),
}

impl Reference<PaymentIntent> {
    fn id(&self) -> &str {
        match self {
            Self::Id(id) => id,
            Self::Object(intent) => &intent.id,
        }
    }
}

/// A payment intent: the money of a session, or of a method that was charged without its customer.
#[derive(Debug, Deserialize)]
pub(super) struct PaymentIntent {
    pub(super) id: String,
    #[serde(default)]
    status: String,
    amount: Option<i64>,
    currency: Option<String>,
    customer: Option<String>,
    payment_method: Option<String>,
    /// `off_session` where the customer has let the method be charged without them.
    setup_future_usage: Option<String>,
    last_payment_error: Option<StripeError>,
    metadata: Option<BTreeMap<String, String>>,
}

impl PaymentIntent {
    /// Which attempt it belongs to.
    pub(super) fn subject(&self) -> NoticeSubject {
        NoticeSubject {
            reference: reference(self.metadata.as_ref()),
            gateway_attempt_id: None,
            payment_id: Some(self.id.clone()),
        }
    }
}

impl PaymentIntent {
    /// Who can be charged with what.
    pub(super) fn method(&self) -> Option<(&str, &str)> {
        self.customer.as_deref().zip(self.payment_method.as_deref())
    }

    /// How far one has come that was confirmed without the customer; none when Stripe says something that cannot be
    /// understood. What waits for the customer brings nothing: nobody will show it to them.
    pub(super) fn report(&self) -> Option<AttemptReport> {
        let status = match self.status.as_str() {
            "succeeded" => AttemptStatus::Succeeded,
            "processing" => AttemptStatus::Processing,
            "requires_payment_method" | "requires_confirmation" | "requires_action" | "canceled" => {
                AttemptStatus::Failed
            }
            _ => return None,
        };
        let amount = from_stripe(self.amount?, self.currency.as_deref()?)?;
        let detail = self.last_payment_error.as_ref().map(StripeError::words);
        Some(AttemptReport { status, amount: Some(amount), payment_id: Some(self.id.clone()), detail })
    }
}

impl Session {
    /// Who can be charged with what later, if the customer has agreed to that.
    pub(super) fn saved_method(&self) -> Option<(String, String)> {
        let intent = match &self.payment_intent {
            Some(Reference::Object(intent)) => intent,
            Some(Reference::Id(_)) | None => return None,
        };
        let (customer, method) = intent.method()?;
        let agreed = intent.setup_future_usage.as_deref() == Some("off_session");
        agreed.then(|| (customer.to_owned(), method.to_owned()))
    }

    /// Whether it takes money once, as all of ours do.
    pub(super) fn is_payment(&self) -> bool {
        self.mode == "payment"
    }

    /// When Stripe gives it up.
    pub(super) fn expires_at(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.expires_at?, 0)
    }

    /// What refunds refer to, once the customer has begun to pay.
    pub(super) fn payment_id(&self) -> Option<&str> {
        self.payment_intent.as_ref().map(Reference::id)
    }

    /// Which attempt it belongs to.
    pub(super) fn subject(&self) -> NoticeSubject {
        let own = self.client_reference_id.as_deref().and_then(|text| text.parse().ok());
        NoticeSubject {
            reference: reference(self.metadata.as_ref()).or(own),
            gateway_attempt_id: Some(self.id.clone()),
            payment_id: self.payment_id().map(str::to_owned),
        }
    }

    /// How far it has come; none when Stripe says something that cannot be understood.
    pub(super) fn report(&self) -> Option<AttemptReport> {
        let status = match (self.status.as_deref()?, self.payment_status.as_str()) {
            ("complete", "paid" | "no_payment_required") => AttemptStatus::Succeeded,
            ("complete", "unpaid") if self.has_failed() => AttemptStatus::Failed,
            ("complete", "unpaid") => AttemptStatus::Processing,
            ("open", _) => AttemptStatus::Pending,
            ("expired", _) => AttemptStatus::Expired,
            _ => return None,
        };
        let detail = match &self.payment_intent {
            Some(Reference::Object(intent)) => intent.last_payment_error.as_ref().map(StripeError::words),
            Some(Reference::Id(_)) | None => None,
        };
        let payment_id = self.payment_id().map(str::to_owned);
        Some(AttemptReport { status, amount: Some(self.amount()?), payment_id, detail })
    }

    /// Whether the money of a finished session did not come, as happens days later with direct debits and transfers.
    fn has_failed(&self) -> bool {
        let status = match &self.payment_intent {
            Some(Reference::Object(intent)) => intent.status.as_str(),
            Some(Reference::Id(_)) | None => "",
        };
        matches!(status, "requires_payment_method" | "canceled")
    }

    fn amount(&self) -> Option<Money> {
        from_stripe(self.amount_total?, self.currency.as_deref()?)
    }
}

/// A refund.
#[derive(Debug, Deserialize)]
pub(super) struct Refund {
    pub(super) id: String,
    amount: i64,
    currency: String,
    /// `pending`, `requires_action`, `succeeded`, `failed` or `canceled`.
    status: Option<String>,
    failure_reason: Option<String>,
    metadata: Option<BTreeMap<String, String>>,
    payment_intent: Option<String>,
}

impl Refund {
    /// The reference that we gave it, if we made it.
    pub(super) fn reference(&self) -> Option<Uuid> {
        reference(self.metadata.as_ref())
    }

    /// Which payment it takes money from.
    pub(super) fn subject(&self) -> NoticeSubject {
        NoticeSubject { payment_id: self.payment_intent.clone(), ..NoticeSubject::default() }
    }

    /// How far it has come; none when Stripe says something that cannot be understood.
    pub(super) fn report(&self) -> Option<RefundReport> {
        let status = match self.status.as_deref()? {
            "pending" | "requires_action" => RefundStatus::Pending,
            "succeeded" => RefundStatus::Succeeded,
            "failed" | "canceled" => RefundStatus::Failed,
            _ => return None,
        };
        let detail = self.failure_reason.as_deref().map(plain_words);
        Some(RefundReport { status, gateway_refund_id: Some(self.id.clone()), detail })
    }

    /// It in words, for the operator.
    pub(super) fn describe(&self) -> String {
        let amount = from_stripe(self.amount, &self.currency)
            .map_or_else(|| format!("{} {}", self.amount, self.currency), |money| money.to_string());
        let status = self.status.as_deref().unwrap_or("in an unknown state");
        format!("a refund of {amount} that was not made here is {status} ({})", self.id)
    }
}

/// A list, as far as one request shows it.
#[derive(Debug, Deserialize)]
pub(super) struct List<T> {
    pub(super) data: Vec<T>,
    #[serde(default)]
    pub(super) has_more: bool,
}

/// Why Stripe refuses.
#[derive(Debug, Deserialize)]
pub(super) struct StripeProblem {
    error: StripeError,
}

#[derive(Debug, Deserialize)]
struct StripeError {
    #[serde(rename = "type", default)]
    kind: String,
    code: Option<String>,
    message: Option<String>,
}

impl StripeError {
    fn words(&self) -> String {
        plain_words(self.message.as_deref().or(self.code.as_deref()).unwrap_or(&self.kind))
    }
}

impl Problem for StripeProblem {
    fn code(&self) -> &str {
        self.error.code.as_deref().unwrap_or(&self.error.kind)
    }

    fn words(&self) -> String {
        self.error.words()
    }
}

fn reference(metadata: Option<&BTreeMap<String, String>>) -> Option<Uuid> {
    metadata?.get(REFERENCE)?.parse().ok()
}

//! What Mollie answers, and what it means.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use stoa_kernel::gateways::{AttemptReport, AttemptStatus, NoticeSubject, RefundReport, RefundStatus};

use super::super::exchange::{Problem, plain_words};
use super::amount::Amount;

/// A payment.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Payment {
    pub(super) id: String,
    pub(super) status: String,
    amount: Amount,
    amount_refunded: Option<Amount>,
    amount_charged_back: Option<Amount>,
    pub(super) expires_at: Option<DateTime<Utc>>,
    #[serde(default)]
    metadata: Value,
    sequence_type: Option<SequenceType>,
    customer_id: Option<String>,
    mandate_id: Option<String>,
    details: Option<Details>,
    #[serde(rename = "_links", default)]
    links: Links,
    #[serde(rename = "_embedded", default)]
    embedded: Embedded,
}

/// Which part of several payments one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SequenceType {
    /// One with which the customer agrees to be charged again.
    First,
    /// One without the customer.
    Recurring,
    /// A payment that no other follows.
    #[serde(other)]
    Oneoff,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    failure_message: Option<String>,
    failure_reason: Option<String>,
    bank_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Links {
    checkout: Option<Link>,
}

#[derive(Debug, Deserialize)]
struct Link {
    href: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Embedded {
    pub(super) refunds: Vec<Refund>,
}

impl Payment {
    /// Where the customer pays, while they still can.
    pub(super) fn checkout(&self) -> Option<String> {
        self.links.checkout.as_ref().map(|link| link.href.clone())
    }

    /// Which attempt it belongs to.
    pub(super) fn subject(&self) -> NoticeSubject {
        NoticeSubject {
            reference: reference(&self.metadata),
            gateway_attempt_id: Some(self.id.clone()),
            payment_id: Some(self.id.clone()),
        }
    }

    /// How far it has come; none when Mollie says something that cannot be understood.
    pub(super) fn report(&self) -> Option<AttemptReport> {
        let status = match self.status.as_str() {
            // Nobody is there who would have to do anything about it.
            "open" if self.sequence_type == Some(SequenceType::Recurring) => AttemptStatus::Processing,
            "open" => AttemptStatus::Pending,
            "pending" | "authorized" => AttemptStatus::Processing,
            "paid" => AttemptStatus::Succeeded,
            "failed" => AttemptStatus::Failed,
            "canceled" => AttemptStatus::Cancelled,
            "expired" => AttemptStatus::Expired,
            _ => return None,
        };
        let details = self.details.as_ref();
        let detail = details.and_then(|details| {
            details.failure_message.as_ref().or(details.failure_reason.as_ref()).or(details.bank_reason.as_ref())
        });
        Some(AttemptReport {
            status,
            amount: Some(self.amount.money()?),
            payment_id: Some(self.id.clone()),
            detail: detail.map(|words| plain_words(words)),
        })
    }

    /// The customer who has let be charged again what they have paid with.
    pub(super) fn recurring_customer(&self) -> Option<&str> {
        match self.sequence_type? {
            SequenceType::First | SequenceType::Recurring => self.customer_id.as_deref(),
            SequenceType::Oneoff => None,
        }
    }

    /// Whether this mandate is the one of this payment, as far as the payment says.
    pub(super) fn is_under(&self, mandate: &Mandate) -> bool {
        self.mandate_id.as_ref().is_none_or(|id| *id == mandate.id)
    }

    /// Whether it was made under this reference of ours.
    pub(super) fn is_of(&self, own: Uuid) -> bool {
        reference(&self.metadata) == Some(own)
    }

    /// What was charged back, if anything.
    pub(super) fn charged_back(&self) -> Option<&Amount> {
        self.amount_charged_back.as_ref().filter(|amount| amount.is_some())
    }

    /// The refunds, if they were asked for.
    pub(super) fn refunds(&self) -> &[Refund] {
        &self.embedded.refunds
    }

    /// Everything about it that can change, in one line: what tells one callback about it from the next.
    pub(super) fn fingerprint(&self) -> String {
        let value = |amount: &Option<Amount>| amount.as_ref().map_or("0", Amount::value).to_owned();
        let mut refunds = self.refunds().iter().map(Refund::fingerprint).collect::<Vec<_>>();
        refunds.sort();
        let (refunded, charged_back) = (value(&self.amount_refunded), value(&self.amount_charged_back));
        format!("{}:{}:{refunded}:{charged_back}:{}", self.id, self.status, refunds.join(","))
    }
}

/// A refund.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refund {
    pub(super) id: String,
    status: String,
    amount: Amount,
    #[serde(default)]
    metadata: Value,
}

impl Refund {
    /// The reference that we gave it, if we made it.
    pub(super) fn reference(&self) -> Option<Uuid> {
        reference(&self.metadata)
    }

    /// How far it has come; none when Mollie says something that cannot be understood.
    pub(super) fn report(&self) -> Option<RefundReport> {
        let status = refund_status(&self.status)?;
        let detail = (status == RefundStatus::Failed).then(|| plain_words(&format!("the refund {}", self.status)));
        Some(RefundReport { status, gateway_refund_id: Some(self.id.clone()), detail })
    }

    /// It in words, for the operator.
    pub(super) fn describe(&self) -> String {
        let amount = self.amount.money().map_or_else(|| self.amount.value().to_owned(), |money| money.to_string());
        format!("a refund of {amount} that was not made here is {} ({})", self.status, self.id)
    }

    fn fingerprint(&self) -> String {
        format!("{}={}", self.id, self.status)
    }
}

/// What a status of a refund means, as refunds and events about them say it.
pub(super) fn refund_status(status: &str) -> Option<RefundStatus> {
    match status {
        "queued" | "pending" | "processing" => Some(RefundStatus::Pending),
        "refunded" => Some(RefundStatus::Succeeded),
        "failed" | "canceled" => Some(RefundStatus::Failed),
        _ => None,
    }
}

/// A page of refunds.
#[derive(Debug, Deserialize)]
pub(super) struct Refunds {
    #[serde(rename = "_embedded", default)]
    pub(super) embedded: Embedded,
    #[serde(rename = "_links", default)]
    links: RefundsLinks,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RefundsLinks {
    next: Option<Link>,
}

impl Refunds {
    /// Whether there are more than this page shows.
    pub(super) fn has_more(&self) -> bool {
        self.links.next.as_ref().is_some_and(|link| !link.href.is_empty())
    }
}

/// A customer, to whom payments and mandates belong.
#[derive(Debug, Deserialize)]
pub(super) struct Customer {
    pub(super) id: String,
}

/// A page of a customer's payments, the newest first.
#[derive(Debug, Deserialize)]
pub(super) struct Payments {
    #[serde(rename = "_embedded")]
    pub(super) embedded: EmbeddedPayments,
}

#[derive(Debug, Deserialize)]
pub(super) struct EmbeddedPayments {
    pub(super) payments: Vec<Payment>,
}

/// A page of a customer's mandates, the newest first.
#[derive(Debug, Deserialize)]
pub(super) struct Mandates {
    #[serde(rename = "_embedded")]
    pub(super) embedded: EmbeddedMandates,
}

#[derive(Debug, Deserialize)]
pub(super) struct EmbeddedMandates {
    pub(super) mandates: Vec<Mandate>,
}

/// That a card, a bank account or a wallet of a customer may be charged.
#[derive(Debug, Deserialize)]
pub(super) struct Mandate {
    pub(super) id: String,
    /// `valid`, `pending` or `invalid`.
    status: String,
    /// What it is good for; older ones are good for everything.
    scopes: Option<Vec<String>>,
}

impl Mandate {
    /// Whether its customer can be charged without being there. One of a bank account whose number Mollie has not been told
    /// yet is pending, and becomes valid with the number.
    pub(super) fn is_usable(&self) -> bool {
        let without_customer =
            self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|scope| scope == "customer-not-present"));
        without_customer && matches!(self.status.as_str(), "valid" | "pending")
    }
}

/// Why Mollie refuses.
#[derive(Debug, Deserialize)]
pub(super) struct MollieProblem {
    #[serde(default)]
    title: String,
    detail: Option<String>,
    field: Option<String>,
}

impl Problem for MollieProblem {
    fn code(&self) -> &str {
        &self.title
    }

    fn words(&self) -> String {
        let detail = self.detail.as_deref().unwrap_or(&self.title);
        self.field.as_ref().map_or_else(|| detail.to_owned(), |field| format!("{field}: {detail}"))
    }
}

fn reference(metadata: &Value) -> Option<Uuid> {
    metadata.get("reference")?.as_str()?.parse().ok()
}

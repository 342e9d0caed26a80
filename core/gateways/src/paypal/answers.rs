//! What PayPal answers, and what it means.

use serde::Deserialize;
use uuid::Uuid;

use stoa_kernel::gateways::{AttemptReport, AttemptStatus, NoticeSubject, RefundReport, RefundStatus};
use stoa_kernel::secret::Secret;

use super::super::exchange::{Problem, plain_words};
use super::amount::Amount;

/// How our refunds are named at PayPal. Refunds that are made in PayPal's own pages inherit the name of the payment, which
/// is a reference of ours too, so those of refunds look different.
const REFUND_PREFIX: &str = "refund-";

/// The name of a refund at PayPal.
pub(super) fn refund_name(reference: Uuid) -> String {
    format!("{REFUND_PREFIX}{reference}")
}

/// An order: what the customer agrees to, and what we capture then.
#[derive(Debug, Deserialize)]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) status: OrderStatus,
    /// Changes whenever the customer agrees anew.
    pub(super) update_time: Option<String>,
    payment_source: Option<PaymentSource>,
    #[serde(default)]
    purchase_units: Vec<PurchaseUnit>,
    #[serde(default)]
    links: Vec<Link>,
}

/// How far an order has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum OrderStatus {
    Created,
    Saved,
    PayerActionRequired,
    /// The customer has agreed; the money moves when we say so.
    Approved,
    Voided,
    Completed,
}

#[derive(Debug, Deserialize)]
struct PaymentSource {
    paypal: Option<Wallet>,
}

#[derive(Debug, Deserialize)]
struct Wallet {
    attributes: Option<WalletAttributes>,
}

#[derive(Debug, Deserialize)]
struct WalletAttributes {
    vault: Option<Vault>,
}

#[derive(Debug, Deserialize)]
struct Vault {
    id: Option<String>,
    /// `APPROVED` until what the customer agreed to is saved, `VAULTED` from then on.
    status: Option<String>,
}

impl PaymentSource {
    fn vault(&self) -> Option<&Vault> {
        self.paypal.as_ref()?.attributes.as_ref()?.vault.as_ref()
    }
}

/// What an order says about its customer's wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Vaulted {
    /// Nobody was asked, or did not agree.
    Nothing,
    /// It will be saved, and its id be told later.
    Later,
    /// It is saved under this id.
    As(String),
}

#[derive(Debug, Deserialize)]
struct PurchaseUnit {
    custom_id: Option<String>,
    amount: Option<Amount>,
    #[serde(default)]
    payments: Payments,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Payments {
    captures: Vec<Capture>,
    refunds: Vec<Refund>,
}

#[derive(Debug, Deserialize)]
struct Link {
    href: String,
    rel: String,
}

impl Order {
    /// Where the customer pays.
    pub(super) fn approve_url(&self) -> Option<String> {
        let is_page = |link: &&Link| matches!(link.rel.as_str(), "payer-action" | "approve");
        self.links.iter().find(is_page).map(|link| link.href.clone())
    }

    /// Which attempt it belongs to.
    pub(super) fn subject(&self) -> NoticeSubject {
        let unit = self.purchase_units.first();
        NoticeSubject {
            reference: unit.and_then(|unit| unit.custom_id.as_deref()?.parse().ok()),
            gateway_attempt_id: Some(self.id.clone()),
            payment_id: unit.and_then(|unit| unit.payments.captures.first()).map(|capture| capture.id.clone()),
        }
    }

    /// The money that was taken, if any was.
    pub(super) fn capture(&self) -> Option<&Capture> {
        self.purchase_units.first()?.payments.captures.first()
    }

    /// What was saved with it.
    pub(super) fn vaulted(&self) -> Vaulted {
        let Some(vault) = self.payment_source.as_ref().and_then(PaymentSource::vault) else { return Vaulted::Nothing };
        match (&vault.id, vault.status.as_deref()) {
            (Some(id), _) => Vaulted::As(id.clone()),
            (None, Some("APPROVED")) => Vaulted::Later,
            (None, _) => Vaulted::Nothing,
        }
    }

    /// The refund of this reference, if the order shows it.
    pub(super) fn refund(&self, reference: Uuid) -> Option<&Refund> {
        let refunds = self.purchase_units.iter().flat_map(|unit| &unit.payments.refunds);
        refunds.into_iter().find(|refund| refund.reference() == Some(reference))
    }

    /// How far it has come, with the money that was taken; an approved order counts as being on its way.
    pub(super) fn report(&self) -> Option<AttemptReport> {
        let status = match self.status {
            OrderStatus::Created | OrderStatus::Saved | OrderStatus::PayerActionRequired => AttemptStatus::Pending,
            OrderStatus::Approved => AttemptStatus::Processing,
            OrderStatus::Voided => AttemptStatus::Cancelled,
            OrderStatus::Completed => return self.capture()?.report(),
        };
        let amount = self.purchase_units.first().and_then(|unit| unit.amount.as_ref()).and_then(Amount::money);
        Some(AttemptReport { amount, ..AttemptReport::of(status) })
    }
}

/// Money that was taken.
#[derive(Debug, Deserialize)]
pub(super) struct Capture {
    pub(super) id: String,
    /// `COMPLETED`, `PENDING`, `DECLINED`, `FAILED`, `REFUNDED` or `PARTIALLY_REFUNDED`.
    status: String,
    status_details: Option<StatusDetails>,
    amount: Option<Amount>,
    custom_id: Option<String>,
    #[serde(default)]
    supplementary_data: SupplementaryData,
}

#[derive(Debug, Deserialize)]
struct StatusDetails {
    reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SupplementaryData {
    related_ids: RelatedIds,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RelatedIds {
    order_id: Option<String>,
    capture_id: Option<String>,
}

impl Capture {
    /// Which attempt it belongs to.
    pub(super) fn subject(&self) -> NoticeSubject {
        NoticeSubject {
            reference: self.custom_id.as_deref().and_then(|text| text.parse().ok()),
            gateway_attempt_id: self.supplementary_data.related_ids.order_id.clone(),
            payment_id: Some(self.id.clone()),
        }
    }

    /// How far it has come; none when PayPal says something that cannot be understood.
    pub(super) fn report(&self) -> Option<AttemptReport> {
        let status = match self.status.as_str() {
            // What goes back later was there first.
            "COMPLETED" | "REFUNDED" | "PARTIALLY_REFUNDED" => AttemptStatus::Succeeded,
            "PENDING" => AttemptStatus::Processing,
            "DECLINED" | "FAILED" => AttemptStatus::Failed,
            _ => return None,
        };
        let reason = self.status_details.as_ref().and_then(|details| details.reason.as_deref());
        Some(AttemptReport {
            status,
            amount: Some(self.amount.as_ref()?.money()?),
            payment_id: Some(self.id.clone()),
            detail: reason.map(plain_words),
        })
    }
}

/// A refund.
#[derive(Debug, Deserialize)]
pub(super) struct Refund {
    pub(super) id: String,
    /// `COMPLETED`, `PENDING`, `FAILED` or `CANCELLED`.
    status: String,
    status_details: Option<StatusDetails>,
    amount: Option<Amount>,
    custom_id: Option<String>,
    #[serde(default)]
    links: Vec<Link>,
    #[serde(default)]
    supplementary_data: SupplementaryData,
}

impl Refund {
    /// The reference that we gave it, if we made it.
    pub(super) fn reference(&self) -> Option<Uuid> {
        self.custom_id.as_deref()?.strip_prefix(REFUND_PREFIX)?.parse().ok()
    }

    /// Which payment it takes money from: the capture that its link `up` leads to.
    pub(super) fn subject(&self) -> NoticeSubject {
        let up = self.links.iter().find(|link| link.rel == "up").and_then(|link| link.href.rsplit('/').next());
        let related = self.supplementary_data.related_ids.capture_id.as_deref();
        NoticeSubject { payment_id: related.or(up).map(str::to_owned), ..NoticeSubject::default() }
    }

    /// How far it has come; none when PayPal says something that cannot be understood.
    pub(super) fn report(&self) -> Option<RefundReport> {
        let status = match self.status.as_str() {
            "COMPLETED" => RefundStatus::Succeeded,
            "PENDING" => RefundStatus::Pending,
            "FAILED" | "CANCELLED" => RefundStatus::Failed,
            _ => return None,
        };
        let reason = self.status_details.as_ref().and_then(|details| details.reason.as_deref());
        Some(RefundReport { status, gateway_refund_id: Some(self.id.clone()), detail: reason.map(plain_words) })
    }

    /// It in words, for the operator.
    pub(super) fn describe(&self) -> String {
        let amount = self.amount.as_ref().map_or_else(|| String::from("an unknown amount"), Amount::describe);
        format!("a refund of {amount} that was not made here is {} ({})", self.status, self.id)
    }
}

/// What PayPal has saved after the order was captured.
#[derive(Debug, Deserialize)]
pub(super) struct PaymentToken {
    pub(super) id: Secret,
    #[serde(default)]
    metadata: TokenMetadata,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TokenMetadata {
    order_id: Option<String>,
}

impl PaymentToken {
    /// The order that it was saved with; none for what was saved elsewhere.
    pub(super) fn subject(&self) -> Option<NoticeSubject> {
        let gateway_attempt_id = Some(self.metadata.order_id.clone()?);
        Some(NoticeSubject { gateway_attempt_id, ..NoticeSubject::default() })
    }
}

/// A page of the account's transactions.
#[derive(Debug, Deserialize)]
pub(super) struct Transactions {
    #[serde(default)]
    transaction_details: Vec<Transaction>,
    #[serde(default)]
    pub(super) total_pages: u32,
}

#[derive(Debug, Deserialize)]
struct Transaction {
    transaction_info: TransactionInfo,
}

#[derive(Debug, Deserialize)]
struct TransactionInfo {
    transaction_id: String,
    invoice_id: Option<String>,
    transaction_amount: Option<Amount>,
}

impl Transactions {
    /// The capture of the order of this name: what goes back bears the name too, with an amount below zero.
    pub(super) fn capture_of(&self, invoice_id: &str) -> Option<&str> {
        let is_capture = |info: &&TransactionInfo| {
            info.invoice_id.as_deref() == Some(invoice_id)
                && !info.transaction_amount.as_ref().is_some_and(Amount::is_below_zero)
        };
        let mut infos = self.transaction_details.iter().map(|transaction| &transaction.transaction_info);
        infos.find(is_capture).map(|info| info.transaction_id.as_str())
    }
}

/// Why PayPal refuses.
#[derive(Debug, Deserialize)]
pub(super) struct PaypalProblem {
    /// `UNPROCESSABLE_ENTITY` and the like; the token's address says `error` instead.
    #[serde(alias = "error")]
    name: String,
    #[serde(alias = "error_description")]
    message: Option<String>,
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Debug, Deserialize)]
struct Detail {
    issue: Option<String>,
    description: Option<String>,
}

impl Problem for PaypalProblem {
    fn code(&self) -> &str {
        self.details.iter().find_map(|detail| detail.issue.as_deref()).unwrap_or(&self.name)
    }

    fn words(&self) -> String {
        let description = self.details.iter().find_map(|detail| detail.description.as_deref());
        let words = description.or(self.message.as_deref()).unwrap_or_default();
        format!("{}: {words}", self.code())
    }
}

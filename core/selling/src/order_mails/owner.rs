//! What the owner of the shop is told, in the shop's language.

use chrono::{DateTime, Utc};

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::mail::{MailNotice, MailRow, Mailer};
use stoa_kernel::text;

use super::listeners::OrderMailer;
use super::mails::{OWNER_ORDER, OWNER_WITHDRAWAL};
use super::texts::about;
use crate::orders::{OrderRecord, OrderStatus};

/// A mail to the owner about an order: who has bought what, for how much, paid how, and where it is to be sent.
pub(super) fn about_owner_order(uses: &OrderMailer, record: &OrderRecord) -> MailNotice<'static> {
    let order = &record.order;
    let language = uses.texts.language_of(&uses.config.shop.locale.to_string());
    let payment = if order.total_amount == 0 {
        text!("order-mails-nothing-to-pay")
    } else {
        let gateway = uses.gateways.find(&order.payment_method);
        let method = gateway.map(|gateway| uses.texts.say(&gateway.label(), language));
        let method = method.unwrap_or_else(|| order.payment_method.clone());
        let status = if order.status == OrderStatus::Paid { "paid" } else { "open" };
        text!("order-mails-payment", method = method, status = status)
    };
    let methods = uses.config.shipping.methods.iter();
    let shipping = order.shipping_method.as_ref().map(|id| {
        let known = methods.clone().find(|method| method.id == *id);
        known.map_or_else(|| id.clone(), |method| method.label.clone())
    });
    let notice = MailNotice::new(&OWNER_ORDER, order.id, order.id);
    about(notice, record, language, &uses.money, &uses.texts)
        .line("customer_name", &order.billing_address.name)
        .line("customer_email", record.customer_email.as_deref().unwrap_or_default())
        .line("payment", &uses.texts.say(&payment, language))
        .line("shipping_method", &shipping.unwrap_or_default())
        .lines("note", order.note.as_deref().unwrap_or_default())
}

/// What the owner is told of a withdrawal.
#[derive(Debug, Clone, Copy)]
pub struct OwnerWithdrawal<'a> {
    /// The order that it is about.
    pub order_id: i64,
    /// The withdrawal's number.
    pub number: &'a str,
    /// Who has declared it.
    pub customer_name: &'a str,
    /// Their e-mail address.
    pub customer_email: &'a str,
    /// What it is about: units and what they are called.
    pub lines: &'a [(i64, &'a str)],
    /// When it came, in words.
    pub declared_at: &'a str,
    /// What the customer has written.
    pub statement: &'a str,
    /// Until when the money is to be sent back; none while nobody knows.
    pub deadline: Option<DateTime<Utc>>,
}

/// Writes the owner's mail about a withdrawal in the transaction that takes note of it, once for each address of `mail.notify`.
pub async fn tell_owner_of_withdrawal(
    tx: &mut Tx,
    mailer: &Mailer,
    withdrawal: &OwnerWithdrawal<'_>,
) -> Result<(), DbError> {
    let rows = withdrawal.lines.iter().map(|(units, label)| MailRow::new(&format!("{units} × {label}"), ""));
    let notice = MailNotice::new(&OWNER_WITHDRAWAL, withdrawal.order_id, withdrawal.number)
        .line("withdrawal_number", withdrawal.number)
        .line("customer_name", withdrawal.customer_name)
        .line("customer_email", withdrawal.customer_email)
        .rows("withdrawal_lines", &rows.collect::<Vec<_>>())
        .line("declared_at", withdrawal.declared_at)
        .lines("statement", withdrawal.statement);
    let notice = match withdrawal.deadline {
        Some(deadline) => notice.date("deadline", deadline),
        None => notice,
    };
    mailer.notify(tx, &notice).await
}

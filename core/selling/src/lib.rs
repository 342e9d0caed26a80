//! From a cart to a paid order with its documents, and from an order back to the money.

#![recursion_limit = "256"]

pub mod buyers;
pub mod cart;
pub mod checkout;
pub mod credit_notes;
pub mod discounts;
pub mod entitlements;
pub mod idempotency;
pub mod invoices;
pub mod order_mails;
pub mod orders;
pub mod payments;
pub mod pricing;
pub mod refunds;
pub mod reports;
mod tax_entries;
mod vat_ids;
pub mod withdrawals;

use std::sync::Arc;

use stoa_kernel::auth::Limiter;
use stoa_kernel::config::Config;
use stoa_kernel::metrics::Metrics;
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::money::MoneyFormatter;

use vat_ids::VatIds;

/// The features of this storey.
pub fn register(
    cx: &mut ModuleContext<'_>,
    config: &Config,
    money: &Arc<MoneyFormatter>,
    metrics: Option<Metrics>,
    limiter: &Arc<Limiter>,
) -> Result<(), RegisterError> {
    // First, since what belongs to orders is handed over after them.
    for (name, opens) in CONSOLE_ABILITIES {
        cx.console_ability(name, opens);
    }
    orders::register(cx, config, money)?;
    cart::register(cx)?;
    let vat_ids = VatIds::new(config, cx.http(), cx.clock(), limiter);
    vat_ids::register(cx, &vat_ids);
    checkout::register(cx, vat_ids)?;
    invoices::register(cx)?;
    credit_notes::register(cx)?;
    payments::register(cx, metrics)?;
    refunds::register(cx);
    reports::register(cx);
    discounts::register(cx);
    idempotency::register(cx);
    order_mails::register(cx, config);
    withdrawals::register(cx, config)?;
    Ok(())
}

stoa_kernel::texts!("texts");

/// What can be done in the console about what is here.
const CONSOLE_ABILITIES: [(&str, &str); 15] = [
    ("orders.view", "see orders"),
    ("orders.note", "write notes into the history of orders, and say that somebody has looked at one"),
    ("orders.pay", "record that an order was paid"),
    ("orders.ship", "record what was sent"),
    ("orders.refund", "send money back"),
    ("orders.cancel", "cancel orders"),
    ("orders.mail", "send mails about orders again"),
    ("payments.view", "see attempts to pay and what providers have called back"),
    ("payments.retry", "have payments looked at again"),
    ("invoices.view", "see invoices and credit notes"),
    ("discounts.view", "see discount codes"),
    ("discounts.edit", "make and change discount codes"),
    ("withdrawals.view", "see withdrawals"),
    ("withdrawals.decide", "accept withdrawals, with the money that goes back, refuse and complete them"),
    ("reports.view", "see revenue and taxes"),
];

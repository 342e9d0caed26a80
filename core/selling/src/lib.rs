//! From a cart to a paid order with its documents, and from an order back to the money.

#![recursion_limit = "256"]

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
mod vat_ids;

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
    orders::register(cx, money)?;
    cart::register(cx)?;
    let vat_ids = VatIds::new(config, cx.http(), cx.clock(), limiter);
    vat_ids::register(cx, &vat_ids);
    checkout::register(cx, vat_ids)?;
    invoices::register(cx)?;
    credit_notes::register(cx)?;
    payments::register(cx, metrics)?;
    refunds::register(cx);
    discounts::register(cx);
    idempotency::register(cx);
    order_mails::register(cx, config);
    Ok(())
}

stoa_kernel::texts!("texts");

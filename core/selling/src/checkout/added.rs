//! Lines that modules add to a cart when it is priced: fees, surcharges and discounts.

use stoa_kernel::config::CountryCode;
use stoa_kernel::db::Reader;
use stoa_kernel::events::ListenerError;
use stoa_kernel::i18n::Language;
use stoa_kernel::module::{AddedLine, CartToPrice, LineToPrice};

use super::uses::Checkout;
use crate::cart::{PricedCart, PricedLine};
use crate::orders::{OrderAddedLine, PlacedAddedLine};
use crate::pricing::DiscountRule;

/// Longest text of an added line, in characters; what is longer is cut.
const MAX_LABEL: usize = 255;

/// A line that a module adds, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PricedAddition {
    pub(super) module: &'static str,
    key: String,
    pub(super) label: String,
    /// Below zero of a discount.
    pub(super) amount: i64,
    pub(super) tax_class: Option<String>,
    is_discount: bool,
}

impl PricedAddition {
    /// Whether it is charged; else it is taken off.
    pub(super) fn is_fee(&self) -> bool {
        !self.is_discount
    }

    /// What it takes off, if it is a discount.
    pub(super) fn discount(&self) -> Option<DiscountRule> {
        // What does not fit is more than anything costs.
        let taken = || self.amount.checked_neg().unwrap_or(i64::MAX);
        self.is_discount.then(|| DiscountRule::Amount(taken()))
    }

    /// The line as orders and totals show it.
    pub(super) fn shown(&self) -> OrderAddedLine {
        OrderAddedLine { module: self.module.to_owned(), label: self.label.clone(), amount: self.amount }
    }

    /// The line as listeners see it; the id is that of its item, if it is a fee.
    pub(super) fn placed(&self, order_line_id: Option<i64>) -> PlacedAddedLine {
        PlacedAddedLine { module: self.module, key: self.key.clone(), amount: self.amount, order_line_id }
    }
}

/// What is known about the order besides what is in the cart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances<'a> {
    pub(super) customer_id: Option<i64>,
    pub(super) country: Option<CountryCode>,
    pub(super) shipping_method_id: Option<&'a str>,
    pub(super) payment_method: &'a str,
    pub(super) discount_code: Option<&'a str>,
}

/// Asks the modules what they add, in this language. To a cart of which nothing can be bought nothing is added.
pub(super) async fn added_lines(
    reader: &mut Reader<'_>,
    checkout: &Checkout,
    cart: &PricedCart,
    known: Circumstances<'_>,
    language: Language,
) -> Result<Vec<PricedAddition>, ListenerError> {
    let lines = cart.lines.iter().filter(|line| line.available).map(line_to_price).collect::<Vec<_>>();
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let cart = CartToPrice {
        customer_id: known.customer_id,
        lines: &lines,
        subtotal_amount: cart.subtotal_amount,
        country: known.country,
        shipping_method_id: known.shipping_method_id,
        payment_method: known.payment_method,
        discount_code: known.discount_code,
    };
    let added = checkout.prices.selling.added_lines(&cart, reader).await?;
    let in_words = |(module, line): (&'static str, AddedLine)| {
        let label = checkout.prices.texts.say(&line.label, language).chars().take(MAX_LABEL).collect();
        let AddedLine { key, amount, tax_class, .. } = line;
        PricedAddition { module, key, label, amount, tax_class, is_discount: amount < 0 }
    };
    Ok(added.into_iter().map(in_words).collect())
}

fn line_to_price(line: &PricedLine) -> LineToPrice<'_> {
    LineToPrice {
        product_id: line.product_id,
        label: &line.label,
        quantity: line.quantity,
        unit_amount: line.unit_amount,
        line_total_amount: line.line_total_amount,
        capabilities: &line.capabilities,
        module_settings: &line.module_settings,
    }
}

//! What a cart costs, as the API shows it before it is an order (C6.1).

use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::config::CountryCode;
use stoa_kernel::http::error::ErrorBody;

use super::added::PricedAddition;
use super::quote::{Quote, QuoteInput};
use super::rules::DISCOUNT_CODE;
use super::uses::Checkout;
use crate::orders::{OrderAddedLine, OrderTax};
use crate::pricing::AmountOverflow;

/// What a cart costs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CheckoutTotals")]
pub(super) struct TotalsResource {
    /// Whether everything is known that the price depends on. False while the country is missing or is not one of `countries`, or
    /// while something is sent and no shipping method of the country is chosen; what is missing counts 0.
    complete: bool,
    /// The products and fees before any discount, in minor units.
    subtotal_amount: i64,
    /// What is taken off, in minor units.
    discount_amount: i64,
    /// Shipping in minor units.
    shipping_amount: i64,
    /// Tax in minor units, within the total.
    tax_amount: i64,
    /// What is to be paid, in minor units; while `complete`, what `POST /checkout` charges.
    total_amount: i64,
    /// The same for people.
    total_formatted: String,
    /// ISO 4217 code of all amounts.
    currency: &'static str,
    /// The tax by rate, the highest first; together `tax_amount`. None while the country is missing.
    taxes: Vec<OrderTax>,
    /// Whether the customer owes the tax instead of the shop (reverse charge): nothing is taxed, and amounts are before tax.
    reverse_charge: bool,
    /// What modules add, such as fees, which are within the subtotal, and discounts, which are within `discount_amount`.
    added_lines: Vec<OrderAddedLine>,
    /// The code that takes something off; null without one, and for one that cannot be used.
    discount_code: Option<String>,
    /// Why the code that was asked for cannot be used, in the client's language; null when it can.
    discount_problem: Option<String>,
}

/// The body of 409 at checkout.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CheckoutConflict")]
pub(super) struct ConflictBody {
    #[serde(flatten)]
    error: ErrorBody,
    /// What the cart costs now; with the reason `total_changed` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TotalsResource")]
    totals: Option<TotalsResource>,
}

impl TotalsResource {
    /// What a quote says.
    pub(super) fn new(checkout: &Checkout, input: &QuoteInput<'_>, quote: &Quote) -> Result<Self, AmountOverflow> {
        let totals = &quote.priced.totals;
        let is_sold_to = |country: &CountryCode| checkout.prices.config.shop.countries.contains(country);
        let known = input.country.iter().flat_map(|_| totals.tax_lines.iter().copied());
        let problem = quote.discount.as_ref().err();
        let say = |problem| checkout.prices.texts.say(&problem, input.language);
        Ok(Self {
            complete: input.country.as_ref().is_some_and(is_sold_to) && quote.shipping.is_ok(),
            subtotal_amount: totals.subtotal_amount,
            discount_amount: totals.discount_amount,
            shipping_amount: totals.shipping_amount,
            tax_amount: totals.tax_amount,
            total_amount: totals.total_amount,
            total_formatted: checkout.money.format(totals.total_amount),
            currency: checkout.currency.code(),
            taxes: OrderTax::by_rate(known)?,
            reverse_charge: quote.priced.reverse_charge,
            added_lines: quote.priced.added.iter().map(PricedAddition::shown).collect(),
            discount_code: quote.discount.as_ref().ok().and_then(Option::as_ref).map(|found| found.code.clone()),
            discount_problem: problem.map(|problem| say(problem.violation(&checkout.money).on(DISCOUNT_CODE))),
        })
    }
}

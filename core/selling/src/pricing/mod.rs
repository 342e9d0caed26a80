//! What things cost: totals, discounts, taxes, shipping and refunds, as arithmetic without a database (contract 2.2).
//!
//! Amounts are minor units of the one currency, 0 or more. Rounding is half up, and happens in named places only: the
//! discount of a percentage, the tax of a line and of shipping, the share of a refund. Everything else is a sum, so
//! whatever is added up on a document adds up. What does not fit 64 bits is an [`AmountOverflow`], never another number.

mod amount;
mod discount_rule;
mod rates;
mod refund;
mod reverse_charge;
mod shipping;
mod spread;
mod tax;
mod totals;

#[cfg(test)]
mod tests;

pub use amount::{AmountOverflow, line_total, line_unit};
pub use discount_rule::DiscountRule;
pub use rates::{shipping_tax_rate, tax_rate};
pub use refund::{RefundError, RefundUnits, RefundablePart, RefundedPart, refund_amount, refund_units};
pub use reverse_charge::total_without_tax;
pub use shipping::{ShippingOption, shipping_methods_for};
pub use tax::{TaxLine, tax_lines};
pub use totals::{LineTotals, PricingInput, PricingLine, Totals, total};

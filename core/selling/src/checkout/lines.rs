//! Lines of a cart as lines of an order.

use stoa_kernel::config::{CountryCode, TaxConfig};
use stoa_kernel::module::{SellingRules, WithdrawalRight};

use super::added::PricedAddition;
use super::quote::PricedOrder;
use crate::cart::PricedLine;
use crate::orders::{NewOrderLine, OrderLine};
use crate::pricing::{AmountOverflow, PricingLine, line_unit, tax_rate};
use crate::withdrawals::WithdrawalRule;

/// The capability of products that are sent by parcel (contract 4).
pub(super) const SHIPPABLE: &str = "shippable";

/// Whether something of these lines is sent.
pub(super) fn requires_shipping(lines: &[PricedLine]) -> bool {
    lines.iter().any(|line| line.available && line.has_capability(SHIPPABLE))
}

/// Whether the right to withdraw from a line ends with its delivery, which is made at once.
pub(super) fn ends_with_delivery(selling: &SellingRules, line: &PricedLine) -> bool {
    selling.withdrawal_right(&line.capabilities) == Some(WithdrawalRight::EndsWithDelivery)
}

/// What becomes of the right to withdraw from a line that a customer orders, with a waiver or without one.
pub(super) fn withdrawal_rule(selling: &SellingRules, line: &PricedLine, waiver: Waiver) -> Option<WithdrawalRule> {
    match (selling.withdrawal_right(&line.capabilities)?, waiver) {
        (WithdrawalRight::EndsWithDelivery, Waiver::Given) => Some(WithdrawalRule::Waived),
        (WithdrawalRight::EndsWithDelivery, Waiver::NotGiven) => Some(WithdrawalRule::Later),
        (WithdrawalRight::NoneForADate, _) => Some(WithdrawalRule::Dated),
    }
}

/// Whether a customer has given up the right to withdraw from digital goods, to have them at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiver {
    Given,
    NotGiven,
}

/// The lines as listeners see them.
pub(super) fn order_lines(lines: &[PricedLine], item_ids: &[i64]) -> Vec<OrderLine> {
    let numbered = lines.iter().enumerate();
    numbered.map(|(index, line)| line.order_line(item_ids.get(index).copied())).collect()
}

/// What the totals are computed from: the products, then what modules charge beside them. Without a country there is no tax.
pub(super) fn pricing_lines(
    lines: &[PricedLine],
    added: &[PricedAddition],
    config: &TaxConfig,
    country: Option<CountryCode>,
) -> Vec<PricingLine> {
    let rate = |class: Option<&str>| country.map(|country| tax_rate(config, class, country)).unwrap_or_default();
    let products = lines.iter().map(|line| PricingLine {
        line_total_amount: line.line_total_amount,
        tax_rate: rate(line.tax_class.as_deref()),
        is_discounted: true,
    });
    let fees = added.iter().filter(|line| line.is_fee()).map(|line| PricingLine {
        line_total_amount: line.amount,
        tax_rate: rate(line.tax_class.as_deref()),
        is_discounted: false,
    });
    products.chain(fees).collect()
}

/// The lines of a cart as order lines, with everything that is known about them today, then what modules charge beside them.
pub(super) fn new_items(
    lines: &[PricedLine],
    priced: &PricedOrder,
    withdrawal_rule: impl Fn(&PricedLine) -> Option<WithdrawalRule>,
) -> Result<Vec<NewOrderLine>, AmountOverflow> {
    let products =
        lines.iter().map(|line| NewOrderLine { withdrawal_rule: withdrawal_rule(line), ..product_item(line) });
    let fees = priced.added.iter().filter(|line| line.is_fee()).map(fee_item);
    let items = (0..).zip(products.chain(fees)).zip(priced.lines.iter().zip(&priced.totals.lines));
    let items = items.map(|((position, item), (line, totals))| {
        // A unit that has lost its tax costs what the line does, in parts.
        let unit_amount =
            if priced.reverse_charge { line_unit(line.line_total_amount, item.quantity)? } else { item.unit_amount };
        Ok(NewOrderLine {
            position,
            unit_amount,
            line_total_amount: line.line_total_amount,
            discount_amount: totals.discount_amount,
            tax_rate: line.tax_rate.get(),
            tax_amount: totals.tax_amount,
            ..item
        })
    });
    items.collect()
}

fn product_item(line: &PricedLine) -> NewOrderLine {
    NewOrderLine {
        product_id: line.product_id,
        slug: line.slug.clone(),
        sku: line.sku.clone(),
        label: line.label.clone(),
        quantity: line.quantity,
        unit_amount: line.unit_amount,
        line_total_amount: line.line_total_amount,
        tax_class: line.tax_class.clone(),
        selections: line.selections.clone(),
        options: line.options.clone(),
        choice_skus: line.choice_skus.clone(),
        capabilities: line.capabilities.clone(),
        module_settings: line.module_settings.clone(),
        shippable: line.has_capability(SHIPPABLE),
        ..NewOrderLine::default()
    }
}

fn fee_item(line: &PricedAddition) -> NewOrderLine {
    NewOrderLine {
        added_by: Some(line.module),
        label: line.label.clone(),
        quantity: 1,
        unit_amount: line.amount,
        line_total_amount: line.amount,
        tax_class: line.tax_class.clone(),
        ..NewOrderLine::default()
    }
}

//! Lines of a cart as lines of an order.

use stoa_kernel::config::{CountryCode, TaxConfig};
use stoa_kernel::http::error::{ApiError, ApiResult};

use super::added::PricedAddition;
use super::order_writer::too_large;
use super::quote::PricedOrder;
use crate::cart::PricedLine;
use crate::orders::{NewOrderItem, OrderLine};
use crate::pricing::{PricingLine, line_unit, tax_rate};

/// The capability of products that are sent by parcel (contract 4).
pub(super) const SHIPPABLE: &str = "shippable";

/// Whether something of these lines is sent.
pub(super) fn requires_shipping(lines: &[PricedLine]) -> bool {
    lines.iter().any(|line| line.available && line.has_capability(SHIPPABLE))
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
pub(super) fn new_items(lines: &[PricedLine], priced: &PricedOrder) -> ApiResult<Vec<NewOrderItem>> {
    let products = lines.iter().map(product_item);
    let fees = priced.added.iter().filter(|line| line.is_fee()).map(fee_item);
    let items = products.chain(fees).zip(priced.lines.iter().zip(&priced.totals.lines)).enumerate();
    let items = items.map(|(index, (item, (line, totals)))| {
        // A unit that has lost its tax costs what the line does, in parts.
        let unit_amount = if priced.reverse_charge {
            line_unit(line.line_total_amount, item.quantity).map_err(|_| too_large())?
        } else {
            item.unit_amount
        };
        Ok(NewOrderItem {
            position: i64::try_from(index).map_err(ApiError::internal)?,
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

fn product_item(line: &PricedLine) -> NewOrderItem {
    NewOrderItem {
        product_id: line.product_id,
        slug: line.slug.clone(),
        sku: line.sku.clone(),
        label: line.label.clone(),
        quantity: line.quantity,
        unit_amount: line.unit_amount,
        line_total_amount: line.line_total_amount,
        tax_class: line.tax_class.clone(),
        selections: line.selections_as_json(),
        options: line.options.clone(),
        choice_skus: line.choice_skus.clone(),
        capabilities: line.capabilities.clone(),
        module_settings: line.module_settings.clone(),
        shippable: line.has_capability(SHIPPABLE),
        ..NewOrderItem::default()
    }
}

fn fee_item(line: &PricedAddition) -> NewOrderItem {
    NewOrderItem {
        added_by: Some(line.module),
        label: line.label.clone(),
        quantity: 1,
        unit_amount: line.amount,
        line_total_amount: line.amount,
        tax_class: line.tax_class.clone(),
        ..NewOrderItem::default()
    }
}

//! Lines of a cart as lines of an order.

use stoa_kernel::config::{CountryCode, TaxConfig};
use stoa_kernel::http::error::{ApiError, ApiResult};

use crate::cart::PricedLine;
use crate::orders::{NewOrderItem, OrderLine};
use crate::pricing::{LineTotals, PricingLine, tax_rate};

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

/// What the totals are computed from; without a country there is no tax.
pub(super) fn pricing_lines(lines: &[PricedLine], config: &TaxConfig, country: Option<CountryCode>) -> Vec<PricingLine> {
    let rate = |class: Option<&str>| country.map(|country| tax_rate(config, class, country)).unwrap_or_default();
    let line = |line: &PricedLine| PricingLine {
        line_total_amount: line.line_total_amount,
        tax_rate: rate(line.tax_class.as_deref()),
    };
    lines.iter().map(line).collect()
}

/// The lines of a cart as order lines, with everything that is known about them today.
pub(super) fn new_items(
    lines: &[PricedLine],
    priced: &[PricingLine],
    totals: &[LineTotals],
) -> ApiResult<Vec<NewOrderItem>> {
    let item = |(index, ((line, priced), totals)): (usize, ((&PricedLine, &PricingLine), &LineTotals))| {
        Ok(NewOrderItem {
            position: i64::try_from(index).map_err(ApiError::internal)?,
            product_id: line.product_id,
            slug: line.slug.clone(),
            sku: line.sku.clone(),
            label: line.label.clone(),
            quantity: line.quantity,
            unit_amount: line.unit_amount,
            line_total_amount: line.line_total_amount,
            discount_amount: totals.discount_amount,
            tax_class: line.tax_class.clone(),
            tax_rate: priced.tax_rate.get(),
            tax_amount: totals.tax_amount,
            selections: line.selections_as_json(),
            options: line.options.clone(),
            choice_skus: line.choice_skus.clone(),
            capabilities: line.capabilities.clone(),
            module_settings: line.module_settings.clone(),
            shippable: line.has_capability(SHIPPABLE),
        })
    };
    lines.iter().zip(priced).zip(totals).enumerate().map(item).collect()
}

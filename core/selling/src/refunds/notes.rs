//! What the credit note of a refund says.

use stoa_documents::pdf::DocumentOption;
use stoa_kernel::config::BasisPoints;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::i18n::Language;
use stoa_kernel::text;

use super::model::{Refund, RefundLineResource};
use super::queries;
use super::settle::SettleRefundError;
use crate::credit_notes::{CreditedLine, NewCreditNote};
use crate::pricing::{AmountOverflow, RefundedPart, TaxLine, tax_lines};

#[derive(sqlx::FromRow)]
struct OrderRow {
    shipping_tax_rate: i64,
    shipping_method_label: Option<String>,
    language: String,
}

/// Puts the credit note of a refund together: its items and shipping, or a line for each rate of tax when an amount went
/// back that is for no product.
pub(super) async fn credit_note(tx: &mut Tx, refund: &Refund) -> Result<NewCreditNote, SettleRefundError> {
    let items = tx.run(queries::LIST_ITEMS).bind(refund.id).all::<RefundLineResource>().await?;
    let order = shipping(tx, refund.order_id).await?;
    let language = Language::of_locale(&order.language);
    let shipping = RefundedPart { amount: refund.shipping_amount, tax_amount: refund.shipping_tax_amount };
    let shipping = shipping.at(rate(order.shipping_tax_rate));
    let taxes = items.iter().map(RefundLineResource::tax).chain((refund.shipping_amount > 0).then_some(shipping));
    let taxes = taxes.collect::<Vec<_>>();
    let is_by_amount = items.iter().all(|item| item.quantity == 0) && !is_shipping_alone(refund);
    let lines = if is_by_amount {
        let is_shipped = items.iter().any(|item| item.shippable);
        by_rate(&taxes, &tx.texts().say(&text!("document-partial-refund"), language), is_shipped)?
    } else {
        let label = order.shipping_method_label;
        let label = label.unwrap_or_else(|| tx.texts().say(&text!("document-shipping"), language));
        let shipping =
            CreditedLine { label, sku: None, options: Vec::new(), quantity: 1, tax: shipping, is_shipped: true };
        items.into_iter().map(line).chain((refund.shipping_amount > 0).then_some(shipping)).collect()
    };
    let (order_id, refund_id) = (refund.order_id, refund.id);
    Ok(NewCreditNote { order_id, refund_id, reason: refund.reason.clone(), amount: refund.amount, lines, taxes })
}

async fn shipping(tx: &mut Tx, order_id: i64) -> Result<OrderRow, DbError> {
    tx.run(queries::SHIPPING_RATE).bind(order_id).one().await
}

fn is_shipping_alone(refund: &Refund) -> bool {
    refund.shipping_amount == refund.amount
}

fn rate(points: i64) -> BasisPoints {
    u16::try_from(points).ok().and_then(BasisPoints::new).unwrap_or_default()
}

fn by_rate(taxes: &[TaxLine], label: &str, is_shipped: bool) -> Result<Vec<CreditedLine>, AmountOverflow> {
    let line =
        |tax| CreditedLine { label: label.to_owned(), sku: None, options: Vec::new(), quantity: 1, tax, is_shipped };
    let lines = tax_lines(taxes.iter().copied())?.into_iter();
    Ok(lines.filter(|tax| tax.net_amount != 0 || tax.tax_amount != 0).map(line).collect())
}

fn line(item: RefundLineResource) -> CreditedLine {
    let tax = item.tax();
    let options = item.options.0.into_iter();
    let options = options.map(|option| DocumentOption { label: option.label, display: option.display });
    CreditedLine {
        label: item.label,
        sku: item.sku,
        options: options.collect(),
        quantity: item.quantity,
        tax,
        is_shipped: item.shippable,
    }
}

impl RefundLineResource {
    fn tax(&self) -> TaxLine {
        RefundedPart { amount: self.amount, tax_amount: self.tax_amount }.at(rate(self.tax_rate))
    }
}

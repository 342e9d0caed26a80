//! A new order as the API shows it, from what was written: reading it back would cost as much as a fifth of placing it.

use chrono::{DateTime, Utc};

use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::record_number::OrderNumber;

use super::insert::{InsertedOrder, NewOrder};
use super::model::{OrderLineResource, OrderPayment, OrderResource, OrderTax};
use super::status::{FulfillmentStatus, OrderStatus};
use crate::payments::PaymentStatus;
use crate::pricing::AmountOverflow;

impl OrderResource {
    /// An order that was just inserted: pending, and nothing of it paid or sent. It has no invoice yet.
    pub(crate) fn of_new(
        new: &NewOrder<'_>,
        inserted: &InsertedOrder,
        money: &MoneyFormatter,
        placed_at: DateTime<Utc>,
    ) -> Result<Self, AmountOverflow> {
        let payment = (new.total_amount > 0).then(|| OrderPayment {
            status: PaymentStatus::Pending,
            amount: new.total_amount,
            amount_formatted: money.format(new.total_amount),
            refunded_amount: 0,
            net_amount: new.total_amount,
        });
        let items = new.items.iter().zip(&inserted.item_ids).map(|(item, id)| OrderLineResource {
            id: *id,
            product_id: item.added_by.is_none().then_some(item.product_id),
            slug: item.added_by.is_none().then(|| item.slug.clone()),
            sku: item.sku.clone(),
            label: item.label.clone(),
            quantity: item.quantity,
            unit_amount: item.unit_amount,
            line_total_amount: item.line_total_amount,
            selections: item.selections.clone(),
            options: item.options.clone(),
            shipped_quantity: 0,
            refunded_quantity: 0,
        });
        Ok(Self {
            id: inserted.id,
            number: OrderNumber::of(inserted.id).to_string(),
            status: OrderStatus::Pending,
            payment_status: payment.as_ref().map(|payment| payment.status),
            fulfillment_status: FulfillmentStatus::of_new(new.items),
            currency: new.currency.code().to_owned(),
            subtotal_amount: new.subtotal_amount,
            discount_amount: new.discount_amount,
            discount_code: new.discount_code.map(str::to_owned),
            added_lines: new.added_lines.to_vec(),
            shipping_amount: new.shipping_amount,
            tax_amount: new.tax_amount,
            total_amount: new.total_amount,
            total_formatted: money.format(new.total_amount),
            taxes: OrderTax::by_rate(new.taxed())?,
            vat_id: new.vat_id.map(|vat_id| vat_id.id.to_string()),
            vat_id_check: new.vat_id.map(|vat_id| vat_id.check.clone()),
            reverse_charge: new.reverse_charge,
            billing_address: new.billing_address.clone(),
            shipping_address: new.shipping.map(|shipping| shipping.address.clone()),
            shipping_method: new.shipping.map(|shipping| shipping.method_id.clone()),
            payment_method: new.payment_method.to_owned(),
            payment_instructions: None,
            note: new.note.map(str::to_owned),
            consents: new.consents.to_vec(),
            payment,
            invoice: None,
            credit_notes: Vec::new(),
            items: items.collect(),
            shipments: Vec::new(),
            withdrawal: None,
            created_at: placed_at,
            paid_at: None,
            cancelled_at: None,
        })
    }
}

//! Reading orders: a fixed number of statements, whatever the number of orders and items.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::i18n::Language;
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::record_number::OrderNumber;

use super::model::{
    OrderAddedLine, OrderConsent, OrderCreditNote, OrderInvoice, OrderLineResource, OrderPayment, OrderResource,
    OrderTax, Shipment, ShippedLineResource,
};
use super::queries;
use super::status::{FulfillmentStatus, OrderStatus};
use super::vat_id::VatIdCheck;
use crate::payments::PaymentStatus;
use crate::pricing::TaxLine;

#[derive(sqlx::FromRow)]
struct OrderRow {
    id: i64,
    customer_id: i64,
    #[sqlx(try_from = "String")]
    status: OrderStatus,
    currency: String,
    subtotal_amount: i64,
    discount_amount: i64,
    shipping_amount: i64,
    tax_amount: i64,
    total_amount: i64,
    prices_include_tax: bool,
    shipping_tax_rate: i64,
    shipping_tax_amount: i64,
    discount_code: Option<String>,
    added_lines: Json<Vec<OrderAddedLine>>,
    billing_address: Json<PostalAddress>,
    shipping_address: Option<Json<PostalAddress>>,
    shipping_method_id: Option<String>,
    payment_method: String,
    note: Option<String>,
    consents: Json<Vec<OrderConsent>>,
    vat_id: Option<String>,
    vat_id_check: Option<Json<VatIdCheck>>,
    reverse_charge: bool,
    #[sqlx(try_from = "String")]
    fulfillment_status: FulfillmentStatus,
    review_reason: Option<String>,
    cancel_reason: Option<String>,
    expires_at: Option<DateTime<Utc>>,
    customer_email: Option<String>,
    language: String,
    created_at: DateTime<Utc>,
    paid_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
    payment_status: Option<String>,
    payment_amount: Option<i64>,
    payment_refunded_amount: Option<i64>,
    invoice_id: Option<i64>,
    invoice_number: Option<String>,
    invoice_status: Option<String>,
}

#[derive(sqlx::FromRow)]
struct LineRow {
    #[sqlx(flatten)]
    line: OrderLineResource,
    order_id: i64,
    discount_amount: i64,
    tax_rate: i64,
    tax_amount: i64,
    shippable: bool,
}

#[derive(sqlx::FromRow)]
struct CreditNoteRow {
    #[sqlx(flatten)]
    note: OrderCreditNote,
    order_id: i64,
}

#[derive(sqlx::FromRow)]
struct ShipmentRow {
    id: i64,
    order_id: i64,
    tracking: Option<String>,
    shipped_at: DateTime<Utc>,
    order_line_id: i64,
    quantity: i64,
}

/// An order with what only the operator sees.
#[derive(Debug, Clone)]
pub struct OrderRecord {
    /// What the customer sees.
    pub order: OrderResource,
    /// Whose order it is.
    pub customer_id: i64,
    /// Their e-mail address; none of an anonymized customer.
    pub customer_email: Option<String>,
    /// The language in which it was placed.
    pub language: Language,
    /// The items that are sent.
    pub shippable_items: Vec<i64>,
    /// Why the operator shall look at it; none when there is nothing to look at.
    pub review_reason: Option<String>,
    /// Why it was cancelled.
    pub cancel_reason: Option<String>,
    /// When it ends unpaid.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Loads orders by their ids, the newest first; those that do not exist are left out.
pub async fn load_orders(db: &Db, money: &MoneyFormatter, ids: &[i64]) -> Result<Vec<OrderRecord>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let orders = db.read(queries::LOAD).bind_ids(ids.iter().copied()).all::<OrderRow>().await?;
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let mut items =
        group(db.read(queries::LOAD_ITEMS).bind_ids(ids.iter().copied()).all::<LineRow>().await?, |row| row.order_id);
    // Most orders have neither.
    let has_notes = orders.iter().any(|order| order.payment_refunded_amount.is_some_and(|amount| amount > 0));
    let notes = if has_notes {
        db.read(queries::LOAD_CREDIT_NOTES).bind_ids(ids.iter().copied()).all::<CreditNoteRow>().await?
    } else {
        Vec::new()
    };
    let mut notes = group(notes, |row| row.order_id);
    let shipments = if orders.iter().any(|order| order.fulfillment_status.is_begun()) {
        db.read(queries::LOAD_SHIPMENTS).bind_ids(ids.iter().copied()).all::<ShipmentRow>().await?
    } else {
        Vec::new()
    };
    let mut shipments = group(shipments, |row| row.order_id);
    let records = orders.into_iter().map(|row| {
        let id = row.id;
        let items = items.remove(&id).unwrap_or_default();
        let notes = notes.remove(&id).unwrap_or_default();
        let shipments = shipments.remove(&id).unwrap_or_default();
        row.shown(money, items, notes, shipments)
    });
    records.collect()
}

/// An order of any customer.
pub async fn find_order(db: &Db, money: &MoneyFormatter, order_id: i64) -> Result<Option<OrderRecord>, DbError> {
    Ok(load_orders(db, money, &[order_id]).await?.pop())
}

/// An order of this customer; that of another is none.
pub(crate) async fn find_own_order(
    db: &Db,
    money: &MoneyFormatter,
    customer_id: i64,
    order_id: i64,
) -> Result<Option<OrderResource>, DbError> {
    let found = find_order(db, money, order_id).await?;
    Ok(found.filter(|record| record.customer_id == customer_id).map(|record| record.order))
}

/// Whose order it is, and stays until this transaction is over. An event says who it was at the time: a guest may have become a
/// customer with an account since. None of an unknown order.
pub async fn customer_of_order(tx: &mut Tx, order_id: i64) -> Result<Option<i64>, DbError> {
    tx.run(queries::CUSTOMER_OF_ORDER).bind(order_id).optional_scalar().await
}

/// A page of a customer's orders, the newest first, and how many there are in all.
pub(crate) async fn page_of_orders(
    db: &Db,
    money: &MoneyFormatter,
    customer_id: i64,
    limit: i64,
    offset: i64,
) -> Result<(Vec<OrderResource>, i64), DbError> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer_id).scalar::<i64>().await?;
    let ids = db.read(queries::PAGE_OF_CUSTOMER).bind(customer_id).bind(limit).bind(offset).scalars::<i64>().await?;
    let orders = load_orders(db, money, &ids).await?;
    Ok((orders.into_iter().map(|record| record.order).collect(), total))
}

fn group<T>(rows: Vec<T>, order_id: impl Fn(&T) -> i64) -> HashMap<i64, Vec<T>> {
    let mut groups = HashMap::<i64, Vec<T>>::new();
    for row in rows {
        groups.entry(order_id(&row)).or_default().push(row);
    }
    groups
}

impl OrderRow {
    /// What was taxed, line by line, and shipping at the end.
    fn taxed(&self, items: &[LineRow]) -> Vec<TaxLine> {
        let part = |value, tax_amount, rate| TaxLine::of_sold(value, tax_amount, rate, self.prices_include_tax);
        let items = items.iter();
        let items =
            items.map(|item| part(item.line.line_total_amount - item.discount_amount, item.tax_amount, item.tax_rate));
        let shipping = part(self.shipping_amount, self.shipping_tax_amount, self.shipping_tax_rate);
        items.chain((self.shipping_amount > 0).then_some(shipping)).collect()
    }

    fn shown(
        self,
        money: &MoneyFormatter,
        items: Vec<LineRow>,
        notes: Vec<CreditNoteRow>,
        shipments: Vec<ShipmentRow>,
    ) -> Result<OrderRecord, DbError> {
        let shippable_items = items.iter().filter(|item| item.shippable).map(|item| item.line.id).collect();
        let taxes = OrderTax::by_rate(self.taxed(&items)).map_err(|error| sqlx::Error::Decode(error.into()))?;
        let payment_status = state::<PaymentStatus>(self.payment_status)?;
        let payment = match (payment_status, self.payment_amount, self.payment_refunded_amount) {
            (Some(status), Some(amount), Some(refunded_amount)) => Some(OrderPayment {
                status,
                amount,
                amount_formatted: money.format_in(amount, &self.currency),
                refunded_amount,
                net_amount: amount - refunded_amount,
            }),
            _ => None,
        };
        let invoice = match (self.invoice_id, self.invoice_number, state(self.invoice_status)?) {
            (Some(id), Some(number), Some(status)) => Some(OrderInvoice { id, number, status }),
            _ => None,
        };
        let order = OrderResource {
            id: self.id,
            number: OrderNumber::of(self.id).to_string(),
            status: self.status,
            payment_status,
            fulfillment_status: self.fulfillment_status,
            total_formatted: money.format_in(self.total_amount, &self.currency),
            currency: self.currency,
            subtotal_amount: self.subtotal_amount,
            discount_amount: self.discount_amount,
            discount_code: self.discount_code,
            added_lines: self.added_lines.0,
            shipping_amount: self.shipping_amount,
            tax_amount: self.tax_amount,
            total_amount: self.total_amount,
            taxes,
            vat_id: self.vat_id,
            vat_id_check: self.vat_id_check.map(|check| check.0),
            reverse_charge: self.reverse_charge,
            billing_address: self.billing_address.0,
            shipping_address: self.shipping_address.map(|address| address.0),
            shipping_method: self.shipping_method_id,
            payment_method: self.payment_method,
            payment_instructions: None,
            note: self.note,
            consents: self.consents.0,
            payment,
            invoice,
            credit_notes: notes.into_iter().map(|row| row.note).collect(),
            items: items.into_iter().map(|row| row.line).collect(),
            shipments: shipped(shipments),
            withdrawal: None,
            created_at: self.created_at,
            paid_at: self.paid_at,
            cancelled_at: self.cancelled_at,
        };
        Ok(OrderRecord {
            shippable_items,
            order,
            customer_id: self.customer_id,
            customer_email: self.customer_email,
            language: Language::of_locale(&self.language),
            review_reason: self.review_reason,
            cancel_reason: self.cancel_reason,
            expires_at: self.expires_at,
        })
    }
}

/// The state that a word of the database stands for.
fn state<T: TryFrom<String, Error = String>>(word: Option<String>) -> Result<Option<T>, DbError> {
    word.map(T::try_from).transpose().map_err(|problem| sqlx::Error::Decode(problem.into()).into())
}

/// Rows of the same shipment stand together.
fn shipped(rows: Vec<ShipmentRow>) -> Vec<Shipment> {
    let mut shipments = Vec::<Shipment>::new();
    for row in rows {
        let item = ShippedLineResource { id: row.order_line_id, quantity: row.quantity };
        match shipments.last_mut().filter(|last| last.id == row.id) {
            Some(last) => last.items.push(item),
            None => shipments.push(Shipment {
                id: row.id,
                items: vec![item],
                tracking: row.tracking,
                shipped_at: row.shipped_at,
            }),
        }
    }
    shipments
}

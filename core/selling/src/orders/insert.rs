//! Writing a new order.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::types::Json;

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::i18n::Language;
use stoa_kernel::money::Currency;

use super::model::{OrderAddedLine, OrderConsent};
use super::queries;
use super::status::FulfillmentStatus;
use super::vat_id::CheckedVatId;
use crate::cart::{SelectedOption, Selections};
use crate::pricing::TaxLine;
use crate::withdrawals::WithdrawalRule;

/// An item of a new order: everything that is known about it, so that nothing has to be looked up later.
///
/// What a module charges beside the products is of no product: its id is 0 then, and its slug empty.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct NewOrderLine {
    pub(crate) position: i64,
    /// The module that has added it; none for a product.
    pub(crate) added_by: Option<&'static str>,
    pub(crate) product_id: i64,
    pub(crate) slug: String,
    pub(crate) sku: Option<String>,
    pub(crate) label: String,
    pub(crate) quantity: i64,
    pub(crate) unit_amount: i64,
    pub(crate) line_total_amount: i64,
    pub(crate) discount_amount: i64,
    pub(crate) tax_class: Option<String>,
    pub(crate) tax_rate: u16,
    pub(crate) tax_amount: i64,
    pub(crate) selections: Selections,
    pub(crate) options: Vec<SelectedOption>,
    pub(crate) choice_skus: Vec<String>,
    pub(crate) capabilities: Vec<String>,
    pub(crate) module_settings: Map<String, Value>,
    pub(crate) shippable: bool,
    /// What becomes of the right to withdraw from it; none for the usual right.
    pub(crate) withdrawal_rule: Option<WithdrawalRule>,
}

/// How the goods of an order are sent.
#[derive(Debug, Clone)]
pub(crate) struct ChosenShipping {
    pub(crate) address: PostalAddress,
    pub(crate) method_id: String,
    pub(crate) method_label: String,
}

/// A new order, priced.
#[derive(Debug, Clone)]
pub(crate) struct NewOrder<'a> {
    pub(crate) customer_id: i64,
    /// The cart and which filling of it; none for an order that no customer has placed themselves.
    pub(crate) cart: Option<(i64, i64)>,
    pub(crate) currency: Currency,
    pub(crate) subtotal_amount: i64,
    pub(crate) discount_amount: i64,
    pub(crate) shipping_amount: i64,
    pub(crate) shipping_tax_rate: u16,
    pub(crate) shipping_tax_amount: i64,
    pub(crate) tax_amount: i64,
    pub(crate) total_amount: i64,
    pub(crate) prices_include_tax: bool,
    pub(crate) discount_code: Option<&'a str>,
    pub(crate) added_lines: &'a [OrderAddedLine],
    pub(crate) vat_id: Option<&'a CheckedVatId>,
    /// Whether the customer owes the tax; then there is none in the order, and amounts are before tax.
    pub(crate) reverse_charge: bool,
    pub(crate) billing_address: &'a PostalAddress,
    pub(crate) shipping: Option<&'a ChosenShipping>,
    pub(crate) payment_method: &'a str,
    pub(crate) note: Option<&'a str>,
    pub(crate) consents: &'a [OrderConsent],
    pub(crate) language: Language,
    pub(crate) expires_at: Option<DateTime<Utc>>,
    pub(crate) items: &'a [NewOrderLine],
}

impl NewOrder<'_> {
    /// The capabilities of all items, sorted.
    pub(crate) fn capabilities(&self) -> Vec<&str> {
        let all = self.items.iter().flat_map(|item| &item.capabilities).map(String::as_str);
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// What is taxed, line by line, and shipping at the end.
    pub(crate) fn taxed(&self) -> impl Iterator<Item = TaxLine> + '_ {
        let part = |value, tax_amount, rate| TaxLine::of_sold(value, tax_amount, rate, self.prices_include_tax);
        let items = self.items.iter().map(move |item| {
            part(item.line_total_amount - item.discount_amount, item.tax_amount, i64::from(item.tax_rate))
        });
        let shipping = part(self.shipping_amount, self.shipping_tax_amount, i64::from(self.shipping_tax_rate));
        items.chain((self.shipping_amount > 0).then_some(shipping))
    }
}

/// The ids that a new order got.
#[derive(Debug, Clone)]
pub(crate) struct InsertedOrder {
    pub(crate) id: i64,
    /// In the order of the items.
    pub(crate) item_ids: Vec<i64>,
}

/// Writes a pending order with its items: three statements, whatever the number of items.
pub(crate) async fn insert_order(tx: &mut Tx, new: &NewOrder<'_>) -> Result<InsertedOrder, DbError> {
    let now = tx.now();
    let fulfillment = FulfillmentStatus::of_new(new.items);
    let insert = tx.run(queries::INSERT).bind(new.customer_id).bind(new.cart.map(|(id, _)| id));
    let insert = insert.bind(new.cart.map(|(_, filling)| filling)).bind(new.currency.code());
    let insert = insert.bind(new.subtotal_amount).bind(new.discount_amount).bind(new.shipping_amount);
    let insert = insert.bind(new.tax_amount).bind(new.total_amount).bind(new.prices_include_tax);
    let insert = insert.bind(new.discount_code).bind(Json(new.billing_address));
    let insert = insert.bind(new.shipping.map(|shipping| Json(&shipping.address)));
    let insert = insert.bind(new.shipping.map(|shipping| shipping.method_id.as_str()));
    let insert = insert.bind(new.shipping.map(|shipping| shipping.method_label.as_str()));
    let insert = insert.bind(i64::from(new.shipping_tax_rate)).bind(new.shipping_tax_amount);
    let insert = insert.bind(new.payment_method).bind(new.note).bind(new.language.tag());
    let insert = insert.bind(fulfillment.as_str()).bind(new.expires_at).bind(Json(new.capabilities()));
    let insert = insert.bind(now).bind(Json(new.consents)).bind(Json(new.added_lines));
    let insert =
        insert.bind(new.vat_id.map(|vat_id| vat_id.id.as_str())).bind(new.vat_id.map(|vat_id| Json(&vat_id.check)));
    let id = insert.bind(new.reverse_charge).scalar::<i64>().await?;
    let items = serde_json::to_string(new.items).map_err(|error| sqlx::Error::Encode(error.into()))?;
    let mut written = tx.run(queries::INSERT_ITEMS).bind(id).bind(items).all::<(i64, i64)>().await?;
    written.sort_by_key(|(_, position)| *position);
    tx.run(queries::COUNT_BOUGHT).bind(new.customer_id).execute().await?;
    Ok(InsertedOrder { id, item_ids: written.into_iter().map(|(id, _)| id).collect() })
}

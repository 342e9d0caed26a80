//! What an order says that another one follows from: whose it is, where it went, and its items as they were sold.

use serde_json::{Map, Value};
use sqlx::types::Json;

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::vat_id::VatId;

use super::queries;
use super::vat_id::{CheckedVatId, VatIdCheck};
use crate::cart::SelectedOption;

/// An order that another one follows from.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct EarlierOrder {
    pub(crate) customer_id: i64,
    pub(crate) currency: String,
    pub(crate) billing_address: Json<PostalAddress>,
    pub(crate) shipping_address: Option<Json<PostalAddress>>,
    pub(crate) shipping_method_id: Option<String>,
    pub(crate) payment_method: String,
    pub(crate) language: String,
    vat_id: Option<String>,
    vat_id_check: Option<Json<VatIdCheck>>,
    pub(crate) reverse_charge: bool,
}

impl EarlierOrder {
    /// The VAT identification number that it was placed with, and what was found out about it then.
    pub(crate) fn vat_id(&self) -> Option<CheckedVatId> {
        let id = VatId::parse(self.vat_id.as_deref()?)?;
        Some(CheckedVatId { id, check: self.vat_id_check.as_ref()?.0.clone() })
    }
}

/// An item of it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct EarlierItem {
    pub(crate) product_id: i64,
    pub(crate) slug: String,
    pub(crate) sku: Option<String>,
    pub(crate) label: String,
    pub(crate) tax_class: Option<String>,
    pub(crate) selections: Json<Value>,
    pub(crate) options: Json<Vec<SelectedOption>>,
    pub(crate) choice_skus: Json<Vec<String>>,
    pub(crate) capabilities: Json<Vec<String>>,
    pub(crate) module_settings: Json<Map<String, Value>>,
}

/// The order, if there is one.
pub(crate) async fn find_earlier_order(tx: &mut Tx, order_id: i64) -> Result<Option<EarlierOrder>, DbError> {
    tx.run(queries::EARLIER_ORDER).bind(order_id).optional().await
}

/// The item, if it is one of the order.
pub(crate) async fn find_earlier_item(tx: &mut Tx, order_id: i64, id: i64) -> Result<Option<EarlierItem>, DbError> {
    tx.run(queries::EARLIER_ITEM).bind(order_id).bind(id).optional().await
}

//! Lines of a module's own in orders.

use std::future::Future;

use serde_json::{Map, Value};

use super::Reading;
use crate::config::CountryCode;
use crate::db::Reader;
use crate::events::ListenerError;
use crate::i18n::Message;

/// A line of a cart that is being priced.
#[derive(Debug, Clone, Copy)]
pub struct LineToPrice<'a> {
    /// The product.
    pub product_id: i64,
    /// The product's name.
    pub label: &'a str,
    /// Units.
    pub quantity: i64,
    /// What one costs, in minor units.
    pub unit_amount: i64,
    /// What all of the line cost, in minor units, before any discount.
    pub line_total_amount: i64,
    /// The product's capabilities.
    pub capabilities: &'a [String],
    /// What the modules keep about the product, by module.
    pub module_settings: &'a Map<String, Value>,
}

impl LineToPrice<'_> {
    /// What a module keeps about the product.
    pub fn settings(&self, module: &str) -> Option<&Value> {
        self.module_settings.get(module)
    }

    /// Whether the product has this capability.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}

/// A cart that is being priced, to show what it costs or to place it.
#[derive(Debug, Clone, Copy)]
pub struct CartToPrice<'a> {
    /// Who orders; none for a guest who looks.
    pub customer_id: Option<i64>,
    /// The products that can be bought.
    pub lines: &'a [LineToPrice<'a>],
    /// What they cost together, in minor units, before any discount.
    pub subtotal_amount: i64,
    /// The country that decides about taxes; none while it is not known.
    pub country: Option<CountryCode>,
    /// The shipping method; none while it is not chosen, and where nothing is sent.
    pub shipping_method_id: Option<&'a str>,
    /// The payment method that is chosen, or the usual one.
    pub payment_method: &'a str,
    /// The discount code, if it can be used.
    pub discount_code: Option<&'a str>,
}

/// A line that a module adds to an order: a fee, a surcharge, or a discount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedLine {
    /// The module's own name for it, by which it finds the line again in `OrderPlacing`.
    pub key: String,
    /// What customers read in the order and on its documents.
    pub label: Message,
    /// What it costs, in minor units, as prices are written in this shop: with tax or without. Below zero it is taken off the
    /// products in proportion, at most what they cost after a discount code; so it lowers their taxes.
    pub amount: i64,
    /// The tax class of what costs something, as products have it; none is the standard rate.
    pub tax_class: Option<String>,
}

/// What a module adds to orders. Register it with [`ModuleContext::added_lines`](crate::module::ModuleContext::added_lines).
///
/// It is asked when the price of a cart is shown and once more when the order is placed, inside the transaction, and only reads:
/// both times it must come to the same, unless something has changed.
pub trait AddLines: Send + Sync + 'static {
    /// The lines for this cart. A veto refuses the order, and the price before it.
    fn lines(
        &self,
        cart: &CartToPrice<'_>,
        reader: &mut Reader<'_>,
    ) -> impl Future<Output = Result<Vec<AddedLine>, ListenerError>> + Send;
}

/// [`AddLines`] for a table of many.
pub(crate) trait ErasedAddLines: Send + Sync {
    fn lines<'a, 'r: 'a>(
        &'a self,
        cart: &'a CartToPrice<'a>,
        reader: &'a mut Reader<'r>,
    ) -> Reading<'a, Vec<AddedLine>, ListenerError>;
}

impl<T: AddLines> ErasedAddLines for T {
    fn lines<'a, 'r: 'a>(
        &'a self,
        cart: &'a CartToPrice<'a>,
        reader: &'a mut Reader<'r>,
    ) -> Reading<'a, Vec<AddedLine>, ListenerError> {
        Box::pin(AddLines::lines(self, cart, reader))
    }
}

//! The price of a unit, as a module has it.

use std::future::Future;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::Reading;
use crate::db::{DbError, Reader};

/// A unit of a product whose price is being found.
#[derive(Debug, Clone, Copy)]
pub struct UnitToPrice<'a> {
    /// What the catalog asks for one with its selections, in minor units.
    pub list_amount: i64,
    /// How many of it are bought together; 1 in the catalog.
    pub quantity: i64,
    /// The product's capabilities.
    pub capabilities: &'a [String],
    /// What the module keeps about the product.
    pub settings: &'a Value,
    /// Who buys; none for a guest, and in the catalog, which everybody reads.
    pub customer_id: Option<i64>,
    /// What the module has said about the customer ([`UnitPrice::terms`]); null where there is none.
    pub terms: &'a Value,
    /// When it is bought.
    pub now: DateTime<Utc>,
}

impl UnitToPrice<'_> {
    /// Whether the product has this capability.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}

/// What a module makes of the price of the products that it keeps settings about. Register it with
/// [`ModuleContext::unit_price`](crate::module::ModuleContext::unit_price).
///
/// It is asked wherever a price is shown, in the catalog, in a cart and before an order, and once more when the order is placed, so
/// it must depend on nothing but what it is given.
pub trait UnitPrice: Send + Sync + 'static {
    /// Whether the price of a product may be another for another customer or at another time. The catalog then works it out
    /// for each request, instead of keeping its answer.
    const VARIES: bool = false;

    /// What one costs when it is bought now, in minor units. With a negative amount the product cannot be bought.
    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64;

    /// What the module knows about a customer that its prices depend on, such as a group. Read once for each cart, and
    /// given to [`unit_amount`](Self::unit_amount) for each of its lines. Nothing unless a module says otherwise.
    fn terms(
        &self,
        _customer_id: i64,
        _reader: &mut Reader<'_>,
    ) -> impl Future<Output = Result<Value, DbError>> + Send {
        std::future::ready(Ok(Value::Null))
    }
}

/// [`UnitPrice`] for a table of many.
pub(crate) trait ErasedUnitPrice: Send + Sync {
    fn varies(&self) -> bool;
    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64;
    fn terms<'a, 'r: 'a>(&'a self, customer_id: i64, reader: &'a mut Reader<'r>) -> Reading<'a, Value, DbError>;
}

impl<T: UnitPrice> ErasedUnitPrice for T {
    fn varies(&self) -> bool {
        T::VARIES
    }

    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64 {
        UnitPrice::unit_amount(self, unit)
    }

    fn terms<'a, 'r: 'a>(&'a self, customer_id: i64, reader: &'a mut Reader<'r>) -> Reading<'a, Value, DbError> {
        Box::pin(UnitPrice::terms(self, customer_id, reader))
    }
}

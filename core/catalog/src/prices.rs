//! What products cost after the modules have had their say, as the cart says it too.

use std::collections::HashMap;

use serde_json::{Map, Value};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::module::{Buyer, ListedUnits, SellingRules};

use super::queries;

/// What one unit of a product costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitAmount {
    pub(super) amount: i64,
    /// Whether it may be another for another customer or at another time, so that it cannot be kept.
    pub(super) varies: bool,
}

impl UnitAmount {
    /// What the operator has set.
    pub(super) fn listed(amount: i64) -> Self {
        Self { amount, varies: false }
    }
}

/// What one unit of a product costs a buyer, without options. What cannot be bought is shown at its list price.
pub(super) fn unit_amount(
    selling: &SellingRules,
    buyer: &Buyer,
    list_amount: i64,
    capabilities: &[String],
    settings: &Map<String, Value>,
) -> UnitAmount {
    let amount = selling.unit_amount(&ListedUnits { list_amount, quantity: 1, capabilities, settings }, buyer);
    UnitAmount { amount: if amount < 0 { list_amount } else { amount }, varies: selling.vary(settings) }
}

/// What modules need to know of a product to have a say in what it costs.
#[derive(Debug)]
pub(super) struct PriceFacts {
    pub(super) capabilities: Vec<String>,
    pub(super) settings: Map<String, Value>,
}

impl PriceFacts {
    /// What one unit costs a buyer, without options.
    pub(super) fn unit_amount(&self, selling: &SellingRules, buyer: &Buyer, list_amount: i64) -> UnitAmount {
        unit_amount(selling, buyer, list_amount, &self.capabilities, &self.settings)
    }
}

/// What the modules that have a say in prices keep about these products, by product.
pub(super) async fn settings_for_prices(
    db: &Db,
    selling: &SellingRules,
    product_ids: &[i64],
) -> Result<HashMap<i64, Map<String, Value>>, DbError> {
    if !selling.has_price_rules() {
        return Ok(HashMap::new());
    }
    settings_of(db, product_ids.iter().copied(), |module| selling.prices_by(module)).await
}

/// What these modules keep about these products, by product.
pub(super) async fn settings_of(
    db: &Db,
    product_ids: impl IntoIterator<Item = i64>,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<HashMap<i64, Map<String, Value>>, DbError> {
    let stored = db.read(queries::SETTINGS_OF).bind_ids(product_ids).all::<(i64, String, Json<Value>)>().await?;
    let mut settings = HashMap::<i64, Map<String, Value>>::new();
    for (product_id, module, value) in stored.into_iter().filter(|(_, module, _)| is_wanted(module)) {
        settings.entry(product_id).or_default().insert(module, value.0);
    }
    Ok(settings)
}

//! What products cost after the modules have had their say, as the cart says it too.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::module::{Buyer, ListedUnits, SellingRules};

use super::queries;

/// What modules keep about products, as far as prices depend on it.
#[derive(Debug, Default)]
pub(super) struct PricedSettings(HashMap<i64, Map<String, Value>>);

/// What one unit of a product costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitAmount {
    pub(super) amount: i64,
    /// Whether it may be another for another customer or at another time, so that it cannot be kept.
    pub(super) varies: bool,
}

impl PricedSettings {
    /// Those of these products; none are read while no module has a say in prices.
    pub(super) async fn read(db: &Db, selling: &SellingRules, ids: &[i64]) -> Result<Self, DbError> {
        if ids.is_empty() || !selling.price_anything() {
            return Ok(Self::default());
        }
        let wanted = json!(ids.iter().map(|id| json!({"id": id})).collect::<Vec<_>>()).to_string();
        let rows = db.read(queries::SETTINGS).bind(wanted).all::<(i64, String, Json<Value>)>().await?;
        let mut settings = HashMap::<i64, Map<String, Value>>::new();
        for (product_id, module, kept) in rows {
            settings.entry(product_id).or_default().insert(module, kept.0);
        }
        Ok(Self(settings))
    }

    /// What one unit of a product costs whoever asks, without options. What cannot be bought is shown at its list price.
    pub(super) fn unit_amount(
        &self,
        selling: &SellingRules,
        buyer: &Buyer,
        product_id: i64,
        list_amount: i64,
        capabilities: &[String],
    ) -> UnitAmount {
        let Some(settings) = self.0.get(&product_id) else { return UnitAmount { amount: list_amount, varies: false } };
        let amount = selling.unit_amount(&ListedUnits { list_amount, quantity: 1, capabilities, settings }, buyer);
        UnitAmount { amount: if amount < 0 { list_amount } else { amount }, varies: selling.vary(settings) }
    }
}

//! Keeping what the catalog says of products up with their pools.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::from_value;
use sqlx::types::Json;
use stoa_core::catalog::write::ProductsSaving;
use stoa_core::catalog::{Availability, lock_catalog, set_availability};
use stoa_core::orders::{OrderCancelled, OrderCreated};
use stoa_core::prelude::*;

use super::queries::{ALL_LEVELS, LEVELS, LEVELS_OF_ORDER, PRODUCTS, TOLD};
use super::{Levels, by_name, enough};
use crate::config::Config;
use crate::pools::names_json;
use crate::settings::{CAPABILITY, MODULE, SecretSettings};

type States = Vec<(i64, Option<Availability>)>;

#[derive(sqlx::FromRow)]
struct ProductRow {
    id: i64,
    slug: String,
    settings: Option<Json<SecretSettings>>,
}

/// Whether a product can be had; nothing is said of one whose values are generated.
fn state(slug: &str, settings: &SecretSettings, levels: &Levels, config: &Config) -> Option<Availability> {
    if settings.pattern.is_some() {
        return None;
    }
    let level = levels.get(settings.pool_of(slug)).copied().unwrap_or_default();
    Some(level.availability(settings.backorder.unwrap_or(config.backorder), config))
}

/// What is to be said of all products, also of those that nothing is to be said of any more.
fn states(products: Vec<ProductRow>, told: Vec<(i64, i64)>, levels: &Levels, config: &Config) -> States {
    let gone = told.into_iter().map(|(id, _)| (id, None));
    let mut states = gone.collect::<BTreeMap<_, _>>();
    for product in products {
        let settings = product.settings.map(|settings| settings.0).unwrap_or_default();
        states.insert(product.id, state(&product.slug, &settings, levels, config));
    }
    states.into_iter().collect()
}

/// Has the catalog say what is right now. It is written, and others wait for it, only if something has changed.
pub(crate) async fn update_availability(db: &Db, config: &Config) -> Result<(), DbError> {
    let told = db.read(TOLD).all::<(i64, i64)>().await?;
    let known = told.iter().copied().collect::<BTreeMap<_, _>>();
    let (products, levels) =
        (db.read(PRODUCTS).all().await?, by_name(db.read(ALL_LEVELS).bind(enough(config)).all().await?));
    let found = states(products, told, &levels, config);
    let is_known = |(id, state): &(i64, Option<Availability>)| known.get(id).copied() == state.map(shortage);
    if found.iter().all(is_known) {
        return Ok(());
    }
    let written = db.write(async |tx| -> Result<(), DbError> {
        // Before anything is read: of two who tell, the later one has read later.
        lock_catalog(tx).await?;
        let told = tx.run(TOLD).all().await?;
        let (products, levels) =
            (tx.run(PRODUCTS).all().await?, by_name(tx.run(ALL_LEVELS).bind(enough(config)).all().await?));
        set_availability(tx, MODULE, &states(products, told, &levels, config)).await.map(drop)
    });
    written.await
}

/// The number under which the catalog keeps it.
const fn shortage(availability: Availability) -> i64 {
    match availability {
        Availability::InStock => 0,
        Availability::LowStock => 1,
        Availability::Backorder => 2,
        Availability::OutOfStock => 3,
    }
}

/// Listens for what changes what can be had.
#[derive(Clone)]
pub(crate) struct Catalog(pub(crate) Config);

/// Products that are saved take from other pools, or wait where they did not.
impl InTransaction<ProductsSaving> for Catalog {
    async fn in_transaction(&self, event: &ProductsSaving, tx: &mut Tx) -> Result<(), ListenerError> {
        let mut ours = Vec::new();
        let mut states = States::new();
        for product in &event.products {
            if !product.has(CAPABILITY) {
                states.push((product.product_id, None));
                continue;
            }
            let settings = match product.settings(MODULE) {
                Some(settings) => from_value::<SecretSettings>(settings.clone())
                    .map_err(|error| ListenerError::Failed(format!("the settings of {}: {error}", product.slug)))?,
                None => SecretSettings::default(),
            };
            ours.push((product, settings));
        }
        let names = names_json(ours.iter().map(|(product, settings)| settings.pool_of(&product.slug)));
        let levels = by_name(tx.run(LEVELS).bind(enough(&self.0)).bind(names).all().await?);
        states.extend(
            ours.iter()
                .map(|(product, settings)| (product.product_id, state(&product.slug, settings, &levels, &self.0))),
        );
        set_availability(tx, MODULE, &states).await?;
        Ok(())
    }
}

/// An order has taken the last values, or nearly.
impl AfterCommit<OrderCreated> for Catalog {
    type Uses = Db;

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderCreated, db: &Db) -> Result<(), ListenerError> {
        let levels = by_name(db.read(LEVELS_OF_ORDER).bind(enough(&self.0)).bind(event.order_id).all().await?);
        if levels.values().any(|level| level.available == 0 || level.is_low(&self.0)) {
            update_availability(db, &self.0).await?;
        }
        Ok(())
    }
}

/// An order has given values back.
impl AfterCommit<OrderCancelled> for Catalog {
    type Uses = Db;

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderCancelled, db: &Db) -> Result<(), ListenerError> {
        let levels =
            db.read(LEVELS_OF_ORDER).bind(enough(&self.0)).bind(event.order_id).all::<(String, Option<i64>, i64)>();
        if !levels.await?.is_empty() {
            update_availability(db, &self.0).await?;
        }
        Ok(())
    }
}

/// Looks every so often for whatever was not told: a refund before delivery, or settings that were changed.
pub(crate) struct TellAvailability(pub(crate) Config);

impl Job for TellAvailability {
    type Uses = Db;

    const NAME: &'static str = "digital_secrets.tell_availability";
    const EVERY: Duration = Duration::from_mins(10);
    const DOES: &'static str = "tells the catalog which values are left";

    async fn run(&self, db: &Db) -> Result<(), String> {
        update_availability(db, &self.0).await.map_err(|error| error.to_string())
    }
}

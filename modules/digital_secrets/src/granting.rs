//! An order is paid: what was set aside for it is delivered, what is generated is made, and the rest waits for values.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use stoa_core::encryption::Cipher;
use stoa_core::entitlements::{DeliveryDue, SoldUnit, held_units, note_delivered};
use stoa_core::orders::{OrderPaid, customer_of_order, sold_lines_in};
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::hint::hint;
use crate::pattern::Pattern;
use crate::placing::units_json;
use crate::pools::{LockedPool, lock_pools_of_order, pool_id};
use crate::queries;
use crate::settings::{CAPABILITY, wanted};
use crate::vault::{DataKey, Fingerprints, active_key};

/// How often a value is drawn again because the pool has had it before. With patterns of a billion values and more, even
/// the second time is rare.
const DRAWS: usize = 20;

/// Delivers what an order has paid for. Calling it again changes nothing.
pub(crate) struct Grant {
    pub(crate) backorder: bool,
}

impl AfterCommit<OrderPaid> for Grant {
    type Uses = (Db, Random, Cipher);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderPaid, (db, random, cipher): &Self::Uses) -> Result<(), ListenerError> {
        db.write(async |tx| self.grant(tx, random, cipher, event.order_id).await).await
    }
}

/// The same for what was held until its buyer could withdraw no more.
impl AfterCommit<DeliveryDue> for Grant {
    type Uses = (Db, Random, Cipher);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &DeliveryDue, (db, random, cipher): &Self::Uses) -> Result<(), ListenerError> {
        db.write(async |tx| self.grant(tx, random, cipher, event.order_id).await).await
    }
}

impl Grant {
    async fn grant(&self, tx: &mut Tx, random: &Random, cipher: &Cipher, order_id: i64) -> Result<(), ListenerError> {
        let units = ensure_units(tx, order_id, self.backorder).await?;
        if units.is_empty() {
            return Ok(());
        }
        // Before the pools, for which everybody who places an order waits.
        let held = held_json(&held_units(tx, &units).await?);
        let pools = lock_pools_of_order(tx, order_id).await?;
        let now = tx.now();
        let taken = tx.run(queries::DELIVER_RESERVED).bind(order_id).bind(now).bind(held.as_str()).execute().await?;
        tx.run(queries::GRANT_ORDER).bind(order_id).bind(now).execute().await?;
        if taken == units.len() as u64 {
            // Something was set aside for each of them, so nobody waits who did not before.
            return Ok(note_delivered(tx, &units).await?);
        }
        if tx.run(queries::LET_ORDER_WAIT).bind(order_id).bind(held).execute().await? > 0 {
            generate(tx, random, cipher, order_id).await?;
        }
        let delivered = tx.run(queries::DELIVERED_OF_ORDER).bind(order_id).all::<SoldUnit>().await?;
        note_delivered(tx, &delivered).await?;
        for pool in pools {
            serve_waiting(tx, pool).await?;
        }
        Ok(())
    }
}

/// The units of an order. Rows that are missing are written, as the order says they were sold.
///
/// They are written when an order is placed. Nothing that is paid may be lost if they were not.
pub(crate) async fn ensure_units(tx: &mut Tx, order_id: i64, backorder: bool) -> Result<Vec<SoldUnit>, ListenerError> {
    let wanted = wanted(&sold_lines_in(tx, order_id).await?, backorder)?;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sold = wanted.iter().map(|line| line.quantity).sum::<i64>();
    let units = tx.run(queries::UNITS_OF_ORDER).bind(order_id).all::<SoldUnit>().await?;
    if i64::try_from(units.len()).is_ok_and(|units| units >= sold) {
        return Ok(units);
    }
    let customer_id = customer_of_order(tx, order_id).await?;
    let mut pools = BTreeMap::new();
    for line in &wanted {
        pools.insert(line.pool.clone(), pool_id(tx, &line.pool).await?);
    }
    let now = tx.now();
    let insert = tx.run(queries::INSERT_UNITS).bind(order_id).bind(customer_id);
    insert.bind(units_json(&wanted, &pools)).bind(now).execute().await?;
    Ok(tx.run(queries::UNITS_OF_ORDER).bind(order_id).all::<SoldUnit>().await?)
}

#[derive(sqlx::FromRow)]
struct ToGenerate {
    id: i64,
    pool_id: i64,
    pattern: String,
}

/// Makes the values of an order's units that are generated.
async fn generate(tx: &mut Tx, random: &Random, cipher: &Cipher, order_id: i64) -> Result<(), ListenerError> {
    let units = tx.run(queries::LIST_TO_GENERATE).bind(order_id).all::<ToGenerate>().await?;
    if units.is_empty() {
        return Ok(());
    }
    let maker = Maker::new(tx, random, cipher).await?;
    let now = tx.now();
    for unit in units {
        let pattern = Pattern::parse(&unit.pattern)
            .map_err(|problem| ListenerError::Failed(format!("the pattern of unit {} is wrong: {problem}", unit.id)))?;
        maker.make(tx, unit.pool_id, unit.id, "delivered", Some(now), &pattern).await?;
        tx.run(queries::GRANT_UNIT).bind(unit.id).bind(now).execute().await?;
    }
    Ok(())
}

/// Makes values from patterns.
pub(crate) struct Maker<'a> {
    random: &'a Random,
    fingerprints: Fingerprints,
    key: DataKey,
}

impl<'a> Maker<'a> {
    pub(crate) async fn new(tx: &mut Tx, random: &'a Random, cipher: &Cipher) -> Result<Self, ListenerError> {
        let key = active_key(tx, random, cipher).await?;
        Ok(Self { random, fingerprints: Fingerprints::new(cipher), key })
    }

    /// Makes a value for a unit, one that its pool has never had; gives its id.
    pub(crate) async fn make(
        &self,
        tx: &mut Tx,
        pool_id: i64,
        unit_id: i64,
        state: &str,
        delivered_at: Option<DateTime<Utc>>,
        pattern: &Pattern,
    ) -> Result<i64, ListenerError> {
        let now = tx.now();
        for _ in 0..DRAWS {
            let value = pattern.generate(self.random);
            let fingerprint = self.fingerprints.of(pool_id, &value);
            let insert = tx.run(queries::INSERT_FOR_UNIT).bind(pool_id).bind(unit_id).bind(state).bind("generated");
            let insert = insert.bind(fingerprint).bind(hint(value.expose())).bind(now).bind(delivered_at);
            let Some(id) = insert.optional_scalar::<i64>().await? else { continue };
            seal_one(tx, &self.key, id, &value).await?;
            return Ok(id);
        }
        let problem = format!("the pattern `{pattern}` made {DRAWS} values in a row that its pool has had before");
        Err(ListenerError::Failed(format!("{problem}; give the product a longer one")))
    }
}

/// Seals the value of one row.
pub(crate) async fn seal_one(
    tx: &mut Tx,
    key: &DataKey,
    value_id: i64,
    value: &stoa_core::secret::Secret,
) -> Result<(), DbError> {
    let sealed = serde_json::json!([{"id": value_id, "sealed": key.seal(value_id, value)}]).to_string();
    tx.run(queries::SEAL_VALUES).bind(sealed).bind(key.id).execute().await?;
    Ok(())
}

/// Delivers what a pool has to those who have paid and wait, in the order in which they paid; gives how many were served.
pub(crate) async fn serve_waiting(tx: &mut Tx, pool: LockedPool) -> Result<u64, DbError> {
    let units = tx.run(queries::WAITING_UNITS).bind(pool.id).all::<SoldUnit>().await?;
    if units.is_empty() {
        return Ok(0);
    }
    let held = held_json(&held_units(tx, &units).await?);
    tx.run(queries::LET_PAID_WAIT).bind(pool.id).bind(held.as_str()).execute().await?;
    let waiting = tx.run(queries::COUNT_WAITING).bind(pool.id).bind(held.as_str()).scalar::<i64>().await?;
    if waiting == 0 {
        return Ok(0);
    }
    let now = tx.now();
    let served = tx.run(queries::SERVE_WAITING).bind(pool.id).bind(now).bind(waiting).bind(held);
    let served = served.execute().await?;
    if served > 0 {
        tx.run(queries::GRANT_WAITING).bind(pool.id).bind(now).execute().await?;
        let delivered = tx.run(queries::JUST_SERVED).bind(pool.id).bind(now).all::<SoldUnit>().await?;
        note_delivered(tx, &delivered).await?;
    }
    Ok(served)
}

/// Units that must not be delivered now, as a statement takes them.
fn held_json(held: &BTreeSet<SoldUnit>) -> String {
    let held = held.iter().map(|sold| serde_json::json!({"order_line_id": sold.order_line_id, "unit": sold.unit}));
    held.collect::<serde_json::Value>().to_string()
}

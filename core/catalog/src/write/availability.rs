//! Whether products can be had, as modules tell it.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::{CommittedEvent, Event};

use super::changed::{CatalogChanged, announce_changed};
use super::queries;
use crate::state::Frame;

/// Whether something can be had now. What comes later is worse, and the worst that anybody says is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    /// There is enough.
    InStock,
    /// There is little left.
    LowStock,
    /// There is none left, but it can be ordered and is sent later.
    Backorder,
    /// There is none left, and it cannot be ordered.
    OutOfStock,
}

impl Availability {
    /// The name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InStock => "in_stock",
            Self::LowStock => "low_stock",
            Self::Backorder => "backorder",
            Self::OutOfStock => "out_of_stock",
        }
    }

    /// The number that is stored.
    const fn shortage(self) -> i64 {
        match self {
            Self::InStock => 0,
            Self::LowStock => 1,
            Self::Backorder => 2,
            Self::OutOfStock => 3,
        }
    }

    /// What a stored number says.
    pub(crate) const fn of_shortage(shortage: i64) -> Self {
        match shortage {
            ..=0 => Self::InStock,
            1 => Self::LowStock,
            2 => Self::Backorder,
            3.. => Self::OutOfStock,
        }
    }
}

/// A module says something else than before of these products; [`availability_of`] has what holds now, of all modules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailabilityChanged {
    /// Ids of products.
    pub product_ids: Vec<i64>,
}

impl Event for AvailabilityChanged {
    const NAME: &'static str = "AvailabilityChanged";
}

impl CommittedEvent for AvailabilityChanged {}

/// Whether products can be had, by the worst that modules say which are on. Products that customers cannot see are left out.
pub async fn availability_of(
    db: &Db,
    frame: &Frame,
    product_ids: impl IntoIterator<Item = i64>,
) -> Result<BTreeMap<i64, Availability>, DbError> {
    let found = db.read(queries::AVAILABILITY_OF).bind_ids(product_ids).bind(frame.modules.as_str());
    let found = found.all::<(i64, Option<i64>)>().await?;
    Ok(found.into_iter().map(|(id, shortage)| (id, Availability::of_shortage(shortage.unwrap_or(0)))).collect())
}

/// Has a module say whether products can be had; none takes back what it said. Products that are gone are passed over.
///
/// Only what differs from what the module said before is written and raises the catalog's version. Returns whether
/// something did.
pub async fn set_availability(
    tx: &mut Tx,
    module: &str,
    states: &[(i64, Option<Availability>)],
) -> Result<bool, DbError> {
    let stored = tx
        .run(queries::AVAILABILITY)
        .bind(module)
        .bind_ids(states.iter().map(|(id, _)| *id))
        .all::<(i64, i64)>()
        .await?;
    let stored = stored.into_iter().collect::<HashMap<_, _>>();
    let (mut told, mut taken_back) = (Vec::new(), Vec::new());
    for (id, state) in states {
        match (stored.get(id), state.map(Availability::shortage)) {
            (before, Some(shortage)) if before != Some(&shortage) => told.push(json!({"id": id, "shortage": shortage})),
            (Some(_), None) => taken_back.push(json!({"id": id})),
            _ => {}
        }
    }
    let changed = told.iter().chain(&taken_back).filter_map(|product| product["id"].as_i64()).collect();
    let mut written = 0;
    if !told.is_empty() {
        let tell = tx.run(queries::TELL_AVAILABILITY).bind(module).bind(Value::Array(told).to_string());
        written += tell.execute().await?;
    }
    if !taken_back.is_empty() {
        let delete = tx.run(queries::TAKE_AVAILABILITY_BACK).bind(module).bind(Value::Array(taken_back).to_string());
        written += delete.execute().await?;
    }
    if written > 0 {
        tx.run(queries::RAISE_ANSWERS_VERSION).execute().await?;
        let ids = || states.iter().map(|(id, _)| *id).collect();
        announce_changed(tx, || CatalogChanged::Availability(ids())).await?;
        tx.emit(&AvailabilityChanged { product_ids: changed }).await?;
    }
    Ok(written > 0)
}

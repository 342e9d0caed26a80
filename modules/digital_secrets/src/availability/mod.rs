//! Whether products can be had: shown in the cart as it is now, and in the catalog soon after it changes.

mod catalog;
mod queries;

use std::collections::BTreeMap;

use stoa_core::cart::CartShowing;
use stoa_core::catalog::Availability;
use stoa_core::prelude::*;

pub(crate) use self::catalog::{Catalog, TellAvailability, update_availability};
use crate::config::Config;
use crate::pools::names_json;
use crate::settings::wanted;

/// What is left of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Level {
    /// Counted as far as it was asked for, and to where it no longer runs low.
    pub(crate) available: i64,
    /// The pool's own limit, below which it runs low; none is that of the settings.
    low_water: Option<i64>,
}

impl Level {
    /// Whether a product that takes from the pool can be had.
    fn availability(self, backorder: bool, config: &Config) -> Availability {
        match self.available {
            ..=0 if backorder => Availability::Backorder,
            ..=0 => Availability::OutOfStock,
            _ if self.is_low(config) => Availability::LowStock,
            _ => Availability::InStock,
        }
    }

    fn is_low(self, config: &Config) -> bool {
        self.available < self.low_water.unwrap_or(i64::from(config.low_water))
    }
}

/// How far a pool is counted to know whether it runs low.
fn enough(config: &Config) -> i64 {
    i64::from(config.low_water) + 1
}

type Levels = BTreeMap<String, Level>;

/// Rows of pools by their names.
fn by_name(rows: Vec<(String, Option<i64>, i64)>) -> Levels {
    rows.into_iter().map(|(name, low_water, available)| (name, Level { available, low_water })).collect()
}

/// What is left of these pools, counted to `enough`; a pool that is not there has nothing.
pub(crate) async fn levels<'a>(db: &Db, names: impl Iterator<Item = &'a str>, enough: i64) -> Result<Levels, DbError> {
    Ok(by_name(db.read(queries::LEVELS).bind(enough).bind(names_json(names)).all().await?))
}

/// Says of each line of a cart whether it can be had.
pub(crate) struct MarkLines(pub(crate) Config);

impl Preflight<CartShowing> for MarkLines {
    async fn preflight(&self, event: &mut CartShowing, db: &Db) -> Result<(), ListenerError> {
        let mut lines = Vec::new();
        for shown in &mut event.lines {
            // One line asks for one thing at most, and for none that a pattern makes.
            let wanted = wanted(std::slice::from_ref(&shown.line), self.0.backorder)?.pop();
            lines.extend(wanted.filter(|wanted| wanted.pattern.is_none()).map(|wanted| (shown, wanted)));
        }
        if lines.is_empty() {
            return Ok(());
        }
        let pools = lines.iter().map(|(_, wanted)| wanted.pool.as_str());
        let levels = levels(db, pools, enough(&self.0)).await?;
        for (shown, wanted) in lines {
            let level = levels.get(&wanted.pool).copied().unwrap_or_default();
            shown.mark(level.availability(wanted.backorder, &self.0));
        }
        Ok(())
    }
}

//! `stoa digital-secrets pools` and `low-water`.

use clap::Args;
use stoa_core::prelude::*;

use super::unknown_pool;
use crate::availability::update_availability;
use crate::config::Config;
use crate::oversight::{Stock, list_stocks};
use crate::pools::set_low_water;

/// List the pools and what is left in them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa digital-secrets pools
  stoa digital-secrets pools --low --json")]
pub(super) struct Pools {
    /// Only those that run low.
    #[arg(long)]
    low: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ListedPool<'a> {
    name: &'a str,
    available: i64,
    reserved: i64,
    waiting: i64,
    low_water: i64,
    low: bool,
}

impl<'a> ListedPool<'a> {
    fn of(stock: &'a Stock, config: &Config) -> Self {
        Self {
            name: &stock.name,
            available: stock.available,
            reserved: stock.reserved,
            waiting: stock.waiting,
            low_water: stock.limit(config.low_water),
            low: stock.is_low(config.low_water),
        }
    }
}

impl Pools {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let stocks = list_stocks(&cx.parts.db).await?;
        let listed = stocks.iter().map(|stock| ListedPool::of(stock, config));
        let listed = listed.filter(|pool| pool.low || !self.low).collect::<Vec<_>>();
        if self.json {
            return cx.output.json_list(&listed);
        }
        let rows = listed.iter().map(|pool| {
            let state = if pool.low { "low" } else { "ok" };
            let counts = [pool.available, pool.reserved, pool.waiting, pool.low_water].map(|count| count.to_string());
            [vec![pool.name.to_owned()], counts.to_vec(), vec![state.to_owned()]].concat()
        });
        cx.output.list(
            &["POOL", "AVAILABLE", "RESERVED", "WAITING", "WARN BELOW", "STATE"],
            rows,
            if self.low { "no pool runs low" } else { "`stoa digital-secrets add` gives a product its values" },
        )
    }
}

/// Say below how many values a pool runs low.
#[derive(Debug, Args)]
#[command(
    after_help = "`stoa doctor`, the metrics and `stoa digital-secrets pools` tell when a pool runs low. Without a number the pool
follows the setting `modules.digital_secrets.low_water` again.

Examples:
  stoa digital-secrets low-water agora-sans 50 --json
  stoa digital-secrets low-water agora-sans"
)]
pub(super) struct LowWater {
    /// The pool's name.
    pool: String,
    /// A number of values; 0 is never.
    #[arg(value_parser = clap::value_parser!(i64).range(0..))]
    number: Option<i64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl LowWater {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        if !set_low_water(&cx.parts.db, &self.pool, self.number).await? {
            return Err(unknown_pool(&cx.parts.db, &self.pool).await);
        }
        update_availability(&cx.parts.db, config).await?;
        if self.json {
            let stocks = list_stocks(&cx.parts.db).await?;
            let stock = stocks.iter().find(|stock| stock.name == self.pool);
            return cx.output.json(&stock.map(|stock| ListedPool::of(stock, config)));
        }
        let limit = self.number.unwrap_or(i64::from(config.low_water));
        cx.output.line(&match limit {
            0 => format!("nobody is warned when the pool `{}` runs low", self.pool),
            limit => format!("the pool `{}` runs low below {limit}", self.pool),
        })
    }
}

//! `stoa digital-secrets find`: who has a value that turned up somewhere.

use clap::Args;
use serde_json::{Value, json};
use stoa_core::prelude::*;

use super::queries;
use super::source::Source;
use crate::vault::Fingerprints;

/// Find out to whom a value was given.
#[derive(Debug, Args)]
#[command(
    after_help = "The value comes from a file or standard input, so that it stays out of the history of the shell. It is recognized by
its fingerprint, also after its content was erased.

Examples:
  stoa digital-secrets find - < leaked.txt
  stoa digital-secrets find leaked.txt --json"
)]
pub(super) struct Find {
    /// A file with the value; `-` is standard input.
    file: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize, sqlx::FromRow)]
struct Found {
    value_id: i64,
    pool: String,
    state: String,
    digital_secret_id: Option<i64>,
    order_id: Option<i64>,
    customer_id: Option<i64>,
}

impl Find {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let value = Source::open(cx, &self.file)?.only_value()?;
        let db = &cx.parts.db;
        let fingerprints = Fingerprints::new(&cx.parts.cipher);
        let pools = db.read(queries::LIST_POOL_IDS).scalars::<i64>().await?;
        let wanted = pools.iter().map(|pool_id| json!({"fingerprint": fingerprints.of(*pool_id, &value)}));
        let wanted = Value::Array(wanted.collect()).to_string();
        let found = db.read(queries::FIND_BY_FINGERPRINT).bind(wanted).all::<Found>().await?;
        if self.json {
            return cx.output.json_list(&found);
        }
        if found.is_empty() {
            return cx.output.line("no pool has, or has had, this value");
        }
        let or_dash = |id: Option<i64>| id.map_or_else(|| String::from("-"), |id| id.to_string());
        let rows = found.iter().map(|found| {
            let ids = [found.digital_secret_id, found.order_id, found.customer_id].map(or_dash);
            [vec![found.value_id.to_string(), found.pool.clone(), found.state.clone()], ids.to_vec()].concat()
        });
        cx.output.table(&["VALUE", "POOL", "STATE", "SECRET", "ORDER ID", "CUSTOMER"], rows)
    }
}

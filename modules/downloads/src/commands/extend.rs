//! `stoa downloads extend`: other limits for one buyer.

use chrono::TimeDelta;
use clap::{Args, value_parser};
use stoa_core::prelude::*;

use super::{find_grant, grants};
use crate::config::MOST;
use crate::queries;

/// Give a buyer more downloads or more time. Without an option: one more download.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa downloads extend 17                     one more download
  stoa downloads extend 17 --limit 10          ten in all
  stoa downloads extend 17 --days 30           thirty days from now
  stoa downloads extend 17 --limit 0 --days 0  any number, for ever")]
pub(crate) struct Extend {
    /// The grant: its id or token.
    grant: String,
    /// How many downloads there are in all, at least as many as were counted; 0 for any number.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(i64).range(0..=MOST))]
    limit: Option<i64>,
    /// For how many days from now on; 0 for ever.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(i64).range(0..=MOST))]
    days: Option<i64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Extend {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let grant = find_grant(db, &self.grant).await?;
        db.write(async |tx| self.apply(tx, grant.id).await).await?;
        let grant = find_grant(db, &grant.id.to_string()).await?;
        if self.json {
            return cx.output.json(&grants::shown(&grant, db.now())?);
        }
        let standing = &grant.standing;
        let limit = standing.download_limit.map_or(String::from("any number of"), |limit| limit.to_string());
        let until = standing.expires_at.map_or(String::from("for ever"), |time| format!("until {}", shown_time(time)));
        cx.output.line(&format!("download {} has {limit} downloads, {until}", grant.id))?;
        if standing.revoked_at.is_some() {
            cx.output.line("it is revoked all the same; `stoa downloads revoke --undo` gives it back")?;
        }
        Ok(())
    }

    async fn apply(&self, tx: &mut Tx, id: i64) -> Result<(), Refused> {
        if self.limit.is_none() && self.days.is_none() {
            tx.run(queries::ADD_DOWNLOAD).bind(id).bind(1_i64).execute().await?;
        }
        if let Some(limit) = self.limit {
            let limit = Some(limit).filter(|limit| *limit > 0);
            if tx.run(queries::SET_LIMIT).bind(id).bind(limit).execute().await? == 0 {
                return Err(Refused::Counted);
            }
        }
        if let Some(days) = self.days {
            let until = Some(days).filter(|days| *days > 0).map(|days| tx.now() + TimeDelta::days(days));
            tx.run(queries::SET_EXPIRY).bind(id).bind(until).execute().await?;
        }
        Ok(())
    }
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("--limit: more downloads than that were counted already; `stoa downloads revoke` ends them")]
    Counted,
    #[error("the database failed")]
    Db(#[from] DbError),
}

//! `stoa downloads extend`: other limits for one buyer.

use clap::{Args, value_parser};
use stoa_core::prelude::*;

use super::grants;
use crate::changing::{extend, find_grant};
use crate::config::MOST;

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
        extend(db, grant.id, self.limit, self.days).await?;
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
}

//! `stoa downloads revoke`: taking a download back, and giving it back again.

use clap::Args;
use stoa_core::prelude::*;

use super::grants;
use crate::changing::{MAX_REASON, find_grant, give_back, revoke};

/// Take a download back from its buyer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa downloads revoke 17 --reason 'charge back'
  stoa downloads revoke 17 --undo")]
pub(crate) struct Revoke {
    /// The grant: its id or token.
    grant: String,
    /// Why, for the shop's records.
    #[arg(long, value_name = "TEXT", conflicts_with = "undo")]
    reason: Option<String>,
    /// Give it back. What was refunded stays revoked.
    #[arg(long)]
    undo: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Revoke {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let reason = self.reason()?;
        let grant = find_grant(db, &self.grant).await?;
        let changed = if self.undo { give_back(db, grant.id).await? } else { revoke(db, grant.id, reason).await? };
        let grant = find_grant(db, &grant.id.to_string()).await?;
        if self.undo && grant.standing.revoked_at.is_some() {
            return Err(Failure::operation(format!(
                "download {} stays revoked: its unit of the order was refunded",
                grant.id
            )));
        }
        if self.json {
            return cx.output.json(&grants::shown(&grant, db.now())?);
        }
        let what = match (self.undo, changed) {
            (false, false) => "was revoked before",
            (false, true) => "is revoked",
            (true, false) => "was not revoked",
            (true, true) => "is given back",
        };
        cx.output.line(&format!("download {} {what}", grant.id))
    }

    fn reason(&self) -> Result<&str, Failure> {
        let reason = self.reason.as_deref().map_or("operator", str::trim);
        let is_line = !reason.is_empty() && reason.chars().count() <= MAX_REASON && !reason.contains(char::is_control);
        is_line.then_some(reason).ok_or_else(|| Failure::usage("--reason: a line of 1 to 500 characters is expected"))
    }
}

//! `stoa event-tickets keys` and `revocations`: what doors need that are offline.

use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use clap::{Args, Subcommand};
use serde_json::json;
use stoa_core::prelude::*;

use super::chosen_event;
use super::ticket::write_file;
use crate::codes::{REVOCATIONS, sign};
use crate::config::Config;
use crate::model::number;
use crate::{keys, queries};

/// Show the public keys that tickets are verified with.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets keys --json
  stoa event-tickets keys rotate")]
pub(super) struct Keys {
    #[command(subcommand)]
    action: Option<KeysAction>,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum KeysAction {
    /// Sign with a new key from now on. Tickets that are signed already stay valid, and their key published.
    #[command(after_help = "Examples:
  stoa event-tickets keys rotate")]
    Rotate,
}

impl Keys {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Some(KeysAction::Rotate) => drop(keys::rotate(&cx.parts.db, &cx.parts.cipher, &cx.parts.random).await?),
            // Doors can be prepared before the first ticket is sold.
            None if keys::list(&cx.parts.db).await?.is_empty() => {
                drop(keys::active(&cx.parts.db, &cx.parts.cipher, &cx.parts.random).await?);
            }
            None => {}
        }
        let keys = keys::list(&cx.parts.db).await?;
        if self.json {
            return cx.output.json_list(&keys);
        }
        let rows = keys.into_iter().map(|key| {
            let retired = key.retired_at.map(shown_time).unwrap_or_default();
            let signs = if key.active { "yes" } else { "no" };
            vec![key.key_id, key.public_key, signs.to_owned(), shown_time(key.created_at), retired]
        });
        cx.output.table(&["key", "public key (Ed25519, base64url)", "signs", "made", "retired"], rows)
    }
}

/// List tickets that are void, signed like tickets, for doors that are offline.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets revocations
  stoa event-tickets revocations revoked.txt --event symposium-3
  stoa event-tickets revocations --json")]
pub(super) struct Revocations {
    /// The file to write the signed list to; one that is there is replaced. Default: standard output.
    file: Option<PathBuf>,
    /// Only those of this event.
    #[arg(long, value_name = "SLUG")]
    event: Option<String>,
    /// Print JSON: the signed list and what stands in it.
    #[arg(long)]
    json: bool,
}

#[derive(sqlx::FromRow)]
struct RevokedRow {
    id: i64,
    event_slug: String,
    voided_at: DateTime<Utc>,
}

#[derive(Serialize)]
struct Revoked {
    number: String,
    event: String,
    voided_at: DateTime<Utc>,
}

/// What is signed.
#[derive(Serialize)]
struct List {
    key_id: String,
    /// When the list was made: a door keeps the newest.
    issued_at: DateTime<Utc>,
    /// The only event that it is about; null for all.
    event: Option<String>,
    /// Numbers of tickets, as their codes name them.
    revoked: Vec<String>,
}

impl Revocations {
    pub(super) async fn run(self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let parts = &cx.parts;
        let event = chosen_event(&parts.db, self.event.as_deref()).await?;
        let now = parts.db.now();
        let since = now - TimeDelta::days(i64::from(config.revocation_days));
        let rows = parts.db.read(queries::LIST_REVOKED).bind(since).bind(event).all::<RevokedRow>().await?;
        let revoked =
            |row: RevokedRow| Revoked { number: number(row.id), event: row.event_slug, voided_at: row.voided_at };
        let revoked = rows.into_iter().map(revoked).collect::<Vec<_>>();
        let signer = keys::active(&parts.db, &parts.cipher, &parts.random).await?;
        let list = List {
            key_id: signer.key_id.clone(),
            issued_at: now,
            event: self.event,
            revoked: revoked.iter().map(|ticket| ticket.number.clone()).collect(),
        };
        let signed = sign(&signer, REVOCATIONS, &list);
        if let Some(file) = &self.file {
            write_file(&cx.folder.join(file), format!("{signed}\n").as_bytes())?;
        }
        if self.json {
            return cx.output.json(&json!({
                "data": revoked, "key_id": list.key_id, "issued_at": list.issued_at, "signed": signed,
            }));
        }
        match &self.file {
            Some(file) => cx.output.line(&format!("{} void tickets are written to {}", revoked.len(), file.display())),
            None => cx.output.line(&signed),
        }
    }
}

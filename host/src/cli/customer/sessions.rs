//! `stoa customer sessions`.

use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::customers::{CustomerSession, list_sessions, log_out_customer};

use super::Context;
use super::argument::Which;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_table, shown_time};

/// List a customer's browser sessions, or end all of them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer sessions --email ada@example.com
  stoa customer sessions 1001 --revoke")]
pub(super) struct Sessions {
    #[command(flatten)]
    which: Which,
    /// End all of them. Access tokens stay; `stoa token revoke` ends those.
    #[arg(long)]
    revoke: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Sessions {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let account = self.which.chosen().find(&db).await?;
        if self.revoke {
            let ended = log_out_customer(&db, &account).await?;
            if self.json {
                return print_json(&json!({"id": account.id, "sessions_ended": ended}));
            }
            return print_line(&format!("sessions of customer {} ended: {ended}", account.id));
        }
        let sessions = list_sessions(&db, account.user_id).await?;
        let idle = TimeDelta::minutes(i64::from(installation.config.accounts.sessions.idle_minutes));
        let now = db.now();
        if self.json {
            let described = sessions.iter().map(|session| describe(session, now, idle)).collect::<Result<Vec<_>, _>>();
            return print_json_list(&described?);
        }
        if sessions.is_empty() {
            return print_line(&format!(
                "customer {} has no sessions: one begins with a login in a browser",
                account.id
            ));
        }
        let rows = sessions.iter().map(|session| {
            vec![
                session.id.to_string(),
                String::from(if session.is_active(now, idle) { "active" } else { "ended" }),
                shown_time(session.created_at),
                shown_time(session.last_seen_at),
                shown_time(session.expires_at),
                session.user_agent.clone().unwrap_or_default(),
            ]
        });
        print_table(&["ID", "STATE", "SINCE", "LAST SEEN", "ENDS", "BROWSER"], rows)
    }
}

fn describe(session: &CustomerSession, now: DateTime<Utc>, idle: TimeDelta) -> Result<Value, Failure> {
    let mut described = serde_json::to_value(session)?;
    described["active"] = session.is_active(now, idle).into();
    Ok(described)
}

//! `stoa audit`: who has changed what.

use clap::{Args, Subcommand};
use stoa_core::commands::printable;
use stoa_core::money::MoneyFormatter;
use stoa_kernel::audit::{AuditFilter, AuditRow, list_audit, unknown_in_filter};

use super::Context;
use super::commands::{Commands, Group};
use super::list_options::ListOptions;
use super::order::open;
use crate::failure::Failure;
use crate::output::{print_remark, shown_time};

pub(super) fn register(commands: &mut Commands) {
    commands.add("audit", Group::RunTheShop, Audit::run);
}

/// See who has changed what.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa audit list --limit 20\n  stoa audit list --subject order:12 --json")]
pub(super) struct Audit {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(List),
}

/// List what was changed, the newest first.
#[derive(Debug, Args)]
#[command(
    after_help = "Everything that your staff, this command line and the shop by itself change is written down with it.

Examples:
  stoa audit list --limit 20
  stoa audit list --subject order:12 --json
  stoa audit list --actor staff:ada@example.com"
)]
struct List {
    /// Only what was done to this, such as order:12, product:evening-lamp or customer:1001.
    #[arg(long)]
    subject: Option<String>,
    /// Only what this one did, such as staff:ada@example.com or cli:root.
    #[arg(long)]
    actor: Option<String>,
    /// Only acts of this name or of this subject, such as orders.refund or orders.
    #[arg(long)]
    act: Option<String>,
    #[command(flatten)]
    options: ListOptions,
}

impl Audit {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Action::List(list) = &self.action;
        let parts = open(context).await?;
        let db = &parts.db;
        let filter = AuditFilter {
            subject: list.subject.clone(),
            actor: list.actor.clone(),
            act: list.act.clone(),
            before_id: None,
            limit: list.options.limit.map(i64::from),
        };
        let rows = list_audit(db, &filter).await?;
        if rows.is_empty() {
            for told in unknown_in_filter(db, &filter).await? {
                print_remark(&format!("stoa: {}", printable(&told, &[])));
            }
        }
        list.options.print(
            &rows,
            |row| serde_json::to_value(row),
            &["AT", "WHO", "ACT", "SUBJECT", "CHANGES"],
            |row| line(row, &parts.money),
            "whoever changes something leaves a row here",
        )
    }
}

fn line(row: &AuditRow, money: &MoneyFormatter) -> Vec<String> {
    vec![shown_time(row.at), row.actor.clone(), row.act.clone(), row.subject.clone(), row.changes(money).join("; ")]
}

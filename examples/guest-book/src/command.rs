//! `stoa guest-book`: commands for the operator.

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::model::Entry;
use crate::queries;

/// Look at the entries of customers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa guest-book list")]
pub(crate) struct EntriesCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(List),
}

/// List entries, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa guest-book list
  stoa guest-book list --limit 10 --json")]
struct List {
    /// At most so many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=1000))]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ModuleCommand for EntriesCommand {
    const NAME: &'static str = "guest-book";
    type State = ();

    async fn run(self, (): &(), cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Action::List(list) => list.run(cx).await,
        }
    }
}

impl List {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let entries = cx.parts.db.read(queries::LIST_FOR_OPERATOR).bind(self.limit).all::<Entry>().await?;
        if self.json {
            return cx.output.json_list(&entries);
        }
        let rows = entries
            .iter()
            .map(|entry| vec![entry.id.to_string(), shown_time(entry.created_at), entry.text.replace('\n', " ")]);
        cx.output.list(&["ENTRY", "MADE", "TEXT"], rows, "customers write entries")
    }
}

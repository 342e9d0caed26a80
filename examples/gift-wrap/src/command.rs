//! `stoa gift-wrap`: what an operator does with wishes.

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::events::reprint;
use crate::model::ListedWish;
use crate::queries;

/// Look after gift wrapping.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa gift-wrap list --waiting\n  stoa gift-wrap reprint 12")]
pub(crate) struct GiftWrapCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(List),
    Reprint(Reprint),
}

/// List wishes, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa gift-wrap list\n  stoa gift-wrap list --waiting --json")]
struct List {
    /// Only those whose card is still to be printed.
    #[arg(long)]
    waiting: bool,
    /// At most so many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=1000))]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Print a card once more, for one that was lost or torn.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa gift-wrap reprint 12")]
struct Reprint {
    /// The wish's number.
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    wish: i64,
}

impl ModuleCommand for GiftWrapCommand {
    const NAME: &'static str = "gift-wrap";
    type State = ();

    async fn run(self, (): &(), cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Action::List(list) => list.run(cx).await,
            Action::Reprint(reprint) => reprint.run(cx).await,
        }
    }
}

impl List {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let wishes = cx.parts.db.read(queries::LIST_FOR_OPERATOR).bind(self.waiting).bind(self.limit).bind(None::<i64>);
        let wishes = wishes.all::<ListedWish>().await?;
        if self.json {
            return cx.output.json_list(&wishes);
        }
        let head = ["WISH", "CUSTOMER", "PRODUCT", "PAPER", "ORDER", "CARD PRINTED"];
        cx.output.list(&head, wishes.iter().map(ListedWish::row), "customers wish for paper in the cart")
    }
}

impl Reprint {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let wish_id = self.wish;
        if reprint(&cx.parts.db, wish_id).await? {
            return cx.output.line(&format!("the card of wish {wish_id} is printed again"));
        }
        // Say what was expected, and where to look.
        Err(Failure::operation(format!(
            "there is no wish {wish_id} with a card; `stoa gift-wrap list` shows all wishes"
        )))
    }
}

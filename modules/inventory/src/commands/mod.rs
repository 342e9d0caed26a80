//! `stoa inventory …`

mod change;
mod import;
mod read;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::json;
use stoa_core::prelude::*;

use crate::catch_up::catch_up;
use crate::config::Config;
use crate::reconcile::reconcile_missed;
use crate::stock::Stock;

/// Count and watch the stock.
///
/// Stock is kept for each SKU: that of a product or of a choice, or the slug of a product without one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa inventory set MUG-BLUE 25
  stoa inventory adjust MUG-BLUE -2 --reason 'broken'
  stoa inventory low
  stoa inventory import count.csv --dry-run")]
pub(crate) struct InventoryCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Say how many pieces are on hand.
    ///
    /// Pieces that orders hold are among them. A SKU that was not counted so far is counted from now on.
    #[command(
        after_help = "Examples:\n  stoa inventory set MUG-BLUE 25\n  stoa inventory set MUG-BLUE 24 --reason 'stocktaking'"
    )]
    Set {
        /// The SKU.
        sku: String,
        /// Pieces on hand.
        #[arg(value_parser = clap::value_parser!(i64).range(0..=crate::settings::MOST_PIECES))]
        quantity: i64,
        /// Why, for the history.
        #[arg(long)]
        reason: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Add pieces, or take some away.
    #[command(
        after_help = "Examples:\n  stoa inventory adjust MUG-BLUE 12 --reason 'delivery'\n  stoa inventory adjust MUG-BLUE -1 --reason 'broken'"
    )]
    Adjust {
        /// The SKU.
        sku: String,
        /// Pieces more, or fewer with a minus sign.
        #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-crate::settings::MOST_PIECES..=crate::settings::MOST_PIECES))]
        delta: i64,
        /// Why, for the history.
        #[arg(long)]
        reason: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Say whether more can be ordered than there is.
    #[command(
        after_help = "Examples:\n  stoa inventory backorder MUG-BLUE on\n  stoa inventory backorder MUG-BLUE off"
    )]
    Backorder {
        /// The SKU.
        sku: String,
        /// Whether it can.
        state: OnOff,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Stop counting a SKU: it can be ordered without end. What orders hold, and its history, stay.
    #[command(after_help = "Examples:\n  stoa inventory forget MUG-BLUE\n  stoa inventory forget MUG-BLUE --json")]
    Forget {
        /// The SKU.
        sku: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show what there is of a SKU.
    #[command(after_help = "Examples:\n  stoa inventory show MUG-BLUE\n  stoa inventory show MUG-BLUE --json")]
    Show {
        /// The SKU.
        sku: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show what happened to a SKU: when, why, by whom, and with which order.
    #[command(
        after_help = "Examples:\n  stoa inventory history MUG-BLUE\n  stoa inventory history MUG-BLUE --limit 1000 --json"
    )]
    History {
        /// The SKU.
        sku: String,
        /// So many of the newest movements.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..))]
        limit: i64,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List what runs low, the scarcest first.
    #[command(after_help = "Examples:\n  stoa inventory low\n  stoa inventory low --threshold 20 --json")]
    Low {
        /// Pieces up to which stock is low, instead of the setting.
        #[arg(long, value_parser = clap::value_parser!(i64).range(0..))]
        threshold: Option<i64>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List everything that is counted.
    #[command(after_help = "Examples:\n  stoa inventory list\n  stoa inventory list --json")]
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Take over a file of counted stock.
    ///
    /// A CSV file whose first line names the columns `sku` and `quantity`. Lines that cannot be taken are named with their
    /// reason, the others are taken, and the exit code is 1.
    #[command(
        after_help = "Examples:\n  stoa inventory import count.csv\n  stoa inventory import delivery.csv --delta --reason 'delivery 17'\n  stoa inventory import count.csv --dry-run"
    )]
    Import {
        /// The file.
        file: PathBuf,
        /// The quantities are pieces more, or fewer, instead of pieces on hand.
        #[arg(long)]
        delta: bool,
        /// Check everything and write nothing.
        #[arg(long)]
        dry_run: bool,
        /// Why, for the history; the file's name if left out.
        #[arg(long)]
        reason: Option<String>,
        /// Print the summary as JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OnOff {
    /// It can.
    On,
    /// It cannot.
    Off,
}

impl ModuleCommand for InventoryCommand {
    const NAME: &'static str = "inventory";
    type State = Config;

    async fn run(self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        // What was imported while the module was off is there all the same, and so is what was sent a moment ago.
        catch_up(&cx.parts.db, *config).await?;
        reconcile_missed(&cx.parts.db, *config).await?;
        self.action.run(*config, cx).await
    }
}

impl Action {
    async fn run(self, config: Config, cx: &CommandContext) -> Result<(), Failure> {
        match self {
            Self::Set { sku, quantity, reason, json } => {
                change::set(cx, config, &sku, quantity, reason.as_deref(), json).await
            }
            Self::Adjust { sku, delta, reason, json } => change::adjust(cx, config, &sku, delta, &reason, json).await,
            Self::Backorder { sku, state, json } => change::backorder(cx, config, &sku, state == OnOff::On, json).await,
            Self::Forget { sku, json } => change::forget(cx, config, &sku, json).await,
            Self::Show { sku, json } => read::show(cx, config, &sku, json).await,
            Self::History { sku, limit, json } => read::history(cx, &sku, limit, json).await,
            Self::Low { threshold, json } => read::low(cx, config, threshold, json).await,
            Self::List { json } => read::list(cx, config, json).await,
            Self::Import { file, delta, dry_run, reason, json } => {
                import::Import { file, delta, dry_run, reason, json }.run(cx, config).await
            }
        }
    }
}

/// A SKU as `--json` shows it (contract 3).
#[derive(Debug, Serialize)]
struct Shown<'a> {
    sku: &'a str,
    on_hand: i64,
    reserved: i64,
    available: i64,
    backorder: bool,
    tracked: bool,
    availability: serde_json::Value,
}

impl<'a> Shown<'a> {
    fn of(stock: &'a Stock, config: Config) -> Self {
        Self {
            sku: &stock.sku,
            on_hand: stock.on_hand,
            reserved: stock.reserved,
            available: stock.available(),
            backorder: stock.backorder,
            tracked: stock.tracked,
            availability: if stock.tracked { json!(stock.level(config.low_stock_threshold)) } else { json!(null) },
        }
    }
}

/// One line of a table of SKUs.
fn row(stock: &Stock) -> Vec<String> {
    let backorder = if stock.backorder { "yes" } else { "no" };
    let numbers = [stock.on_hand, stock.reserved, stock.available()].map(|number| number.to_string());
    [[stock.sku.clone()].as_slice(), &numbers, &[backorder.to_owned()]].concat()
}

/// The head of a table of SKUs.
const HEAD: [&str; 5] = ["SKU", "ON HAND", "RESERVED", "AVAILABLE", "BACKORDER"];

//! `stoa digital-secrets replace` and `void`: values that do not work.

use clap::Args;
use stoa_core::prelude::*;

use super::list::ListedValue;
use super::source::Source;
use super::{id, queries};
use crate::availability::update_availability;
use crate::config::Config;
use crate::replacing::{LONGEST_REASON, Replacement, replace, void};

/// Give a customer another value for one that does not work.
#[derive(Debug, Args)]
#[command(
    after_help = "The new value comes from the pool, from the product's pattern, or with `--from` from a file. The old one is void: it is
not shown to anybody any more, and never sold again. The customer finds the new one under the same id.

Examples:
  stoa digital-secrets replace 7 --reason 'The vendor says it was used before'
  stoa digital-secrets replace 7 --from - < new-key.txt"
)]
pub(super) struct Replace {
    /// The digital secret's id.
    #[arg(value_parser = id())]
    id: i64,
    /// A file with the new value; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// Why, for the record.
    #[arg(long, allow_hyphen_values = true, value_parser = reason)]
    reason: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Replace {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let with = match &self.from {
            Some(file) => Replacement::Given(Source::open(cx, file)?.only_value()?),
            None => Replacement::Next,
        };
        let replaced =
            replace(&cx.parts.db, &cx.parts.random, &cx.parts.cipher, self.id, &with, self.reason.as_deref()).await?;
        update_availability(&cx.parts.db, config).await?;
        if self.json {
            return cx.output.json(&replaced);
        }
        let (old, new) = (replaced.voided_value_id, replaced.value_id);
        cx.output.line(&format!("digital secret {} has value {new} now; value {old} is void", self.id))
    }
}

/// Take a value out of its pool before anybody gets it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa digital-secrets values agora-sans --state available
  stoa digital-secrets void 31 --reason 'Withdrawn by the vendor' --json")]
pub(super) struct Void {
    /// The value's id, as `stoa digital-secrets values` shows it.
    #[arg(value_name = "VALUE_ID", value_parser = id())]
    id: i64,
    /// Why, for the record.
    #[arg(long, allow_hyphen_values = true, value_parser = reason)]
    reason: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Void {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        void(&cx.parts.db, self.id, self.reason.as_deref()).await?;
        update_availability(&cx.parts.db, config).await?;
        if self.json {
            let value = cx.parts.db.read(queries::FIND_VALUE).bind(self.id).one::<ListedValue>().await?;
            return cx.output.json(&value);
        }
        cx.output.line(&format!("value {} is void", self.id))
    }
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > LONGEST_REASON || text.chars().any(char::is_control) {
        return Err(format!("a reason has 1 to {LONGEST_REASON} characters, without control characters"));
    }
    Ok(text.to_owned())
}

//! `stoa order note`.

use clap::Args;
use stoa_core::orders::{MAX_NOTE, OrderNumber, note_on_order, stored_note};

use super::show::print_changed;
use super::{Context, open, unknown};
use crate::failure::Failure;

/// Write a note into an order's history; customers do not see it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa order note O-000042 'Called: wants it after Easter.'
  stoa order note 42 'Called again.' --json")]
pub(super) struct Note {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// The note.
    #[arg(allow_hyphen_values = true, value_parser = text)]
    text: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Note {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        if !note_on_order(&parts.db, number, &self.text).await? {
            return Err(unknown(number));
        }
        print_changed(
            &parts.db,
            &parts.money,
            number,
            self.json,
            &format!("the note stands in the history of order {number}"),
        )
        .await
    }
}

fn text(text: &str) -> Result<String, String> {
    stored_note(text).ok_or_else(|| {
        format!("a note has 1 to {MAX_NOTE} characters, without control characters other than line breaks and tabs")
    })
}

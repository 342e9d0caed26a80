//! `stoa payment`: what was paid and how, and what providers have told.

mod argument;
mod callbacks;
mod list;
mod reconcile;
mod show;

use clap::Args;
use stoa_core::suggestion::no_such;
use stoa_kernel::gateways::GatewayTable;

use super::Context;
use super::commands::{Commands, Group, actions};
use super::order::open;
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("payment", Group::Selling, Payment::run);
}

/// Look at payments, and ask providers about them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa payment list --status pending
  stoa payment show O-000042
  stoa payment reconcile O-000042
  stoa payment callbacks --state unmatched")]
pub(super) struct Payment {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Payment:
    List(list::List),
    Show(show::Show),
    Reconcile(reconcile::Reconcile),
    Callbacks(callbacks::Callbacks),
}

/// Refuses a gateway that the program does not contain and that nothing was found of: rows stay when a gateway is gone.
fn refuse_unknown(gateways: &GatewayTable, asked: Option<&str>, found: usize) -> Result<(), Failure> {
    match asked.filter(|asked| found == 0 && gateways.find(asked).is_none()) {
        Some(unknown) => Err(Failure::usage(format!("--gateway: {}", no_such("gateway", unknown, gateways.known())))),
        None => Ok(()),
    }
}

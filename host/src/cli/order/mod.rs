//! `stoa order`: what was sold, and what the operator does about it.

mod cancel;
mod list;
mod mark_paid;
mod note;
mod refund;
mod reviewed;
mod ship;
mod show;

use clap::Args;
use stoa_core::orders::OrderNumber;
use stoa_kernel::from_shop::ShopParts;

use super::Context;
use super::commands::{Commands, Group, actions};
use super::serve::base_url;
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("order", Group::Selling, Order::run);
}

/// Manage orders.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa order list --status pending
  stoa order show O-000042
  stoa order mark-paid O-000042
  stoa order ship O-000042 --tracking 3SABC1234567
  stoa order refund O-000042 --line 77:1 --reason 'The glass was broken'
  stoa order cancel O-000043")]
pub(super) struct Order {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Order:
    List(list::List),
    Show(show::Show),
    Cancel(cancel::Cancel),
    MarkPaid(mark_paid::MarkPaid),
    Ship(ship::Ship),
    Refund(refund::Refund),
    Note(note::Note),
    Reviewed(reviewed::Reviewed),
}

/// What commands about orders work with.
pub(in crate::cli) async fn open(context: &Context) -> Result<ShopParts, Failure> {
    let installation = context.working()?;
    let db = installation.open_current().await?;
    let base_url = base_url(&installation.config, installation.config.server.listen);
    installation.parts(db, &base_url).await
}

fn unknown(number: OrderNumber) -> Failure {
    Failure::operation(format!("there is no order {number}; `stoa order list` shows all"))
}

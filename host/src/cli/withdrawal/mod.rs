//! `stoa withdrawal`: customers who withdraw from an order, and what the shop says about it.

mod accept;
mod decide;
mod list;

use clap::Args;
use stoa_core::withdrawals::{WithdrawalChangeError, WithdrawalRecord};

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

pub(super) fn register(commands: &mut Commands) {
    commands.add("withdrawal", Group::Selling, Withdrawal::run);
}

/// Decide about customers who withdraw from an order.
#[derive(Debug, Args)]
#[command(
    after_help = "Customers declare withdrawals in the shop where `shop.consumer_rights = \"eu\"` is set. The money goes back within 14 days.

Examples:
  stoa withdrawal list --status declared
  stoa withdrawal show W-000007
  stoa withdrawal accept W-000007 --refund
  stoa withdrawal refuse W-000007 --reason 'The seal of the software was broken'
  stoa withdrawal complete W-000007"
)]
pub(super) struct Withdrawal {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Withdrawal:
    List(list::List),
    Show(list::Show),
    Accept(accept::Accept),
    Refuse(decide::Refuse),
    Complete(decide::Complete),
}

/// Prints what became of a withdrawal.
fn print_withdrawal(record: &WithdrawalRecord, json: bool, told: &str) -> Result<(), Failure> {
    if json { print_json(&record.to_json()?) } else { print_line(told) }
}

/// What the operator can do about a refused change.
fn refused(error: WithdrawalChangeError) -> Failure {
    match error {
        WithdrawalChangeError::Unknown(_) => Failure::operation(format!("{error}; `stoa withdrawal list` shows all")),
        WithdrawalChangeError::State { number, .. } => {
            Failure::operation(format!("{error}; `stoa withdrawal show {number}` tells more"))
        }
        WithdrawalChangeError::PartOfUnpaid(order) => Failure::operation(format!(
            "{error}: cancel it with `stoa order cancel {order}`, or accept the withdrawal when the order is paid"
        )),
        WithdrawalChangeError::AlreadyRefunded(_) => Failure::operation(format!("{error}; nothing more goes back")),
        WithdrawalChangeError::Send(_) => Failure::operation(format!(
            "the refund is pending: {}. The job `payments.reconcile` asks again; do not refund the same again",
            stoa_core::error_chain(&error)
        )),
        WithdrawalChangeError::Cancel { .. }
        | WithdrawalChangeError::NotRefunded(_)
        | WithdrawalChangeError::Reserve(_)
        | WithdrawalChangeError::Db(_) => error.into(),
    }
}

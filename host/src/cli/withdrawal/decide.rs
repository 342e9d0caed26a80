//! `stoa withdrawal refuse` and `complete`.

use clap::Args;
use stoa_core::from_shop::FromShop;
use stoa_core::mail::Mailer;
use stoa_core::withdrawals::{
    CompleteWhen, MAX_REFUSAL, WithdrawalChangeError, WithdrawalNumber, complete_withdrawal, refuse_withdrawal,
};

use super::{Context, print_withdrawal, refused};
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::print_remark;

/// Refuse a withdrawal; the customer is told by mail.
#[derive(Debug, Args)]
#[command(
    after_help = "What it was about may be withdrawn again, and digital goods that were held because of it are delivered.

Examples:
  stoa withdrawal refuse W-000007 --reason 'The period had ended on 3 July'
  stoa withdrawal refuse 7 --json"
)]
pub(super) struct Refuse {
    /// The withdrawal's number or id.
    #[arg(value_name = "WITHDRAWAL")]
    number: WithdrawalNumber,
    /// Why; the customer reads it. Give one whenever you can.
    #[arg(long, allow_hyphen_values = true, value_parser = reason)]
    reason: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Refuse {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        let mailer = Mailer::from_shop(&parts);
        let record = refuse_withdrawal(&parts.db, &mailer, number, self.reason.as_deref()).await.map_err(refused)?;
        let is_told = mailer.is_configured() && record.customer_email.is_some();
        let told = if is_told { "the customer is told by mail" } else { "nobody is told" };
        print_withdrawal(&record, self.json, &format!("withdrawal {number} is refused; {told}"))
    }
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=MAX_REFUSAL).contains(&text.chars().count()) && !text.contains(char::is_control);
    let expected = || format!("a reason has 1 to {MAX_REFUSAL} characters, without control characters");
    fits.then(|| text.to_owned()).ok_or_else(expected)
}

/// Complete an accepted withdrawal: money and goods are back.
#[derive(Debug, Args)]
#[command(
    after_help = "Subscriptions, services and downloads that it was about and that no refund has ended are over with it. Where the money has not gone
back with a refund of the units, you are told; `--without-refund` says that this is meant.

Examples:
  stoa withdrawal complete W-000007
  stoa withdrawal complete 7 --without-refund --json"
)]
pub(super) struct Complete {
    /// The withdrawal's number or id.
    #[arg(value_name = "WITHDRAWAL")]
    number: WithdrawalNumber,
    /// The money has gone back otherwise than by a refund of the units.
    #[arg(long)]
    without_refund: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Complete {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let when = if self.without_refund { CompleteWhen::Anyhow } else { CompleteWhen::Refunded };
        let record = match complete_withdrawal(&db, self.number, when).await {
            Err(WithdrawalChangeError::NotRefunded(number)) => {
                let record = complete_withdrawal(&db, number, CompleteWhen::Anyhow).await.map_err(refused)?;
                let order = &record.withdrawal.order_number;
                print_remark(&format!(
                    "note: the money for withdrawal {number} has not gone back; \
                     `stoa order refund {order} --amount AMOUNT --reason '…'` sends it"
                ));
                record
            }
            completed => completed.map_err(refused)?,
        };
        print_withdrawal(&record, self.json, &format!("withdrawal {} is completed", self.number))
    }
}

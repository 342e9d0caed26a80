//! `stoa withdrawal accept`.

use clap::Args;
use stoa_core::commands::Progress;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::RefundStatus;
use stoa_core::refunds::{RefundRecord, ReserveRefundError};
use stoa_core::withdrawals::{
    WithdrawalChangeError, WithdrawalNumber, WithdrawalRecord, accept_withdrawal, refund_withdrawal,
};
use stoa_kernel::from_shop::ShopParts;

use super::{Context, refused};
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Accept a withdrawal, and send the money back.
#[derive(Debug, Args)]
#[command(
    after_help = "An order that is not paid is cancelled. For one that is paid, `--refund` sends back what was paid for the units, through the
gateway that it came through, with a credit note; what is left of the shipping costs goes along when nothing that was sent stays with the
customer. It may be given later as well, when the goods are back: the money goes back once. To send back less, because goods came back
damaged, use `stoa order refund` instead.

Examples:
  stoa withdrawal accept W-000007
  stoa withdrawal accept W-000007 --refund
  stoa withdrawal accept 7 --refund --json"
)]
pub(super) struct Accept {
    /// The withdrawal's number or id.
    #[arg(value_name = "WITHDRAWAL")]
    number: WithdrawalNumber,
    /// Send the money back.
    #[arg(long)]
    refund: bool,
    /// Print the withdrawal, with the refund if there is one, as JSON.
    #[arg(long)]
    json: bool,
}

impl Accept {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        let record = accept_withdrawal(&FromShop::from_shop(&parts), number).await.map_err(refused)?;
        let refund = if self.refund { self.send_back(&parts).await? } else { None };
        if self.json {
            let mut shown = record.to_json()?;
            shown["refund_id"] = refund.as_ref().map(|refund| refund.refund.id).or(record.refund_id).into();
            shown["refund"] = refund.as_ref().map(RefundRecord::to_json).transpose()?.into();
            return print_json(&shown);
        }
        print_line(&told(&record, self.refund, refund.as_ref(), &parts))
    }

    /// The refund; none when nothing was paid.
    async fn send_back(&self, parts: &ShopParts) -> Result<Option<RefundRecord>, Failure> {
        let number = self.number;
        let progress = Progress::begin("sending money back");
        let sent = refund_withdrawal(&FromShop::from_shop(parts), number).await;
        drop(progress);
        match sent {
            Ok(record) if record.refund.status == RefundStatus::Failed => {
                let reason = record.refund.last_error.as_deref().unwrap_or("it gave no reason");
                Err(Failure::operation(format!(
                    "withdrawal {number} is accepted, but its refund failed, and no money went back: {reason}; \
                     `stoa withdrawal accept {number} --refund` tries again"
                )))
            }
            Ok(record) => Ok(Some(record)),
            Err(WithdrawalChangeError::Reserve(ReserveRefundError::NotPaid | ReserveRefundError::Worthless)) => {
                Ok(None)
            }
            Err(error) => Err(refused(error)),
        }
    }
}

fn told(record: &WithdrawalRecord, asked: bool, refund: Option<&RefundRecord>, parts: &ShopParts) -> String {
    let (number, order) = (&record.withdrawal.number, &record.withdrawal.order_number);
    let Some(refund) = refund else {
        return if asked {
            format!("withdrawal {number} is accepted; nothing was paid for it, so nothing goes back")
        } else {
            format!(
                "withdrawal {number} of order {order} is accepted; `stoa withdrawal accept {number} --refund` sends back what was \
                 paid, and `stoa withdrawal complete {number}` ends it"
            )
        };
    };
    let amount = parts.money.format_in(refund.refund.amount, &refund.refund.currency);
    let gateway = &refund.refund.gateway;
    let note = refund.credit_note.as_ref().map(|note| format!(", credit note {}", note.credit_note.number));
    if refund.refund.status == RefundStatus::Pending {
        format!("withdrawal {number} is accepted; {amount} of order {order} are on their way back through {gateway}")
    } else {
        let note = note.unwrap_or_default();
        format!("withdrawal {number} is accepted; {amount} of order {order} went back through {gateway}{note}")
    }
}

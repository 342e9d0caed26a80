//! `stoa order refund`.

use clap::{ArgGroup, Args};
use stoa_core::gateways::RefundStatus;
use stoa_core::orders::OrderNumber;
use stoa_core::refunds::{
    MAX_REASON, NewRefund, RefundLine, RefundOrderError, RefundRecord, RefundScope, ReserveRefundError,
    SendRefundError, refund_order,
};
use stoa_core::services::Services;

use super::ship::Line;
use super::{Context, open, unknown};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Send money of an order back through the gateway that it came through, with a credit note.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).multiple(true).args(["amount", "lines", "shipping"]),
    after_help = "With `--line`, what was paid for these units goes back, discount and tax considered, and their goods are taken back.
Items have the ids that `stoa order show` prints first. `--shipping` sends back what is left of the shipping costs. With
`--amount`, any part of what is left goes back, spread over everything; goods are taken back once nothing is left.

When the provider refuses, nothing has happened. When nobody knows whether it did what it was asked for, the refund stays
pending, and the job `payments.reconcile` asks again: do not refund the same again.

Examples:
  stoa order refund O-000042 --line 77:1 --reason 'The glass was broken'
  stoa order refund 42 --line 77:1 --line 78:2 --shipping --reason 'Sent back' --json
  stoa order refund 42 --amount 500 --reason 'It came late'"
)]
pub(super) struct Refund {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// An amount in minor units.
    #[arg(long, value_name = "MINOR", conflicts_with_all = ["lines", "shipping"],
          value_parser = clap::value_parser!(i64).range(1..))]
    amount: Option<i64>,
    /// Units of an item; may be repeated.
    #[arg(long = "line", value_name = "ITEM:QUANTITY")]
    lines: Vec<Line>,
    /// What is left of the shipping costs.
    #[arg(long)]
    shipping: bool,
    /// Why; the customer reads it on the credit note.
    #[arg(long, allow_hyphen_values = true, value_parser = reason)]
    reason: String,
    /// Print the refund with its credit note as JSON.
    #[arg(long)]
    json: bool,
}

impl Refund {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (services, number) = (open(context).await?, self.number);
        let new = NewRefund { order_id: number.id(), scope: self.scope(), reason: self.reason.clone() };
        let record = refund_order(&services, &new).await.map_err(|error| refused(&services, number, error))?;
        if record.refund.status == RefundStatus::Failed {
            let reason = record.refund.last_error.as_deref().unwrap_or("it gave no reason");
            return Err(Failure::operation(format!(
                "the refund of order {number} failed, and no money went back: {reason}"
            )));
        }
        if self.json { print_json(&record.to_json()?) } else { print_line(&told(&services, number, &record)) }
    }

    fn scope(&self) -> RefundScope {
        if let Some(amount) = self.amount {
            return RefundScope::Amount(amount);
        }
        let lines = self.lines.iter().map(|line| line.0);
        let lines = lines.map(|line| RefundLine { item_id: line.item_id, quantity: line.quantity }).collect();
        RefundScope::Lines { lines, shipping: self.shipping }
    }
}

fn told(services: &Services, number: OrderNumber, record: &RefundRecord) -> String {
    let refund = &record.refund;
    let amount = services.money.format(refund.amount);
    if refund.status == RefundStatus::Pending {
        return format!(
            "{amount} of order {number} are on their way back through {} as refund {}; the credit note follows when the \
             provider says that it is done",
            refund.gateway, refund.id
        );
    }
    let note = record.credit_note.as_ref().map(|note| format!(", credit note {}", note.credit_note.number));
    let note = note.unwrap_or_else(|| String::from("; it has no credit note, because the invoice is void"));
    format!("{amount} of order {number} went back through {} as refund {}{note}", refund.gateway, refund.id)
}

fn refused(services: &Services, number: OrderNumber, error: RefundOrderError) -> Failure {
    match error {
        RefundOrderError::Reserve(ReserveRefundError::NotFound) => unknown(number),
        RefundOrderError::Reserve(ReserveRefundError::NotPaid) => {
            Failure::operation(format!("nothing was paid for order {number}, so nothing can go back"))
        }
        RefundOrderError::Reserve(ReserveRefundError::NothingLeft) => Failure::operation(format!(
            "everything that was paid for order {number} has gone back or is on its way back; \
             `stoa order show {number}` shows its refunds"
        )),
        RefundOrderError::Reserve(ReserveRefundError::UnknownItem(item_id)) => Failure::operation(format!(
            "order {number} has no item {item_id}; `stoa order show {number}` shows its items"
        )),
        RefundOrderError::Reserve(ReserveRefundError::RepeatedItem(item_id)) => {
            Failure::usage(format!("--line: item {item_id} is named twice; name it once with all its units"))
        }
        RefundOrderError::Reserve(ReserveRefundError::Amount(stoa_core::pricing::RefundError::TooMuch {
            remaining_amount,
        })) => Failure::operation(format!(
            "only {} of order {number} are left to refund ({remaining_amount} in minor units)",
            services.money.format(remaining_amount)
        )),
        RefundOrderError::Send(SendRefundError::Unknown(reason)) => Failure::operation(format!(
            "nobody knows whether the refund of order {number} went through: {reason}. It stays pending, and the job \
             `payments.reconcile` asks again; do not refund the same again"
        )),
        RefundOrderError::Send(error) => Failure::operation(format!(
            "the refund of order {number} is pending: {}. The job `payments.reconcile` asks again; do not refund the \
             same again",
            stoa_core::error_chain(&error)
        )),
        RefundOrderError::Reserve(error) => error.into(),
    }
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=MAX_REASON).contains(&text.chars().count()) && !text.contains(char::is_control);
    let expected = || format!("a reason has 1 to {MAX_REASON} characters, without control characters");
    fits.then(|| text.to_owned()).ok_or_else(expected)
}

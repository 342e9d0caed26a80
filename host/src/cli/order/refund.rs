//! `stoa order refund`.

use std::str::FromStr;

use clap::{ArgGroup, Args};
use stoa_core::commands::Progress;
use stoa_core::db::Db;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::RefundStatus;
use stoa_core::money::{Currency, MoneyFormatter, format_decimal_amount};
use stoa_core::orders::{OrderNumber, find_order};
use stoa_core::refunds::{
    MAX_REASON, NewRefund, RefundLine, RefundLineResource, RefundOrderError, RefundRecord, RefundScope,
    ReserveRefundError, SendRefundError, UnitError, refund_order,
};

use super::ship::Line;
use super::{Context, open, unknown};
use crate::cli::amount::TypedAmount;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Send money of an order back through the gateway that it came through, with a credit note.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).multiple(true).args(["amount", "lines", "shipping"]),
    after_help = "With `--line`, what was paid for these units goes back, discount and tax considered, and their goods are taken back.
Items have the ids that `stoa order show` prints first. Units that nobody has used are taken first, such as tickets that were not
checked in and files that were not fetched, the highest number first; `--unit` names others, all or none of a line's. The answer
says which ones they are. `--shipping` sends back what is left of the shipping costs. With
`--amount`, any part of what is left goes back, spread over everything; goods are taken back once nothing is left.

When the provider refuses, nothing has happened. When nobody knows whether it did what it was asked for, the refund stays
pending, and the job `payments.reconcile` asks again: do not refund the same again.

Examples:
  stoa order refund O-000042 --line 77:1 --reason 'The glass was broken'
  stoa order refund 42 --line 77:2 --unit 77:1 --unit 77:3 --reason 'They stay at home'
  stoa order refund 42 --line 77:1 --line 78:2 --shipping --reason 'Sent back' --json
  stoa order refund 42 --amount 5.00 --reason 'It came late'"
)]
pub(super) struct Refund {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// An amount, such as 5.00; a whole number counts the smallest unit: 500 is 5.00 as well.
    #[arg(long, value_name = "AMOUNT", conflicts_with_all = ["lines", "shipping"], allow_negative_numbers = true)]
    amount: Option<TypedAmount>,
    /// Units of an item; may be repeated.
    #[arg(long = "line", value_name = "ITEM:QUANTITY")]
    lines: Vec<Line>,
    /// A unit of an item of `--line`, from 1 on; may be repeated.
    #[arg(long = "unit", value_name = "ITEM:UNIT", requires = "lines")]
    units: Vec<NamedUnit>,
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
        let scope = self.scope(&context.working()?.program.money)?;
        let (parts, number) = (open(context).await?, self.number);
        let new = NewRefund { order_id: number.id(), scope, reason: self.reason.clone() };
        let progress = Progress::begin("sending money back");
        let sent = refund_order(&FromShop::from_shop(&parts), &new).await;
        drop(progress);
        let record = match sent {
            Ok(record) => record,
            Err(error) => return Err(refused(&parts.db, parts.currency, &parts.money, number, error).await),
        };
        if record.refund.status == RefundStatus::Failed {
            let reason = record.refund.last_error.as_deref().unwrap_or("it gave no reason");
            return Err(Failure::operation(format!(
                "the refund of order {number} failed, and no money went back: {reason}"
            )));
        }
        if self.json {
            return print_json(&record.to_json()?);
        }
        let mut lines = vec![describe(&parts.money, number, &record)];
        lines.extend(record.items.iter().filter_map(told_units));
        print_line(&lines.join("\n"))
    }

    fn scope(&self, money: &MoneyFormatter) -> Result<RefundScope, Failure> {
        if let Some(amount) = &self.amount {
            return Ok(RefundScope::Amount(amount.read_positive("--amount", money)?));
        }
        let lines = self.lines.iter().map(|line| line.0);
        let lines = lines.map(|line| RefundLine {
            item_id: line.item_id,
            quantity: line.quantity,
            units: self.units.iter().filter(|named| named.item_id == line.item_id).map(|named| named.unit).collect(),
        });
        let lines = lines.collect::<Vec<_>>();
        for NamedUnit { item_id, .. } in &self.units {
            if !lines.iter().any(|line| line.item_id == *item_id) {
                return Err(Failure::usage(format!(
                    "--unit: item {item_id} is in no --line; say with --line {item_id}:QUANTITY how many go back"
                )));
            }
        }
        Ok(RefundScope::Lines { lines, shipping: self.shipping })
    }
}

/// A unit of an item as operators write it.
#[derive(Debug, Clone, Copy)]
struct NamedUnit {
    item_id: i64,
    unit: i64,
}

impl FromStr for NamedUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || String::from("an item's id and the number of one of its units, from 1 on, such as 77:2");
        let (item_id, unit) = text.split_once(':').ok_or_else(expected)?;
        let number = |text: &str| text.trim().parse::<i64>().ok().filter(|number| *number > 0).ok_or_else(expected);
        Ok(Self { item_id: number(item_id)?, unit: number(unit)? })
    }
}

fn describe(money: &MoneyFormatter, number: OrderNumber, record: &RefundRecord) -> String {
    let refund = &record.refund;
    let amount = money.format_in(refund.amount, &refund.currency);
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

/// Which units of an item a refund has taken; nothing where it took none.
fn told_units(item: &RefundLineResource) -> Option<String> {
    let RefundLineResource { units, used_units, order_line_id, label, .. } = item;
    let taken = format!("taken: {} of item {order_line_id} ({label})", numbered(units)?);
    Some(match numbered(used_units) {
        None => taken,
        Some(used) => format!("{taken}; {used} had been used"),
    })
}

fn numbered(units: &[i64]) -> Option<String> {
    let (last, before) = units.split_last()?;
    if before.is_empty() {
        return Some(format!("unit {last}"));
    }
    let before = before.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    Some(format!("units {before} and {last}"))
}

async fn refused(
    db: &Db,
    shop_currency: Currency,
    money: &MoneyFormatter,
    number: OrderNumber,
    error: RefundOrderError,
) -> Failure {
    match error {
        RefundOrderError::Reserve(ReserveRefundError::NotFound) => unknown(number),
        RefundOrderError::Reserve(ReserveRefundError::NotPaid) => Failure::operation(format!(
            "nothing was paid for order {number}, so nothing can go back; `stoa order cancel {number}` ends one that is not paid"
        )),
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
        RefundOrderError::Reserve(ReserveRefundError::Units {
            item_id,
            error: error @ (UnitError::Repeated(_) | UnitError::Count { .. }),
        }) => Failure::usage(format!("--unit: item {item_id}: {error}")),
        RefundOrderError::Reserve(ReserveRefundError::Amount(stoa_core::pricing::RefundError::TooMuch {
            remaining_amount,
        })) => match find_order(db, money, number.id()).await {
            Ok(record) => {
                let currency = record.map_or_else(String::new, |record| record.order.currency);
                let left = money.format_in(remaining_amount, &currency);
                let typed = format_decimal_amount(remaining_amount, shop_currency);
                Failure::operation(format!(
                    "only {left} of order {number} are left to refund: `--amount {typed}` sends all of it back"
                ))
            }
            Err(error) => error.into(),
        },
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

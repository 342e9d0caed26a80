//! `stoa payment show`.

use clap::Args;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{OrderAttempt, OrderRefund, details_of};
use stoa_core::payments::{CallbackRecord, PaymentRecord, callbacks_of};

use super::argument::PaymentArgument;
use super::{Context, open};
use crate::failure::Failure;
use crate::output::{print_json, print_members, print_part, shown_time};

/// Show a payment with its attempts, its refunds and what the providers told about it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa payment show O-000042
  stoa payment show 7 --json")]
pub(super) struct Show {
    /// The payment's id, or the number of its order.
    #[arg(value_name = "PAYMENT")]
    payment: PaymentArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let record = self.payment.find(&parts.db).await?;
        let details = details_of(&parts.db, record.payment.order_id).await?;
        let callbacks = callbacks_of(&parts.db, record.payment.order_id).await?;
        if self.json {
            let mut shown = record.to_json()?;
            shown["attempts"] = serde_json::to_value(&details.attempts)?;
            shown["refunds"] = serde_json::to_value(&details.refunds)?;
            shown["callbacks"] = serde_json::to_value(&callbacks)?;
            return print_json(&shown);
        }
        print_payment(&record, &parts.money)?;
        print_part("Attempts", details.attempts.iter().map(|attempt| attempt_line(attempt, &parts.money)))?;
        print_part("Refunds", details.refunds.iter().map(|refund| refund_line(refund, &parts.money)))?;
        print_part("Callbacks", callbacks.iter().map(callback_line))
    }
}

fn print_payment(record: &PaymentRecord, shop_money: &MoneyFormatter) -> Result<(), Failure> {
    let money = |amount: i64| shop_money.format_in(amount, &record.payment.currency);
    let nonzero = |amount: i64| (amount != 0).then(|| money(amount));
    let members = [
        ("payment", Some(record.payment.id.to_string())),
        ("order", Some(record.order_number().to_string())),
        ("status", Some(record.payment.status.as_str().to_owned())),
        ("amount", Some(money(record.payment.amount))),
        ("refunded", nonzero(record.payment.refunded_amount)),
        ("being refunded", nonzero(record.payment.refunding_amount)),
        ("gateway", record.payment.gateway.clone()),
        ("paid", record.payment.paid_at.map(shown_time)),
    ];
    print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

fn attempt_line(attempt: &OrderAttempt, money: &MoneyFormatter) -> String {
    let (time, amount) = (shown_time(attempt.created_at), money.format_in(attempt.amount, &attempt.currency));
    let gateway_attempt_id = attempt.gateway_attempt_id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    let next = attempt.next_check_at.map(|time| format!(", asked again at {}", shown_time(time))).unwrap_or_default();
    let error = attempt.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    format!("{time}  {} of {amount}, {}{gateway_attempt_id}{next}{error}", attempt.gateway, attempt.status)
}

fn refund_line(refund: &OrderRefund, money: &MoneyFormatter) -> String {
    let (time, amount) = (shown_time(refund.created_at), money.format_in(refund.amount, &refund.currency));
    let error = refund.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    format!("{time}  {amount} through {}, {} ({}){error}", refund.gateway, refund.status, refund.reason)
}

fn callback_line(callback: &CallbackRecord) -> String {
    let (time, state) = (shown_time(callback.received_at), callback.state.as_str());
    let reason = callback.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{time}  {} of {}, {state} ({}){reason}", callback.event_type, callback.gateway, callback.id)
}

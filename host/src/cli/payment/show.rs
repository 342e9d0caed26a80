//! `stoa payment show`.

use clap::Args;
use stoa_core::orders::{OrderAttempt, OrderRefund, details_of};
use stoa_core::payments::{CallbackRecord, PaymentRecord, callbacks_of};
use stoa_core::services::Services;

use super::chosen::Chosen;
use super::{Context, open};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_members, shown_time};

/// Show a payment with its attempts, its refunds and what the providers told about it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa payment show O-000042
  stoa payment show 7 --json")]
pub(super) struct Show {
    /// The payment's id, or the number of its order.
    #[arg(value_name = "PAYMENT")]
    payment: Chosen,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let services = open(context).await?;
        let record = self.payment.find(&services.db).await?;
        let details = details_of(&services.db, record.payment.order_id).await?;
        let callbacks = callbacks_of(&services.db, record.payment.order_id).await?;
        if self.json {
            let mut shown = record.to_json()?;
            shown["attempts"] = serde_json::to_value(&details.attempts)?;
            shown["refunds"] = serde_json::to_value(&details.refunds)?;
            shown["callbacks"] = serde_json::to_value(&callbacks)?;
            return print_json(&shown);
        }
        print_payment(&record, &services)?;
        print_part("Attempts", details.attempts.iter().map(|attempt| attempt_line(attempt, &services)))?;
        print_part("Refunds", details.refunds.iter().map(|refund| refund_line(refund, &services)))?;
        print_part("Callbacks", callbacks.iter().map(callback_line))
    }
}

fn print_payment(record: &PaymentRecord, services: &Services) -> Result<(), Failure> {
    let money = |amount: i64| services.money.format_in(amount, &record.payment.currency);
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

fn print_part(heading: &str, lines: impl Iterator<Item = String>) -> Result<(), Failure> {
    for (index, line) in lines.enumerate() {
        if index == 0 {
            print_line(&format!("\n{heading}:"))?;
        }
        print_line(&format!("  {line}"))?;
    }
    Ok(())
}

fn attempt_line(attempt: &OrderAttempt, services: &Services) -> String {
    let (time, amount) = (shown_time(attempt.created_at), services.money.format_in(attempt.amount, &attempt.currency));
    let provider_id = attempt.provider_id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    let next = attempt.next_check_at.map(|time| format!(", asked again at {}", shown_time(time))).unwrap_or_default();
    let error = attempt.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    format!("{time}  {} of {amount}, {}{provider_id}{next}{error}", attempt.gateway, attempt.status)
}

fn refund_line(refund: &OrderRefund, services: &Services) -> String {
    let (time, amount) = (shown_time(refund.created_at), services.money.format_in(refund.amount, &refund.currency));
    let error = refund.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    format!("{time}  {amount} through {}, {} ({}){error}", refund.gateway, refund.status, refund.reason)
}

fn callback_line(callback: &CallbackRecord) -> String {
    let (time, state) = (shown_time(callback.received_at), callback.state.as_str());
    let reason = callback.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{time}  {} of {}, {state} ({}){reason}", callback.event_type, callback.gateway, callback.id)
}

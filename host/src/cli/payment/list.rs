//! `stoa payment list`.

use clap::Args;
use stoa_core::money::MoneyFormatter;
use stoa_core::payments::{PaymentFilter, PaymentRecord, PaymentStatus, list_payments};

use super::{Context, open, refuse_unknown};
use crate::cli::list_options::ListOptions;
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::shown_time;

/// List payments, the newest first.
#[derive(Debug, Args)]
#[command(
    after_help = "A payment is what is owed for an order; it may be tried several times. `--gateway` finds those that were.

Examples:
  stoa payment list --status pending
  stoa payment list --gateway stripe --limit 50 --json"
)]
pub(super) struct List {
    /// Only those in this state.
    #[arg(long, value_parser = one_of(PaymentStatus::ALL, PaymentStatus::as_str))]
    status: Option<PaymentStatus>,
    /// Only those that came through this gateway, or were tried through it.
    #[arg(long, value_name = "GATEWAY")]
    gateway: Option<String>,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let filter = PaymentFilter { status: self.status, gateway: self.gateway.clone(), limit: self.options.limit };
        let records = list_payments(&parts.db, &filter).await?;
        refuse_unknown(&parts.gateways, self.gateway.as_deref(), records.len())?;
        let head = ["ID", "ORDER", "STATUS", "AMOUNT", "REFUNDED", "GATEWAY", "LAST ATTEMPT", "PLACED", "PAID"];
        self.options.print(
            &records,
            PaymentRecord::to_json,
            &head,
            |record| row(record, &parts.money),
            "each order that costs something has a payment",
        )
    }
}

fn row(record: &PaymentRecord, shop_money: &MoneyFormatter) -> Vec<String> {
    let attempt = match (&record.attempt_gateway, &record.attempt_status) {
        (Some(gateway), Some(status)) => format!("{gateway}: {status}"),
        _ => String::from("none"),
    };
    let money = |amount: i64| shop_money.format_in(amount, &record.payment.currency);
    vec![
        record.payment.id.to_string(),
        record.order_number().to_string(),
        record.payment.status.as_str().to_owned(),
        money(record.payment.amount),
        if record.payment.refunded_amount == 0 { String::new() } else { money(record.payment.refunded_amount) },
        record.payment.gateway.clone().unwrap_or_default(),
        attempt,
        shown_time(record.created_at),
        record.payment.paid_at.map(shown_time).unwrap_or_default(),
    ]
}

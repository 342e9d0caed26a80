//! `stoa payment list`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use stoa_core::payments::{PaymentFilter, PaymentRecord, PaymentStatus, list_payments};
use stoa_core::services::Services;

use super::{Context, open};
use crate::failure::Failure;
use crate::output::{print_json_list, print_table, shown_time};

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
    #[arg(long, value_parser = status())]
    status: Option<PaymentStatus>,
    /// Only those that came through this gateway, or were tried through it.
    #[arg(long, value_name = "GATEWAY")]
    gateway: Option<String>,
    /// At most this many. Default: all.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let services = open(context).await?;
        let filter = PaymentFilter { status: self.status, gateway: self.gateway.clone(), limit: self.limit };
        let records = list_payments(&services.db, &filter).await?;
        if self.json {
            let described = records.iter().map(PaymentRecord::to_json).collect::<Result<Vec<_>, _>>()?;
            return print_json_list(&described);
        }
        let head = ["ID", "ORDER", "STATUS", "AMOUNT", "REFUNDED", "GATEWAY", "LAST ATTEMPT", "PLACED", "PAID"];
        print_table(&head, records.iter().map(|record| row(record, &services)))
    }
}

fn row(record: &PaymentRecord, services: &Services) -> Vec<String> {
    let attempt = match (&record.attempt_gateway, &record.attempt_status) {
        (Some(gateway), Some(status)) => format!("{gateway}: {status}"),
        _ => String::from("none"),
    };
    vec![
        record.id.to_string(),
        record.order_number().to_string(),
        record.status.as_str().to_owned(),
        services.money.format(record.amount),
        if record.refunded_amount == 0 { String::new() } else { services.money.format(record.refunded_amount) },
        record.gateway.clone().unwrap_or_default(),
        attempt,
        shown_time(record.created_at),
        record.paid_at.map(shown_time).unwrap_or_default(),
    ]
}

fn status() -> impl TypedValueParser<Value = PaymentStatus> {
    PossibleValuesParser::new(PaymentStatus::ALL.iter().map(|status| status.as_str())).try_map(PaymentStatus::try_from)
}

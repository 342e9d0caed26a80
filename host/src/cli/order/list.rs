//! `stoa order list`.

use clap::Args;
use stoa_core::orders::{OrderFilter, OrderNumber, OrderRecord, OrderStatus, list_orders};
use stoa_core::payments::PaymentStatus;

use super::{Context, open};
use crate::cli::list_options::{ListOptions, OfCustomer};
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::shown_time;

/// List orders, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "The next page begins after the last order of this one: give its id or number to `--after`.

Examples:
  stoa order list --status pending
  stoa order list --customer ada@example.com --json
  stoa order list --search INV-2026-000042
  stoa order list --to-pack
  stoa order list --review
  stoa order list --limit 50 --after O-000951")]
pub(super) struct List {
    /// Only those with this number, invoice or tracking number, or with this in a name or e-mail address; from its beginning in
    /// a large shop.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Only those in this state.
    #[arg(long, value_parser = one_of(OrderStatus::ALL, OrderStatus::as_str))]
    status: Option<OrderStatus>,
    #[command(flatten)]
    of: OfCustomer,
    /// Only those that need a look of yours.
    #[arg(long)]
    review: bool,
    /// Only those that are paid, and of which something is still to be sent.
    #[arg(long)]
    to_pack: bool,
    /// Only those that were placed before this one: its id or number.
    #[arg(long, value_name = "ORDER")]
    after: Option<OrderNumber>,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let customer_id = self.of.id(&parts.db).await?;
        let filter = OrderFilter {
            text: self.search.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned),
            status: self.status,
            customer_id,
            needs_review: self.review,
            to_pack: self.to_pack,
            after: self.after,
            limit: self.options.limit,
        };
        let records = list_orders(&parts.db, &parts.money, &filter).await?;
        let head = ["NUMBER", "STATUS", "PAYMENT", "SHIPPING", "TOTAL", "CUSTOMER", "PLACED", "REVIEW"];
        self.options.print(&records, OrderRecord::to_json, &head, row, "orders appear here once somebody buys")
    }
}

fn row(record: &OrderRecord) -> Vec<String> {
    let order = &record.order;
    vec![
        order.number.clone(),
        order.status.as_str().to_owned(),
        order.payment_status.map_or("none", PaymentStatus::as_str).to_owned(),
        order.fulfillment_status.as_str().to_owned(),
        order.total_formatted.clone(),
        record.customer_email.clone().unwrap_or_else(|| record.customer_id.to_string()),
        shown_time(order.created_at),
        record.review_reason.clone().unwrap_or_default(),
    ]
}

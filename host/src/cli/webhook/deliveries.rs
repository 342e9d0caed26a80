//! `stoa webhook deliveries` and `stoa webhook show-delivery`.

use chrono::{DateTime, Utc};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::db::Db;
use stoa_core::suggestion::no_such;
use stoa_core::webhooks::{
    DeliveryFilter, DeliveryState, RecordedAttempt, attempts_of, find_delivery, list_deliveries, list_endpoints,
};

use super::{Context, describe_delivery, no_delivery, refuse_unknown, time_or};
use crate::cli::jobs::{end, time};
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_list, print_members, print_remark, shown_time};

/// Deliveries that a table shows unless another number is asked for.
const SHOWN: i64 = 50;

/// List deliveries, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa webhook deliveries
  stoa webhook deliveries --state dead_letter --since 2027-01-31
  stoa webhook deliveries --endpoint 1 --event order.paid --json")]
pub(super) struct Deliveries {
    #[command(flatten)]
    filter: Filter,
    /// Only those in this state.
    #[arg(long, value_parser = one_of(&DeliveryState::ALL, DeliveryState::as_str))]
    state: Option<DeliveryState>,
    /// How many at most. Default: 50 in a table, all as JSON.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..))]
    limit: Option<i64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Which deliveries are meant.
#[derive(Debug, Args)]
pub(super) struct Filter {
    /// Only those to this endpoint.
    #[arg(long, value_name = "ID")]
    pub(super) endpoint: Option<i64>,
    /// Only those of this type, such as order.paid.
    #[arg(long, value_parser = super::event)]
    pub(super) event: Option<String>,
    /// Only those of events from then on: RFC 3339, or a day, which begins at midnight UTC.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) since: Option<DateTime<Utc>>,
    /// Only those of events before then, or up to the end of this day (UTC).
    #[arg(long, value_name = "TIME", value_parser = end)]
    pub(super) until: Option<DateTime<Utc>>,
}

impl Filter {
    pub(super) fn with(&self, state: Option<DeliveryState>) -> DeliveryFilter {
        DeliveryFilter {
            state,
            endpoint_id: self.endpoint,
            event: self.event.clone(),
            since: self.since,
            until: self.until,
            before_id: None,
        }
    }

    /// Whether it says anything.
    pub(super) fn is_blank(&self) -> bool {
        self.endpoint.is_none() && self.event.is_none() && self.since.is_none() && self.until.is_none()
    }
}

/// Refuses an endpoint that there is not, unless deliveries to it are still known.
pub(super) async fn refuse_unknown_endpoint(db: &Db, id: Option<i64>) -> Result<(), Failure> {
    let Some(id) = id else { return Ok(()) };
    let endpoints = list_endpoints(db).await?;
    if endpoints.iter().any(|endpoint| endpoint.id == id) {
        return Ok(());
    }
    let filter = DeliveryFilter { endpoint_id: Some(id), ..DeliveryFilter::default() };
    if !list_deliveries(db, &filter, 1).await?.is_empty() {
        return Ok(());
    }
    let known = endpoints.iter().map(|endpoint| endpoint.id.to_string()).collect::<Vec<_>>();
    Err(Failure::usage(format!(
        "--endpoint: {}",
        no_such("endpoint", &id.to_string(), known.iter().map(String::as_str))
    )))
}

impl Deliveries {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        refuse_unknown(&installation.program, self.filter.event.iter())?;
        let db = installation.open_current().await?;
        refuse_unknown_endpoint(&db, self.filter.endpoint).await?;
        let limit = self.limit.unwrap_or(if self.json { i64::MAX } else { SHOWN });
        let deliveries = list_deliveries(&db, &self.filter.with(self.state), limit).await?;
        if self.json {
            return print_json_list(&deliveries.iter().map(describe_delivery).collect::<Vec<_>>());
        }
        let rows = deliveries.iter().map(|delivery| {
            vec![
                delivery.delivery_id.clone(),
                delivery.endpoint_id.to_string(),
                delivery.event.clone(),
                delivery.state.as_str().to_owned(),
                delivery.attempts.to_string(),
                time_or(delivery.next_attempt_at, ""),
                shown_time(delivery.created_at),
                delivery.last_error.clone().unwrap_or_default(),
            ]
        });
        print_list(
            &["ID", "ENDPOINT", "EVENT", "STATE", "ATTEMPTS", "NEXT", "CREATED", "LAST ERROR"],
            rows,
            "events are sent to the endpoints of `stoa webhook list`, as they happen",
        )?;
        if i64::try_from(deliveries.len()).unwrap_or(i64::MAX) == limit {
            print_remark("stoa: there may be more; `--limit` shows them");
        }
        Ok(())
    }
}

/// Show one delivery with its body and its attempts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa webhook show-delivery 0b6ee8a4-6ff3-4ce5-a1a1-3a3fe6aa6c9c
  stoa webhook show-delivery 0b6ee8a4-6ff3-4ce5-a1a1-3a3fe6aa6c9c --json")]
pub(super) struct ShowDelivery {
    /// The delivery's id: the value of X-Service-Delivery.
    id: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ShowDelivery {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let Some(delivery) = find_delivery(&db, &self.id).await? else {
            return Err(Failure::operation(no_delivery(&self.id)));
        };
        let attempts = attempts_of(&db, &delivery).await?;
        if self.json {
            let mut described = describe_delivery(&delivery);
            described["body"] = delivery.body.as_str().into();
            described["attempt_list"] = attempts.iter().map(describe_attempt).collect();
            return print_json(&described);
        }
        print_members([
            ("id", delivery.delivery_id.clone()),
            ("endpoint", delivery.endpoint_id.to_string()),
            ("event", delivery.event.clone()),
            ("state", delivery.state.as_str().to_owned()),
            ("attempts", delivery.attempts.to_string()),
            ("next attempt", time_or(delivery.next_attempt_at, "")),
            ("created", shown_time(delivery.created_at)),
            ("finished", time_or(delivery.finished_at, "")),
            ("last error", delivery.last_error.clone().unwrap_or_default()),
            ("body", delivery.body.clone()),
        ])?;
        print_line("")?;
        let rows = attempts.iter().map(|attempt| {
            vec![
                attempt.number.to_string(),
                shown_time(attempt.ended_at),
                format!("{} ms", attempt.duration_ms),
                attempt.address.clone().unwrap_or_default(),
                attempt.response_status.map(|status| status.to_string()).unwrap_or_default(),
                attempt.error.clone().unwrap_or_default(),
            ]
        });
        print_list(
            &["ATTEMPT", "ENDED", "TOOK", "ADDRESS", "STATUS", "ERROR"],
            rows,
            "it was not tried yet; `stoa serve` and `stoa worker` send what is due",
        )
    }
}

fn describe_attempt(attempt: &RecordedAttempt) -> Value {
    json!({
        "number": attempt.number,
        "ended_at": attempt.ended_at,
        "duration_ms": attempt.duration_ms,
        "address": attempt.address,
        "response_status": attempt.response_status,
        "error": attempt.error,
    })
}

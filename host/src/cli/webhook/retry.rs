//! `stoa webhook retry`.

use clap::{ArgGroup, Args};
use serde_json::json;
use stoa_core::webhooks::{DeliveryState, Retried, find_delivery, retry_deliveries, retry_delivery};

use super::deliveries::{Filter, refuse_unknown_endpoint};
use super::{Context, describe_delivery, no_delivery, refuse_unknown};
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line};

/// Send deliveries again: the same ids and bodies, attempts counted anew.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("which").args(["ids", "state"]).required(true),
    after_help = "They are sent by the running shop or worker.

Examples:
  stoa webhook retry 0b6ee8a4-6ff3-4ce5-a1a1-3a3fe6aa6c9c
  stoa webhook retry --state dead_letter
  stoa webhook retry --state skipped --endpoint 1 --since 2027-01-31 --until 2027-01-31"
)]
pub(super) struct Retry {
    /// Ids of deliveries: the value of X-Service-Delivery.
    #[arg(value_name = "DELIVERY")]
    ids: Vec<String>,
    /// All in this state: dead_letter, skipped, delivered, or pending ones that wait for another attempt.
    #[arg(long, value_parser = one_of(&DeliveryState::ALL, DeliveryState::as_str))]
    state: Option<DeliveryState>,
    #[command(flatten)]
    filter: Filter,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Retry {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        if self.state.is_none() && !self.filter.is_blank() {
            return Err(Failure::usage("--endpoint, --event, --since and --until go with --state"));
        }
        let installation = context.working()?;
        refuse_unknown(&installation.program, self.filter.event.iter())?;
        let db = installation.open_current().await?;
        refuse_unknown_endpoint(&db, self.filter.endpoint).await?;
        if let Some(state) = self.state {
            let queued = retry_deliveries(&db, state, &self.filter.with(None)).await?;
            if self.json {
                return print_json(&json!({"queued": queued}));
            }
            let told = if queued == 1 { "1 delivery is" } else { &format!("{queued} deliveries are") };
            return print_line(&format!("{told} sent again"));
        }
        let (mut queued, mut problems) = (Vec::new(), Vec::new());
        for id in &self.ids {
            match retry_delivery(&db, id).await? {
                Retried::Queued => queued.push(id),
                Retried::Unknown => problems.push(no_delivery(id)),
                Retried::InFlight => problems.push(format!("the delivery {id} is being sent at this moment")),
                Retried::EndpointOff => problems.push(format!(
                    "the endpoint of the delivery {id} is disabled or removed; see `stoa webhook enable`"
                )),
            }
        }
        if self.json {
            let mut described = Vec::new();
            for id in &queued {
                described.extend(find_delivery(&db, id).await?.as_ref().map(describe_delivery));
            }
            match (self.ids.len(), described.pop()) {
                (1, Some(one)) => print_json(&one)?,
                (_, last) => {
                    described.extend(last);
                    print_json_list(&described)?;
                }
            }
        } else {
            for id in &queued {
                print_line(&format!("the delivery {id} is sent again"))?;
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(Failure::operation(problems.join("\n"))) }
    }
}

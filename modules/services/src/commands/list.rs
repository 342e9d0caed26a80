//! `stoa services list`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::model::{OperatorView, ProvisionedService, Status};
use crate::queries;

/// Services that are read at once.
const BATCH: i64 = 500;

/// List services, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "`pending` ones wait for you: make the service and activate it.

Examples:
  stoa services list --status pending
  stoa services list --attention --json
  stoa services list --order O-000007")]
pub(super) struct List {
    /// Only those in this state.
    #[arg(long, value_parser = PossibleValuesParser::new(Status::ALL.map(Status::as_str)))]
    status: Option<String>,
    /// Only those of this provider.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// Only those of this order: its id or number.
    #[arg(long, value_name = "ORDER")]
    order: Option<OrderNumber>,
    /// Only those that you have to look at: calls that failed for good, and differences from what a provider says.
    #[arg(long)]
    attention: bool,
    /// At most this many. Default: all.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let services = self.read(&cx.parts.db).await?;
        if self.json {
            return cx.output.json_list(&services.iter().map(OperatorView::of).collect::<Vec<_>>());
        }
        let head = ["NUMBER", "STATUS", "PRODUCT", "PROVIDER", "PLAN", "REFERENCE", "ORDER", "DUE", "PROBLEM"];
        cx.output.list(&head, services.iter().map(row), "services are made when an order is paid")
    }

    async fn read(&self, db: &Db) -> Result<Vec<ProvisionedService>, DbError> {
        let limit = self.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let mut services = Vec::<ProvisionedService>::new();
        while services.len() < limit {
            let batch = BATCH.min(i64::try_from(limit - services.len()).unwrap_or(BATCH));
            let list = db.read(queries::LIST).bind(self.status.as_deref()).bind(self.provider.as_deref());
            let list = list.bind(self.order.map(OrderNumber::id)).bind_flag(self.attention);
            let list = list.bind(services.last().map(|service| service.id)).bind(batch);
            let found = list.all::<ProvisionedService>().await?;
            let is_last = i64::try_from(found.len()).is_ok_and(|found| found < batch);
            services.extend(found);
            if is_last {
                break;
            }
        }
        Ok(services)
    }
}

fn row(service: &ProvisionedService) -> Vec<String> {
    let problem = service.last_error.clone().or_else(|| service.drift.clone());
    vec![
        service.number().to_string(),
        service.status.to_string(),
        service.product_slug.clone(),
        service.provider.clone(),
        service.plan.clone(),
        service.external_ref.clone().unwrap_or_default(),
        OrderNumber::of(service.order_id).to_string(),
        service.due_at.map(shown_time).unwrap_or_default(),
        problem.unwrap_or_default(),
    ]
}

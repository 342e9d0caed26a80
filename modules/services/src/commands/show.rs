//! `stoa services show` and `stoa services log`.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use super::{CommandState, find};
use crate::model::{OperatorView, ProvisionedService, ServiceNumber};
use crate::provider::{Credentials, ProviderContext, ProviderKind};
use crate::queries;

/// Show a service.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa services show SV-000042
  stoa services show 42 --credentials --json")]
pub(super) struct Show {
    /// The service's number or id.
    #[arg(value_name = "SERVICE")]
    number: ServiceNumber,
    /// Show what the customer signs in with as well.
    #[arg(long)]
    credentials: bool,
    /// Ask the provider for it, instead of showing what was kept.
    #[arg(long, requires = "credentials")]
    refresh: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
        let service = find(cx, self.number).await?;
        let credentials = match (self.credentials, self.refresh) {
            (true, true) => self.ask(&service, state, cx).await?,
            (true, false) => service.open(&cx.parts.cipher).map_err(Failure::operation)?,
            (false, _) => None,
        };
        if self.json {
            return cx.output.json(&OperatorView::of(&service).with_credentials(credentials));
        }
        cx.output.members(members(&service))?;
        let Some(Credentials(values)) = credentials else {
            return if self.credentials { cx.output.line("no credentials are known") } else { Ok(()) };
        };
        cx.output.members(values.iter().map(|(name, value)| (name.as_str(), value.clone())))
    }

    /// What the provider says now; it is kept for the customer.
    async fn ask(
        &self,
        service: &ProvisionedService,
        state: &CommandState,
        cx: &CommandContext,
    ) -> Result<Option<Credentials>, Failure> {
        let parts = &cx.parts;
        let ProviderKind::Remote(provider) = state.worker.providers.find(&service.provider) else {
            return Err(Failure::operation(format!("the provider `{}` cannot be asked", service.provider)));
        };
        let asked = provider.credentials(&service.request(), &ProviderContext::from_shop(parts)).await?;
        if let Some(credentials) = &asked {
            let mut sealed = service.clone();
            sealed.seal(credentials, &parts.cipher);
            let db = &parts.db;
            db.write(async |tx| {
                tx.run(queries::KEEP_CREDENTIALS).bind(service.id).bind(sealed.credentials.as_deref()).execute().await
            })
            .await?;
        }
        Ok(asked)
    }
}

fn members(service: &ProvisionedService) -> Vec<(&'static str, String)> {
    let time = |time: Option<DateTime<Utc>>| time.map_or_else(|| String::from("-"), shown_time);
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| String::from("-"));
    let over = service.over_reason().map_or("-", |reason| reason.as_str());
    let mut members = vec![
        ("number", service.number().to_string()),
        ("status", service.status.to_string()),
        ("product", service.product_slug.clone()),
        ("provider", service.provider.clone()),
        ("plan", service.plan.clone()),
        ("key", service.service_key.clone()),
        ("external ref", text(&service.external_ref)),
        ("order", OrderNumber::of(service.order_id).to_string()),
        ("item", format!("{}, unit {}", service.order_line_id, service.unit)),
        ("customer", service.customer_id.to_string()),
        ("created", shown_time(service.created_at)),
        ("activated", time(service.activated_at)),
        ("suspended", time(service.suspended_at)),
        ("terminated", time(service.terminated_at)),
        ("at the provider", service.remote_state.to_string()),
        ("needs attention", if service.needs_attention { String::from("yes") } else { String::from("no") }),
        ("failed attempts", service.attempts.to_string()),
        ("last error", text(&service.last_error)),
        ("difference", text(&service.drift)),
        ("due", time(service.due_at)),
        ("suspended by you", time(service.operator_suspended_at)),
        ("not to be used", time(service.entitlement_suspended_at)),
        ("held until", time(service.hold_until)),
        ("over", format!("{} {}", time(service.over_at), over)),
        ("terminate at", time(service.terminate_at)),
    ];
    members.extend(service.parameters.0.iter().map(|(key, value)| ("selected", format!("{key} = {value}"))));
    members
}

/// Show what was done with a service, and what came of it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa services log SV-000042
  stoa services log 42 --json")]
pub(super) struct Log {
    /// The service's number or id.
    #[arg(value_name = "SERVICE")]
    number: ServiceNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// An entry of the action log.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct Entry {
    action: String,
    actor: String,
    provider: String,
    result: String,
    attempt: i64,
    duration_ms: i64,
    detail: Option<String>,
    created_at: DateTime<Utc>,
}

impl Log {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let service = find(cx, self.number).await?;
        let entries = cx.parts.db.read(queries::LIST_ACTIONS).bind(service.id).all::<Entry>().await?;
        if self.json {
            return cx.output.json_list(&entries);
        }
        let head = ["TIME", "ACTION", "BY", "PROVIDER", "RESULT", "ATTEMPT", "MS", "DETAIL"];
        let rows = entries.into_iter().map(|entry| {
            vec![
                shown_time(entry.created_at),
                entry.action,
                entry.actor,
                entry.provider,
                entry.result,
                entry.attempt.to_string(),
                entry.duration_ms.to_string(),
                entry.detail.unwrap_or_default(),
            ]
        });
        cx.output.list(&head, rows, "nothing was asked of its provider yet")
    }
}

//! Changing a service: read behind a lock, changed in memory, written back with what it means for others.

use sqlx::types::Json;
use stoa_core::entitlements::{SoldUnit, use_units};
use stoa_core::prelude::*;

use crate::capacity::{self, Units};
use crate::lifecycle::{CallResult, ServiceStep};
use crate::model::{Action, OverReason, ProvisionedService, SoldPlan};
use crate::provider::Providers;
use crate::worker::WorkOnService;
use crate::{Provisioning, queries};

/// Who has done something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Actor {
    /// The scheduled work.
    Worker,
    /// Somebody at the command line.
    Operator,
    /// An event of the shop, such as a refund.
    Shop,
}

impl Actor {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Worker => "worker",
            Self::Operator => "operator",
            Self::Shop => "shop",
        }
    }
}

/// What stands in the action log.
pub(crate) struct LogEntry<'a> {
    pub(crate) action: &'static str,
    pub(crate) actor: Actor,
    pub(crate) result: &'a str,
    pub(crate) attempt: i64,
    pub(crate) duration_ms: i64,
    pub(crate) detail: Option<&'a str>,
}

impl<'a> LogEntry<'a> {
    /// Something that was done without calling anybody.
    pub(crate) fn done(action: &'static str, actor: Actor, detail: Option<&'a str>) -> Self {
        Self { action, actor, result: "done", attempt: 1, duration_ms: 0, detail }
    }

    /// What a call came to.
    pub(crate) fn of_call(action: Action, actor: Actor, verdict: &'a CallResult, duration_ms: i64) -> Self {
        let detail = verdict.detail.as_deref();
        Self { action: action.as_str(), actor, result: verdict.result, attempt: verdict.attempt, duration_ms, detail }
    }
}

/// Reads a service for changing it; others wait until this transaction ends.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<Option<ProvisionedService>, DbError> {
    let now = tx.now();
    tx.run(queries::LOCK).bind(id).bind(now).optional().await
}

/// Decides what is to become of a service that was changed, and leaves to the queue what a provider is to be called for.
pub(crate) async fn decide(
    tx: &mut Tx,
    service: ProvisionedService,
    providers: &Providers,
    actor: Actor,
) -> Result<(ProvisionedService, ServiceStep), DbError> {
    let (service, step) = proceed(tx, service, providers, actor).await?;
    match service.due_at {
        Some(due_at) => tx.enqueue_at(&WorkOnService::of(service.id, &service.provider), due_at).await?,
        None => tx.dequeue::<WorkOnService>(service.id).await?,
    }
    Ok((service, step))
}

/// Goes on as far as nobody has to be called, and writes the service back.
pub(crate) async fn proceed(
    tx: &mut Tx,
    mut service: ProvisionedService,
    providers: &Providers,
    actor: Actor,
) -> Result<(ProvisionedService, ServiceStep), DbError> {
    let (held, was_active) = (service.holds_capacity, service.activated_at.is_some());
    let step = service.progress(providers.find(&service.provider).hands(), tx.now());
    for action in std::mem::take(&mut service.confirmed) {
        log(tx, &service, LogEntry::done(action.as_str(), actor, None)).await?;
    }
    store(tx, &service, held).await?;
    if !was_active && service.activated_at.is_some() {
        // A refund takes units first whose service never worked.
        use_units(tx, Provisioning::NAME, &[SoldUnit { order_line_id: service.order_line_id, unit: service.unit }])
            .await?;
    }
    Ok((service, step))
}

/// Writes a service back. `held` is whether it took up room before.
pub(crate) async fn store(tx: &mut Tx, service: &ProvisionedService, held: bool) -> Result<(), DbError> {
    let write = tx.run(queries::STORE).bind(service.id).bind(service.status.as_str());
    let write = write.bind(service.remote_state.as_str()).bind(service.open_call().map(Action::as_str));
    let write = write.bind(service.external_ref.as_deref()).bind(service.credentials.as_deref());
    let write = write.bind(service.holds_capacity).bind(service.operator_suspended_at);
    let write = write.bind(service.entitlement_suspended_at).bind(service.over_at);
    let write = write.bind(service.over_reason().map(OverReason::as_str)).bind(service.terminate_at);
    let write = write.bind(service.hold_until).bind(service.attempts).bind(service.last_error.as_deref());
    let write = write.bind(service.needs_attention).bind(service.calls);
    let write = write.bind(service.drift.as_deref()).bind(service.erased);
    let write =
        write.bind(service.activated_at).bind(service.suspended_at).bind(service.terminated_at).bind(service.turn);
    write.execute().await?;
    let change = i64::from(service.holds_capacity) - i64::from(held);
    let plan = SoldPlan { provider: service.provider.clone(), plan: service.plan.clone() };
    capacity::change(tx, &Units::from([(plan, change)])).await
}

/// Notes what was done.
pub(crate) async fn log(tx: &mut Tx, service: &ProvisionedService, entry: LogEntry<'_>) -> Result<(), DbError> {
    let now = tx.now();
    let insert = tx.run(queries::LOG).bind(service.id).bind(entry.action).bind(entry.actor.as_str());
    let insert = insert.bind(service.provider.as_str()).bind(entry.result).bind(entry.attempt);
    insert.bind(entry.duration_ms).bind(entry.detail).bind(now).execute().await?;
    Ok(())
}

/// What a customer may no longer be known by.
pub(crate) async fn erase(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    let nothing = Json(serde_json::Map::new());
    tx.run(queries::ERASE).bind(customer_id).bind(nothing).execute().await?;
    tx.run(queries::ERASE_ACTIONS).bind(customer_id).execute().await?;
    Ok(())
}

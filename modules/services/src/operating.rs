//! What operators do with services, at the command line and in the console.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use stoa_core::prelude::*;

use crate::lifecycle::ServiceStep;
use crate::model::{Action, OverReason, ProvisionedService, ServiceNumber, Status};
use crate::provider::Providers;
use crate::store::{Actor, LogEntry, decide, lock, log};

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceRefused {
    /// There is none.
    #[error("there is no service {0}; `stoa services list` shows all")]
    Unknown(ServiceNumber),
    /// It must not be done with the service as it is.
    #[error("{0} {1}")]
    Because(ServiceNumber, &'static str),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Most characters of an external reference.
pub(crate) const LONGEST_REFERENCE: usize = 255;

/// Who does at the provider what is to be done there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// The provider is called.
    Provider,
    /// Nobody: somebody has done it there by hand.
    Nobody,
}

/// Takes a service for one that runs: somebody has made it.
pub(crate) async fn activate(
    number: ServiceNumber,
    external_ref: Option<&str>,
    providers: &Providers,
    db: &Db,
) -> Result<(), ServiceRefused> {
    let change = |service: &mut ProvisionedService| {
        match service.status {
            Status::Pending | Status::Provisioning | Status::Failed => {}
            Status::Active => return Err("is active already"),
            Status::Suspended if service.over_at.is_some() => return Err("is over, and is not activated any more"),
            Status::Suspended => return Err("is suspended: `stoa services resume` lets it be used again"),
            Status::Terminated => return Err("is terminated, and there is no way back"),
        }
        if service.over_at.is_some() {
            return Err("is over, and is not activated any more");
        }
        if let Some(reference) = external_ref {
            service.external_ref = Some(reference.to_owned());
        }
        service.confirm(Action::Create);
        Ok(())
    };
    apply(number, Action::Create, providers, db, change).await
}

/// Suspends, resumes or terminates a service.
pub(crate) async fn change(
    number: ServiceNumber,
    action: Action,
    caller: Caller,
    providers: &Providers,
    db: &Db,
) -> Result<(), ServiceRefused> {
    let now = db.now();
    let change = |service: &mut ProvisionedService| {
        may(action, service)?;
        match action {
            Action::Suspend => service.operator_suspended_at = Some(now),
            Action::Resume => {
                service.operator_suspended_at = None;
                service.entitlement_suspended_at = None;
            }
            Action::Terminate => service.end(OverReason::Operator, TimeDelta::zero(), now),
            Action::Create | Action::Inspect => {}
        }
        service.begin_anew();
        if caller == Caller::Nobody {
            service.confirm(action);
        }
        Ok(())
    };
    apply(number, action, providers, db, change).await
}

/// Keeps a service from being suspended with its subscription until then; or no longer.
pub(crate) async fn hold(
    number: ServiceNumber,
    until: Option<DateTime<Utc>>,
    providers: &Providers,
    db: &Db,
) -> Result<(), ServiceRefused> {
    db.write(async |tx| -> Result<(), ServiceRefused> {
        let Some(mut service) = lock(tx, number.id()).await? else { return Err(ServiceRefused::Unknown(number)) };
        if service.status == Status::Terminated {
            return Err(ServiceRefused::Because(number, "is terminated, and there is no way back"));
        }
        let before = json!({"hold_until": service.hold_until});
        service.hold_until = until;
        let detail = until.map_or_else(|| String::from("cleared"), shown_time);
        log(tx, &service, LogEntry::done("hold", Actor::Operator, Some(&detail))).await?;
        decide(tx, service, providers, Actor::Operator).await?;
        let after = json!({"hold_until": until});
        Ok(tx.audit_operator("services.hold", Subject::new("service", number), before, after).await?)
    })
    .await
}

/// Why something must not be done with a service as it is.
fn may(action: Action, service: &ProvisionedService) -> Result<(), &'static str> {
    match (action, service.status) {
        (_, Status::Terminated) => Err("is terminated, and there is no way back"),
        (Action::Suspend, Status::Active) => match service.operator_suspended_at {
            None => Ok(()),
            Some(_) => Err("is about to be suspended already: `stoa services retry` asks its provider at once"),
        },
        (Action::Suspend, Status::Suspended) => Err("is suspended already"),
        (Action::Suspend, Status::Pending | Status::Provisioning | Status::Failed) => {
            Err("is not active, so there is nothing to suspend; `stoa services terminate` gives it up")
        }
        (Action::Resume, _) if service.over_at.is_some() => {
            Err("is over: its unit was refunded, or what it belongs to has ended, so it is not resumed")
        }
        // A suspension that the provider has not confirmed is taken back.
        (Action::Resume, Status::Active) if service.operator_suspended_at.is_none() => {
            Err("is active, and was not suspended")
        }
        (Action::Resume, Status::Pending | Status::Provisioning | Status::Failed) => {
            Err("was never active, so there is nothing to resume")
        }
        (Action::Resume, Status::Active | Status::Suspended)
        | (Action::Terminate | Action::Create | Action::Inspect, _) => Ok(()),
    }
}

/// Changes a service if that is allowed, and does what nobody has to be called for.
async fn apply(
    number: ServiceNumber,
    action: Action,
    providers: &Providers,
    db: &Db,
    change: impl Fn(&mut ProvisionedService) -> Result<(), &'static str>,
) -> Result<(), ServiceRefused> {
    db.write(async |tx| -> Result<(), ServiceRefused> {
        let Some(mut service) = lock(tx, number.id()).await? else { return Err(ServiceRefused::Unknown(number)) };
        let before = json!({"status": service.status});
        change(&mut service).map_err(|reason| ServiceRefused::Because(number, reason))?;
        let (service, step) = decide(tx, service, providers, Actor::Operator).await?;
        if let ServiceStep::Call(_) = step {
            let entry = LogEntry::done(asked(action), Actor::Operator, None);
            log(tx, &service, entry).await?;
        }
        let (act, after) = (format!("services.{}", wish(action)), json!({"status": service.status}));
        tx.audit_operator(&act, Subject::new("service", number), before, after).await?;
        Ok(())
    })
    .await
}

/// Has a provider asked again for what it did not do, or a difference looked after.
pub(crate) async fn retry(number: ServiceNumber, providers: &Providers, db: &Db) -> Result<(), ServiceRefused> {
    let change = |service: &mut ProvisionedService| {
        let is_waiting = service.needs_attention || service.attempts > 0 || service.open_call().is_some();
        if !is_waiting && service.drift.is_none() && service.status != Status::Provisioning {
            return Err("has nothing that failed, and does not differ from what its provider says");
        }
        service.begin_anew();
        service.doubt();
        Ok(())
    };
    apply(number, Action::Inspect, providers, db, change).await
}

/// What operators call a wish.
const fn wish(action: Action) -> &'static str {
    match action {
        Action::Create => "activate",
        Action::Inspect => "retry",
        Action::Suspend => "suspend",
        Action::Resume => "resume",
        Action::Terminate => "terminate",
    }
}

/// What stands in the action log for a wish, beside the calls that it leads to.
const fn asked(action: Action) -> &'static str {
    match action {
        Action::Create => "activate asked",
        Action::Inspect => "retry asked",
        Action::Suspend => "suspend asked",
        Action::Resume => "resume asked",
        Action::Terminate => "terminate asked",
    }
}

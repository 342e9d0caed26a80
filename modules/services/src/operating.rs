//! What operators do with services, at the command line and in the console.

use serde_json::json;
use stoa_core::prelude::*;

use crate::lifecycle::ServiceStep;
use crate::model::{Action, ProvisionedService, ServiceNumber, Status};
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
    #[error("the database failed")]
    Db(#[from] DbError),
}

/// Changes a service if that is allowed, and does what nobody has to be called for.
pub(crate) async fn apply(
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

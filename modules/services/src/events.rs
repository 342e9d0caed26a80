//! What the shop tells, and what becomes of services by it.
//!
//! Each listener may be called again and at the same time as another: it plans what is missing, and then changes one service
//! after the other, each in a transaction of its own.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::entitlements::{EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::orders::OrderPaid;
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::model::{CAPABILITY, OverReason, ProvisionedService};
use crate::plan::plan_services;
use crate::provider::Providers;
use crate::queries;
use crate::store::{Actor, decide, lock};

/// A unit of an order's item.
#[derive(Clone, Copy)]
struct Unit {
    order_id: i64,
    order_line_id: i64,
    ordinal: i64,
}

/// Writes the services of a paid order down; the queue has them made.
pub(crate) struct PlanServices {
    pub(crate) providers: Providers,
}

impl AfterCommit<OrderPaid> for PlanServices {
    type Uses = Db;

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderPaid, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| plan_services(tx, event.order_id, &self.providers).await).await?)
    }
}

/// Ends and suspends services with what they belong to.
pub(crate) struct FollowUnits {
    pub(crate) providers: Providers,
    pub(crate) grace: TimeDelta,
}

/// The units that were refunded, and no others: suspended at once, terminated when the grace time is over.
impl AfterCommit<RefundRecorded> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        for units in &event.units {
            for unit in &units.ordinals {
                let unit = Unit { order_id: event.order_id, order_line_id: units.order_line_id, ordinal: *unit };
                let end = |service: &mut ProvisionedService, now| service.end(OverReason::Refunded, self.grace, now);
                self.change(db, unit, end).await?;
            }
        }
        Ok(())
    }
}

impl AfterCommit<EntitlementSuspended> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementSuspended, db: &Db) -> Result<(), ListenerError> {
        let unit = Unit { order_id: event.order_id, order_line_id: event.order_line_id, ordinal: event.unit };
        Ok(self.change(db, unit, ProvisionedService::suspend_with_entitlement).await?)
    }
}

impl AfterCommit<EntitlementResumed> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementResumed, db: &Db) -> Result<(), ListenerError> {
        let unit = Unit { order_id: event.order_id, order_line_id: event.order_line_id, ordinal: event.unit };
        Ok(self.change(db, unit, |service, _| service.resume_with_entitlement()).await?)
    }
}

impl AfterCommit<EntitlementEnded> for FollowUnits {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementEnded, db: &Db) -> Result<(), ListenerError> {
        let unit = Unit { order_id: event.order_id, order_line_id: event.order_line_id, ordinal: event.unit };
        let end = |service: &mut ProvisionedService, now| service.end(OverReason::Ended, self.grace, now);
        Ok(self.change(db, unit, end).await?)
    }
}

impl FollowUnits {
    async fn change(
        &self,
        db: &Db,
        unit: Unit,
        change: impl Fn(&mut ProvisionedService, DateTime<Utc>),
    ) -> Result<(), DbError> {
        db.write(async |tx| -> Result<(), DbError> {
            let find = async |tx: &mut Tx| {
                let find = tx.run(queries::FIND_UNIT).bind(unit.order_line_id).bind(unit.ordinal);
                find.optional_scalar::<i64>().await
            };
            let mut found = find(tx).await?;
            if found.is_none() {
                // The news came before that of the payment: what is written down now is not made afterwards.
                plan_services(tx, unit.order_id, &self.providers).await?;
                found = find(tx).await?;
            }
            // Not everything that is sold is a service.
            let Some(id) = found else { return Ok(()) };
            let Some(mut service) = lock(tx, id).await? else { return Ok(()) };
            change(&mut service, tx.now());
            decide(tx, service, &self.providers, Actor::Shop).await?;
            Ok(())
        })
        .await
    }
}

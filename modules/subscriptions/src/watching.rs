//! What operators are told without asking: the module's parts of `stoa doctor`, `stoa verify` and `GET /metrics`.

use chrono::TimeDelta;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;
use stoa_core::queue::count_lane;

use crate::number::SubscriptionNumber;
use crate::queries;
use crate::tasks::SUBSCRIPTIONS;

/// How many of a kind a finding names.
const NAMED: i64 = 20;

/// How long work may be due before somebody should look why it is not done.
const PATIENCE: TimeDelta = TimeDelta::hours(2);

/// What must hold at any time.
pub(crate) const INVARIANTS: [Invariant; 4] = [
    Invariant::new(
        "subscriptions_periods",
        "each period of a subscription begins where the one before it ends, or with its late payment",
        queries::FIND_GAPS,
    ),
    Invariant::new(
        "subscriptions_renewals",
        "each period of a subscription is renewed by one order",
        queries::FIND_TWICE,
    ),
    Invariant::new(
        "subscriptions_paid",
        "the current period of a subscription that runs is paid",
        queries::FIND_UNPAID,
    ),
    Invariant::new("subscriptions_started", "a subscription begins when its order is paid", queries::FIND_UNSTARTED),
];

/// The module's part of `stoa doctor`.
pub(crate) struct ExamineSubscriptions;

impl Examine for ExamineSubscriptions {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        Ok(vec![unplaced(db).await?, paid_for_nothing(db).await?, late(db).await?])
    }
}

async fn unplaced(db: &Db) -> Result<Finding, DbError> {
    const CHECK: &str = "subscriptions.renewals";
    let found = db.read(queries::LIST_UNPLACED).bind(NAMED).all::<(i64, String)>().await?;
    if found.is_empty() {
        return Ok(Finding::ok(CHECK, "all renewals that are due could be placed"));
    }
    let told = found.iter().map(|(id, error)| format!("{} ({error})", SubscriptionNumber::of(*id))).collect::<Vec<_>>();
    Ok(Finding::failure(
        CHECK,
        format!("these subscriptions cannot be renewed: {}", told.join(", ")),
        "mend what is told, then run `stoa jobs run subscriptions.renew`; the shop tries again every hour",
    ))
}

async fn paid_for_nothing(db: &Db) -> Result<Finding, DbError> {
    const CHECK: &str = "subscriptions.late_money";
    let found = db.read(queries::LIST_PAID_FOR_NOTHING).bind(NAMED).scalars::<i64>().await?;
    if found.is_empty() {
        return Ok(Finding::ok(CHECK, "no renewal was paid after its subscription was over"));
    }
    let told = found.iter().map(|id| OrderNumber::of(*id).to_string()).collect::<Vec<_>>();
    Ok(Finding::warning(
        CHECK,
        format!("these renewals were paid after nobody wanted them any more: {}", told.join(", ")),
        "give the money back with `stoa order refund`",
    ))
}

async fn late(db: &Db) -> Result<Finding, DbError> {
    const CHECK: &str = "subscriptions.schedule";
    let waiting = count_lane(db, SUBSCRIPTIONS).await?;
    if waiting.due_since.is_none_or(|since| since > db.now() - PATIENCE) {
        return Ok(Finding::ok(CHECK, "no subscription waits for the job `subscriptions.renew`"));
    }
    Ok(Finding::warning(
        CHECK,
        format!("{} subscriptions wait to be looked at, the first for hours", waiting.due),
        "make sure that a worker runs, and look at `stoa jobs list`",
    ))
}

/// The module's part of `GET /metrics`.
pub(crate) struct MeasureSubscriptions;

impl Measure for MeasureSubscriptions {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let by_status = db.read(queries::COUNT_BY_STATUS).all::<(String, i64)>().await?;
        let mut samples = by_status
            .into_iter()
            .map(|(status, count)| {
                Sample::gauge("stoa_subscriptions", "Subscriptions by status.", count).label("status", status)
            })
            .collect::<Vec<_>>();
        let open = db.read(queries::COUNT_OPEN).scalar::<i64>().await?;
        samples.push(Sample::gauge("stoa_subscriptions_open_renewals", "Renewals that wait to be paid.", open));
        Ok(samples)
    }
}

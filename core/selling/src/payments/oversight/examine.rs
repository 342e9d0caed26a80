//! Payments that nobody knows the end of, and messages of providers that nothing could be made of.

use chrono::TimeDelta;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, counted};

use super::queries;

/// How long a message is told about.
const RECENT: TimeDelta = TimeDelta::days(30);

/// An attempt that the provider gives no answer about is told after this long.
const PATIENCE: TimeDelta = TimeDelta::days(1);

/// Looks for messages about unknown payments, and those that do not fit what was asked for.
pub(in crate::payments) struct ExamineCallbacks;

impl Examine for ExamineCallbacks {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "payments.callbacks";
        let since = db.now() - RECENT;
        let mut findings = Vec::new();
        let unmatched = db.read(queries::COUNT_UNMATCHED_CALLBACKS).bind(since).scalar::<i64>().await?;
        if unmatched > 0 {
            let message = format!(
                "{} about payments that are not known here in the last {} days",
                counted(unmatched, "callback came", "callbacks came"),
                RECENT.num_days()
            );
            let fix = "look with `stoa payment callbacks --state unmatched`: another shop on the same account is harmless; \
                       for a payment of yours, `stoa payment callbacks retry ID`";
            findings.push(Finding::warning(CHECK, message, fix));
        }
        let flagged = db.read(queries::COUNT_FLAGGED_CALLBACKS).bind(since).scalar::<i64>().await?;
        if flagged > 0 {
            let message = format!("{} a look of yours", counted(flagged, "callback needs", "callbacks need"));
            let fix = "look with `stoa payment callbacks --state flagged` and `stoa payment show O-…`, then `stoa order \
                       reviewed O-…`";
            findings.push(Finding::warning(CHECK, message, fix));
        }
        if findings.is_empty() {
            findings.push(Finding::ok(CHECK, "none is unmatched or flagged"));
        }
        Ok(findings)
    }
}

/// Looks for attempts that their providers could not be asked about.
pub(in crate::payments) struct ExamineAttempts;

impl Examine for ExamineAttempts {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "payments.attempts";
        let count = db.read(queries::COUNT_UNANSWERED_ATTEMPTS).bind(db.now() - PATIENCE).scalar::<i64>().await?;
        if count == 0 {
            return Ok(vec![Finding::ok(CHECK, "no provider owes an answer")]);
        }
        let message = format!(
            "nobody knows for more than {} hours what became of {}",
            PATIENCE.num_hours(),
            counted(count, "attempt to pay", "attempts to pay")
        );
        let fix = "ask with `stoa payment reconcile`; `stoa payment list --status pending` and `stoa payment show N` tell \
                   what goes wrong";
        Ok(vec![Finding::warning(CHECK, message, fix)])
    }
}

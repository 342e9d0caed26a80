//! Statements about scheduled jobs.

use crate::db::Sql;
use crate::sql;

pub(super) const ENSURE: Sql =
    sql!("INSERT INTO scheduled_jobs (name, next_run_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING");

/// Takes a job for this instance that is due at `$4`, or has times that it cannot have (beyond `$6`, or run after `$7`), unless
/// another one holds it. A lease beyond `$5` is none.
pub(super) const CLAIM: Sql = sql!(
    "UPDATE scheduled_jobs SET lease_owner = $2, leased_until = $3
     WHERE name = $1 AND (next_run_at <= $4 OR next_run_at > $6 OR last_run_at > $7)
       AND (leased_until IS NULL OR leased_until <= $4 OR leased_until > $5)"
);

/// The same before it is due, for work that shall not wait.
pub(super) const CLAIM_EARLY: Sql = sql!(
    "UPDATE scheduled_jobs SET lease_owner = $2, leased_until = $3
     WHERE name = $1 AND (leased_until IS NULL OR leased_until <= $4 OR leased_until > $5)"
);

pub(super) const FINISH: Sql = sql!(
    "UPDATE scheduled_jobs
     SET last_run_at = $3, next_run_at = $4, last_error = $5, lease_owner = NULL, leased_until = NULL
     WHERE name = $1 AND lease_owner = $2"
);

pub(super) const RELEASE: Sql =
    sql!("UPDATE scheduled_jobs SET lease_owner = NULL, leased_until = NULL WHERE lease_owner = $1");

pub(super) const RECORD: Sql = sql!("UPDATE scheduled_jobs SET last_run_at = $2, last_error = $3 WHERE name = $1");

pub(super) const LIST: Sql =
    sql!("SELECT name, last_run_at, next_run_at, last_error FROM scheduled_jobs ORDER BY name");

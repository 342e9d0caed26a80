//! Whether the database has the tables that this program works with.

use stoa_core::config::{Config, DatabaseUrl};
use stoa_core::db::{Db, DbError, MigrationSet, MigrationState, MigrationStatus};

use super::finding::{Finding, counted};
use crate::installation::mend_of_changed;

const CHECK: &str = "migrations";

/// What has run and what has not.
pub(in crate::cli) async fn state(db: &Db, sets: &[MigrationSet], config: &Config) -> Result<Vec<Finding>, DbError> {
    let status = db.migration_status(sets).await?;
    if config.database.url == DatabaseUrl::SqliteMemory {
        return Ok(vec![in_memory(config)]);
    }
    Ok(judge(&status))
}

/// A database in memory is always new.
fn in_memory(config: &Config) -> Finding {
    if config.database.auto_migrate {
        return Finding::ok(CHECK, "applied at each start, since the database is in memory");
    }
    let message = "the database is in memory, and nothing applies migrations to it";
    Finding::failure(CHECK, message, "set `database.auto_migrate = true`")
}

fn judge(status: &[MigrationStatus]) -> Vec<Finding> {
    let of = |state| status.iter().filter(move |migration| migration.state == state);
    let names = |state| of(state).map(|found| format!("{:04} of `{}`", found.version, found.set)).collect::<Vec<_>>();
    let mut findings = Vec::new();
    let unknown = names(MigrationState::Unknown);
    if !unknown.is_empty() {
        let message = format!("the database is newer than this program: it has migration {}", unknown.join(", "));
        findings.push(Finding::failure(
            CHECK,
            message,
            "use the version of stoa that last ran on this database, or a newer one",
        ));
    }
    let changed = names(MigrationState::Changed);
    if !changed.is_empty() {
        let message = format!("migration {} is not the one that was applied to this database", changed.join(", "));
        let mut mend = of(MigrationState::Changed).map(|found| mend_of_changed(found.set)).collect::<Vec<_>>();
        mend.dedup();
        findings.push(Finding::failure(CHECK, message, mend.join("; ")));
    }
    let pending = i64::try_from(of(MigrationState::Pending).count()).unwrap_or(i64::MAX);
    if pending > 0 {
        let message = format!("{} pending", counted(pending, "migration is", "migrations are"));
        findings.push(Finding::failure(CHECK, message, "stoa migrate"));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(CHECK, format!("all are applied: {}", latest(status))));
    }
    findings
}

/// The latest migration of each set, as it is logged when they are applied.
fn latest(status: &[MigrationStatus]) -> String {
    let sets = status.chunk_by(|one, next| one.set == next.set).filter_map(<[_]>::last);
    sets.map(|last| format!("{} {}", last.set, last.version)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn only_a_database_of_this_very_version_is_right() {
        let status = |state| MigrationStatus { set: "core", version: 3, description: "events".into(), state };
        let judged = |states: &[MigrationState]| {
            let status = states.iter().map(|state| status(*state)).collect::<Vec<_>>();
            judge(&status).into_iter().map(|found| (found.state, found.message)).collect::<Vec<_>>()
        };
        let (applied, pending) = (MigrationState::Applied, MigrationState::Pending);
        assert_eq!(judged(&[applied, applied]), [(State::Ok, "all are applied: core 3".into())]);
        assert_eq!(judged(&[applied, pending]), [(State::Failure, "1 migration is pending".into())]);
        let unknown = judged(&[applied, MigrationState::Unknown]);
        assert!(unknown.len() == 1 && unknown[0].1.contains("newer than this program"), "{unknown:?}");
        let changed = judged(&[MigrationState::Changed, pending]);
        assert!(changed.len() == 2 && changed[0].1.contains("0003 of `core`"), "{changed:?}");
    }
}

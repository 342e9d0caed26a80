//! More than one machine: the servers of the database, a pooler before them, and the standby that lists are read from.

use stoa_core::config::{DatabaseConfig, Pooler};
use stoa_core::db::{Db, DbError, ReplicaFacts};
use stoa_core::error_chain;

use super::finding::Finding;

/// What stands between the shop and PostgreSQL.
pub(super) async fn pooler(db: &Db, config: &DatabaseConfig) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "database.pooler";
    if config.pooler == Pooler::None {
        // Where one is needed, the database could not be opened.
        return Ok(Vec::new());
    }
    Ok(vec![if db.is_behind_pooler().await? {
        Finding::ok(CHECK, "a pooler hands each transaction to another server process")
    } else {
        let message = "`database.pooler` is \"transaction\", and no pooler was found: each statement takes longer than it needs to";
        Finding::warning(CHECK, message, "set `database.pooler = \"none\"`, or let `database.url` name the pooler")
    }])
}

/// Each server of several.
pub(super) async fn servers(db: &Db) -> Vec<Finding> {
    const CHECK: &str = "database.servers";
    let in_use = db.server().unwrap_or_default();
    let found = db.servers().await.into_iter().map(|server| match server.is_standby {
        _ if server.address == in_use => Finding::ok(CHECK, format!("{in_use} is in use")),
        Ok(true) => Finding::ok(CHECK, format!("{} is a standby", server.address)),
        Ok(false) => Finding::warning(
            CHECK,
            format!("{} is no standby, and not the one in use: nobody copies what is written there", server.address),
            "stop it, make it a standby of the one in use (pg_rewind, standby.signal), and start it again",
        ),
        Err(error) => Finding::warning(
            CHECK,
            format!("{} does not answer: {}", server.address, error_chain(&error)),
            "start it, or take it out of `database.url`; until then there may be nothing to fail over to",
        ),
    });
    found.collect()
}

/// The standby that answers lists.
pub(super) async fn replica(db: &Db) -> Option<Finding> {
    const CHECK: &str = "database.replica";
    Some(match db.replica_facts().await? {
        Ok(facts) => judge(CHECK, &facts),
        Err(error) => Finding::warning(
            CHECK,
            format!("the standby of `database.read_url` does not answer: {}", error_chain(&error)),
            "start it, or leave `database.read_url` out; until then the primary answers everything",
        ),
    })
}

fn judge(check: &'static str, facts: &ReplicaFacts) -> Finding {
    let ReplicaFacts { address, is_ours, behind, caught_up } = facts;
    match (is_ours, behind, caught_up) {
        (false, ..) => Finding::failure(
            check,
            format!("{address} is no copy of the database of `database.url`, so nothing is read from it"),
            "let `database.read_url` name a standby of the same server",
        ),
        (true, None, _) => Finding::warning(
            check,
            format!("{address} is no standby, so nothing is read from it"),
            "let `database.read_url` name a standby, or leave it out",
        ),
        (true, Some(0), _) => Finding::ok(check, format!("{address} has everything")),
        (true, Some(behind), Some(caught_up)) => Finding::ok(
            check,
            format!("{address} was {behind} bytes behind, and had them {} ms later", caught_up.as_millis()),
        ),
        (true, Some(behind), None) => Finding::warning(
            check,
            format!("{address} is {behind} bytes behind and does not come closer, so the primary answers everything"),
            "see why: pg_stat_replication on the primary, the log of the standby, what runs there",
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_standby_that_is_not_read_from_is_told_with_the_reason() {
        let good = ReplicaFacts { address: "db2:5432".into(), is_ours: true, behind: Some(0), caught_up: None };
        let state = |facts: &ReplicaFacts| judge("database.replica", facts).state;
        assert_eq!(state(&good), State::Ok);
        let late = ReplicaFacts { behind: Some(9000), caught_up: Some(Duration::from_millis(8)), ..good.clone() };
        assert_eq!(state(&late), State::Ok);
        assert_eq!(state(&ReplicaFacts { caught_up: None, ..late }), State::Warning);
        assert_eq!(state(&ReplicaFacts { behind: None, ..good.clone() }), State::Warning);
        assert_eq!(state(&ReplicaFacts { is_ours: false, ..good }), State::Failure);
    }
}

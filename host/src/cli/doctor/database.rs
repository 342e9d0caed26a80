//! The database: whether it answers, and whether its settings keep what it was told.

use stoa_core::config::{Config, DatabaseUrl, Pooler};
use stoa_core::db::{DatabaseFacts, Db, DbError, Missing, PostgresFacts, SqliteFacts, postgres_connections};
use stoa_core::error_chain;

use super::finding::{Finding, counted};
use super::follower::follower;
use crate::installation::{Installation, mend_of_unreachable};

/// SQLite's number for `synchronous = FULL`.
const FULL: i64 = 2;

/// The oldest PostgreSQL that its makers still mend.
const OLDEST_POSTGRES: i64 = 140_000;

/// Connections that PostgreSQL keeps for its administrators, and that backups take.
const SPARE_CONNECTIONS: i64 = 5;

/// Opens the database, or tells why it does not open.
pub(in crate::cli) async fn reach(installation: &Installation) -> Result<(Db, Finding), Finding> {
    const CHECK: &str = "database.reachable";
    let url = &installation.config.database.url;
    match installation.open(Missing::Refuse).await {
        Ok(db) => Ok((db, Finding::ok(CHECK, url.to_string()))),
        Err(failure) => {
            let fix = match url {
                _ if failure.to_string().contains("the disk is full") => "make room on the disk of the database",
                _ if failure.to_string().contains("you may not write") => "run it as the user whom the shop belongs to",
                DatabaseUrl::SqliteFile(file) if !file.exists() && installation.file.is_none() => {
                    "there is no config.toml here: go to the shop's folder, name its file with `--config FILE`, or begin a shop \
                     with `stoa init`"
                }
                DatabaseUrl::SqliteFile(file) if !file.exists() => "stoa migrate",
                DatabaseUrl::SqliteFile(file) if std::fs::metadata(file).is_ok_and(|found| found.len() == 0) => {
                    "stoa restore FILE, with the latest backup"
                }
                DatabaseUrl::SqliteFile(_) => "let `database.url` name a SQLite file that this user can write to",
                DatabaseUrl::SqliteMemory => "let `database.url` name a file",
                DatabaseUrl::Postgres(_) => mend_of_unreachable(&failure.to_string()),
            };
            Err(Finding::failure(CHECK, failure.to_string(), fix))
        }
    }
}

/// A shop in memory forgets everything.
pub(in crate::cli) fn kept(url: &DatabaseUrl) -> Option<Finding> {
    (*url == DatabaseUrl::SqliteMemory).then(|| {
        let message = "the shop is kept in memory and gone when it stops";
        Finding::warning("database.kept", message, "let `database.url` name a file, such as \"sqlite://data/stoa.db\"")
    })
}

/// The settings that the shop's promises rest on.
pub(super) async fn settings(db: &Db, config: &Config) -> Result<Vec<Finding>, DbError> {
    Ok(match db.facts().await? {
        DatabaseFacts::Sqlite(facts) => {
            let mut found = sqlite(&facts, &config.database.url);
            found.extend(follower(&config.database, facts.has_follower));
            found
        }
        DatabaseFacts::Postgres(facts) => {
            // A pooler shares out what the server has.
            let connections = match config.database.pooler {
                Pooler::None => i64::from(postgres_connections(config.database.max_connections)),
                Pooler::Transaction => 0,
            };
            postgres(&facts, connections)
        }
    })
}

fn sqlite(facts: &SqliteFacts, url: &DatabaseUrl) -> Vec<Finding> {
    const CHECK: &str = "database.settings";
    let mut found = Vec::new();
    if facts.journal_mode != "wal" && *url != DatabaseUrl::SqliteMemory {
        let message =
            format!("the journal is `{}` instead of `wal`: reading and writing block each other", facts.journal_mode);
        found.push(Finding::warning(CHECK, message, "keep the file on a local disk, where SQLite can share memory"));
    }
    if facts.synchronous < FULL {
        let message = "commits are not forced to the disk: orders may be lost in a power cut";
        found.push(Finding::failure(CHECK, message, "use an unchanged build of stoa"));
    }
    if !facts.foreign_keys {
        let message = "references between rows are not enforced";
        found.push(Finding::failure(CHECK, message, "use an unchanged build of stoa"));
    }
    if found.is_empty() {
        let journal = facts.journal_mode.to_uppercase();
        let message = format!("SQLite {}, journal {journal}, synchronous FULL, foreign keys on", facts.version);
        found.push(Finding::ok(CHECK, message));
    }
    found
}

fn postgres(facts: &PostgresFacts, connections: i64) -> Vec<Finding> {
    const CHECK: &str = "database.settings";
    let mut found = Vec::new();
    if facts.encoding != "UTF8" {
        let message = format!("the database is encoded in {}: names in other scripts cannot be kept", facts.encoding);
        let fix = "create a database with ENCODING 'UTF8' TEMPLATE template0, and `stoa database copy` into it";
        found.push(Finding::failure(CHECK, message, fix));
    }
    for (name, is_on) in [("fsync", facts.fsync), ("full_page_writes", facts.full_page_writes)] {
        if !is_on {
            let message = format!("`{name}` is off: a power cut may destroy the database");
            found.push(Finding::failure(
                CHECK,
                message,
                format!("ALTER SYSTEM SET {name} = on; SELECT pg_reload_conf();"),
            ));
        }
    }
    if facts.read_only {
        let message = "the server accepts no changes; it may be a replica";
        found.push(Finding::failure(CHECK, message, "let `database.url` name the primary server"));
    }
    if facts.synchronous_commit == "off" {
        let message = "`synchronous_commit` is off: the latest orders may be lost in a crash";
        found.push(Finding::warning(
            CHECK,
            message,
            "ALTER SYSTEM SET synchronous_commit = on; SELECT pg_reload_conf();",
        ));
    }
    if facts.version_number < OLDEST_POSTGRES {
        let message = format!("PostgreSQL {} gets no corrections any longer", facts.version);
        found.push(Finding::warning(CHECK, message, "upgrade to PostgreSQL 14 or newer"));
    }
    if facts.max_connections < connections + SPARE_CONNECTIONS {
        let message =
            format!("the server accepts {} connections, and this shop may open {connections}", facts.max_connections);
        found.push(Finding::warning(
            CHECK,
            message,
            "lower `database.max_connections`, or raise the server's `max_connections`",
        ));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, format!("PostgreSQL {}, UTF8, fsync on", facts.version)));
    }
    found
}

/// Whether the database can be written to now.
pub(super) async fn writable(db: &Db) -> Finding {
    const CHECK: &str = "database.writable";
    match db.check_writable().await {
        Ok(()) => Finding::ok(CHECK, "it can be written to"),
        Err(error) => {
            let message = format!("it cannot be written to: {}", error_chain(&error));
            let fix =
                "check owner and permissions of the file, its folder and its disk; end programs that hold it locked";
            Finding::failure(CHECK, message, fix)
        }
    }
}

/// Whether the file is sound.
pub(super) async fn integrity(db: &Db) -> Finding {
    const CHECK: &str = "database.integrity";
    let message = match db.damage().await {
        Ok(damage) if damage.is_empty() => return Finding::ok(CHECK, "nothing is damaged"),
        Ok(damage) => {
            let count = i64::try_from(damage.len()).unwrap_or(i64::MAX);
            format!("{}: {}", counted(count, "problem", "problems"), damage.join("; "))
        }
        // Some damage keeps the file from being read at all.
        Err(error) => error_chain(&error),
    };
    Finding::failure(
        CHECK,
        message,
        "stop the shop, copy the file away, and restore the latest backup: stoa restore FILE",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    fn good_postgres() -> PostgresFacts {
        PostgresFacts {
            version: "17.2".into(),
            version_number: 170_002,
            encoding: "UTF8".into(),
            fsync: true,
            full_page_writes: true,
            synchronous_commit: "on".into(),
            read_only: false,
            max_connections: 100,
            now: chrono::DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn each_dangerous_setting_of_postgresql_is_told_by_itself() {
        let state = |facts: PostgresFacts| {
            let found = postgres(&facts, 10);
            assert_eq!(found.len(), 1, "{found:?}");
            found[0].state
        };
        assert_eq!(state(good_postgres()), State::Ok);
        assert_eq!(state(PostgresFacts { encoding: "LATIN1".into(), ..good_postgres() }), State::Failure);
        assert_eq!(state(PostgresFacts { fsync: false, ..good_postgres() }), State::Failure);
        assert_eq!(state(PostgresFacts { full_page_writes: false, ..good_postgres() }), State::Failure);
        assert_eq!(state(PostgresFacts { read_only: true, ..good_postgres() }), State::Failure);
        assert_eq!(state(PostgresFacts { synchronous_commit: "off".into(), ..good_postgres() }), State::Warning);
        assert_eq!(state(PostgresFacts { version_number: 130_001, ..good_postgres() }), State::Warning);
        assert_eq!(state(PostgresFacts { max_connections: 12, ..good_postgres() }), State::Warning);
    }

    #[test]
    fn each_dangerous_setting_of_sqlite_is_told_by_itself() {
        let good = SqliteFacts {
            version: "3.50.1".into(),
            journal_mode: "wal".into(),
            synchronous: FULL,
            foreign_keys: true,
            has_follower: false,
        };
        let file = DatabaseUrl::SqliteFile("/srv/shop.db".into());
        let states = |facts: &SqliteFacts, url| sqlite(facts, url).iter().map(|found| found.state).collect::<Vec<_>>();
        assert_eq!(states(&good, &file), [State::Ok]);
        assert_eq!(states(&SqliteFacts { synchronous: 1, ..good.clone() }, &file), [State::Failure]);
        assert_eq!(states(&SqliteFacts { foreign_keys: false, ..good.clone() }, &file), [State::Failure]);
        let other = SqliteFacts { journal_mode: "delete".into(), ..good };
        assert_eq!(states(&other, &file), [State::Warning]);
        assert_eq!(states(&other, &DatabaseUrl::SqliteMemory), [State::Ok]);
    }
}

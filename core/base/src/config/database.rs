//! `[database]`: where the shop is kept.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::check::Check;
use super::postgres_url::PostgresUrl;
use super::target_session::TargetSession;
use super::value::{Malformed, read_from_text, within};

/// Settings of the database.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// The database.
    pub url: DatabaseUrl,
    /// Whether `serve` and `worker` apply pending migrations at start.
    pub auto_migrate: bool,
    /// Connections held open at once; at least three read. On PostgreSQL a third of them write, at least two, and there is one
    /// more, through which writes wait for the disk.
    #[serde(deserialize_with = "within::<_, _, 1, 1000>")]
    pub max_connections: u32,
    /// Whether Litestream follows the file: it alone clears SQLite's log then, so that no change is gone before it was copied.
    pub followed: bool,
    /// What stands between the shop and PostgreSQL.
    pub pooler: Pooler,
    /// A standby of the database that lists are read from.
    pub read_url: Option<DatabaseUrl>,
}

impl DatabaseConfig {
    pub(super) fn check(&self, check: &mut Check<'_>) {
        match &self.url {
            DatabaseUrl::Postgres(url) => {
                if let Some(reason) = why_not_to_write_to(url) {
                    check.refuse("url", reason);
                }
                self.check_pooler("url", url, check);
                if self.followed {
                    let reason =
                        "this is for a file of SQLite that Litestream copies; PostgreSQL has standbys, so leave it out";
                    check.refuse("followed", reason);
                }
            }
            DatabaseUrl::SqliteMemory | DatabaseUrl::SqliteFile(_) => {
                if self.pooler != Pooler::None {
                    check.refuse(
                        "pooler",
                        "poolers stand before PostgreSQL, and `database.url` is SQLite; leave it out",
                    );
                }
                if self.read_url.is_some() {
                    check.refuse("read_url", "SQLite has no standby that could be read; leave it out");
                }
            }
        }
        match &self.read_url {
            Some(DatabaseUrl::Postgres(url)) => {
                if matches!(url.target(), Some(TargetSession::ReadWrite | TargetSession::Primary)) {
                    check.refuse("read_url", "this is for a standby: with `target_session_attrs`, ask for `standby`");
                }
                self.check_pooler("read_url", url, check);
            }
            Some(_) => check.refuse("read_url", "this must be a standby of PostgreSQL: postgres://…"),
            None => {}
        }
    }

    fn check_pooler(&self, key: &str, url: &PostgresUrl, check: &mut Check<'_>) {
        if self.pooler == Pooler::Transaction && url.says("options") {
            let reason = "`options` do not reach the server through a pooler in transaction mode; leave them out, and \
                          say them once and for all with ALTER ROLE … SET …";
            check.refuse(key, reason);
        }
    }
}

/// Why a shop cannot be kept there, if it cannot.
fn why_not_to_write_to(url: &PostgresUrl) -> Option<&'static str> {
    match url.target() {
        Some(TargetSession::ReadOnly | TargetSession::Standby | TargetSession::PreferStandby) => Some(
            "the shop writes here, so `target_session_attrs` must be `read-write` or `primary`; a standby to read from is \
             `database.read_url`",
        ),
        Some(TargetSession::Any) if url.hosts().len() > 1 => Some(
            "of several hosts, `target_session_attrs=any` may find one that takes no writes; say `read-write`, or leave it \
             out, which means the same",
        ),
        _ => None,
    }
}

/// What stands between the shop and PostgreSQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooler {
    /// Nothing that is noticed: each connection has a server process of its own.
    #[default]
    None,
    /// A pooler that gives each transaction to whichever server process is free, such as PgBouncer in transaction mode.
    Transaction,
}

/// Which database, and where. Neither `Debug` nor `Display` shows a password.
#[derive(Clone, PartialEq)]
pub enum DatabaseUrl {
    /// SQLite in memory, gone when the program ends.
    SqliteMemory,
    /// SQLite in this file.
    SqliteFile(PathBuf),
    /// PostgreSQL.
    Postgres(PostgresUrl),
}

impl DatabaseUrl {
    /// The database that a text names, or none. Relative paths stay relative.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text).ok()
    }

    fn read(text: &str) -> Result<Self, Malformed> {
        if matches!(text, "sqlite::memory:" | "sqlite://:memory:") {
            return Ok(Self::SqliteMemory);
        }
        if let Some(path) = text.strip_prefix("sqlite://") {
            return match path {
                "" => Err(Malformed::Unexpected),
                path if path.contains(['?', '\0']) => {
                    Err(Malformed::Because("a SQLite database takes no options after `?`".to_owned()))
                }
                path => Ok(Self::SqliteFile(path.into())),
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return PostgresUrl::read(text).map(Self::Postgres);
        }
        Err(if is_path(text) {
            Malformed::Because(format!("did you mean \"sqlite://{text}\"?"))
        } else {
            Malformed::Unexpected
        })
    }

    /// The same database, a relative path of its file taken from `folder`.
    #[must_use]
    pub fn resolved_from(self, folder: &Path) -> Self {
        match self {
            Self::SqliteFile(path) => Self::SqliteFile(folder.join(path)),
            Self::SqliteMemory | Self::Postgres(_) => self,
        }
    }
}

/// Whether a text looks like the path of a SQLite file, and certainly like nothing that could hold a password.
fn is_path(text: &str) -> bool {
    let has_ending = [".db", ".sqlite", ".sqlite3"].iter().any(|ending| text.ends_with(ending));
    (has_ending || text.contains('/')) && !text.contains([':', '@', '?', ' ', '\0'])
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SqliteMemory => f.write_str("sqlite::memory:"),
            Self::SqliteFile(path) => write!(f, "sqlite://{}", path.display()),
            Self::Postgres(url) => fmt::Display::fmt(url, f),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

read_from_text!(DatabaseUrl, "sqlite://PATH, sqlite::memory: or postgres://…", Self::read);

#[cfg(test)]
mod tests {
    use super::super::{Config, Sources};
    use super::*;

    #[test]
    fn each_kind_of_database_is_recognized() {
        let file = |path: &str| Some(DatabaseUrl::SqliteFile(path.into()));
        assert_eq!(DatabaseUrl::parse("sqlite::memory:"), Some(DatabaseUrl::SqliteMemory));
        assert_eq!(DatabaseUrl::parse("sqlite://:memory:"), Some(DatabaseUrl::SqliteMemory));
        assert_eq!(DatabaseUrl::parse("sqlite://data/stoa.db"), file("data/stoa.db"));
        assert_eq!(DatabaseUrl::parse("sqlite:///var/lib/stoa.db"), file("/var/lib/stoa.db"));
        let postgres = DatabaseUrl::parse("postgresql:///stoa?host=/run/postgresql");
        assert!(matches!(postgres, Some(DatabaseUrl::Postgres(url)) if url.expose().ends_with("/run/postgresql")));
    }

    #[test]
    fn anything_else_is_no_database() {
        for text in [
            "",
            "mysql://localhost/stoa",
            "sqlite://",
            "sqlite:stoa.db",
            "stoa.db",
            "sqlite://a.db?mode=ro",
            "postgres://a b/c",
        ] {
            assert_eq!(DatabaseUrl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_relative_files_are_resolved() {
        let resolved =
            |text| DatabaseUrl::parse(text).expect("a database").resolved_from(Path::new("/etc/stoa")).to_string();
        assert_eq!(resolved("sqlite://data/stoa.db"), "sqlite:///etc/stoa/data/stoa.db");
        assert_eq!(resolved("sqlite:///var/stoa.db"), "sqlite:///var/stoa.db");
        assert_eq!(resolved("sqlite::memory:"), "sqlite::memory:");
    }

    #[test]
    fn what_the_settings_of_a_database_contradict_is_refused_by_name() {
        for (text, told) in [
            ("url = 'sqlite://a.db'\npooler = 'transaction'", "`database.pooler`: poolers stand before PostgreSQL"),
            ("url = 'sqlite://a.db'\nread_url = 'postgres://b/stoa'", "`database.read_url`: SQLite has no standby"),
            ("url = 'postgres://a/stoa'\nread_url = 'sqlite://a.db'", "`database.read_url`: this must be a standby"),
            ("url = 'postgres://a/stoa'\nfollowed = true", "`database.followed`: this is for a file of SQLite"),
            ("url = 'postgres://a/stoa?target_session_attrs=standby'", "`database.url`: the shop writes here"),
            ("url = 'postgres://a,b/stoa?target_session_attrs=any'", "`database.url`: of several hosts"),
            (
                "url = 'postgres://a/stoa'\nread_url = 'postgres://b/stoa?target_session_attrs=primary'",
                "`database.read_url`: this is for a standby",
            ),
            (
                "pooler = 'transaction'\nurl = 'postgres://a/stoa?options=-cx%3Dy'",
                "`database.url`: `options` do not reach",
            ),
        ] {
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            let file = folder.path().join("config.toml");
            std::fs::write(&file, format!("[database]\n{text}\n")).expect("the folder is ours");
            let said = Config::load(Sources::new(folder.path()).file(file)).expect_err("it is refused").to_string();
            assert!(said.contains(told), "{text}: {said}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        for text in ["postgres://shop:hunter2@db.example:5432/stoa", "postgres://db/stoa?user=shop&password=hunter2"] {
            let url = DatabaseUrl::parse(text).expect("a database");
            let shown =
                format!("{url} {url:?} {:?}", DatabaseConfig { url: url.clone(), ..Config::default().database });
            assert!(!shown.contains("hunter2"), "{shown}");
        }
        let url = DatabaseUrl::parse("postgres://shop:hunter2@db:5432/stoa").expect("a database");
        assert_eq!(url.to_string(), "postgres://shop:***@db:5432/stoa");
    }
}

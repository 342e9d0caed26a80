//! `[database]`: where the shop is kept.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use url::Url;

use super::value::{Malformed, read_from_text, within};
use crate::secret::Secret;

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
            let url = Url::parse(text).map_err(|_| Malformed::Because(MALFORMED_POSTGRES.to_owned()))?;
            return Ok(Self::Postgres(PostgresUrl::new(&url, text)));
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

const MALFORMED_POSTGRES: &str = "this cannot be read as postgres://USER:PASSWORD@HOST:PORT/NAME; special characters of a password are written as %40";

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

/// The address of a PostgreSQL database, with its password.
#[derive(Clone, PartialEq)]
pub struct PostgresUrl {
    url: Secret,
    shown: String,
}

impl PostgresUrl {
    fn new(url: &Url, text: &str) -> Self {
        let mut shown = url.clone();
        // Parameters may hold a password too.
        shown.set_query(None);
        shown.set_fragment(None);
        if url.password().is_some() {
            // Fails for an address without a host, which cannot have a password either.
            let _ = shown.set_password(Some("***"));
        }
        Self { url: Secret::new(text), shown: shown.into() }
    }

    /// The whole address, to connect with.
    pub fn expose(&self) -> &str {
        self.url.expose()
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
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

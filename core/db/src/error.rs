//! What can go wrong between the shop and its database.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use sqlx_postgres::{PgDatabaseError, PgSeverity};

use super::Sql;

/// How the codes of PostgreSQL begin that are about the connection; SQLite's have fewer characters.
const LOST_CONNECTION: &str = "08";

/// PostgreSQL's codes for a server that is stopping (`57P01`), was stopped by a crash (`57P02`), is starting (`57P03`), or
/// has no connection left (`53300`).
const TURNED_AWAY: [&str; 4] = ["57P01", "57P02", "57P03", "53300"];

/// PostgreSQL's code for a write to a server that takes none: a standby, or a primary that was one until another was promoted.
const READ_ONLY: &str = "25006";

/// PostgreSQL's codes for a prepared statement that is not there (`26000`), or is there already (`42P05`).
const STATEMENTS_MIXED_UP: [&str; 2] = ["26000", "42P05"];

/// The codes for a disk that is full: SQLite's (`13`), SQLite's for what its processes share beside the file (`4874`), and PostgreSQL's.
const DISK_FULL: [&str; 3] = ["13", "4874", "53100"];

/// PostgreSQL's code for a database that the server does not have.
const NO_SUCH_DATABASE: &str = "3D000";

/// Whether a server has refused to write, because it is not the primary.
pub(super) fn is_refused_as_read_only(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == READ_ONLY)
}

/// Whether there is no connection to the server any more, or soon will be none. Who hangs up amid a message is no server that speaks,
/// such as a proxy in front of one that is gone.
pub(super) fn is_connection_lost(error: &sqlx::Error) -> bool {
    use sqlx::Error::{Io, PoolClosed, PoolTimedOut, Protocol};
    match error {
        Io(_) | Protocol(_) | PoolTimedOut | PoolClosed => true,
        _ => {
            let is_code = |code: &str| code.starts_with(LOST_CONNECTION) || TURNED_AWAY.contains(&code);
            code(error).is_some_and(|code| is_code(&code)) || lets_nobody_in(error)
        }
    }
}

/// Whether a database lets nobody in for a while (`ALLOW_CONNECTIONS false`). Amid a session the same code says something else.
fn lets_nobody_in(error: &sqlx::Error) -> bool {
    let error = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    error.is_some_and(|error| error.code() == "55000" && error.severity() == PgSeverity::Fatal)
}

fn code(error: &sqlx::Error) -> Option<Cow<'_, str>> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code)
}

/// A failed statement or connection, with the place of the statement in the source.
///
/// The display text is for developers and logs; it never reaches an API client.
#[derive(Debug, Clone)]
pub struct DbError {
    failure: Arc<Failure>,
    /// Whether it was the commit that failed, of which nobody knows then whether it holds.
    is_of_commit: bool,
}

/// Not inside the error, since it is large and every function that touches the database may return it. Shared, since a
/// commit that fails may fail for several.
#[derive(Debug)]
struct Failure {
    source: Cause,
    statement: Option<Sql>,
}

/// The driver's error. To PostgreSQL's own message it adds the line of the server's source that reported it, which tells
/// nobody anything; that is left out.
#[derive(Debug)]
struct Cause(sqlx::Error);

impl Cause {
    fn postgres(&self) -> Option<&PgDatabaseError> {
        self.0.as_database_error()?.try_downcast_ref()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.postgres() {
            Some(error) if STATEMENTS_MIXED_UP.contains(&error.code()) => {
                write!(
                    f,
                    "{}; there seems to be a pooler before PostgreSQL: set `database.pooler = \"transaction\"`",
                    error.message()
                )
            }
            Some(error) if error.code() == NO_SUCH_DATABASE => {
                // In its message, in whatever language that is, the name mostly stands in such quotes.
                let name = error.message().split('"').nth(1).unwrap_or("NAME");
                write!(f, "{}; `createdb {name}` makes it", error.message())
            }
            Some(error) => f.write_str(error.message()),
            None => self.0.fmt(f),
        }
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if self.postgres().is_some() { None } else { self.0.source() }
    }
}

impl DbError {
    pub(super) fn of(statement: Sql) -> impl FnOnce(sqlx::Error) -> Self {
        move |source| Self::new(source, Some(statement))
    }

    fn new(source: sqlx::Error, statement: Option<Sql>) -> Self {
        Self { failure: Arc::new(Failure { source: Cause(source), statement }), is_of_commit: false }
    }

    /// The same failure, as that of a commit.
    pub(super) fn of_commit(self) -> Self {
        Self { is_of_commit: true, ..self }
    }

    /// Whether a unique constraint refused the statement.
    ///
    /// SQLite does not report which constraint it was, so use this only on statements that can
    /// violate one alone.
    pub fn is_unique_violation(&self) -> bool {
        self.driver_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
    }

    /// Whether a foreign key refused the statement.
    pub fn is_foreign_key_violation(&self) -> bool {
        self.driver_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation)
    }

    /// Whether the same transaction may succeed when it is run again: PostgreSQL's serialization
    /// failure (40001) and deadlock (40P01).
    pub fn is_transient(&self) -> bool {
        self.code().is_some_and(|code| code == "40001" || code == "40P01")
    }

    /// Whether the database could not be reached, or had no connection free in time: nothing is wrong with what was asked,
    /// nothing of the transaction was kept, and the same may succeed in a moment.
    ///
    /// Never for a commit. Whether that one holds is unknown, so nobody may be invited to ask again.
    pub fn is_outage(&self) -> bool {
        let error = &self.failure.source.0;
        (is_connection_lost(error) || is_refused_as_read_only(error)) && !self.is_of_commit
    }

    /// Whether there is no room left for what was to be written, of which nothing was kept.
    fn is_disk_full(&self) -> bool {
        self.code().is_some_and(|code| DISK_FULL.contains(&code.as_ref()))
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        code(&self.failure.source.0)
    }

    fn driver_error(&self) -> Option<&(dyn sqlx::error::DatabaseError + 'static)> {
        self.failure.source.0.as_database_error()
    }
}

impl From<sqlx::Error> for DbError {
    fn from(source: sqlx::Error) -> Self {
        Self::new(source, None)
    }
}

impl From<sqlx::migrate::MigrateError> for DbError {
    fn from(source: sqlx::migrate::MigrateError) -> Self {
        Self::new(sqlx::Error::Migrate(Box::new(source)), None)
    }
}

impl fmt::Display for DbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { source, statement } = &*self.failure;
        match (statement, source.postgres()) {
            (_, None) if self.is_disk_full() => f.write_str("the disk is full: make room where the database is"),
            (_, Some(error)) if self.is_disk_full() => write!(f, "the disk is full: {}", error.message()),
            (Some(sql), _) => write!(f, "the database failed at the statement of {}:{}", sql.file, sql.line),
            (None, _) => f.write_str("the database failed"),
        }
    }
}

impl Error for DbError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // Of a full disk all was said.
        (!self.is_disk_full()).then_some(&self.failure.source as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;
    use sqlx_postgres::PgConnection;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_proxy_that_hangs_up_is_an_outage() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        tokio::spawn(async move {
            loop {
                drop(listener.accept().await);
            }
        });
        for mode in ["disable", "prefer"] {
            let url = format!("postgres://shop@{address}/shop?sslmode={mode}");
            let error = PgConnection::connect(&url).await.expect_err("nobody speaks there");
            assert!(DbError::from(error).is_outage(), "{mode}");
        }
    }

    #[tokio::test]
    async fn a_server_that_lets_nobody_in_is_an_outage_unless_it_is_about_who_asks() {
        for (code, is_outage) in [("57P03", true), ("55000", true), ("28P01", false)] {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            let address = listener.local_addr().expect("it has an address");
            tokio::spawn(async move {
                let (mut stream, _) = listener.accept().await.expect("somebody comes");
                let length = stream.read_u32().await.expect("it begins with its length");
                let mut greeting = vec![0; usize::try_from(length).expect("it is short") - 4];
                stream.read_exact(&mut greeting).await.expect("somebody introduces themselves");
                let fields = format!("SFATAL\0VFATAL\0C{code}\0Mnot now\0\0");
                stream.write_u8(b'E').await.expect("somebody listens");
                stream
                    .write_u32(u32::try_from(fields.len()).expect("it is short") + 4)
                    .await
                    .expect("somebody listens");
                stream.write_all(fields.as_bytes()).await.expect("somebody listens");
            });
            let url = format!("postgres://shop@{address}/shop?sslmode=disable");
            let error = PgConnection::connect(&url).await.expect_err("nobody is let in");
            assert_eq!(DbError::from(error).is_outage(), is_outage, "{code}");
        }
    }
}

//! Opening a database from its configured URL.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::flush_connection::FlushConnection;
use super::pool::{LEAST_READERS, Pools};
use super::postgres_write::{Shares, share_out};
use super::reach;
use super::shared_flush::WITHOUT_WAITING;
use super::{Db, DbError};
use crate::clock::Clock;
use crate::config::DatabaseUrl;
use crate::private_files::make_folder;

/// How long a connection may be waited for, and how long SQLite waits for another process's lock.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long after its last use a connection to PostgreSQL is believed to live without being asked.
const FRESH: Duration = Duration::from_secs(1);
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How the name of a database begins that is being made.
const DRAFT: &str = ".stoa-database-";

/// Statements that a connection keeps prepared, more than a shop with all its modules uses again and again.
const STATEMENTS: usize = 256;

/// What to do when there is no database yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Make an empty one (SQLite only; a PostgreSQL database must exist).
    Create,
    /// Fail, naming the place.
    Refuse,
}

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Where the database is.
    pub url: DatabaseUrl,
    /// What to do when it does not exist.
    pub missing: Missing,
    /// Connections for reading (SQLite) or for reading and writing (PostgreSQL); at least three read, and on PostgreSQL at least
    /// two write.
    pub connections: u32,
}

/// Why a database could not be opened; the text is for operators.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("there is no database at {}; `stoa migrate` or `stoa serve` makes one", .0.display())]
    NoDatabase(PathBuf),
    #[error("cannot make the folder {folder} for the database: {reason}", folder = .0.display(), reason = .1)]
    Folder(PathBuf, io::Error),
    #[error("cannot make the database file {file}: {reason}", file = .0.display(), reason = .1)]
    File(PathBuf, io::Error),
    #[error("cannot open the database {0}")]
    Connect(String, #[source] DbError),
    #[error("cannot open the database {url}: there is no connection to {place}")]
    Unreachable { url: String, place: String, source: io::Error },
}

impl Db {
    /// Opens the database and checks that it answers.
    ///
    /// The error's text names the place and the reason and is meant for operators.
    pub async fn open(
        options: &OpenOptions,
        clock: Clock,
    ) -> Result<Self, impl std::error::Error + Send + Sync + use<>> {
        open(options, clock).await
    }

    /// Waits a few seconds for a database server that accepts no connections yet, for programs that start together with
    /// it. Whether it does then, [`Db::open`] tells.
    pub async fn wait_for_server(url: &DatabaseUrl) {
        if let DatabaseUrl::Postgres(url) = url
            && let Ok(server) = server_options(url.expose())
        {
            reach::wait_for(&server).await;
        }
    }

    /// An empty database in memory.
    pub(super) async fn in_memory(clock: Clock) -> Result<Self, DbError> {
        Ok(Self::new(open_memory().await?, clock))
    }
}

async fn open(options: &OpenOptions, clock: Clock) -> Result<Db, OpenError> {
    let failed = |error: sqlx::Error| OpenError::Connect(options.url.to_string(), error.into());
    let pools = match &options.url {
        DatabaseUrl::SqliteMemory => open_memory().await,
        DatabaseUrl::SqliteFile(path) => {
            if options.missing == Missing::Refuse && !path.exists() {
                return Err(OpenError::NoDatabase(path.clone()));
            }
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                make_folder(folder).map_err(|error| OpenError::Folder(folder.to_path_buf(), error))?;
            }
            make_database(path).await.map_err(|error| OpenError::File(path.clone(), error))?;
            open_file(path, options.connections).await
        }
        DatabaseUrl::Postgres(url) => {
            let server = server_options(url.expose()).map_err(failed)?;
            reach::reach(&server).await.map_err(|error| match error {
                sqlx::Error::Io(source) => {
                    OpenError::Unreachable { url: options.url.to_string(), place: reach::address(&server), source }
                }
                other => failed(other),
            })?;
            open_postgres(server, options.connections).await
        }
    };
    Ok(Db::new(pools.map_err(failed)?, clock))
}

fn sqlite_options() -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        // FULL: an acknowledged order survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .statement_cache_capacity(STATEMENTS)
        .log_statements(tracing::log::LevelFilter::Off)
        .disable_statement_logging()
}

/// Makes a database without tables, unless there is a file. It appears at once and never as an empty file, which would be one
/// that something else has emptied. SQLite gives its other files the rights of this one, which is for its owner only.
async fn make_database(path: &Path) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(folder)?;
    let options = sqlite_options().filename(draft.path()).journal_mode(SqliteJournalMode::Wal);
    let made = async { options.connect().await?.close().await };
    made.await.map_err(io::Error::other)?;
    draft.as_file().sync_all()?;
    match draft.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists => Err(failed.error),
        _ => Ok(()),
    }
}

/// An in-memory database lives as long as its one connection, so reads and writes share it.
async fn open_memory() -> Result<Pools, sqlx::Error> {
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(sqlite_options().in_memory(true))
        .await?;
    Ok(Pools::sqlite(pool.clone(), pool))
}

async fn open_file(path: &Path, readers: u32) -> Result<Pools, sqlx::Error> {
    let options = sqlite_options().filename(path).create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    let write = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(30))
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        // Savepoints note what they may have to restore; beyond 64 KiB that would be a temporary file for each transaction.
        .connect_with(options.clone().pragma("temp_store", "MEMORY"))
        .await?;
    let read = SqlitePoolOptions::new()
        .max_connections(readers.max(LEAST_READERS))
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(options.create_if_missing(false).pragma("query_only", "on"));
    Ok(Pools::sqlite(read, write))
}

fn server_options(url: &str) -> Result<PgConnectOptions, sqlx::Error> {
    let options = PgConnectOptions::from_str(url)?
        .application_name("stoa")
        // It would note at each start which tables are there already.
        .options([("client_min_messages", "warning")])
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    Ok(options)
}

async fn open_postgres(options: PgConnectOptions, connections: u32) -> Result<Pools, sqlx::Error> {
    let Shares { for_reads, for_writes } = share_out(connections);
    let pool = postgres_pool(for_reads).connect_with(options.clone()).await?;
    let write = postgres_pool(for_writes).connect_lazy_with(options.clone().options([WITHOUT_WAITING]));
    // Known by another name, since a program that looks for others has this one itself.
    let flush = FlushConnection::new(postgres_pool(1), options.application_name("stoa flush"), FRESH);
    Ok(Pools::postgres(pool, write, flush, FRESH))
}

fn postgres_pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A round trip each time would be a third of all; what was just used still lives.
        .test_before_acquire(false)
        .before_acquire(|connection, known| {
            Box::pin(async move { Ok(known.idle_for < FRESH || connection.ping().await.is_ok()) })
        })
        .after_connect(|connection, _| {
            Box::pin(async move {
                use sqlx::Executor;
                connection.execute("SET TIME ZONE 'UTC'").await?;
                Ok(())
            })
        })
}

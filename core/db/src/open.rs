//! Opening a database from its configured URL.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection};
use sqlx_sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use stoa_base::config::{DatabaseConfig, DatabaseUrl, Pooler, PostgresUrl};
use stoa_base::private_files::make_folder;

use super::cluster::Cluster;
use super::pool::{LEAST_READERS, Pools};
use super::postgres::Postgres;
use super::reach::{self, Reached, Unreached, reach};
use super::replica::Replica;
use super::servers::Servers;
use super::{Database, DbError, pooler};

/// How long a connection may be waited for, and how long SQLite waits for another process's lock.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// SQLite's number for what cannot be written.
const READ_ONLY: i32 = 8;

/// How the name of a database begins that is being made.
const DRAFT: &str = ".stoa-database-";

/// Statements that a connection keeps prepared, more than a shop with all its modules uses again and again.
pub(super) const STATEMENTS: usize = 256;

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
    /// Whether Litestream follows the file.
    pub followed: bool,
    /// What stands before PostgreSQL.
    pub pooler: Pooler,
    /// A standby of PostgreSQL that may answer lists.
    pub read_url: Option<DatabaseUrl>,
}

impl OpenOptions {
    /// A database with nothing before it, no standby and nobody who follows.
    pub fn new(url: DatabaseUrl, missing: Missing, connections: u32) -> Self {
        Self { url, missing, connections, followed: false, pooler: Pooler::None, read_url: None }
    }

    /// The database of a shop, as it is configured.
    pub fn configured(config: &DatabaseConfig, missing: Missing) -> Self {
        let (followed, pooler, read_url) = (config.followed, config.pooler, config.read_url.clone());
        Self { followed, pooler, read_url, ..Self::new(config.url.clone(), missing, config.max_connections) }
    }
}

/// Why a database could not be opened; the text is for operators.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("there is no database at {}: is this the shop's folder? `stoa migrate` or `stoa serve` makes a new one", .0.display())]
    NoDatabase(PathBuf),
    #[error("you may not write {}; run the command as the user whom it belongs to", .0.display())]
    MayNotWrite(PathBuf),
    #[error("cannot make the folder {folder} for the database: {reason}", folder = .0.display(), reason = .1)]
    Folder(PathBuf, io::Error),
    #[error("cannot make the database file {file}: {reason}", file = .0.display(), reason = .1)]
    File(PathBuf, io::Error),
    #[error("cannot open the database {0}")]
    Connect(String, #[source] DbError),
    #[error("cannot open the database {url}: there is no connection to {place}")]
    Unreachable { url: String, place: String, source: io::Error },
    #[error("cannot open the database {url}: none of its servers is what is wanted ({wanted}): {found}")]
    NoneFits { url: String, wanted: &'static str, found: String },
    #[error(
        "the database {0} is reached through a pooler that hands each transaction to another server process, such as \
         PgBouncer in transaction mode; set `database.pooler = \"transaction\"`, or let `database.url` name the server itself"
    )]
    Pooler(String),
}

impl Database {
    /// Opens the database and checks that it answers.
    ///
    /// The error's text names the place and the reason and is meant for operators.
    pub async fn open(options: &OpenOptions) -> Result<Self, impl std::error::Error + Send + Sync + use<>> {
        // Boxed: it is called once, and looks at servers.
        Box::pin(open(options)).await
    }

    /// Waits a few seconds for a database server that accepts no connections yet, for programs that start together with
    /// it. Whether it does then, [`Database::open`] tells.
    pub async fn wait_for_server(url: &DatabaseUrl) {
        // The pooler matters only to what is asked, and this asks nothing.
        if let DatabaseUrl::Postgres(url) = url
            && let Ok(servers) = Servers::of_shop(url, Pooler::Transaction)
        {
            reach::wait_for(&servers).await;
        }
    }

    /// An empty database in memory.
    pub(super) async fn in_memory() -> Result<Self, DbError> {
        Ok(Self::new(open_memory().await?))
    }
}

async fn open(options: &OpenOptions) -> Result<Database, OpenError> {
    let failed = |error: sqlx::Error| OpenError::Connect(options.url.to_string(), error.into());
    let pools = match &options.url {
        DatabaseUrl::SqliteMemory => open_memory().await,
        DatabaseUrl::SqliteFile(path) => {
            if is_denied(path) {
                return Err(may_not_write(path));
            }
            if options.missing == Missing::Refuse && !path.exists() {
                return Err(OpenError::NoDatabase(path.clone()));
            }
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                make_folder(folder).map_err(|error| not_made(folder, error, OpenError::Folder))?;
            }
            make_database(path).await.map_err(|error| not_made(path, error, OpenError::File))?;
            match open_file(path, options).await {
                Err(error) if is_read_only(&error) => return Err(may_not_write(path)),
                opened => opened,
            }
        }
        DatabaseUrl::Postgres(url) => return Ok(Database::new(open_postgres(options, url).await?)),
    };
    Ok(Database::new(pools.map_err(failed)?))
}

/// Why a file or folder could not be made.
fn not_made(path: &Path, error: io::Error, otherwise: fn(PathBuf, io::Error) -> OpenError) -> OpenError {
    match error.kind() {
        io::ErrorKind::PermissionDenied => may_not_write(path),
        _ => otherwise(path.to_path_buf(), error),
    }
}

/// What is told to whoever is not the shop's user: the folder around the file, or the first one above it that there is.
fn may_not_write(path: &Path) -> OpenError {
    let folder = path.ancestors().skip(1).find(|folder| folder.exists());
    OpenError::MayNotWrite(folder.unwrap_or(path).to_path_buf())
}

/// Whether SQLite found that it may not make its log beside a file.
fn is_read_only(error: &sqlx::Error) -> bool {
    let code =
        error.as_database_error().and_then(sqlx::error::DatabaseError::code).and_then(|code| code.parse::<i32>().ok());
    // The low byte says what it is, and the rest says it in detail.
    code.is_some_and(|code| code & 0xff == READ_ONLY)
}

/// Whether a file is others' to write. Asked before SQLite is, which may say no more than that it cannot open one; and before
/// whether there is one, since nothing seems to be where this user may not even look.
fn is_denied(path: &Path) -> bool {
    let opened = std::fs::OpenOptions::new().append(true).open(path);
    opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

async fn open_postgres(options: &OpenOptions, url: &PostgresUrl) -> Result<Pools, OpenError> {
    let shown = || url.to_string();
    let failed = |error: sqlx::Error| match error {
        error if pooler::has_refused(&error) => OpenError::Pooler(shown()),
        error => OpenError::Connect(shown(), error.into()),
    };
    let servers = Servers::of_shop(url, options.pooler).map_err(failed)?;
    let (wanted, place_of) = (servers.wanted(), |servers: &Servers| reach::address(servers.options(0)));
    let Reached { place, mut connection } = reach(&servers).await.map_err(|unreached| match unreached {
        Unreached::Failed(sqlx::Error::Io(source)) => {
            OpenError::Unreachable { url: shown(), place: place_of(&servers), source }
        }
        Unreached::Failed(error) => failed(error),
        Unreached::NoneFits(found) => OpenError::NoneFits { url: shown(), wanted: wanted.as_str(), found },
    })?;
    let primary = Cluster::new(servers, place, options.connections);
    if primary.current().shares_with(&mut connection).await.map_err(failed)? {
        return Err(OpenError::Pooler(shown()));
    }
    // Whatever becomes of it, it is not needed any more.
    let _ = connection.close().await;
    let replica = match &options.read_url {
        Some(DatabaseUrl::Postgres(url)) => {
            let servers = Servers::of_replica(url, options.pooler).map_err(failed)?;
            Some(Replica::new(Cluster::new(servers, 0, options.connections)))
        }
        _ => None,
    };
    Ok(Pools::Postgres(Postgres { primary, replica }))
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

async fn open_file(path: &Path, wanted: &OpenOptions) -> Result<Pools, sqlx::Error> {
    let options = sqlite_options().filename(path).create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    // Savepoints note what they may have to restore; beyond 64 KiB that would be a temporary file for each transaction.
    let mut writing = options.clone().pragma("temp_store", "MEMORY");
    if wanted.followed {
        // What was moved from the log into the file may be written over there before the follower has read it.
        writing = writing.pragma("wal_autocheckpoint", "0");
    }
    let write = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(30))
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(writing)
        .await?;
    let read = SqlitePoolOptions::new()
        .max_connections(wanted.connections.max(LEAST_READERS))
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(options.create_if_missing(false).pragma("query_only", "on"));
    Ok(Pools::sqlite(read, write))
}

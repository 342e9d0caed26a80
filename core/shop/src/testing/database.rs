//! A database for one test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use tokio::sync::OnceCell;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::DatabaseUrl;
use stoa_kernel::db::{Backend, Db, MigrationSet, Missing, OpenOptions};

use super::postgres::{self, Server};
use super::shop::core_migrations;

/// Connections of one handle; many tests at once must not use up a server's hundred.
const CONNECTIONS: u32 = 4;

/// Where Linux keeps files in memory.
const MEMORY: &str = "/dev/shm";

/// A database for one test, removed with the last clone unless the test fails. Cloning gives the same database.
#[derive(Clone)]
pub struct TestDatabase(Arc<DatabaseHome>);

enum DatabaseHome {
    File(Option<TempDir>),
    Server { server: &'static Server, name: String },
    Elsewhere(Box<OpenOptions>),
}

impl TestDatabase {
    /// A database with core's migrations.
    pub async fn new(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => {
                let database = Self::empty(backend).await;
                std::fs::write(database.file(), sqlite_template().await).expect("the temporary folder can be written");
                database
            }
            Backend::Postgres => {
                let server = postgres::server().await.expect("there is a PostgreSQL server");
                Self(Arc::new(DatabaseHome::Server { server, name: server.create_from_template().await }))
            }
        }
    }

    /// A database without any table.
    pub async fn empty(backend: Backend) -> Self {
        let home = match backend {
            Backend::Sqlite => DatabaseHome::File(Some(temporary_folder())),
            Backend::Postgres => {
                let server = postgres::server().await.expect("there is a PostgreSQL server");
                DatabaseHome::Server { server, name: server.create_empty().await }
            }
        };
        Self(Arc::new(home))
    }

    /// A database that somebody else has made and keeps.
    pub fn at(url: DatabaseUrl) -> Self {
        Self::opened_by(OpenOptions::new(url, Missing::Create, CONNECTIONS))
    }

    /// The same, to be opened in this way.
    pub fn opened_by(options: OpenOptions) -> Self {
        Self(Arc::new(DatabaseHome::Elsewhere(Box::new(options))))
    }

    /// Opens one more handle, as another program would; what it writes carries the time of `clock`.
    pub async fn open(&self, clock: Clock) -> Db {
        match &*self.0 {
            DatabaseHome::Elsewhere(options) => open_by(options, clock).await,
            DatabaseHome::File(_) | DatabaseHome::Server { .. } => open(self.url(), clock).await,
        }
    }

    /// Where the database is.
    pub fn url(&self) -> DatabaseUrl {
        match &*self.0 {
            DatabaseHome::File(_) => DatabaseUrl::SqliteFile(self.file()),
            DatabaseHome::Server { server, name } => server.database(name),
            DatabaseHome::Elsewhere(options) => options.url.clone(),
        }
    }

    fn file(&self) -> PathBuf {
        let DatabaseHome::File(Some(folder)) = &*self.0 else { unreachable!("only SQLite keeps a database in a file") };
        database_file(folder.path())
    }
}

fn database_file(folder: &Path) -> PathBuf {
    folder.join("shop.db")
}

/// A folder in memory where the system has one: a test's database need not survive a power cut, and waiting for the disk
/// would take most of its time.
pub(super) fn temporary_folder() -> TempDir {
    let mut builder = tempfile::Builder::new();
    let folder = builder.prefix("stoa-test-");
    folder.tempdir_in(MEMORY).or_else(|_| folder.tempdir()).expect("a temporary folder can be made")
}

/// Opens a database that exists, or is a file.
pub(super) async fn open(url: DatabaseUrl, clock: Clock) -> Db {
    open_by(&OpenOptions::new(url, Missing::Create, CONNECTIONS), clock).await
}

async fn open_by(options: &OpenOptions, clock: Clock) -> Db {
    match Db::open(options, clock).await {
        Ok(db) => db,
        Err(error) => panic!("{error}: {:?}", std::error::Error::source(&error)),
    }
}

/// Applies core's migrations to an empty database.
pub(super) async fn migrate(url: DatabaseUrl, migrations: &[MigrationSet]) {
    let db = open(url, Clock::system()).await;
    db.migrate(migrations).await.expect("core's migrations apply");
    db.close().await;
}

/// A SQLite database with core's migrations, made once for this process.
async fn sqlite_template() -> &'static [u8] {
    static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let make = async || {
        let folder = temporary_folder();
        let file = database_file(folder.path());
        migrate(DatabaseUrl::SqliteFile(file.clone()), &core_migrations()).await;
        // The last connection has moved everything from the log into the file.
        std::fs::read(file).expect("the template was written")
    };
    TEMPLATE.get_or_init(make).await
}

impl Drop for DatabaseHome {
    fn drop(&mut self) {
        let keep = std::thread::panicking();
        match self {
            Self::File(folder) => {
                if let Some(folder) = folder.take_if(|_| keep) {
                    eprintln!("the database of this test is kept: {}", database_file(&folder.keep()).display());
                }
            }
            Self::Server { server, name } if keep => {
                eprintln!("the database of this test is kept for a day: {}", server.shown(name));
            }
            Self::Server { server, name } => server.drop_database(name),
            Self::Elsewhere(_) => {}
        }
    }
}

//! The file of a SQLite database as a whole: copied while it is in use, looked at, and replaced.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection};
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePoolOptions};

use super::pool::Pools;
use super::{Database, DbError};

/// How long other programs may take to finish what they are doing in the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// What SQLite keeps beside its file.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

impl Database {
    /// Writes one moment of a SQLite database into an empty file, while others go on writing to the database.
    pub async fn write_copy(&self, path: &Path) -> Result<(), DbError> {
        let Pools::Sqlite { write, .. } = &*self.pools else {
            return Err(sqlx::Error::Configuration("only SQLite keeps a database in a file".into()).into());
        };
        let path = path.to_str().ok_or_else(|| sqlx::Error::Configuration("the path is no text".into()))?;
        sqlx::query("VACUUM INTO $1").bind(path).execute(write).await?;
        Ok(())
    }

    /// Opens a SQLite file that nobody changes, without writing anything into it or beside it.
    pub async fn open_unchanging(path: &Path) -> Result<Self, DbError> {
        let options = SqliteConnectOptions::new().filename(path).immutable(true).disable_statement_logging();
        let pool = SqlitePoolOptions::new().max_connections(2).connect_with(options.read_only(true)).await?;
        Ok(Self::new(Pools::sqlite(pool.clone(), pool)))
    }
}

/// Why a SQLite file could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program has the database open.
    #[error("another program has the database {} open; stop it first (`stoa serve`, `stoa worker`)", .0.display())]
    InUse(PathBuf),
    /// There is a file, but no database in it.
    #[error("the file {} is damaged, or no SQLite database; move it away, then `stoa restore` puts a backup back", .0.display())]
    Damaged(PathBuf),
    /// The file cannot be opened.
    #[error("the database {} cannot be locked", .0.display())]
    Failed(PathBuf, #[source] DbError),
}

/// The place of a SQLite file, which no other program has open as long as this lives.
pub struct LockedFile {
    path: PathBuf,
    /// Holds the lock; none when there is nothing to be locked.
    connection: Option<SqliteConnection>,
}

impl LockedFile {
    /// Locks a file, which need not exist. Own handles to it must be closed before.
    pub async fn lock(path: &Path) -> Result<Self, LockError> {
        if !path.exists() {
            return Ok(Self { path: path.to_path_buf(), connection: None });
        }
        let options = SqliteConnectOptions::new().filename(path).busy_timeout(LOCK_TIMEOUT).disable_statement_logging();
        match exclusive(&options).await {
            Ok(connection) => Ok(Self { path: path.to_path_buf(), connection: Some(connection) }),
            Err(error) => Err(match primary_code(&error) {
                // SQLITE_BUSY, SQLITE_LOCKED
                Some(5 | 6) => LockError::InUse(path.to_path_buf()),
                // SQLITE_CORRUPT, SQLITE_NOTADB
                Some(11 | 26) => LockError::Damaged(path.to_path_buf()),
                _ => LockError::Failed(path.to_path_buf(), error.into()),
            }),
        }
    }

    /// The place of a damaged file, which no program can have open to any use.
    pub fn damaged(path: &Path) -> Self {
        Self { path: path.to_path_buf(), connection: None }
    }

    /// Puts another database into the place, at once and whole, and gives the lock back. `new` is a file in the same
    /// folder with nothing beside it; it is gone afterwards.
    pub async fn replace(self, new: &Path) -> io::Result<()> {
        // The old log must be gone before: SQLite would apply it to the new file.
        for companion in COMPANIONS {
            let mut name = self.path.clone().into_os_string();
            name.push(companion);
            match fs::remove_file(&name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(new, &self.path)?;
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            File::open(folder)?.sync_all()?;
        }
        if let Some(connection) = self.connection {
            // It is connected to a file that has no name any more; whatever fails does not matter.
            let _ = connection.close_hard().await;
        }
        Ok(())
    }
}

/// Opens a file so that nobody else can use it.
///
/// A lock alone does not tell whether other programs have the file open, since in WAL mode they hold none while they are
/// idle. But WAL mode can only be left by the last one.
async fn exclusive(options: &SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    let mut connection = options.connect().await?;
    sqlx::query("PRAGMA journal_mode = DELETE").execute(&mut connection).await?;
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut connection).await?;
    Ok(connection)
}

fn primary_code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error()?.code()?;
    // The upper bits make the code finer.
    code.parse::<u32>().ok().map(|code| code & 0xff)
}

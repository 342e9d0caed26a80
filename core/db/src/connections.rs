//! Who else works in the database.

use super::pool::Pools;
use super::{Database, DbError};

const OTHERS: &str = "SELECT COUNT(*) FROM pg_stat_activity
     WHERE datname = current_database() AND (application_name = 'stoa' OR application_name LIKE 'stoa %')";

impl Database {
    /// How many connections other Stoa programs hold to this PostgreSQL database, as far as the user may see them.
    ///
    /// What waits for the disk is not counted. This handle must neither have written nor have been used by two tasks at once, or its own second connection counts
    /// too. For SQLite
    /// the answer is 0; [`LockedFile`](super::LockedFile) tells there.
    pub async fn other_connections(&self) -> Result<u64, DbError> {
        match &*self.pools {
            Pools::Sqlite { .. } => Ok(0),
            Pools::Postgres(postgres) => {
                let server = postgres.primary.current();
                let mut tx = server.begin_reading().await?;
                let count = sqlx::query_scalar::<_, i64>(OTHERS).persistent(false).fetch_one(tx.connection()).await?;
                let own = u64::from(server.pool.size());
                tx.end("COMMIT").await?;
                Ok(u64::try_from(count).unwrap_or_default().saturating_sub(own))
            }
        }
    }
}

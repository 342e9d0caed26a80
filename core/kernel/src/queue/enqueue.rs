//! Writing tasks down.

use serde_json::{Value, json};
use sqlx::types::Json;

use super::handler::Task;
use super::{AT_ONCE, queries};
use crate::db::{Db, DbError, Tx};

impl Tx {
    /// Writes a task down, to be done once the transaction has committed. A rollback removes it.
    pub async fn enqueue<T: Task>(&mut self, task: &T) -> Result<(), DbError> {
        let now = self.now();
        let insert = self.run(queries::INSERT).bind(T::LANE.name).bind(T::KIND).bind(task.order_key());
        insert.bind(Json(task)).bind(AT_ONCE).bind(now).execute().await?;
        self.wake_runner();
        Ok(())
    }
}

/// Writes the rows of jobs that have none.
pub(super) async fn insert_jobs(tx: &mut Tx, kinds: &str) -> Result<(), DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT_JOBS).bind(kinds).bind(Json(Value::Null));
    insert.bind(AT_ONCE).bind(now).execute().await.map(drop)
}

/// Writes the row of a job that has none.
pub(crate) async fn ensure_job(tx: &mut Tx, name: &str) -> Result<(), DbError> {
    insert_jobs(tx, &json!([{ "kind": name }]).to_string()).await
}

/// Has a job be due at once, unless it runs.
pub(crate) async fn hasten_job(db: &Db, name: &str) -> Result<(), DbError> {
    let now = db.now();
    let is_later = db.look(queries::COUNT_LATER_JOB).bind(name).bind(now).scalar::<i64>().await? > 0;
    if is_later {
        db.write(async |tx| tx.run(queries::HASTEN_JOB).bind(name).bind(AT_ONCE).bind(now).execute().await).await?;
    }
    Ok(())
}

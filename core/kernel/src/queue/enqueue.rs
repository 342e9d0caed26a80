//! Writing tasks down.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use sqlx::types::Json;

use super::handler::Task;
use super::lane::Lane;
use super::{AT_ONCE, queries};
use crate::db::{DbError, Tx};
use crate::telemetry::trace_parent;

/// A task that the commit writes down.
#[derive(Serialize)]
pub(crate) struct NewTask {
    #[serde(serialize_with = "name_of")]
    pub(crate) lane: Lane,
    pub(crate) kind: &'static str,
    /// The event that a listener is told of.
    pub(crate) event: Option<&'static str>,
    pub(crate) order_key: Option<String>,
    pub(crate) subject: Option<i64>,
    pub(crate) payload: Box<RawValue>,
    /// The trace that the task goes on with.
    pub(crate) trace_parent: Option<String>,
}

fn name_of<S: serde::Serializer>(lane: &Lane, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(lane.name)
}

impl NewTask {
    fn of<T: Task>(task: &T) -> Result<Self, DbError> {
        let (lane, kind, payload) = (T::LANE, T::KIND, payload_of(task)?);
        let (order_key, subject) = (order_key_of(task), task.subject());
        Ok(Self { lane, kind, event: None, order_key, subject, payload, trace_parent: trace_parent() })
    }
}

/// Where tasks of one key are done abreast, those without one share one.
fn order_key_of<T: Task>(task: &T) -> Option<String> {
    task.order_key().or_else(|| T::LANE.abreast.map(|_| String::new()))
}

/// What a row carries.
pub(crate) fn payload_of(content: &impl Serialize) -> Result<Box<RawValue>, DbError> {
    to_raw_value(content).map_err(|error| sqlx::Error::Encode(error.into()).into())
}

impl Tx {
    /// Writes a task down, to be done once the transaction has committed. A rollback removes it. Where its subject has a task of
    /// its kind already, that one stays.
    pub fn enqueue<T: Task>(&mut self, task: &T) -> Result<(), DbError> {
        let task = NewTask::of(task)?;
        self.add_task(task);
        Ok(())
    }

    /// Has the task of a subject be done at once, its attempts counted anew, whatever became of an earlier one. Returns false,
    /// and changes nothing, while it is being done.
    pub async fn enqueue_anew<T: Task>(&mut self, task: &T) -> Result<bool, DbError> {
        self.upsert_task(task, AT_ONCE, false).await
    }

    /// Has the task of a subject be done at a time, whenever it was to be done before, its attempts counted anew. One that is
    /// being done comes again at that time, or sooner if whoever does it says so.
    pub async fn enqueue_at<T: Task>(&mut self, task: &T, due_at: DateTime<Utc>) -> Result<(), DbError> {
        self.upsert_task(task, due_at, true).await.map(drop)
    }

    async fn upsert_task<T: Task>(&mut self, task: &T, due_at: DateTime<Utc>, again: bool) -> Result<bool, DbError> {
        let now = self.now();
        let upsert = self.run(queries::ENQUEUE_AT).bind(T::LANE.name).bind(T::KIND).bind(order_key_of(task));
        let upsert =
            upsert.bind(task.subject()).bind(Json(task)).bind(due_at).bind(now).bind(again).bind(trace_parent());
        let is_written = upsert.execute().await? == 1;
        if due_at <= now {
            self.wake_runner();
        }
        Ok(is_written)
    }

    /// Removes the task of a subject, for which nothing is left to do; one that is being done finds that out itself, and does
    /// not come again.
    pub async fn dequeue<T: Task>(&mut self, subject: i64) -> Result<(), DbError> {
        if self.run(queries::DEQUEUE).bind(subject).bind(T::KIND).execute().await? == 0 {
            self.run(queries::FORGET_AGAIN).bind(subject).bind(T::KIND).execute().await?;
        }
        Ok(())
    }

    /// Removes the tasks of an order key that wait, and gives the subjects of those that had one.
    pub async fn withdraw(&mut self, lane: Lane, order_key: &str) -> Result<Vec<i64>, DbError> {
        let subjects = self.run(queries::WITHDRAW).bind(lane.name).bind(order_key).scalars::<Option<i64>>().await?;
        Ok(subjects.into_iter().flatten().collect())
    }

    /// Writes down what was put into the transaction; the last thing before its commit, so that tasks whose order counts have
    /// that of the commits.
    pub(crate) async fn write_tasks(&mut self) -> Result<(), DbError> {
        let tasks = self.take_tasks();
        if tasks.is_empty() {
            return Ok(());
        }
        let is_ordered = tasks.iter().any(|task| task.lane.abreast.is_some());
        let insert = if is_ordered { queries::INSERT_IN_ORDER_OF_COMMITS } else { queries::INSERT };
        let tasks = serde_json::to_string(&tasks).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let now = self.now();
        self.run(insert).bind(tasks).bind(AT_ONCE).bind(now).execute().await?;
        self.wake_runner();
        Ok(())
    }
}

/// Writes the rows of jobs that have none.
pub(super) async fn insert_jobs(tx: &mut Tx, kinds: &str) -> Result<(), DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT_JOBS).bind(kinds).bind(Json(serde_json::Value::Null));
    insert.bind(AT_ONCE).bind(now).execute().await.map(drop)
}

/// Writes the row of a job that has none.
pub(crate) async fn ensure_job(tx: &mut Tx, name: &str) -> Result<(), DbError> {
    insert_jobs(tx, &json!([{ "kind": name }]).to_string()).await
}

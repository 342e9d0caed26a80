//! Events for after the commit: written as tasks of the queue inside the transaction.

use serde_json::{Value, json};
use sqlx::types::Json;

use super::kinds::CommittedEvent;
use crate::db::{DbError, Tx};
use crate::queue::{AT_ONCE, INSERT_EVENTS};

impl Tx {
    /// Writes one task for each after-commit listener of the event, those of modules included that are off and were on
    /// before. A rollback removes them; the commit wakes the runner.
    pub async fn emit<E: CommittedEvent>(&mut self, event: &E) -> Result<(), DbError> {
        let now = self.now();
        let listeners = self.awaited_by(event).await?;
        if listeners.is_empty() {
            return Ok(());
        }
        let subject = event.order_key();
        let listeners = listeners.into_iter().map(|id| {
            // What one feature or module does about one subject, it does in the order of the events.
            let owner = id.split_once('.').map_or(id, |(owner, _)| owner);
            json!({"id": id, "order_key": subject.as_ref().map(|subject| format!("{owner} {subject}"))})
        });
        let listeners = Value::Array(listeners.collect()).to_string();
        let insert = self.run(INSERT_EVENTS).bind(listeners).bind(E::NAME).bind(Json(event));
        insert.bind(AT_ONCE).bind(now).execute().await?;
        self.wake_runner();
        Ok(())
    }
}

//! Events for after the commit: written as tasks of the queue with the transaction.

use super::kinds::CommittedEvent;
use crate::db::{DbError, Tx};
use crate::queue::{EVENTS, NewTask, payload_of};
use crate::telemetry::trace_parent;

impl Tx {
    /// Writes one task for each after-commit listener of the event, those of modules included that are off and were on
    /// before. A rollback removes them; the commit wakes the runner.
    pub async fn emit<E: CommittedEvent>(&mut self, event: &E) -> Result<(), DbError> {
        let listeners = self.awaited_by(event).await?;
        if listeners.is_empty() {
            return Ok(());
        }
        let (subject, payload) = (event.order_key(), payload_of(event)?);
        for id in listeners {
            // What one feature or module does about one subject, it does in the order of the events.
            let owner = id.split_once('.').map_or(id, |(owner, _)| owner);
            let order_key = subject.as_ref().map(|subject| format!("{owner} {subject}"));
            let (event, payload) = (Some(E::NAME), payload.clone());
            self.add_task(NewTask {
                lane: EVENTS,
                kind: id,
                event,
                order_key,
                subject: None,
                payload,
                trace_parent: trace_parent(),
            });
        }
        Ok(())
    }
}

//! Events for after the commit: written as rows inside the transaction, delivered from there.

use std::panic::AssertUnwindSafe;

use chrono::TimeDelta;
use futures_util::FutureExt;
use serde_json::{Value, json};
use sqlx::types::Json;

use super::kinds::{CommittedEvent, ListenerError};
use super::listing::DeliveryState;
use super::queries;
use crate::clock::horizon;
use crate::db::{DbError, Tx};
use crate::error_chain;
use crate::from_shop::{FromShop, ShopParts};

/// How long a claimed delivery is kept from other instances.
const LEASE: TimeDelta = TimeDelta::seconds(60);

/// Deliveries taken at once.
const BATCH: i64 = 20;

/// Minutes to wait after each failed attempt; after the last one the operator is asked.
const BACKOFF_MINUTES: [i64; 8] = [1, 2, 5, 15, 30, 60, 180, 360];

/// The longest of them.
const LONGEST_WAIT: TimeDelta = TimeDelta::minutes(BACKOFF_MINUTES[BACKOFF_MINUTES.len() - 1]);

impl Tx {
    /// Writes one row for each after-commit listener of the event, those of modules included that are off and were on
    /// before. A rollback removes them; the commit wakes the dispatcher.
    pub async fn emit<E: CommittedEvent>(&mut self, event: &E) -> Result<(), DbError> {
        let payload = serde_json::to_value(event).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let now = self.now();
        let listeners = self.awaited_by(E::NAME).await?;
        if listeners.is_empty() {
            return Ok(());
        }
        let listeners = listeners.into_iter().map(|id| json!({"id": id})).collect::<Vec<_>>();
        let insert = self.run(queries::INSERT).bind(E::NAME).bind(Value::Array(listeners).to_string());
        insert.bind(Json(&payload)).bind(now).execute().await?;
        self.wake_runner();
        Ok(())
    }
}

#[derive(sqlx::FromRow)]
struct Claimed {
    id: i64,
    listener: String,
    payload: Json<Value>,
    attempts: i64,
}

/// Delivers what is due.
pub struct Dispatch {
    shop: ShopParts,
}

impl FromShop for Dispatch {
    fn from_shop(shop: &ShopParts) -> Self {
        Self { shop: shop.clone() }
    }
}

impl Dispatch {
    /// Delivers everything that is due now, and returns how many deliveries succeeded.
    pub async fn run_due(&self) -> Result<usize, DbError> {
        let enabled = self.shop.events.committed().iter().filter(|listener| listener.enabled);
        let listeners = enabled.map(|listener| json!({"id": listener.id})).collect::<Vec<_>>();
        if listeners.is_empty() {
            return Ok(0);
        }
        let listeners = Value::Array(listeners).to_string();
        let mut delivered = 0;
        loop {
            let batch = self.claim(&listeners).await?;
            if batch.is_empty() {
                return Ok(delivered);
            }
            for claimed in batch {
                delivered += usize::from(self.deliver(claimed).await?);
            }
        }
    }

    async fn claim(&self, listeners: &str) -> Result<Vec<Claimed>, DbError> {
        let db = &self.shop.db;
        let now = db.now();
        let (last_retry, last_lease) = (horizon(now, LONGEST_WAIT), horizon(now, LEASE));
        // Looking first keeps an idle shop from writing.
        let count = db.look(queries::COUNT_DUE).bind(now).bind(listeners).bind(last_retry).bind(last_lease);
        if count.scalar::<i64>().await? == 0 {
            return Ok(Vec::new());
        }
        let mut batch = db
            .write(async |tx| -> Result<Vec<Claimed>, DbError> {
                let claim = tx.run(queries::CLAIM).bind(now).bind(listeners).bind(last_retry).bind(last_lease);
                claim.bind(now + LEASE).bind(BATCH).all().await
            })
            .await?;
        batch.sort_by_key(|claimed| claimed.id);
        Ok(batch)
    }

    async fn deliver(&self, claimed: Claimed) -> Result<bool, DbError> {
        let outcome = self.call(&claimed).await;
        let db = &self.shop.db;
        match outcome {
            Ok(()) => {
                db.write(async |tx| tx.run(queries::DELETE).bind(claimed.id).execute().await).await?;
                Ok(true)
            }
            Err(error) => {
                let attempt = usize::try_from(claimed.attempts).unwrap_or(usize::MAX);
                let wait = BACKOFF_MINUTES.get(attempt.saturating_sub(1));
                let state = if wait.is_some() { DeliveryState::Pending } else { DeliveryState::Failed };
                let next = db.now() + TimeDelta::minutes(wait.copied().unwrap_or(0));
                let text = error_chain(&error);
                tracing::warn!(
                    listener = claimed.listener,
                    attempt,
                    state = state.as_str(),
                    error = text,
                    "a listener failed"
                );
                db.write(async |tx| {
                    let postpone = tx.run(queries::POSTPONE).bind(claimed.id).bind(state.as_str());
                    postpone.bind(next).bind(text.as_str()).execute().await
                })
                .await?;
                Ok(false)
            }
        }
    }

    /// Calls the listener; a panic is a failure like any other.
    async fn call(&self, claimed: &Claimed) -> Result<(), ListenerError> {
        let found = self.shop.events.committed().iter().find(|listener| listener.id == claimed.listener);
        let Some(listener) = found else {
            return Err(ListenerError::Failed(format!("there is no listener `{}`", claimed.listener)));
        };
        let payload = claimed.payload.0.to_string();
        let call = AssertUnwindSafe(listener.listener.call(&payload, &self.shop)).catch_unwind();
        call.await.unwrap_or_else(|_| Err(ListenerError::Failed(String::from("the listener panicked"))))
    }
}

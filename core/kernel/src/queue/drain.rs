//! Working off a lane at once, instead of waiting for the runner.

use std::sync::Arc;

use super::engine::Engine;
use super::handler::Task;
use super::kinds::TaskKinds;
use super::lane::Lane;
use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};

/// What works off what is due.
#[derive(Clone)]
pub struct Queue {
    parts: ShopParts,
}

impl FromShop for Queue {
    fn from_shop(parts: &ShopParts) -> Self {
        Self { parts: parts.clone() }
    }
}

impl Queue {
    /// The same, with other kinds of tasks; for tests.
    #[must_use]
    pub fn with_kinds(&self, change: impl FnOnce(&TaskKinds) -> TaskKinds) -> Self {
        let tasks = Arc::new(change(&self.parts.tasks));
        Self { parts: ShopParts { tasks, ..self.parts.clone() } }
    }

    /// Does what is due in a lane until nothing is, and returns how many tasks were done without a failure.
    pub async fn drain(&self, lane: Lane) -> Result<usize, DbError> {
        self.drain_with(lane, None).await
    }

    /// The same, one after the other.
    pub(super) async fn drain_one_by_one(&self, lane: Lane) -> Result<usize, DbError> {
        self.drain_with(lane, Some(1)).await
    }

    async fn drain_with(&self, lane: Lane, at_once: Option<usize>) -> Result<usize, DbError> {
        let mut engine = Engine::new(self.parts.clone(), &[lane], at_once);
        engine.prepare().await?;
        engine.finish().await?;
        Ok(engine.done())
    }

    /// Does what is due in a lane, unless a runner of this process does so anyway.
    pub async fn work_off(&self, lane: Lane) -> Result<(), DbError> {
        if self.parts.tasks.is_worked_off() {
            return Ok(());
        }
        self.drain(lane).await.map(drop)
    }

    /// Has these tasks be done: by the runner of this process, or here and now where there is none. Those that somebody else
    /// does, or that wait for another attempt, are left alone.
    pub async fn hand_over<T: Task>(&self, tasks: &[T]) -> Result<(), DbError> {
        if self.parts.tasks.is_worked_off() {
            return self.parts.db.write(async |tx| tasks.iter().try_for_each(|task| tx.enqueue(task))).await;
        }
        let mut engine = Engine::new(self.parts.clone(), &[T::LANE], None);
        engine.prepare().await?;
        engine.take(tasks).await?;
        engine.finish().await
    }
}

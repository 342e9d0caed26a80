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
    /// The same, with other kinds of tasks.
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

    /// Does the task of a subject here and now, and nothing else of its lane. One that somebody else does, or that is to wait, is
    /// left alone.
    pub async fn do_now<T: Task>(&self, subject: i64) -> Result<(), DbError> {
        // Without lanes it claims nothing by itself.
        let mut engine = Engine::new(self.parts.clone(), &[], None);
        engine.take::<T>(subject).await?;
        engine.finish().await
    }
}

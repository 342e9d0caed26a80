//! The kinds of tasks that a program knows.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::back_off::BackOff;
use super::handler::{ErasedHandler, HandleTask, Task, decoding};
use super::lane::Lane;
use super::record::{RecordTask, Recording};
use crate::suggestion::no_such;

/// What becomes of a task that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// It is removed; one that has failed is tried again.
    Once(BackOff),
    /// It is due again after this time, whether it failed or not.
    Every(Duration),
}

/// A kind of tasks.
#[derive(Clone)]
pub(crate) struct Kind {
    /// The name that rows carry.
    pub(crate) name: &'static str,
    pub(crate) lane: Lane,
    /// Tasks of a module that is off wait until it is on again.
    pub(crate) enabled: bool,
    pub(crate) repetition: Repetition,
    /// Whether what came of it is written down and told elsewhere, so that nothing remains of one that was given up.
    pub(crate) is_recorded: bool,
    pub(crate) handler: Arc<dyn ErasedHandler>,
}

impl Kind {
    fn of<T: Task, H: HandleTask<T>>(enabled: bool, handler: H) -> Self {
        Self {
            name: T::KIND,
            lane: T::LANE,
            enabled,
            repetition: Repetition::Once(H::RETRY),
            is_recorded: false,
            handler: decoding::<T, H>(handler),
        }
    }

    fn recorded<T: Task, H: RecordTask<T>>(enabled: bool, handler: H) -> Self {
        Self {
            name: T::KIND,
            lane: T::LANE,
            enabled,
            repetition: Repetition::Once(H::RETRY),
            is_recorded: true,
            handler: Arc::new(Recording { handler, task: PhantomData }),
        }
    }
}

/// All kinds of tasks of a program, and whether this process works them off.
#[derive(Default)]
pub struct TaskKinds {
    kinds: Vec<Kind>,
    is_worked_off: AtomicBool,
    /// How many tasks of each lane this process has done.
    done: Mutex<BTreeMap<&'static str, i64>>,
}

impl fmt::Debug for TaskKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskKinds").field("kinds", &self.kinds.len()).finish_non_exhaustive()
    }
}

/// No lane has this name.
#[derive(Debug, thiserror::Error)]
#[error("{}", no_such("lane", name, known.iter().copied()))]
pub struct UnknownLane {
    /// The name that was asked for.
    pub name: String,
    /// The names of the lanes.
    pub known: Vec<&'static str>,
}

impl TaskKinds {
    /// The same kinds, with another handler for one of them: for whoever does its tasks on behalf of somebody else, and for tests.
    #[must_use]
    pub fn with<T: Task, H: HandleTask<T>>(&self, handler: H) -> Self {
        let mut kinds = self.kinds.clone();
        let replaced = kinds.iter_mut().find(|kind| kind.name == T::KIND).expect("there is such a kind");
        *replaced = Kind::of(replaced.enabled, handler);
        Self { kinds, ..Self::default() }
    }

    pub(crate) fn find(&self, lane: Lane, name: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.lane.name == lane.name && kind.name == name)
    }

    /// The lanes, in the order of their names.
    pub(crate) fn lanes(&self) -> Vec<Lane> {
        let mut lanes = self.kinds.iter().map(|kind| kind.lane).collect::<Vec<_>>();
        lanes.sort_by_key(|lane| lane.name);
        lanes.dedup_by_key(|lane| lane.name);
        lanes
    }

    /// The lanes of these names.
    pub fn lanes_named(&self, names: &[String]) -> Result<Vec<Lane>, UnknownLane> {
        let known = self.lanes();
        let find = |name: &String| {
            let found = known.iter().find(|lane| lane.name == name).copied();
            found.ok_or_else(|| UnknownLane { name: name.clone(), known: known.iter().map(|lane| lane.name).collect() })
        };
        names.iter().map(find).collect()
    }

    /// The kinds of a lane whose tasks are done.
    pub(crate) fn enabled_in(&self, lane: Lane) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().filter(move |kind| kind.enabled && kind.lane.name == lane.name)
    }

    /// The kinds whose tasks are done, with their lanes, as the array that statements take.
    pub(super) fn enabled_as_json(&self) -> String {
        let enabled = self.kinds.iter().filter(|kind| kind.enabled);
        enabled.map(|kind| json!({"lane": kind.lane.name, "kind": kind.name})).collect::<Value>().to_string()
    }

    /// Whether all that is given up in a lane is written down elsewhere than in the queue.
    pub(super) fn is_recorded(&self, lane: Lane) -> bool {
        self.kinds.iter().filter(|kind| kind.lane.name == lane.name).all(|kind| kind.is_recorded)
    }

    /// How many tasks of a lane this process has done.
    pub(super) fn done(&self, lane: Lane) -> i64 {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).get(lane.name).copied().unwrap_or_default()
    }

    /// Counts tasks that were done, by their lanes.
    pub(super) fn count_done(&self, lanes: impl Iterator<Item = Lane>) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        for lane in lanes {
            *done.entry(lane.name).or_default() += 1;
        }
    }

    /// Whether a runner of this process works the queue off, so that nobody else need.
    pub(super) fn is_worked_off(&self) -> bool {
        self.is_worked_off.load(Ordering::Acquire)
    }

    pub(super) fn set_worked_off(&self, is_worked_off: bool) {
        self.is_worked_off.store(is_worked_off, Ordering::Release);
    }
}

/// Collects kinds while features and modules register.
#[derive(Default)]
pub(crate) struct TaskKindsBuilder(Vec<Kind>);

impl TaskKindsBuilder {
    /// Adds what does the tasks of a kind.
    pub(crate) fn add<T: Task, H: HandleTask<T>>(&mut self, enabled: bool, handler: H) -> Result<(), String> {
        self.push(Kind::of(enabled, handler))
    }

    /// The same, for tasks whose results are written down together.
    pub(crate) fn add_recorded<T: Task, H: RecordTask<T>>(&mut self, enabled: bool, handler: H) -> Result<(), String> {
        self.push(Kind::recorded(enabled, handler))
    }

    /// Adds a kind; its name, and the width of its lane, must be the same everywhere.
    pub(crate) fn push(&mut self, kind: Kind) -> Result<(), String> {
        if self.0.iter().any(|known| known.lane.name == kind.lane.name && known.name == kind.name) {
            return Err(format!("the lane `{}` has two kinds of work named `{}`", kind.lane.name, kind.name));
        }
        let neighbour = self.0.iter().find(|known| known.lane.name == kind.lane.name);
        if let Some(other) = neighbour.filter(|other| other.lane != kind.lane) {
            return Err(format!(
                "`{}` and `{}` say different things about the lane `{}`",
                other.name, kind.name, kind.lane.name
            ));
        }
        self.0.push(kind);
        Ok(())
    }

    pub(crate) fn build(self) -> TaskKinds {
        TaskKinds { kinds: self.0, ..TaskKinds::default() }
    }
}

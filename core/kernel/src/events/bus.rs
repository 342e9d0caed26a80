//! The listeners of a running program, by event, in their order.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use stoa_db::Notifier;

use super::kinds::{
    AfterCommit, CommittedEvent, InTransaction, ListenerError, Preflight, PreflightEvent, TransactionEvent,
};
use crate::db::{Db, DbError, TABLE_EXISTS, Tx, migrations_table};
use crate::error_chain;
use crate::panics::panic_text;
use crate::queue::{BackOff, EVENTS, ErasedHandler, HandleTask, Kind, Lane, Repetition, Task, TaskError, decoding};

/// The owner whose listeners run first.
const CORE: &str = "core";

/// A listener inside a transaction holds locks that others wait for.
const SLOW_LISTENER: Duration = Duration::from_millis(100);

pub(super) type ListenerFuture<'a> = Pin<Box<dyn Future<Output = Result<(), ListenerError>> + Send + 'a>>;

/// The object-safe twin of [`Preflight`].
trait ErasedPreflight<E>: Send + Sync {
    fn call<'a>(&'a self, event: &'a mut E, db: &'a Db) -> ListenerFuture<'a>;
}

impl<E: PreflightEvent, L: Preflight<E>> ErasedPreflight<E> for L {
    fn call<'a>(&'a self, event: &'a mut E, db: &'a Db) -> ListenerFuture<'a> {
        Box::pin(self.preflight(event, db))
    }
}

/// The object-safe twin of [`InTransaction`].
trait ErasedInTransaction<E>: Send + Sync {
    fn call<'a>(&'a self, event: &'a E, tx: &'a mut Tx) -> ListenerFuture<'a>;
}

impl<E: TransactionEvent, L: InTransaction<E>> ErasedInTransaction<E> for L {
    fn call<'a>(&'a self, event: &'a E, tx: &'a mut Tx) -> ListenerFuture<'a> {
        Box::pin(self.in_transaction(event, tx))
    }
}

/// An event, as the task that is written for each of its listeners.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Told<E>(E);

impl<E: CommittedEvent> Task for Told<E> {
    const KIND: &'static str = E::NAME;
    const LANE: Lane = EVENTS;
}

/// An after-commit listener, as what does its tasks.
struct Listening<L>(L);

impl<E: CommittedEvent, L: AfterCommit<E>> HandleTask<Told<E>> for Listening<L> {
    type Uses = L::Uses;

    const RETRY: BackOff = BackOff::USUAL;

    async fn handle(&self, Told(event): &Told<E>, uses: &L::Uses) -> Result<(), TaskError> {
        let told = self.0.after_commit(event, uses).await;
        told.map_err(|error| TaskError::Later(error_chain(&error)))
    }
}

struct Named<T: ?Sized> {
    owner: &'static str,
    id: &'static str,
    /// Set while the listener's module is off: whether its tables are there, once that is known.
    asleep: Option<OnceLock<bool>>,
    listener: Box<T>,
}

/// An after-commit listener, known by the id that rows refer to.
pub(crate) struct CommittedListener {
    owner: &'static str,
    pub(crate) id: &'static str,
    pub(crate) event: &'static str,
    /// Rows are written for the listeners of a disabled module too, and wait.
    pub(crate) enabled: bool,
    /// The capabilities that it wants to hear of; empty for all.
    wants: &'static [&'static str],
    /// Set for a module that is off and has tables: whether they are there, once that is known.
    asleep: Option<OnceLock<bool>>,
    listener: Arc<dyn ErasedHandler>,
}

impl CommittedListener {
    /// Whether it wants to hear of what has these capabilities; of what has said none, everybody does.
    fn wants_any(&self, capabilities: Option<&[String]>) -> bool {
        let Some(capabilities) = capabilities.filter(|_| !self.wants.is_empty()) else { return true };
        capabilities.iter().any(|capability| self.wants.contains(&capability.as_str()))
    }
}

/// All listeners of the program. Empty until the registry is frozen.
#[derive(Default)]
pub struct EventBus {
    preflight: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
    in_transaction: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
    committed: Vec<CommittedListener>,
    runner: Arc<Notifier>,
}

impl fmt::Debug for EventBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBus").field("committed", &self.committed.len()).finish_non_exhaustive()
    }
}

impl EventBus {
    /// Calls the preflight listeners of an event, in order.
    pub async fn preflight<E: PreflightEvent>(&self, event: &mut E, db: &Db) -> Result<(), ListenerError> {
        for named in listeners::<dyn ErasedPreflight<E>>(&self.preflight, TypeId::of::<E>()) {
            named.listener.call(event, db).await?;
        }
        Ok(())
    }

    async fn in_transaction<E: TransactionEvent>(&self, event: &E, tx: &mut Tx) -> Result<(), ListenerError> {
        for named in listeners::<dyn ErasedInTransaction<E>>(&self.in_transaction, TypeId::of::<E>()) {
            if let Some(known) = &named.asleep
                && !has_tables(tx, named.owner, known).await?
            {
                continue;
            }
            let started = Instant::now();
            let called = AssertUnwindSafe(named.listener.call(event, tx)).catch_unwind().await;
            called.unwrap_or_else(|panic| {
                let (module, listener, event) = (named.owner, named.id, E::NAME);
                tracing::error!(module, listener, event, "a listener {}", panic_text(panic.as_ref()));
                resume_unwind(panic)
            })?;
            let took = started.elapsed();
            if took > SLOW_LISTENER {
                tracing::warn!(
                    listener = named.id,
                    event = E::NAME,
                    duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
                    "a listener kept a transaction open for long"
                );
            }
        }
        Ok(())
    }

    /// Whether anybody listens to this preflight event.
    pub fn is_awaited<E: PreflightEvent>(&self) -> bool {
        !listeners::<dyn ErasedPreflight<E>>(&self.preflight, TypeId::of::<E>()).is_empty()
    }

    pub(super) fn committed_for(&self, event: &str) -> impl Iterator<Item = &CommittedListener> {
        self.committed.iter().filter(move |listener| listener.event == event)
    }

    /// The after-commit listeners as kinds of tasks.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.committed.iter().map(|listener| Kind {
            name: listener.id,
            lane: EVENTS,
            enabled: listener.enabled,
            repetition: Repetition::Once(BackOff::USUAL),
            is_recorded: false,
            handler: Arc::clone(&listener.listener),
        })
    }

    /// The ids of the after-commit listeners that are called: not those of disabled modules, whose
    /// rows wait.
    pub fn enabled_listeners(&self) -> Vec<&'static str> {
        self.committed.iter().filter(|listener| listener.enabled).map(|listener| listener.id).collect()
    }

    /// What wakes the runner of this process, which dispatches events and runs jobs.
    pub(crate) fn runner(&self) -> &Arc<Notifier> {
        &self.runner
    }
}

impl Tx {
    /// Calls the in-transaction listeners of an event, in order. The first refusal ends it; return
    /// it from the closure of [`Db::write`] so that everything is rolled back.
    pub async fn announce<E: TransactionEvent>(&mut self, event: &E) -> Result<(), ListenerError> {
        let bus = Arc::clone(&self.bus);
        bus.in_transaction(event, self).await
    }

    /// The ids of the after-commit listeners of an event that rows are written for: those of modules that are on, and of
    /// those that are off and were on before, if they want to hear of it. Whoever never was on has nothing to catch up with.
    pub(super) async fn awaited_by<E: CommittedEvent>(&mut self, event: &E) -> Result<Vec<&'static str>, DbError> {
        let bus = Arc::clone(&self.bus);
        let capabilities = event.capabilities();
        let mut ids = Vec::new();
        for listener in bus.committed_for(E::NAME).filter(|listener| listener.wants_any(capabilities)) {
            let waits = match &listener.asleep {
                None => true,
                Some(known) => has_tables(self, listener.owner, known).await?,
            };
            if waits {
                ids.push(listener.id);
            }
        }
        Ok(ids)
    }

    /// Whether anybody listens to this event inside transactions: whoever announces it may spare the work of putting it
    /// together.
    pub fn is_heard<E: TransactionEvent>(&self) -> bool {
        !listeners::<dyn ErasedInTransaction<E>>(&self.bus.in_transaction, TypeId::of::<E>()).is_empty()
    }
}

/// Whether the tables of a module that is off are there. Tables come with a start of the shop, so one look is enough.
async fn has_tables(tx: &mut Tx, module: &str, known: &OnceLock<bool>) -> Result<bool, DbError> {
    if let Some(known) = known.get() {
        return Ok(*known);
    }
    let found = tx.run(TABLE_EXISTS).bind(migrations_table(module)).scalar::<i64>().await? > 0;
    Ok(*known.get_or_init(|| found))
}

fn listeners<L: ?Sized + 'static>(map: &HashMap<TypeId, Box<dyn Any + Send + Sync>>, event: TypeId) -> &[Named<L>]
where
    Box<L>: Send + Sync,
{
    map.get(&event).and_then(|any| any.downcast_ref::<Vec<Named<L>>>()).map_or(&[], Vec::as_slice)
}

/// Collects listeners while modules register, by name and each in its own order.
#[derive(Default)]
pub(crate) struct EventBusBuilder {
    bus: EventBus,
    /// Listener id to owner, to refuse an id that is used twice.
    owners: BTreeMap<&'static str, &'static str>,
    /// (owner, event, listener id) of everything registered, for `stoa modules`.
    pub(crate) described: Vec<(&'static str, &'static str, &'static str)>,
}

impl EventBusBuilder {
    fn claim(&mut self, owner: &'static str, event: &'static str, id: &'static str) -> Result<(), String> {
        if let Some(other) = self.owners.insert(id, owner) {
            return Err(format!("the listener id `{id}` is used by both `{other}` and `{owner}`"));
        }
        self.described.push((owner, event, id));
        Ok(())
    }

    pub(crate) fn on_preflight<E: PreflightEvent>(
        &mut self,
        owner: &'static str,
        id: &'static str,
        enabled: bool,
        listener: impl Preflight<E>,
    ) -> Result<(), String> {
        self.claim(owner, E::NAME, id)?;
        if enabled {
            let listener: Box<dyn ErasedPreflight<E>> = Box::new(listener);
            push(&mut self.bus.preflight, TypeId::of::<E>(), Named { owner, id, asleep: None, listener });
        }
        Ok(())
    }

    pub(crate) fn on_transaction<E: TransactionEvent>(
        &mut self,
        owner: &'static str,
        id: &'static str,
        enabled: bool,
        listener: impl InTransaction<E>,
    ) -> Result<(), String> {
        if enabled {
            return self.on_transaction_even_off(owner, id, enabled, listener);
        }
        self.claim(owner, E::NAME, id)
    }

    pub(crate) fn on_transaction_even_off<E: TransactionEvent>(
        &mut self,
        owner: &'static str,
        id: &'static str,
        enabled: bool,
        listener: impl InTransaction<E>,
    ) -> Result<(), String> {
        self.claim(owner, E::NAME, id)?;
        let listener: Box<dyn ErasedInTransaction<E>> = Box::new(listener);
        let asleep = (!enabled).then(OnceLock::new);
        push(&mut self.bus.in_transaction, TypeId::of::<E>(), Named { owner, id, asleep, listener });
        Ok(())
    }

    pub(crate) fn on_committed<E: CommittedEvent, L: AfterCommit<E>>(
        &mut self,
        owner: &'static str,
        id: &'static str,
        enabled: bool,
        listener: L,
    ) -> Result<(), String> {
        self.claim(owner, E::NAME, id)?;
        let listener = CommittedListener {
            owner,
            id,
            event: E::NAME,
            enabled,
            wants: L::WANTS,
            asleep: None,
            listener: decoding::<Told<E>, _>(Listening(listener)),
        };
        insert_in_order(&mut self.bus.committed, listener, |known| known.owner == CORE);
        Ok(())
    }

    /// Freezes the listeners; `dormant` are the modules that are off and have tables.
    pub(crate) fn build(mut self, dormant: &[&str]) -> EventBus {
        for listener in self.bus.committed.iter_mut().filter(|listener| dormant.contains(&listener.owner)) {
            listener.asleep = Some(OnceLock::new());
        }
        self.bus
    }
}

fn push<L: ?Sized + 'static>(map: &mut HashMap<TypeId, Box<dyn Any + Send + Sync>>, event: TypeId, named: Named<L>)
where
    Box<L>: Send + Sync,
{
    let list = map
        .entry(event)
        .or_insert_with(|| Box::new(Vec::<Named<L>>::new()))
        .downcast_mut::<Vec<Named<L>>>()
        .expect("the list under an event's type id holds that event's listeners");
    insert_in_order(list, named, |known| known.owner == CORE);
}

/// Puts core's listeners in front of all others; among their like they stay in registration order.
/// Core registers after the modules, since it has to know their abilities.
fn insert_in_order<T>(list: &mut Vec<T>, new: T, of_core: impl Fn(&T) -> bool) {
    let place = if of_core(&new) { list.partition_point(&of_core) } else { list.len() };
    list.insert(place, new);
}

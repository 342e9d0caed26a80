//! The three kinds of events and of listeners.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::db::{Db, DbError, Tx};
use crate::from_shop::FromShop;
use crate::i18n::Message;

/// Something that happens in the shop and that modules may listen to.
pub trait Event: Send + Sync + 'static {
    /// The name that `stoa modules` and `stoa events` show, such as `OrderPlacing`.
    const NAME: &'static str;
}

/// An event that is announced before a transaction begins.
#[diagnostic::on_unimplemented(
    message = "nobody is told of `{Self}` before a transaction begins",
    note = "`on_transaction` or `on_committed` may be meant; the guide says when each event happens"
)]
pub trait PreflightEvent: Event {}

/// An event that is announced inside the transaction that brings it about.
#[diagnostic::on_unimplemented(
    message = "nobody is told of `{Self}` inside of a transaction",
    note = "`on_preflight` or `on_committed` may be meant; the guide says when each event happens"
)]
pub trait TransactionEvent: Event {}

/// An event that is delivered after its transaction has committed, from a row.
///
/// It carries ids and amounts, not whole entities: the row may be read long after it was written.
#[diagnostic::on_unimplemented(
    message = "nobody is told of `{Self}` after a commit",
    note = "`on_preflight` or `on_transaction` may be meant; the guide says when each event happens",
    note = "an event of your own derives `Serialize` and `Deserialize`, and implements `Event` and `CommittedEvent`"
)]
pub trait CommittedEvent: Event + Serialize + DeserializeOwned {
    /// What it is about, such as `order:12`. Of events with the same key, a feature or module is told one after the other, in
    /// the order in which they happened; while one of them is tried again, the later ones wait. None unless an event says
    /// otherwise.
    fn order_key(&self) -> Option<String> {
        None
    }

    /// The capabilities of what it is about: nothing is written for listeners that want others. None unless an event says
    /// otherwise; then it is told to all.
    fn capabilities(&self) -> Option<&[String]> {
        None
    }
}

/// A listener's refusal of what is about to happen. The client sees it as 422 `invalid_state`.
#[derive(Debug, Clone)]
pub struct Veto {
    /// The request field that the refusal is about, such as `items`.
    pub field: String,
    /// What the customer is told.
    pub message: Message,
    /// A stable, finer code beside `invalid_state`, such as `insufficient_stock`.
    pub reason: Option<&'static str>,
}

/// Why a listener did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ListenerError {
    /// It refuses; the transaction is rolled back and the client is told.
    #[error("vetoed on {}", .0.field)]
    Veto(Veto),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
    /// Anything else; an after-commit listener is tried again later.
    #[error("{0}")]
    Failed(String),
}

impl From<Veto> for ListenerError {
    fn from(veto: Veto) -> Self {
        Self::Veto(veto)
    }
}

/// A listener that runs before the transaction and may change what the event carries.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not listen to `{E}` before a transaction",
    note = "implement `Preflight<{E}>` for it, or register it for the event and with the method that it is written for"
)]
pub trait Preflight<E: PreflightEvent>: Send + Sync + 'static {
    /// Looks at the event, reads from the database, and adds to the event.
    fn preflight(&self, event: &mut E, db: &Db) -> impl Future<Output = Result<(), ListenerError>> + Send;
}

/// A listener that runs inside the transaction. It gets nothing but the transaction, so it cannot
/// cause effects that a rollback would not undo.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not listen to `{E}` inside of a transaction",
    note = "implement `InTransaction<{E}>` for it, or register it for the event and with the method that it is written for"
)]
pub trait InTransaction<E: TransactionEvent>: Send + Sync + 'static {
    /// Writes along with the event, or refuses it with a [`Veto`].
    fn in_transaction(&self, event: &E, tx: &mut Tx) -> impl Future<Output = Result<(), ListenerError>> + Send;
}

/// A listener that runs after commit, at least once for each event. It must be repeatable: the
/// same event may come again after a crash.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not listen to `{E}` after a commit",
    note = "implement `AfterCommit<{E}>` for it, or register it for the event and with the method that it is written for"
)]
pub trait AfterCommit<E: CommittedEvent>: Send + Sync + 'static {
    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// The capabilities that it has something to do with: it is not told of orders whose products have none of them. Empty
    /// unless a listener says otherwise; then it is told of everything.
    const WANTS: &'static [&'static str] = &[];

    /// Acts on what has been committed.
    fn after_commit(&self, event: &E, uses: &Self::Uses) -> impl Future<Output = Result<(), ListenerError>> + Send;
}

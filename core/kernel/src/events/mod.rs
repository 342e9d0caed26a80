//! In-process domain events (S6.1): three kinds, told apart by when their listeners run.
//!
//! * preflight: before the transaction; a listener adds to what the event carries,
//! * in transaction: inside it; a listener writes along, or vetoes and everything is undone,
//! * after commit: from a durable row, at least once, retried until it succeeds.

mod bus;
mod kinds;
mod listing;
mod outbox;

pub use bus::EventBus;
pub(crate) use bus::EventBusBuilder;
pub use kinds::{
    AfterCommit, CommittedEvent, Event, InTransaction, ListenerError, Preflight, PreflightEvent, TransactionEvent, Veto,
};
pub use listing::{DeliveryState, EventDelivery};

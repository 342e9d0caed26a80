//! Outbound webhooks: events are written down in the transaction of the change, and sent after the commit (S6.2 to S6.5).
//!
//! Each event and endpoint have a row of their own, whose body is fixed when it is written. Deliveries are made at least
//! once; receivers tell repetitions by the delivery's id.

mod chat;
mod envelope;
mod event;
mod kind;
mod queries;
mod queue;

pub use event::{EVENT_TYPES, OrderData, WebhookEvent};
pub use kind::EndpointKind;

pub(crate) use queue::queue;

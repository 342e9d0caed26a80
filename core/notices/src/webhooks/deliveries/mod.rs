//! Deliveries as the operator sees them, and sending them again.

mod health;
mod listing;
mod queries;
mod retry;

pub use health::{QueueState, queue_state};
pub use listing::{
    Delivery, DeliveryFilter, DeliveryState, RecordedAttempt, attempts_of, count_deliveries, find_delivery,
    list_deliveries,
};
pub use retry::{Retried, retry_deliveries, retry_delivery};

pub(super) use queries::PRUNE;

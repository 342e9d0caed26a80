//! Outbound webhooks: events are written down in the transaction of the change, and sent after the commit (S6.2 to S6.5).
//!
//! Each event and endpoint have a row of their own, whose body is fixed when it is written. Deliveries are made at least
//! once; receivers tell repetitions by the delivery's id.

mod attempt;
mod chat;
mod deliveries;
mod destination;
mod endpoints;
mod envelope;
mod event;
mod job;
mod kind;
mod metrics;
mod public_address;
mod queries;
mod queue;
mod resolver;
mod secrets;
mod sender;
mod signature;
mod test_message;

pub use attempt::{Attempt, MAX_ATTEMPTS, Outcome, RETRY_DELAYS_SECONDS, headers};
pub use deliveries::{
    Delivery, DeliveryFilter, DeliveryState, QueueState, RecordedAttempt, Retried, attempts_of, find_delivery,
    list_deliveries, queue_state, retry_deliveries, retry_delivery,
};
pub use destination::{Destination, Reach, Refusal};
pub use endpoints::{
    ChangeError, Endpoint, NewEndpoint, RotatedSecret, add_endpoint, check_destination, find_endpoint, list_endpoints,
    remove_endpoint, rotate_secret, secrets_of, set_endpoint_enabled,
};
pub use event::{EVENT_TYPES, OrderData, WebhookEvent};
pub use kind::EndpointKind;
pub use public_address::is_public;
pub use resolver::{Resolve, ResolveError, Resolver};
pub use secrets::is_usable_secret;
pub use sender::{SendCounts, SendError, Sender, destination_client};
pub use signature::{TIMESTAMP_TOLERANCE_SECONDS, VerifyError, sign, verify};
pub use test_message::send_test;

pub(crate) use endpoints::take_over;
pub(crate) use job::DeliverWebhooks;
pub(crate) use metrics::metrics_text;
pub(crate) use queue::queue;

use chrono::TimeDelta;

use crate::retention::Expired;

/// What this feature need not keep for ever.
pub(crate) const EXPIRED: &[Expired] = &[
    Expired {
        what: "webhook deliveries that came to an end",
        delete: deliveries::PRUNE,
        before: |config, now| now - TimeDelta::days(config.webhooks.retention_days),
    },
    Expired {
        what: "removed webhook endpoints",
        delete: endpoints::PRUNE,
        before: |config, now| now - TimeDelta::days(config.webhooks.retention_days),
    },
];

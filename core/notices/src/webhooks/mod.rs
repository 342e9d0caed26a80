//! Outbound webhooks: events are written down in the transaction of the change, and sent after the commit (S6.2 to S6.5).
//!
//! Each event and endpoint have a row of their own, whose body is fixed when it is written. Deliveries are made at least
//! once; receivers tell repetitions by the delivery's id.

mod attempt;
mod chat;
mod deliveries;
mod endpoints;
mod envelope;
mod event;
mod oversight;
mod queries;
mod queue;
mod secrets;
mod sender;
mod signature;
mod test_message;

pub use attempt::{Attempt, MAX_ATTEMPTS, Outcome, headers};
pub use deliveries::{
    Delivery, DeliveryFilter, DeliveryState, QueueState, RecordedAttempt, Retried, attempts_of, count_deliveries,
    find_delivery, list_deliveries, queue_state, retry_deliveries, retry_delivery,
};
pub use endpoints::{
    ChangeError, Endpoint, EndpointChange, MAX_OVERLAP_HOURS, NewEndpoint, RotatedSecret, add_endpoint,
    change_endpoint, check_destination, find_endpoint, list_endpoints, remove_endpoint, rotate_secret, secrets_of,
    set_endpoint_enabled, subscribed,
};
pub use event::{ModuleEvent, OrderData, ShippedUnits, WebhookEvent, WithdrawnUnits};
pub use sender::{SendCounts, Sender, SetupError, WEBHOOKS};
pub use signature::{TIMESTAMP_TOLERANCE_SECONDS, VerifyError, sign, sign_standard, verify};
pub use test_message::send_test;

pub use endpoints::take_over;
pub use queue::{queue, queue_all};

use chrono::TimeDelta;

pub use stoa_kernel::config::{EVENT_TYPES, EndpointKind, is_usable_secret};
use stoa_kernel::module::ModuleContext;
pub use stoa_kernel::module::{WebhookType, WebhookTypes};
pub use stoa_kernel::outbound::{
    Destination, Reach, Refusal, Resolve, ResolveError, Resolver, destination_client, is_public,
};
use stoa_kernel::retention::Expired;

use oversight::{ExamineWebhooks, MeasureWebhooks};

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] = &[
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

/// The job of this feature, what it need not keep for ever, and what is looked at.
pub(crate) fn register(cx: &mut ModuleContext<'_>, sender: Sender) {
    cx.measure(MeasureWebhooks(sender.clone()));
    cx.task_recorded(sender);
    cx.works_off("webhooks.deliver", "sends the webhooks that wait", &[WEBHOOKS]);
    cx.expires(EXPIRED);
    cx.examine_database("webhooks", ExamineWebhooks);
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
}

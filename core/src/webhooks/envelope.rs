//! The body that endpoints of the kind `http` receive (S6.3).

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::event::WebhookEvent;

#[derive(Serialize)]
struct Envelope<'a, D> {
    id: Uuid,
    #[serde(rename = "type")]
    event: &'a str,
    created_at: String,
    data: &'a D,
}

/// The body for one endpoint; `id` is the payload's, which is not the delivery's.
pub(super) fn body(id: Uuid, event: &WebhookEvent, happened_at: DateTime<Utc>) -> String {
    body_of(id, event.name(), event, happened_at)
}

/// The same for anything else.
pub(super) fn body_of(id: Uuid, event: &str, data: &impl Serialize, happened_at: DateTime<Utc>) -> String {
    let created_at = happened_at.to_rfc3339_opts(SecondsFormat::Micros, false);
    let envelope = Envelope { id, event, created_at, data };
    serde_json::to_string(&envelope).expect("an envelope serializes")
}

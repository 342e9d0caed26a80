//! The body that endpoints of the kind `http` receive (S6.3).

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::event::WebhookEvent;

#[derive(Serialize)]
struct Envelope<'a> {
    id: Uuid,
    #[serde(rename = "type")]
    event: &'static str,
    created_at: String,
    data: &'a WebhookEvent,
}

/// The body for one endpoint; `id` is the payload's, which is not the delivery's.
pub(super) fn body(id: Uuid, event: &WebhookEvent, happened_at: DateTime<Utc>) -> String {
    let created_at = happened_at.to_rfc3339_opts(SecondsFormat::Micros, false);
    let envelope = Envelope { id, event: event.name(), created_at, data: event };
    serde_json::to_string(&envelope).expect("an envelope serializes")
}

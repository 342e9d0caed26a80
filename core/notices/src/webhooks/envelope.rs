//! The body that endpoints of the kind `http` receive (S6.3).

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use uuid::Uuid;

/// Envelopes about one event. They differ in the payload's id alone, so that the rest is written once, however many endpoints hear
/// of the event.
pub(super) struct Envelopes {
    /// Everything after the id.
    rest: String,
}

#[derive(Serialize)]
struct Rest<'a, D> {
    #[serde(rename = "type")]
    event: &'a str,
    created_at: String,
    data: &'a D,
}

impl Envelopes {
    /// What comes before the id.
    pub(super) const BEFORE_ID: &'static str = r#"{"id":""#;

    /// About an event of this type, which has happened at this time.
    pub(super) fn about(event: &str, data: &impl Serialize, happened_at: DateTime<Utc>) -> Self {
        let created_at = happened_at.to_rfc3339_opts(SecondsFormat::Micros, false);
        let rest = serde_json::to_string(&Rest { event, created_at, data }).expect("an event serializes");
        Self { rest: format!("\",{}", &rest[1..]) }
    }

    /// What comes after the id.
    pub(super) fn after_id(&self) -> &str {
        &self.rest
    }

    /// The body for one endpoint; `id` is the payload's, which is not the delivery's.
    pub(super) fn body(&self, id: Uuid) -> String {
        format!("{}{id}{}", Self::BEFORE_ID, self.rest)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn an_envelope_is_json_with_the_four_members() {
        let (id, time) = (Uuid::from_u128(7), DateTime::UNIX_EPOCH);
        let data = json!({"order_number": "A \"quoted\" \\ one"});
        let body = Envelopes::about("order.created", &data, time).body(id);
        let read = serde_json::from_str::<Value>(&body).expect("it is JSON");
        let created_at = "1970-01-01T00:00:00.000000+00:00";
        assert_eq!(read, json!({"id": id, "type": "order.created", "created_at": created_at, "data": data}));
    }
}

//! What an import line says about a product under `modules.event_tickets`.

use chrono::{DateTime, Datelike, FixedOffset, SubsecRound};
use serde_json::{Map, Value};
use stoa_core::prelude::*;

/// The most characters of a name of an event, place, type or shared capacity.
pub(crate) const LONGEST_NAME: usize = 200;

/// The most tickets that a capacity can be.
pub(crate) const LARGEST_CAPACITY: i64 = 1_000_000_000;

/// What a ticket type is called that has no name.
const DEFAULT_TYPE: &str = "Standard";

/// Years that both databases and the form of the API can hold.
const YEARS: std::ops::RangeInclusive<i32> = 1970..=9998;

const MEMBERS: [&str; 9] = [
    "event",
    "venue",
    "starts_at",
    "ends_at",
    "capacity",
    "ticket_type",
    "on_sale_from",
    "on_sale_until",
    "shared_capacity",
];

/// What a product sells: tickets of a type for an event.
///
/// Its JSON form is kept beside what was made of it, so that only a change is applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct TicketSettings {
    /// The event's name. With place and time it says which event is meant.
    pub event: String,
    /// Where it takes place; empty when that is not told.
    pub venue: String,
    /// When it begins, in the time of the place.
    pub starts_at: DateTime<FixedOffset>,
    /// When it ends; it can be sold until then.
    pub ends_at: Option<DateTime<FixedOffset>>,
    /// How many tickets this product sells at most.
    pub capacity: i64,
    /// What the tickets are called.
    pub ticket_type: String,
    /// When the sale begins.
    pub on_sale_from: Option<DateTime<FixedOffset>>,
    /// When the sale ends.
    pub on_sale_until: Option<DateTime<FixedOffset>>,
    /// A capacity that this type shares with others of the event.
    pub shared_capacity: Option<SharedCapacity>,
}

/// A capacity that several types of an event share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedCapacity {
    /// Its name, within the event.
    pub name: String,
    /// How many tickets all of them sell at most.
    pub capacity: i64,
}

impl ProductSettings for TicketSettings {
    fn validate(&self) -> Result<(), String> {
        if self.ends_at.is_some_and(|ends| ends <= self.starts_at) {
            return Err(String::from("`ends_at` must be later than `starts_at`"));
        }
        match (self.on_sale_from, self.on_sale_until) {
            (Some(from), Some(until)) if until <= from => {
                Err(String::from("`on_sale_until` must be later than `on_sale_from`"))
            }
            _ => Ok(()),
        }
    }

    fn form() -> Vec<SettingField> {
        let moment = |name, label| SettingField::new(name, label, SettingKind::Moment);
        vec![
            SettingField::new("event", "Event", SettingKind::Text),
            SettingField::new("venue", "Venue", SettingKind::Text),
            moment("starts_at", "Begins"),
            moment("ends_at", "Ends"),
            SettingField::new("capacity", "Tickets", SettingKind::Number),
            SettingField::new("ticket_type", "Type of ticket", SettingKind::Text),
            moment("on_sale_from", "On sale from"),
            moment("on_sale_until", "On sale until"),
            SettingField::new("shared_capacity.name", "Shared capacity", SettingKind::Text)
                .hint("The name of a capacity that several types share."),
            SettingField::new("shared_capacity.capacity", "Tickets of the shared capacity", SettingKind::Number),
        ]
    }
}

impl TicketSettings {
    /// The settings of a product, as an order's line or the catalog keeps them.
    pub(crate) fn read(settings: &Value) -> Result<Self, String> {
        let settings = serde_json::from_value::<Self>(settings.clone()).map_err(|error| error.to_string())?;
        settings.validate().map(|()| settings)
    }

    /// Whether both speak of one event.
    pub(crate) fn names_same_event(&self, other: &Self) -> bool {
        self.event == other.event && self.venue == other.venue && self.starts_at == other.starts_at
    }

    /// The form in which settings are kept and compared.
    pub(crate) fn canonical(&self) -> String {
        serde_json::to_string(self).expect("texts, numbers and times have a JSON form")
    }
}

/// By hand, so that every refusal names the member and what was expected of it.
impl TryFrom<Map<String, Value>> for TicketSettings {
    type Error = String;

    fn try_from(members: Map<String, Value>) -> Result<Self, String> {
        if let Some(unknown) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            return Err(format!("unknown member `{unknown}`; there are {}", listed(&MEMBERS)));
        }
        Ok(Self {
            event: text(&members, "event")?.ok_or_else(|| missing("event"))?,
            venue: text(&members, "venue")?.unwrap_or_default(),
            starts_at: time(&members, "starts_at")?.ok_or_else(|| missing("starts_at"))?,
            ends_at: time(&members, "ends_at")?,
            capacity: capacity(&members, "capacity")?,
            ticket_type: text(&members, "ticket_type")?.unwrap_or_else(|| DEFAULT_TYPE.to_owned()),
            on_sale_from: time(&members, "on_sale_from")?,
            on_sale_until: time(&members, "on_sale_until")?,
            shared_capacity: shared(&members)?,
        })
    }
}

fn shared(members: &Map<String, Value>) -> Result<Option<SharedCapacity>, String> {
    let inner = match members.get("shared_capacity") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(inner)) => inner,
        Some(_) => return Err(String::from("`shared_capacity` must be an object with `name` and `capacity`")),
    };
    if let Some(unknown) = inner.keys().find(|name| !["name", "capacity"].contains(&name.as_str())) {
        return Err(format!("unknown member `{unknown}` of `shared_capacity`; there are `name` and `capacity`"));
    }
    let name = text(inner, "name").and_then(|name| name.ok_or_else(|| missing("name")));
    let shared = name.and_then(|name| Ok(SharedCapacity { name, capacity: capacity(inner, "capacity")? }));
    shared.map(Some).map_err(|problem| format!("in `shared_capacity`: {problem}"))
}

fn missing(name: &str) -> String {
    format!("`{name}` is missing")
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn text(members: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    let text = match members.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim(),
        Some(_) => return Err(format!("`{name}` must be a text")),
    };
    if text.chars().count() > LONGEST_NAME || text.chars().any(char::is_control) {
        return Err(format!("`{name}` must be a text of one line with at most {LONGEST_NAME} characters"));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn time(members: &Map<String, Value>, name: &str) -> Result<Option<DateTime<FixedOffset>>, String> {
    match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => parse_time(text).map(Some).map_err(|expected| format!("`{name}` {expected}")),
        Some(_) => Err(format!("`{name}` {TIME}")),
    }
}

const TIME: &str = "must be a time with an offset (ISO 8601), such as \"2031-05-01T19:00:00+02:00\"";

/// A time of the import format or the command line; the error says what was expected.
pub(crate) fn parse_time(text: &str) -> Result<DateTime<FixedOffset>, String> {
    let time = DateTime::parse_from_rfc3339(text.trim()).map_err(|_| TIME.to_owned())?.trunc_subsecs(0);
    if YEARS.contains(&time.to_utc().year()) {
        Ok(time)
    } else {
        Err(format!("must be a time from {} to {}", YEARS.start(), YEARS.end()))
    }
}

fn capacity(members: &Map<String, Value>, name: &str) -> Result<i64, String> {
    match members.get(name) {
        None | Some(Value::Null) => Err(missing(name)),
        Some(value) => {
            let number = value.as_i64().filter(|number| (0..=LARGEST_CAPACITY).contains(number));
            number.ok_or_else(|| format!("`{name}` must be a whole number from 0 to {LARGEST_CAPACITY}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings() -> Value {
        json!({"event": "Symposium", "venue": "Agora", "starts_at": "2031-05-01T19:00:00+02:00", "capacity": 100,
               "ticket_type": "Standing"})
    }

    #[test]
    fn what_is_kept_reads_as_it_was_written() {
        let mut all = settings();
        all["ends_at"] = json!("2031-05-01T23:00:00+02:00");
        all["shared_capacity"] = json!({"name": "Hall", "capacity": 50});
        for value in [settings(), all] {
            let read = TicketSettings::read(&value).expect("these are settings");
            let kept = serde_json::from_str::<TicketSettings>(&read.canonical()).expect("it can be read");
            assert_eq!(kept, read);
        }
    }

    #[test]
    fn every_refusal_names_the_member() {
        for (member, value) in [
            ("event", json!(null)),
            ("event", json!(5)),
            ("event", json!("x".repeat(201))),
            ("event", json!("two\nlines")),
            ("venue", json!(["Agora"])),
            ("starts_at", json!("tomorrow")),
            ("starts_at", json!("2031-05-01T19:00:00")),
            ("starts_at", json!("0001-05-01T19:00:00Z")),
            ("ends_at", json!("2031-05-01T18:00:00+02:00")),
            ("capacity", json!(-1)),
            ("capacity", json!(1.5)),
            ("capacity", json!("100")),
            ("capacity", json!(9_223_372_036_854_775_807_i64)),
            ("on_sale_from", json!(17)),
            ("shared_capacity", json!("Hall")),
            ("shared_capacity", json!({"name": "Hall"})),
            ("seats", json!([])),
        ] {
            let mut wrong = settings();
            wrong[member] = value.clone();
            let refused = TicketSettings::read(&wrong).expect_err("it is refused");
            assert!(refused.contains(&format!("`{member}`")), "{member} {value}: {refused}");
        }
    }

    #[test]
    fn only_event_time_and_capacity_are_needed() {
        let read = TicketSettings::read(&json!({"event": " A ", "starts_at": "2031-05-01T19:00:00Z", "capacity": 0}));
        let read = read.expect("these are settings");
        assert_eq!((read.event.as_str(), read.venue.as_str(), read.ticket_type.as_str()), ("A", "", "Standard"));
    }
}

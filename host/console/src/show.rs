//! How times, states and addresses are written.

use chrono::{DateTime, Utc};
use stoa_core::addresses::PostalAddress;
use stoa_core::i18n::{Language, country_name};

/// A time, in UTC, which the script writes in the browser's own zone.
pub(crate) struct Time {
    /// For machines.
    pub(crate) iso: String,
    /// For people.
    pub(crate) text: String,
}

impl Time {
    pub(crate) fn of(time: DateTime<Utc>) -> Self {
        Self {
            iso: time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            text: time.format("%Y-%m-%d %H:%M UTC").to_string(),
        }
    }
}

/// A state as a word with a colour.
pub(crate) struct Badge {
    pub(crate) text: String,
    pub(crate) tone: &'static str,
}

impl Badge {
    /// What a state is called, with the colour that it has everywhere.
    pub(crate) fn of(state: &str) -> Self {
        let tone = match state {
            "paid" | "fulfilled" | "succeeded" | "active" | "verified" | "delivered" | "completed" | "done"
            | "sent" | "accepted" | "answered" | "processed" | "in_stock" | "on" | "ok" => "good",
            "warning"
            | "low"
            | "low_stock"
            | "backorder"
            | "hidden"
            | "past_due"
            | "suspended"
            | "waiting"
            | "running"
            | "tried"
            | "pending"
            | "processing"
            | "unfulfilled"
            | "partially_fulfilled"
            | "open"
            | "declared"
            | "withdrawal" => "wait",
            "out" | "out_of_stock" | "void" | "review" | "failed" | "failing" | "high" | "flagged" | "unmatched"
            | "expired" | "dead_letter" | "refused" => "bad",
            _ => "plain",
        };
        Self { text: state.replace('_', " "), tone }
    }
}

/// The lines of an address, with the country's name and the phone number.
pub(crate) fn address(address: &PostalAddress) -> Vec<String> {
    let country = country_name(&address.country, Language::EN).unwrap_or_else(|| address.country.clone());
    let mut lines = PostalAddress { country, ..address.clone() }.envelope();
    lines.extend(address.phone.clone());
    lines
}

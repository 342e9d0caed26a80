//! `[webhooks]`: how deliveries are sent.

use std::collections::HashSet;
use std::iter::once;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::Deserializer;

use super::authority;
use super::check::Check;
use super::network::DnsServer;
use super::value::{self, Malformed, within};
use super::webhook_endpoint::{EVENT_TYPES, EndpointKind, is_usable_secret};
use crate::outbound::{Destination, Reach};
use crate::secret::Secret;
use crate::suggestion::no_such;

/// Settings of outbound webhooks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhooksConfig {
    /// Whether `http://` and addresses that are not public are permitted; for tests.
    pub allow_private_destinations: bool,
    /// Seconds between two looks for deliveries that are due (S6.5.5).
    #[serde(deserialize_with = "within::<_, _, 1, 3600>")]
    pub scheduler_interval_seconds: u64,
    /// Seconds for which a claimed delivery is held (S6.5.1).
    #[serde(deserialize_with = "within::<_, _, 1, 3600>")]
    pub lease_seconds: u64,
    /// Resolvers for the names of destinations; those of the system when empty.
    pub dns_servers: Vec<DnsServer>,
    /// File with one more certificate authority (PEM).
    #[serde(default, deserialize_with = "value::path")]
    pub extra_ca_file: Option<PathBuf>,
    /// Days for which deliveries are listed after they have come to an end.
    #[serde(deserialize_with = "within::<_, _, 1, 3650>")]
    pub retention_days: i64,
    /// Endpoints besides those that `stoa webhook add` makes.
    #[serde(default)]
    pub endpoints: Vec<WebhookEndpoint>,
}

/// Where events are sent to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `name`, `url` and `secret`")]
pub struct WebhookEndpoint {
    /// Lasting name by which it is known from one start to the next.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// Where to.
    #[serde(deserialize_with = "url")]
    pub url: String,
    /// What it understands.
    #[serde(default = "http")]
    pub kind: EndpointKind,
    /// The events it subscribes to, or `*` alone.
    #[serde(default = "everything", deserialize_with = "events")]
    pub events: Vec<String>,
    /// What signs. Another one takes its place with both signing for 24 hours.
    #[serde(deserialize_with = "secret")]
    pub secret: Secret,
    /// Whether events are sent to it.
    #[serde(default = "yes")]
    pub enabled: bool,
}

impl WebhooksConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if let Some(reason) = self.extra_ca_file.as_deref().and_then(authority::refusal) {
            check.refuse("extra_ca_file", &reason);
        }
        if !check.is_sound() {
            return;
        }
        let mut names = HashSet::new();
        for (index, endpoint) in self.endpoints.iter().enumerate() {
            if !names.insert(&endpoint.name) {
                check
                    .element("endpoints", index)
                    .refuse("name", "another endpoint has this name already; choose a new one");
            }
            if let Err(refusal) = Destination::parse(&endpoint.url, Reach::of(self)) {
                check.element("endpoints", index).refuse("url", &refusal.to_string());
            }
        }
    }
}

fn http() -> EndpointKind {
    EndpointKind::Http
}

fn everything() -> Vec<String> {
    vec![String::from("*")]
}

fn yes() -> bool {
    true
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::name(deserializer, "1 to 40 letters, digits, `-` and `_`, such as \"accounting\"")
}

/// What is no URL at all is refused here; whether it may be sent to depends on another setting.
fn url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::text(deserializer, "a URL, such as \"https://example.com/hook\"", |text| {
        match Destination::parse(text, Reach::Anywhere) {
            Ok(_) => Ok(text.to_owned()),
            Err(refusal) => Err(Malformed::Because(refusal.to_string())),
        }
    })
}

fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    if is_usable_secret(secret.expose()) {
        return Ok(secret);
    }
    Err(serde::de::Error::custom("it must be a line of 1 to 255 characters without blanks at its ends"))
}

fn events<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut names = Vec::<String>::deserialize(deserializer)?;
    if names.is_empty() {
        return Err(serde::de::Error::custom("at least one event is expected, or \"*\" for all of them"));
    }
    // What modules tell about is known once they are registered.
    let is_own = |name: &str| {
        let subject = |name: &str| name.split_once('.').map(|(subject, _)| subject.to_owned());
        subject(name).is_none_or(|own| EVENT_TYPES.iter().any(|known| subject(known) == Some(own.clone())))
    };
    let is_unknown = |name: &&String| *name != "*" && is_own(name) && !EVENT_TYPES.contains(&name.as_str());
    if let Some(unknown) = names.iter().find(is_unknown) {
        return Err(serde::de::Error::custom(no_such("event", unknown, once("*").chain(EVENT_TYPES))));
    }
    if names.iter().any(|name| name == "*") {
        return Ok(everything());
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

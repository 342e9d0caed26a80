//! `[catalog]`: how the catalog is served, and which caches keep it.

use std::collections::{BTreeMap, HashSet};

use http::{HeaderName, Method};
use serde::Deserialize;
use serde::de::Deserializer;

use super::ServiceUrl;
use super::check::Check;
use super::value::{self, Malformed, within};
use crate::secret::Secret;

/// Settings of the catalog.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogConfig {
    /// Memory for the JSON of products and lists, in MiB; 0 keeps none.
    #[serde(deserialize_with = "within::<_, _, 0, 1_048_576>")]
    pub cache_megabytes: u64,
    /// How long caches that many share keep the catalog. Without it they ask each time, but for pages, which they keep for a minute.
    pub cache: Option<SharedCacheConfig>,
    /// Whom to tell that something has changed.
    #[serde(default)]
    pub purge: Vec<PurgeConfig>,
}

/// How long caches that many share keep what is the same for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `shared_seconds` and `stale_seconds`")]
pub struct SharedCacheConfig {
    /// Seconds for which they answer without asking (`s-maxage`).
    #[serde(default, deserialize_with = "within::<_, _, 0, 31_536_000>")]
    pub shared_seconds: u32,
    /// Seconds after that in which they answer and ask beside it (`stale-while-revalidate`).
    #[serde(default, deserialize_with = "within::<_, _, 0, 31_536_000>")]
    pub stale_seconds: u32,
}

/// What understands a purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PurgeKind {
    /// A program of the operator's own: keys as JSON, `{"keys": ["product-12"]}`.
    Generic,
    /// Fastly's purge of surrogate keys.
    Fastly,
    /// Cloudflare's purge of cache tags.
    Cloudflare,
    /// Varnish with the module `xkey`.
    Varnish,
}

/// A cache that is told what has changed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `url`")]
pub struct PurgeConfig {
    /// What it understands.
    #[serde(default = "generic")]
    pub kind: PurgeKind,
    /// Where it is told; also what tells it from others.
    pub url: ServiceUrl,
    /// The method, where it is not the kind's own.
    #[serde(default, deserialize_with = "method")]
    pub method: Option<Method>,
    /// Headers of what is sent, such as a key.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
}

impl CatalogConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if !check.is_sound() {
            return;
        }
        if self.cache.is_none() && !self.purge.is_empty() {
            let reason = "no cache keeps anything without `catalog.cache`; add cache = { shared_seconds = 3600, stale_seconds = 60 }";
            check.refuse_because_of("purge", "cache", reason);
        }
        let mut urls = HashSet::new();
        for (index, purge) in self.purge.iter().enumerate() {
            let mut check = check.element("purge", index);
            if !urls.insert(purge.url.as_str()) {
                check.refuse("url", "another `[[catalog.purge]]` has this address already; leave this one out");
            }
            if purge.method.is_some() && matches!(purge.kind, PurgeKind::Fastly | PurgeKind::Cloudflare) {
                check.refuse("method", "the interface of this kind takes POST alone; leave `method` out");
            }
            check_headers(&purge.headers, &mut check.table("headers"));
        }
    }
}

/// Notes names and values that no header can have.
pub(super) fn check_headers(headers: &BTreeMap<String, Secret>, check: &mut Check<'_>) {
    for (name, value) in headers {
        if HeaderName::from_bytes(name.as_bytes()).is_err() {
            check.refuse(name, "this is no name of a header, such as \"Authorization\"");
        } else if !value.expose().bytes().all(|letter| letter == b' ' || letter.is_ascii_graphic()) {
            check.refuse(name, "a header has visible ASCII characters and blanks alone; remove all others");
        }
    }
}

fn generic() -> PurgeKind {
    PurgeKind::Generic
}

fn method<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Method>, D::Error> {
    value::text(deserializer, "a method in capitals, such as \"POST\" or \"PURGE\"", |text| {
        let is_method = (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase());
        is_method.then(|| Method::from_bytes(text.as_bytes()).ok()).flatten().map(Some).ok_or(Malformed::Unexpected)
    })
}

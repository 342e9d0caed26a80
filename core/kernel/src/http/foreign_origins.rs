//! Telling the operator of pages from which browsers ask in vain.
//!
//! A browser keeps an answer from a page of another origin, and shows nobody why. Whoever builds a storefront finds the
//! setting that is missing in the log.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use http::{HeaderMap, header};
use url::Url;

use crate::auth::comes_from_page_of;
use crate::config::ServerConfig;

/// Most origins that are told of; whoever makes up more gets none into the log.
const MOST: usize = 50;

/// The origins that the operator was told of. Each is told once.
#[derive(Debug, Default)]
pub(super) struct ForeignOrigins(Mutex<BTreeSet<String>>);

impl ForeignOrigins {
    /// Looks at a request, and warns if browsers let the page that makes it read no answer.
    pub(super) fn watch(&self, path: &str, headers: &HeaderMap, server: &ServerConfig, base_url: &str) {
        if !headers.contains_key(header::ORIGIN)
            || !(path.starts_with("/api/") || path.starts_with("/session"))
            || comes_from_page_of(&server.allowed_origins, base_url, headers)
        {
            return;
        }
        let Some(origin) = self.first_time(headers) else { return };
        tracing::warn!(
            origin,
            path,
            "a page of another origin asks the shop, which browsers refuse it: if it is yours, name its origin in \
             `server.allowed_origins`, or in `server.base_url` if that is where customers find the shop"
        );
    }

    /// The origin that a request names, unless it was told of before.
    fn first_time(&self, headers: &HeaderMap) -> Option<String> {
        let named = Url::parse(headers.get(header::ORIGIN)?.to_str().ok()?).ok()?;
        let origin = named.origin();
        // A sandbox or a file has none that could be allowed.
        let origin = origin.is_tuple().then(|| origin.ascii_serialization())?;
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (origin.len() <= 255 && told.len() < MOST && told.insert(origin.clone())).then_some(origin)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn from(origin: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_str(origin).expect("a header"))])
    }

    #[test]
    fn each_origin_is_told_once_and_no_more_than_a_few() {
        let origins = ForeignOrigins::default();
        let first = |origin: &str| origins.first_time(&from(origin));
        assert_eq!(first("http://localhost:5173").as_deref(), Some("http://localhost:5173"));
        assert_eq!(first("http://localhost:5173"), None);
        assert_eq!((first("null"), first("file:///tmp/page.html"), first("no address")), (None, None, None));
        let told = (0..2 * MOST).filter(|number| first(&format!("https://{number}.example")).is_some()).count();
        assert_eq!(told, MOST - 1);
    }
}

//! What each kind of cache is sent.

use http::{HeaderName, HeaderValue, Method};
use reqwest::RequestBuilder;
use serde_json::json;

use stoa_kernel::config::{PurgeConfig, PurgeKind};
use stoa_kernel::outbound::HttpClient;

/// Most keys of one request: Fastly takes 256, Cloudflare's smallest plans 30, and what Varnish takes has to fit into a header.
pub(super) const fn most_keys(kind: PurgeKind) -> usize {
    match kind {
        PurgeKind::Generic | PurgeKind::Fastly => 256,
        PurgeKind::Cloudflare => 30,
        PurgeKind::Varnish => 64,
    }
}

/// The request that has a cache forget what has these keys.
pub(super) fn request(http: &HttpClient, config: &PurgeConfig, keys: &[&str]) -> RequestBuilder {
    let method = config.method.clone();
    let client = http.client();
    let url = config.url.as_str();
    let request = match config.kind {
        PurgeKind::Generic => client.request(method.unwrap_or(Method::POST), url).json(&json!({"keys": keys})),
        PurgeKind::Fastly => client.post(url).json(&json!({"surrogate_keys": keys})),
        PurgeKind::Cloudflare => client.post(url).json(&json!({"tags": keys})),
        PurgeKind::Varnish => {
            let purge = || Method::from_bytes(b"PURGE").expect("it is a token");
            client.request(method.unwrap_or_else(purge), url).header("xkey", keys.join(" "))
        }
    };
    config.headers.iter().fold(request, |request, (name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes());
        match (name, HeaderValue::from_str(value.expose())) {
            (Ok(name), Ok(mut value)) => {
                value.set_sensitive(true);
                request.header(name, value)
            }
            // The configuration was refused.
            _ => request,
        }
    })
}

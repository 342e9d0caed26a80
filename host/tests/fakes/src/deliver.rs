//! Callbacks on their way to the shop.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;

/// A callback in the form of its provider.
#[derive(Debug, Clone)]
pub struct Callback {
    /// The headers that the provider sends.
    pub headers: HeaderMap,
    /// The raw body.
    pub body: Bytes,
}

/// Sends a callback, again until it is taken; gives the last status, if there was an answer.
pub async fn deliver(url: &str, callback: &Callback) -> Option<u16> {
    let mut status = None;
    for wait in [0, 1, 2, 4] {
        tokio::time::sleep(Duration::from_secs(wait)).await;
        let request = client().post(url).headers(callback.headers.clone()).body(callback.body.clone());
        status = request.send().await.ok().map(|response| response.status().as_u16());
        if status.is_some_and(|status| (200..300).contains(&status)) {
            break;
        }
    }
    status
}

#[expect(clippy::disallowed_methods, reason = "a fake is no part of the shop and has no `HttpClient`")]
fn client() -> reqwest::Client {
    // Somebody else in this process may have chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().timeout(Duration::from_secs(20)).build().expect("a client can be made")
}

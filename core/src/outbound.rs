//! The one place that makes clients for outbound HTTP.

use std::time::Duration;

/// Outbound HTTP. Cloning gives the same client.
#[derive(Debug, Clone)]
pub struct HttpClient(reqwest::Client);

/// Why no client for outbound HTTP could be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot prepare outbound HTTPS")]
pub struct HttpClientError(#[from] reqwest::Error);

impl HttpClient {
    /// A client that takes no proxy from the environment and follows no redirects, so that what it
    /// connects to is what was asked for.
    #[expect(clippy::disallowed_methods, reason = "this file is where outbound clients come from")]
    pub fn new() -> Result<Self, HttpClientError> {
        install_tls_provider();
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(10))
            .user_agent(concat!("Stoa/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self(client))
    }

    /// The client to send with.
    pub fn client(&self) -> &reqwest::Client {
        &self.0
    }
}

/// Chooses the cryptography of all TLS connections of this process.
pub(crate) fn install_tls_provider() {
    // Another part of the program may have installed a provider first; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

//! The one place that makes clients for outbound HTTP.

mod destination;
mod destinations;
mod public_address;
mod resolver;

pub use destination::{Destination, Reach, Refusal};
pub use destinations::{Connector, destination_client};
pub use public_address::is_public;
pub use resolver::{Resolve, ResolveError, Resolver};

use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long a name may be looked up and a connection be made (S6.5.2).
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// How long all of it may take until the answer begins (S6.5.2).
const OVERALL_LIMIT: Duration = Duration::from_secs(10);

/// How long a large transfer may stand still.
const STALL_LIMIT: Duration = Duration::from_secs(30);

/// Outbound HTTP. Cloning gives the same client.
#[derive(Debug, Clone)]
pub struct HttpClient(Arc<OnceLock<reqwest::Client>>);

/// Why no client for outbound HTTP could be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot prepare outbound HTTPS")]
pub struct HttpClientError(#[from] reqwest::Error);

impl HttpClient {
    /// A client that takes no proxy from the environment and follows no redirects, so that what it
    /// connects to is what was asked for.
    pub fn new() -> Result<Self, HttpClientError> {
        Ok(Self::of(made()?))
    }

    /// The same, not made yet: making one reads the system's certificates, which a command that sends nothing can do without.
    pub fn unprepared() -> Self {
        Self(Arc::default())
    }

    /// Makes the client, unless it is made.
    pub fn prepare(&self) -> Result<(), HttpClientError> {
        if self.0.get().is_none() {
            // Whoever was faster has made the same.
            let _ = self.0.set(made()?);
        }
        Ok(())
    }

    fn of(client: reqwest::Client) -> Self {
        Self(Arc::new(OnceLock::from(client)))
    }

    /// A client for large transfers to and from a server of the operator's own choice: it may take as long as there is
    /// progress.
    #[expect(clippy::disallowed_methods, reason = "this file is where outbound clients come from")]
    pub fn for_transfers() -> Result<Self, HttpClientError> {
        install_tls_provider();
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(STALL_LIMIT)
            .user_agent(concat!("Stoa/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self::of(client))
    }

    /// The client to send with. A shop prepares it before anybody sends.
    pub fn client(&self) -> &reqwest::Client {
        self.0.get_or_init(|| made().expect("a shop that is open has prepared outbound HTTPS"))
    }
}

#[expect(clippy::disallowed_methods, reason = "this file is where outbound clients come from")]
fn made() -> Result<reqwest::Client, HttpClientError> {
    install_tls_provider();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_LIMIT)
        .timeout(OVERALL_LIMIT)
        .user_agent(concat!("Stoa/", env!("CARGO_PKG_VERSION")));
    Ok(client.build()?)
}

/// What the destinations of webhooks need beside the limits of all outbound HTTP.
pub(crate) struct DestinationRules {
    /// Looks names up and refuses those that must not be connected to.
    pub(crate) resolver: Arc<dyn reqwest::dns::Resolve>,
    /// Whether `http://` is permitted.
    pub(crate) http: bool,
    /// Certificate authorities besides the system's, as PEM.
    pub(crate) extra_authorities: Option<Vec<u8>>,
}

impl HttpClient {
    /// A client for destinations that others have chosen. It keeps no connection, so that each request is looked up and
    /// judged anew; it takes no proxy from the environment, follows nothing, repeats nothing and unpacks nothing.
    #[expect(clippy::disallowed_methods, reason = "this file is where outbound clients come from")]
    pub(crate) fn for_destinations(rules: DestinationRules) -> Result<Self, HttpClientError> {
        install_tls_provider();
        let mut builder = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .https_only(!rules.http)
            .pool_max_idle_per_host(0)
            .connect_timeout(CONNECT_LIMIT)
            .timeout(OVERALL_LIMIT)
            .dns_resolver(rules.resolver)
            .user_agent(concat!("Stoa/", env!("CARGO_PKG_VERSION")));
        if let Some(pem) = rules.extra_authorities {
            builder = builder.tls_certs_merge(reqwest::Certificate::from_pem_bundle(&pem)?);
        }
        Ok(Self::of(builder.build()?))
    }
}

/// Chooses the cryptography of all TLS connections of this process.
#[doc(hidden)]
pub fn install_tls_provider() {
    // Another part of the program may have installed a provider first; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

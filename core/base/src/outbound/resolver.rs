//! From a destination's name to addresses, all of them judged before any is connected to (S6.5.3).

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::{fmt, io};

use futures_util::future::BoxFuture;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;

use super::destination::{Reach, Refusal, admit};
use crate::config::DnsServer;

/// Looks up the addresses of a name. Tests bring their own.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of a name, of both families.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// Looks names up and lets none pass that leads to an address that is not public.
///
/// It is asked in each attempt anew, by the connection itself: what was judged is what is connected to.
#[derive(Clone)]
pub struct Resolver {
    source: Arc<dyn Resolve>,
    reach: Reach,
}

/// Why a name cannot be connected to.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// It leads to where nothing may be sent.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be looked up, which may work later.
    #[error("the name {name} cannot be resolved")]
    Failed {
        /// The name.
        name: String,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Resolver {
    /// The system's resolver, or these servers when there are any.
    pub fn new(servers: &[DnsServer], reach: Reach) -> io::Result<Self> {
        let source: Arc<dyn Resolve> =
            if servers.is_empty() { Arc::new(System) } else { Arc::new(Servers::new(servers)?) };
        Ok(Self { source, reach })
    }

    /// A resolver that asks `source`.
    pub fn asking(source: Arc<dyn Resolve>, reach: Reach) -> Self {
        Self { source, reach }
    }

    /// The addresses of a name: all of them are public, or none is given.
    pub async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError> {
        let failed = |source| ResolveError::Failed { name: name.to_owned(), source };
        let addresses = self.source.resolve(name).await.map_err(failed)?;
        if addresses.is_empty() {
            return Err(failed(io::Error::new(io::ErrorKind::NotFound, "it has no address")));
        }
        for address in &addresses {
            admit(*address, self.reach)?;
        }
        Ok(addresses)
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver").field("reach", &self.reach).finish_non_exhaustive()
    }
}

impl reqwest::dns::Resolve for Resolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = Self::resolve(&resolver, name.as_str()).await?;
            // The port is the URL's.
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}

/// What the operating system knows.
struct System;

impl Resolve for System {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Servers of the operator's choice (`webhooks.dns_servers`).
struct Servers(TokioResolver);

impl Servers {
    fn new(servers: &[DnsServer]) -> io::Result<Self> {
        let servers = servers.iter().map(|DnsServer(address)| {
            let at_port = |mut connection: ConnectionConfig| {
                connection.port = address.port();
                connection
            };
            let connections = vec![at_port(ConnectionConfig::udp()), at_port(ConnectionConfig::tcp())];
            NameServerConfig::new(address.ip(), true, connections)
        });
        let config = ResolverConfig::from_name_servers(servers.collect());
        let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        // Each attempt asks anew; who controls a name may have changed.
        builder.options_mut().cache_size = 0;
        builder.build().map(Self).map_err(io::Error::other)
    }
}

impl Resolve for Servers {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            // The point at the end keeps the name from being taken for one of a local domain.
            let name = format!("{}.", name.trim_end_matches('.'));
            let found = self.0.lookup_ip(name).await.map_err(io::Error::other)?;
            Ok(found.iter().collect())
        })
    }
}

//! `[server]`: where the shop listens, and whom it believes.

use std::net::SocketAddr;

use serde::{Deserialize, Deserializer};

use super::address::{BaseUrl, WebOrigin};
use super::network::{self, TrustedProxy};
use super::value::within;

/// Settings of the HTTP server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// Address and port to listen on; port 0 lets the system choose.
    #[serde(deserialize_with = "network::listen")]
    pub listen: SocketAddr,
    /// Public address of the shop; without it, it is derived from the address that is bound.
    pub base_url: Option<BaseUrl>,
    /// Proxies whose `X-Forwarded-For` and `Forwarded` are believed (S5.1.7).
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Origins besides that of `base_url` whose pages may call the shop.
    pub allowed_origins: Vec<WebOrigin>,
    /// Whether `GET /metrics` answers.
    pub metrics: bool,
    /// Connections held open at once.
    #[serde(deserialize_with = "within::<_, _, 1, 1_000_000>")]
    pub max_connections: usize,
    /// Connections that one address holds at once; without it, a tenth of all.
    #[serde(default, deserialize_with = "some_share")]
    pub max_connections_per_address: Option<usize>,
    /// Seconds in which the headers of a request must have arrived.
    #[serde(deserialize_with = "within::<_, _, 1, 3600>")]
    pub header_timeout_seconds: u64,
    /// Seconds after which a connection without a request is closed.
    #[serde(deserialize_with = "within::<_, _, 1, 3600>")]
    pub idle_timeout_seconds: u64,
    /// Seconds for which requests are still taken after the wish to stop, while `/health/ready` says that it stops.
    #[serde(deserialize_with = "within::<_, _, 0, 300>")]
    pub stop_delay_seconds: u64,
}

impl ServerConfig {
    /// Connections that one address holds at once.
    pub fn max_connections_per_address(&self) -> usize {
        self.max_connections_per_address.unwrap_or_else(|| (self.max_connections / 10).max(1))
    }
}

fn some_share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    within::<_, _, 1, 1_000_000>(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    #[test]
    fn one_address_holds_a_tenth_of_the_connections_unless_it_is_said() {
        let share = |max_connections, max_connections_per_address| {
            ServerConfig { max_connections, max_connections_per_address, ..Config::default().server }
                .max_connections_per_address()
        };
        assert_eq!((share(900, None), share(5, None), share(900, Some(7))), (90, 1, 7));
    }
}

//! Network addresses: of this server, of resolvers, of proxies.

use std::net::{IpAddr, SocketAddr};

use ipnet::{IpNet, Ipv4Net};
use serde::Deserialize;
use serde::de::Deserializer;

use super::value::{self, Malformed};

/// Reads an IP address with its port.
pub(super) fn listen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    value::text(deserializer, "an IP address and port, such as \"127.0.0.1:8080\"", |text| {
        text.parse().map_err(|_| Malformed::Unexpected)
    })
}

/// A resolver for names: the IP address and port of a DNS server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnsServer(pub SocketAddr);

impl<'de> Deserialize<'de> for DnsServer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        value::text(deserializer, "the IP address and port of a resolver, such as \"1.1.1.1:53\"", |text| {
            let address: SocketAddr = text.parse().map_err(|_| Malformed::Unexpected)?;
            if address.port() == 0 { Err(Malformed::Unexpected) } else { Ok(Self(address)) }
        })
    }
}

/// A reverse proxy, or a network of them, whose forwarding headers are believed (S5.1.7).
///
/// IPv4 addresses in IPv6 form are taken for what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(pub IpNet);

impl TrustedProxy {
    fn parse(text: &str) -> Result<Self, Malformed> {
        if text.contains('*') {
            return Err(Malformed::Because(TRUSTS_EVERYBODY.to_owned()));
        }
        let network = text
            .parse::<IpNet>()
            .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
            .map(unmapped)
            .map_err(|_| Malformed::Unexpected)?;
        if network.prefix_len() == 0 || network.addr().is_unspecified() {
            return Err(Malformed::Because(TRUSTS_EVERYBODY.to_owned()));
        }
        Ok(Self(network.trunc()))
    }

    /// Whether `address` is that of this proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

const TRUSTS_EVERYBODY: &str =
    "this would believe everybody; name the addresses or networks of your proxies, such as \"10.0.0.0/8\"";

/// `::ffff:10.0.0.0/104` as `10.0.0.0/8`.
fn unmapped(network: IpNet) -> IpNet {
    match network {
        IpNet::V6(net) if net.prefix_len() >= 96 => net
            .addr()
            .to_ipv4_mapped()
            .and_then(|address| Ipv4Net::new(address, net.prefix_len() - 96).ok())
            .map_or(network, IpNet::V4),
        IpNet::V4(_) | IpNet::V6(_) => network,
    }
}

impl<'de> Deserialize<'de> for TrustedProxy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "an IP address or network, such as \"127.0.0.1\" or \"10.0.0.0/8\"";
        value::text(deserializer, expected, Self::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        for (text, network) in [
            ("127.0.0.1", "127.0.0.1/32"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("::1", "::1/128"),
            ("fd00::/8", "fd00::/8"),
            ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ] {
            assert_eq!(TrustedProxy::parse(text).expect(text).0.to_string(), network);
        }
        for text in ["", "ten dot zero", "10.0.0.0/33", "10.0.0", "10.0.0.0/-1", "localhost", "10.0.0.1:80"] {
            assert!(matches!(TrustedProxy::parse(text), Err(Malformed::Unexpected)), "{text}");
        }
    }

    #[test]
    fn nobody_can_trust_everybody() {
        for text in ["*", "0.0.0.0/0", "::/0", "10.1.2.3/0", "10.*", "::ffff:0.0.0.0/96", "0.0.0.0", "::"] {
            assert!(matches!(TrustedProxy::parse(text), Err(Malformed::Because(_))), "{text}");
        }
    }

    #[test]
    fn a_proxy_is_known_by_its_mapped_address_too() {
        let proxy = TrustedProxy::parse("10.0.0.0/8").expect("a network");
        assert!(proxy.contains("::ffff:10.1.2.3".parse().expect("an address")));
        assert!(!proxy.contains("11.0.0.1".parse().expect("an address")));
    }
}

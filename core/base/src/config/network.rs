//! Network addresses: of this server, of resolvers, of proxies.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ipnet::IpNet;
use serde::de::Deserializer;

use super::value::{self, Malformed, read_from_text};

/// Reads an IP address with its port.
pub(super) fn listen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    value::text(deserializer, "an IP address and port, such as \"127.0.0.1:8080\"", |text| {
        text.parse().map_err(|_| Malformed::Unexpected)
    })
}

/// A resolver for names: the IP address and port of a DNS server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnsServer(pub SocketAddr);

read_from_text!(DnsServer, "the IP address and port of a resolver, such as \"1.1.1.1:53\"", |text| {
    let address = text.parse().ok().filter(|address: &SocketAddr| address.port() > 0);
    address.map(Self).ok_or(Malformed::Unexpected)
});

/// Shortest prefixes that may be trusted. The largest private networks are `10.0.0.0/8` and `fc00::/7`; anything larger
/// would trust a good part of the internet.
const SHORTEST_IPV4_PREFIX: u8 = 8;
const SHORTEST_IPV6_PREFIX: u8 = 7;

/// First of the IPv6 addresses that stand for IPv4 ones.
const MAPPED_IPV4: Ipv6Addr = Ipv4Addr::UNSPECIFIED.to_ipv6_mapped();

/// A reverse proxy, or a network of them, whose forwarding headers are believed (S5.1.7). It never is everybody.
///
/// IPv4 addresses in IPv6 form are taken for what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

impl TrustedProxy {
    fn parse(text: &str) -> Result<Self, Malformed> {
        if text.contains('*') {
            return Err(Malformed::Because(TRUSTS_EVERYBODY.to_owned()));
        }
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let network = unify(network.map_err(|_| Malformed::Unexpected)?);
        let is_wildcard = match network {
            IpNet::V4(network) => network.prefix_len() < SHORTEST_IPV4_PREFIX,
            // Whoever writes a network around all of IPv4, mapped into IPv6, means the whole of it.
            IpNet::V6(network) => network.prefix_len() < SHORTEST_IPV6_PREFIX || network.contains(&MAPPED_IPV4),
        };
        if is_wildcard || network.addr().is_unspecified() {
            return Err(Malformed::Because(TRUSTS_EVERYBODY.to_owned()));
        }
        Ok(Self(network.trunc()))
    }

    /// The network; of a single proxy, one with a single address.
    pub fn network(&self) -> IpNet {
        self.0
    }

    /// Whether `address` is that of this proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

const TRUSTS_EVERYBODY: &str = "this would believe everybody; name the addresses or networks of your proxies, such as \
                                \"10.0.0.0/8\", which is as large as they may be, like \"fc00::/7\"";

read_from_text!(TrustedProxy, "an IP address or network, such as \"127.0.0.1\" or \"10.0.0.0/8\"", Self::parse);

/// Turns a network of IPv4-mapped IPv6 addresses into the IPv4 network it stands for.
pub fn unify(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else { return network };
    match (mapped.addr().to_ipv4_mapped(), mapped.prefix_len().checked_sub(96)) {
        (Some(address), Some(prefix)) => {
            IpNet::new(IpAddr::V4(address), prefix).expect("a prefix of at most 128 less 96 fits IPv4")
        }
        _ => network,
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
            assert_eq!(TrustedProxy::parse(text).expect(text).network().to_string(), network);
        }
        for text in ["", "ten dot zero", "10.0.0.0/33", "10.0.0", "10.0.0.0/-1", "localhost", "10.0.0.1:80"] {
            assert!(matches!(TrustedProxy::parse(text), Err(Malformed::Unexpected)), "{text}");
        }
    }

    #[test]
    fn nobody_can_trust_everybody() {
        for text in [
            "*",
            "0.0.0.0/0",
            "::/0",
            "10.1.2.3/0",
            "10.*",
            "::ffff:0.0.0.0/96",
            "0.0.0.0",
            "::",
            // A good part of everybody, and all of IPv4 in a larger network.
            "128.0.0.0/1",
            "10.0.0.0/7",
            "2000::/3",
            "fc00::/6",
            "::ffff:8.0.0.0/103",
            "::/80",
        ] {
            assert!(matches!(TrustedProxy::parse(text), Err(Malformed::Because(_))), "{text}");
        }
        for text in ["127.0.0.1", "10.0.0.0/8", "172.16.0.0/12", "::1", "fd00::/8", "fc00::/7"] {
            assert!(TrustedProxy::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_proxy_is_known_by_its_mapped_address_too() {
        let proxy = TrustedProxy::parse("10.0.0.0/8").expect("a network");
        assert!(proxy.contains("::ffff:10.1.2.3".parse().expect("an address")));
        assert!(!proxy.contains("11.0.0.1".parse().expect("an address")));
    }
}

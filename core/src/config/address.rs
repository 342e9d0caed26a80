//! Addresses on the web, and networks.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use ipnet::{IpNet, Ipv4Net};
use serde::Deserialize;
use serde::Deserializer;
use url::Url;

use super::value::{self, Malformed};

/// Reads an IP address with its port.
pub(super) fn listen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    value::text(
        deserializer,
        "an IP address and port, such as \"127.0.0.1:8080\"",
        |text| text.parse().map_err(|_| Malformed::Unexpected),
    )
}

/// A resolver for names: the IP address and port of a DNS server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnsServer(pub SocketAddr);

impl<'de> Deserialize<'de> for DnsServer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        value::text(
            deserializer,
            "the IP address and port of a resolver, such as \"1.1.1.1:53\"",
            |text| {
                let address: SocketAddr = text.parse().map_err(|_| Malformed::Unexpected)?;
                if address.port() == 0 {
                    Err(Malformed::Unexpected)
                } else {
                    Ok(Self(address))
                }
            },
        )
    }
}

/// An absolute `http` or `https` address without a slash at its end (contract 1, `server.base_url`).
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// The address this text is, or why it is none.
    fn parse(text: &str) -> Result<Self, Malformed> {
        let url = web_address(text)?;
        if text.ends_with('/') {
            return Err(Malformed::Because("remove the slash at its end".to_owned()));
        }
        Ok(Self(url.as_str().trim_end_matches('/').to_owned()))
    }

    /// The address, to which a path can be appended.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether cookies can be `Secure` (contract 2.4).
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Scheme, host and port, as browsers send them in `Origin`.
    pub fn origin(&self) -> String {
        let url = Url::parse(&self.0).expect("it was parsed before");
        url.origin().ascii_serialization()
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for BaseUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "an address with http:// or https://, such as \"https://shop.example.com\"";
        value::text(deserializer, expected, Self::parse)
    }
}

/// Scheme, host and port of a website, written as browsers write them in `Origin`.
///
/// Also the address of a payment provider's interface, whose paths only its adapter knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// The origin this text is; none when it has a path, or is no origin at all.
    pub fn parse(text: &str) -> Option<Self> {
        let url = web_address(text).ok()?;
        let is_bare = url.path() == "/" && !text.ends_with('/');
        is_bare.then(|| Self(url.origin().ascii_serialization()))
    }

    /// The origin, such as `https://www.example.com`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for WebOrigin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "scheme and host without a path, such as \"https://www.example.com\"";
        value::text(deserializer, expected, |text| {
            Self::parse(text).ok_or(Malformed::Unexpected)
        })
    }
}

/// A complete web address without credentials, query and fragment.
fn web_address(text: &str) -> Result<Url, Malformed> {
    let url = Url::parse(text).map_err(|_| Malformed::Unexpected)?;
    // The parser would repair `http:shop`, white space and backslashes; here they are mistakes.
    let is_exact = ["http://", "https://"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
        && !text.contains(|letter: char| letter.is_whitespace() || letter == '\\');
    if !is_exact {
        return Err(Malformed::Unexpected);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Malformed::Because(
            "an address with user name or password cannot be used here".to_owned(),
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Malformed::Because(
            "remove what begins at `?` or `#`".to_owned(),
        ));
    }
    Ok(url)
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

const TRUSTS_EVERYBODY: &str = "this would believe everybody; name the addresses or networks of your proxies, such as \"10.0.0.0/8\"";

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
    fn a_base_url_is_kept_as_browsers_see_it() {
        for (text, kept, origin) in [
            (
                "http://localhost:8080",
                "http://localhost:8080",
                "http://localhost:8080",
            ),
            (
                "https://Shop.Example.com:443",
                "https://shop.example.com",
                "https://shop.example.com",
            ),
            (
                "https://example.com/shop",
                "https://example.com/shop",
                "https://example.com",
            ),
            ("http://[::1]:80", "http://[::1]", "http://[::1]"),
        ] {
            let url = BaseUrl::parse(text).expect(text);
            assert_eq!(
                (url.as_str(), url.origin().as_str()),
                (kept, origin),
                "{text}"
            );
        }
    }

    #[test]
    fn only_a_plain_web_address_is_a_base_url() {
        for text in [
            "",
            "not a url",
            "shop.example",
            "//shop.example",
            "http:shop.example",
            "ftp://shop.example",
            "http://",
            "https://shop.example/",
            "https://shop.example/a/",
            "https://shop.example?x=1",
            "https://shop.example#a",
            "https://user@shop.example",
            "https://u:p@shop.example",
            " https://shop.example",
            "https:\\\\shop.example",
            "https://shop.example:99999",
            "javascript:alert(1)",
        ] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        let kept = WebOrigin::parse("https://Front.Example:443").expect("an origin");
        assert_eq!(kept.as_str(), "https://front.example");
        for text in [
            "*",
            "null",
            "https://*",
            "front.example",
            "https://front.example/",
            "https://front.example/a",
            "file:///a",
        ] {
            assert_eq!(WebOrigin::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        for (text, network) in [
            ("127.0.0.1", "127.0.0.1/32"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("::1", "::1/128"),
            ("fd00::/8", "fd00::/8"),
            ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ] {
            assert_eq!(
                TrustedProxy::parse(text).expect(text).0.to_string(),
                network
            );
        }
        for text in [
            "",
            "ten dot zero",
            "10.0.0.0/33",
            "10.0.0",
            "10.0.0.0/-1",
            "localhost",
            "10.0.0.1:80",
        ] {
            assert!(
                matches!(TrustedProxy::parse(text), Err(Malformed::Unexpected)),
                "{text}"
            );
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
        ] {
            assert!(
                matches!(TrustedProxy::parse(text), Err(Malformed::Because(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn a_proxy_is_known_by_its_mapped_address_too() {
        let proxy = TrustedProxy::parse("10.0.0.0/8").expect("a network");
        assert!(proxy.contains("::ffff:10.1.2.3".parse().expect("an address")));
        assert!(!proxy.contains("11.0.0.1".parse().expect("an address")));
    }
}

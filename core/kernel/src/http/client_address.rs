//! Whose address a request comes from, when proxies stand in between (S5.1.7).
//!
//! A forwarding header is a claim. It is believed only as far as a trusted proxy wrote it: the walk begins at the peer,
//! goes through the header from the right, where the nearest proxy wrote, and ends at the first address that is no trusted
//! proxy. Whatever stands further left is the client's own invention and is never looked at.
//!
//! | Situation | Client address |
//! |---|---|
//! | the peer is no trusted proxy | the peer, whatever the headers say |
//! | neither header | the peer |
//! | a hop is blank, obfuscated or no address | the last trusted proxy before it |
//! | every hop is a trusted proxy | the leftmost hop |
//! | `X-Forwarded-For` and `Forwarded` agree | that address |
//! | `X-Forwarded-For` and `Forwarded` contradict each other | [`UNDECIDED`] |
//!
//! The last row: a proxy usually maintains one of the two headers and passes the other on as the client sent it, and nothing
//! tells which one it is. Preferring either would let clients of half of all proxies choose their address; falling back to
//! the peer would lend them the proxy's own, which a token's IP policy may well allow. An address that no policy
//! names, with one rate limit for all who try, is refused everywhere.

mod forwarded;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use http::{HeaderMap, HeaderName};

pub use crate::config::unify;

use crate::config::TrustedProxy;
use forwarded::Claim;

/// The address of a request whose forwarding headers contradict each other: `0.0.0.0`, which belongs to nobody.
pub const UNDECIDED: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of a request's TCP connection, put into its extensions by the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

impl PeerAddress {
    /// Wraps a socket's peer; an IPv4 address that came through an IPv6 socket becomes plain IPv4.
    pub fn new(peer: SocketAddr) -> Self {
        Self(SocketAddr::new(peer.ip().to_canonical(), peer.port()))
    }

    /// The peer's IP address, which is the nearest proxy's when there is one.
    pub fn ip(self) -> IpAddr {
        self.0.ip()
    }
}

/// The networks whose forwarding headers are believed; the default is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Box<[TrustedProxy]>);

impl FromIterator<TrustedProxy> for TrustedProxies {
    fn from_iter<I: IntoIterator<Item = TrustedProxy>>(proxies: I) -> Self {
        Self(proxies.into_iter().collect())
    }
}

impl TrustedProxies {
    /// Whether `address` belongs to a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|proxy| proxy.contains(address))
    }
}

/// The address of the client behind `peer`, as far as `headers` can be believed (S5.1.7).
///
/// The result is canonical: an IPv4-mapped IPv6 address is given as IPv4. Allocates nothing.
pub fn client_ip(peer: IpAddr, headers: &HeaderMap, trusted: &TrustedProxies) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusted.contains(peer) {
        return peer;
    }
    let listed = has_list(headers).then(|| walk(peer, list_from_right(headers), trusted));
    let forwarded = has_forwarded(headers).then(|| walk(peer, forwarded_from_right(headers), trusted));
    match (listed, forwarded) {
        (None, None) => peer,
        (Some(address), None) | (None, Some(address)) => address,
        (Some(listed), Some(forwarded)) if listed == forwarded => listed,
        (Some(_), Some(_)) => UNDECIDED,
    }
}

/// The address that a per-address limit counts for: an IPv6 client owns its whole /64, so that is one key.
pub fn rate_limit_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

fn walk(peer: IpAddr, hops: impl Iterator<Item = Option<IpAddr>>, trusted: &TrustedProxies) -> IpAddr {
    let mut known = peer;
    for hop in hops {
        let Some(address) = hop else { return known };
        known = address;
        if !trusted.contains(address) {
            return known;
        }
    }
    known
}

fn has_list(headers: &HeaderMap) -> bool {
    headers.get_all(X_FORWARDED_FOR).iter().any(|line| !line.as_bytes().trim_ascii().is_empty())
}

fn list_from_right(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let lines = headers.get_all(X_FORWARDED_FOR).iter().rev();
    lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b',')).map(address_of)
}

/// Whether the nearest proxy names an address in `Forwarded`; some use the header for protocol and host alone.
fn has_forwarded(headers: &HeaderMap) -> bool {
    forwarded_claims(headers).next().is_some_and(|claim| claim != Claim::Silent)
}

fn forwarded_from_right(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    forwarded_claims(headers).map(|claim| match claim {
        Claim::Address(address) => Some(address),
        Claim::Silent | Claim::Unusable => None,
    })
}

fn forwarded_claims(headers: &HeaderMap) -> impl Iterator<Item = Claim> {
    let lines = headers.get_all(http::header::FORWARDED).iter().rev();
    lines.flat_map(|line| forwarded::elements_from_right(line.as_bytes())).map(forwarded::claim)
}

/// Reads one hop: an IPv4 or IPv6 address, with or without brackets, port and zone.
///
/// Works on bytes, because a client could otherwise spoil a proxy's part of the line with bytes that are no text.
fn address_of(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop.trim_ascii()).ok()?;
    if let Some(rest) = hop.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let port_is_fine = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return port_is_fine.then(|| ipv6(address)).flatten();
    }
    if let Some(address) = ipv6(hop) {
        return Some(address);
    }
    let address = match hop.split_once(':') {
        Some((address, port)) if is_port(port) => address,
        Some(_) => return None,
        None => hop,
    };
    address.parse().ok().map(IpAddr::V4)
}

/// Reads an IPv6 address. Its zone names one of the proxy's own interfaces and means nothing here.
fn ipv6(text: &str) -> Option<IpAddr> {
    let address = match text.split_once('%') {
        Some((_, "")) => return None,
        Some((address, _zone)) => address,
        None => text,
    };
    address.parse().ok().map(|address: Ipv6Addr| address.to_canonical())
}

/// Whether `text` is a port number or one of RFC 7239's obfuscated ports, such as `_p1`.
fn is_port(text: &str) -> bool {
    match text.strip_prefix('_') {
        Some(name) => {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        }
        None => text.parse::<u16>().is_ok() && text.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests;

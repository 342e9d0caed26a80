//! Whether Mollie can reach an address of ours.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// Names that no public name server knows.
const PRIVATE_NAMES: &[&str] = &["localhost", "local", "test", "invalid", "internal", "home.arpa", "lan"];

/// Whether an address is one on the internet, as far as it says itself. Mollie refuses payments whose callback it could
/// never send, so a shop on somebody's own machine must not name one.
pub(super) fn is_public(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            let is_private = |private: &&str| name == *private || name.ends_with(&format!(".{private}"));
            name.contains('.') && !PRIVATE_NAMES.iter().any(is_private)
        }
        Some(Host::Ipv4(address)) => is_public_v4(address),
        Some(Host::Ipv6(address)) => is_public_v6(address),
        None => false,
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_documentation()
        || address.is_multicast()
        || is_shared)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.to_ipv4_mapped() {
        Some(address) => is_public_v4(address),
        None => {
            !(address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_multicast())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_on_the_internet_are_public() {
        for address in ["https://shop.example.com/x", "http://8.8.8.8/x", "https://[2a00::1]/x", "https://a.nl"] {
            assert!(is_public(address), "{address}");
        }
        for address in [
            "http://localhost:8080/x",
            "http://shop.localhost/x",
            "http://shop/x",
            "http://shop.test/x",
            "http://shop.local./x",
            "http://127.0.0.1/x",
            "http://10.1.2.3/x",
            "http://192.168.1.1/x",
            "http://172.16.0.1/x",
            "http://100.64.0.1/x",
            "http://169.254.169.254/x",
            "http://0.0.0.0/x",
            "http://[::1]/x",
            "http://[fd00::1]/x",
            "http://[fe80::1]/x",
            "http://[::ffff:10.0.0.1]/x",
            "not an address",
        ] {
            assert!(!is_public(address), "{address}");
        }
    }
}

//! Networks that a token may be used from, as operators write them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use stoa_kernel::http::client_address::unify;

/// First of the IPv6 addresses that stand for IPv4 ones.
const MAPPED_IPV4: Ipv6Addr = Ipv4Addr::UNSPECIFIED.to_ipv6_mapped();

const EXPECTED: &str = "an address or a network is expected, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32";

/// A network with how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedNetwork {
    /// The network, without bits of a host, IPv4 as IPv4.
    pub network: IpNet,
    /// What to tell when more is allowed than was perhaps meant.
    pub notice: Option<String>,
}

/// Reads an address, or a network in CIDR notation; IPv4 in IPv6 form is taken for what it is.
pub fn allowed_network(text: &str) -> Result<AllowedNetwork, String> {
    let text = text.trim();
    let written = match text.parse::<IpAddr>() {
        Ok(address) => IpNet::from(address),
        Err(_) => text.parse::<IpNet>().map_err(|_| explain(text))?,
    };
    let network = unify(written);
    refuse_everybody(&network)?;
    let truncated = network.trunc();
    let notice = (truncated != network).then(|| {
        let prefix = written.prefix_len();
        format!(
            "{text} lies in the network {truncated}, all of which is allowed; \
             leave `/{prefix}` out to allow that address alone"
        )
    });
    Ok(AllowedNetwork { network: truncated, notice })
}

fn refuse_everybody(network: &IpNet) -> Result<(), String> {
    if network.prefix_len() == 0 {
        return Err(String::from(
            "this allows everybody; leave the network out for a token that may be used from anywhere",
        ));
    }
    if network.addr().is_unspecified() && network.prefix_len() == network.max_prefix_len() {
        return Err(String::from(
            "no client has this address; leave the network out for a token that may be used from anywhere",
        ));
    }
    if let IpNet::V6(network) = network
        && network.contains(&MAPPED_IPV4)
    {
        return Err(String::from(
            "this network holds all IPv4 addresses in their IPv6 form; write IPv4 networks as such, as in 192.0.2.0/24",
        ));
    }
    Ok(())
}

/// What is wrong about a text that is no address.
fn explain(text: &str) -> String {
    if text.contains('%') {
        return format!("a zone such as `%eth0` means something on one machine only, so leave it out; {EXPECTED}");
    }
    let without_port = text.rsplit_once(':').map(|(address, _)| address.trim_matches(['[', ']']));
    let is_address = |text: &str| text.parse::<IpAddr>().is_ok();
    if text.starts_with('[') || without_port.is_some_and(is_address) {
        return format!("clients have any port, so leave brackets and port out; {EXPECTED}");
    }
    EXPECTED.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_or_a_network_is_read() {
        for (text, read) in [
            ("192.0.2.7", "192.0.2.7/32"),
            ("192.0.2.7/24", "192.0.2.0/24"),
            ("2001:db8::1", "2001:db8::1/128"),
            ("2001:db8::1/32", "2001:db8::/32"),
            ("::ffff:192.0.2.7", "192.0.2.7/32"),
            ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
            ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
            (" 10.0.0.0/8 ", "10.0.0.0/8"),
        ] {
            assert_eq!(allowed_network(text).expect(text).network.to_string(), read);
        }
        for text in ["", "ten", "192.0.2.0/33", "192.0.2", "192.0.2.0/-1", "192.0.2.0/24/8", "localhost", "*"] {
            assert_eq!(allowed_network(text).expect_err(text), EXPECTED, "{text}");
        }
    }

    #[test]
    fn bits_of_a_host_are_noticed() {
        for text in ["192.0.2.7/24", "2001:db8::1/32", "::ffff:192.0.2.7/120"] {
            let notice = allowed_network(text).expect(text).notice.expect("more is allowed than one address");
            assert!(notice.contains(text), "{notice}");
        }
        for text in ["192.0.2.7", "192.0.2.7/32", "192.0.2.0/24", "2001:db8::/32", "::ffff:192.0.2.0/120"] {
            assert_eq!(allowed_network(text).expect(text).notice, None, "{text}");
        }
    }

    #[test]
    fn zones_and_ports_are_explained() {
        for text in ["fe80::1%eth0", "fe80::%3/64"] {
            assert!(allowed_network(text).expect_err(text).contains("zone"), "{text}");
        }
        for text in ["192.0.2.7:80", "[2001:db8::1]:443", "[2001:db8::1]"] {
            assert!(allowed_network(text).expect_err(text).contains("port"), "{text}");
        }
    }

    #[test]
    fn a_policy_that_is_none_is_refused() {
        for text in ["0.0.0.0/0", "::/0", "10.1.2.3/0", "::ffff:0.0.0.0/96", "0.0.0.0", "::", "::ffff:0.0.0.0"] {
            assert!(allowed_network(text).expect_err(text).contains("leave the network out"), "{text}");
        }
        for text in ["::/64", "::ffff:10.0.0.0/8", "::/1"] {
            assert!(allowed_network(text).expect_err(text).contains("IPv4"), "{text}");
        }
    }
}

//! Which addresses are public, by the special-purpose registries of IANA (S6.5.3).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network as address and length of its prefix.
type V4 = (Ipv4Addr, u32);
type V6 = (Ipv6Addr, u32);

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u32) -> V4 {
    (Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u32) -> V6 {
    (Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

/// Networks of IPv4 that nobody reaches through the internet, or that lead into somebody's own.
const RESERVED_V4: [V4; 17] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    // shared by customers of a carrier (RFC 6598)
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    // link-local, and what clouds tell their machines
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    // benchmarks (RFC 2544)
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
    // the AS112 service (RFC 7535)
    v4(192, 175, 48, 0, 24),
    // a cloud's wire server, inside of the public space
    v4(168, 63, 129, 16, 32),
];

/// Where addresses of IPv6 are handed out at all. Loopback, mapped and private addresses all lie elsewhere.
const GLOBAL_UNICAST: V6 = v6(0x2000, 0, 0, 3);

/// Networks in there that are none of it.
const RESERVED_V6: [V6; 5] = [
    // Teredo, ORCHID, benchmarks and other protocols (RFC 2928)
    v6(0x2001, 0, 0, 23),
    v6(0x2001, 0x0db8, 0, 32),
    // 6to4: an address of IPv4 inside
    v6(0x2002, 0, 0, 16),
    v6(0x2620, 0x004f, 0x8000, 48),
    v6(0x3fff, 0, 0, 20),
];

/// What translators turn into the address of IPv4 in its end (RFC 6052): networks without IPv4 of their own resolve all
/// names to these.
const TRANSLATED: V6 = v6(0x0064, 0xff9b, 0, 96);

/// Whether an address belongs to the public internet. An address of IPv4 behind a translator is judged by itself.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !RESERVED_V4.iter().any(|(network, prefix)| (address.to_bits() ^ network.to_bits()) >> (32 - prefix) == 0)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if is_within(address, TRANSLATED) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    is_within(address, GLOBAL_UNICAST) && !RESERVED_V6.iter().any(|network| is_within(address, *network))
}

fn is_within(address: Ipv6Addr, (network, prefix): V6) -> bool {
    (address.to_bits() ^ network.to_bits()) >> (128 - prefix) == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect(text))
    }

    #[test]
    fn both_ends_of_each_reserved_network_are_refused_and_their_neighbors_are_not() {
        for (first, last, before, after) in [
            ("0.0.0.0", "0.255.255.255", None, Some("1.0.0.0")),
            ("10.0.0.0", "10.255.255.255", Some("9.255.255.255"), Some("11.0.0.0")),
            ("100.64.0.0", "100.127.255.255", Some("100.63.255.255"), Some("100.128.0.0")),
            ("127.0.0.0", "127.255.255.255", Some("126.255.255.255"), Some("128.0.0.0")),
            ("169.254.0.0", "169.254.255.255", Some("169.253.255.255"), Some("169.255.0.0")),
            ("172.16.0.0", "172.31.255.255", Some("172.15.255.255"), Some("172.32.0.0")),
            ("192.0.0.0", "192.0.0.255", Some("191.255.255.255"), Some("192.0.1.0")),
            ("192.0.2.0", "192.0.2.255", Some("192.0.1.255"), Some("192.0.3.0")),
            ("192.88.99.0", "192.88.99.255", Some("192.88.98.255"), Some("192.88.100.0")),
            ("192.168.0.0", "192.168.255.255", Some("192.167.255.255"), Some("192.169.0.0")),
            ("198.18.0.0", "198.19.255.255", Some("198.17.255.255"), Some("198.20.0.0")),
            ("198.51.100.0", "198.51.100.255", Some("198.51.99.255"), Some("198.51.101.0")),
            ("203.0.113.0", "203.0.113.255", Some("203.0.112.255"), Some("203.0.114.0")),
            ("224.0.0.0", "255.255.255.255", Some("223.255.255.255"), None),
            ("168.63.129.16", "168.63.129.16", Some("168.63.129.15"), Some("168.63.129.17")),
            ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", None, Some("2000::")),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", Some("2000:ffff::"), Some("2001:200::")),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", Some("2001:db7::"), Some("2001:db9::")),
            ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some("2001:ffff::"), Some("2003::")),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", Some("3ffe::"), Some("3fff:1000::")),
            ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Some("3fff:ffff::"), None),
        ] {
            assert!(!public(first) && !public(last), "{first} to {last}");
            assert!(before.is_none_or(public) && after.is_none_or(public), "around {first} to {last}");
        }
    }

    proptest! {
        #[test]
        fn an_address_in_a_translators_network_is_judged_by_itself(bits: u32) {
            let inner = Ipv4Addr::from_bits(bits);
            let translated = Ipv6Addr::from_bits(u128::from(bits) | (0x0064_ff9b << 96));
            prop_assert_eq!(is_public(translated.into()), is_public(inner.into()));
        }

        #[test]
        fn no_other_spelling_of_an_address_of_ipv4_is_public(bits: u32) {
            let inner = u128::from(bits);
            for prefix in [0, 0xffff << 32, 0xffff_0000_u128 << 32, 0x0064_ff9b_0001 << 80] {
                prop_assert!(!is_public(Ipv6Addr::from_bits(prefix | inner).into()));
            }
            // 6to4 and Teredo
            prop_assert!(!is_public(Ipv6Addr::from_bits((0x2002 << 112) | (inner << 80)).into()));
            prop_assert!(!is_public(Ipv6Addr::from_bits((0x2001_0000 << 96) | !inner).into()));
        }

        #[test]
        fn nothing_below_100_is_public_but_translated_addresses(bits: u128) {
            let address = Ipv6Addr::from_bits(bits >> 8);
            prop_assert!(is_within(address, TRANSLATED) || !is_public(address.into()));
        }
    }
}

//! The walk over forwarding headers, and that no client can steer it.

use http::HeaderValue;
use http::header::FORWARDED;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const PROXY: &str = "10.0.0.1";

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn trusted(networks: &[&str]) -> TrustedProxies {
    let read = |network: &&str| serde_json::from_value::<TrustedProxy>((*network).into()).unwrap();
    networks.iter().map(read).collect()
}

fn headers(lines: &[(HeaderName, &str)]) -> HeaderMap {
    lines.iter().map(|(name, line)| (name.clone(), HeaderValue::from_bytes(line.as_bytes()).unwrap())).collect()
}

/// The client address behind a proxy at 10.0.0.1 that is trusted with all of 10.0.0.0/8 and 2001:db8:ff::/48.
fn behind_proxy(lines: &[(HeaderName, &str)]) -> String {
    client_ip(address(PROXY), &headers(lines), &trusted(&["10.0.0.0/8", "2001:db8:ff::/48"])).to_string()
}

#[test]
fn x_forwarded_for_is_walked_from_the_right() {
    let cases = [
        ("203.0.113.7", "203.0.113.7"),
        ("  203.0.113.7\t", "203.0.113.7"),
        ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("198.51.100.1, 203.0.113.7, 10.9.9.9", "203.0.113.7"),
        ("203.0.113.7,10.1.1.1,2001:db8:ff::2,10.2.2.2", "203.0.113.7"),
        ("10.1.1.1, 10.2.2.2", "10.1.1.1"),
        ("::ffff:203.0.113.7, ::ffff:10.2.2.2", "203.0.113.7"),
        ("203.0.113.7:4711", "203.0.113.7"),
        ("203.0.113.7:_p1", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("[fe80::1%25eth0]:80", "fe80::1"),
    ];
    for (line, expected) in cases {
        assert_eq!(behind_proxy(&[(X_FORWARDED_FOR, line)]), expected, "{line}");
    }
}

#[test]
fn hop_that_is_no_address_ends_the_walk() {
    let hops = [
        "",
        "unknown",
        "_hidden",
        "localhost",
        "203.0.113.7x",
        "203.0.113",
        "203.0.113.007",
        "203.0.113.7:",
        "203.0.113.7:+80",
        "203.0.113.7:65536",
        "203.0.113.7:80:80",
        "[203.0.113.7]",
        "[2001:db8::1",
        "2001:db8::1]",
        "[2001:db8::1]80",
        "[2001:db8::1]:http",
        "fe80::1%",
        "2001:db8::1::2",
        "203.0.113.7 203.0.113.8",
        "\u{663}",
        "unix:",
    ];
    for hop in hops {
        let line = format!("203.0.113.9, {hop}, 10.2.2.2");
        assert_eq!(behind_proxy(&[(X_FORWARDED_FOR, &line)]), "10.2.2.2", "{hop}");
        let line = format!("203.0.113.9, {hop}");
        assert_eq!(behind_proxy(&[(X_FORWARDED_FOR, &line)]), PROXY, "{hop}");
    }
}

#[test]
fn several_lines_count_as_one_in_order() {
    let lines = [(X_FORWARDED_FOR, "198.51.100.1"), (X_FORWARDED_FOR, "203.0.113.7"), (X_FORWARDED_FOR, "10.2.2.2")];
    assert_eq!(behind_proxy(&lines), "203.0.113.7");
    let lines = [(FORWARDED, "for=198.51.100.1"), (FORWARDED, "for=203.0.113.7"), (FORWARDED, "for=10.2.2.2")];
    assert_eq!(behind_proxy(&lines), "203.0.113.7");
}

#[test]
fn forwarded_is_walked_from_the_right() {
    let cases = [
        ("for=203.0.113.7", "203.0.113.7"),
        ("For=203.0.113.7;Proto=https;By=10.0.0.1", "203.0.113.7"),
        ("proto=https ; FOR=203.0.113.7", "203.0.113.7"),
        (r#"for="203.0.113.7:4711""#, "203.0.113.7"),
        (r#"for="[2001:db8::1]:4711""#, "2001:db8::1"),
        (r#"for="[2001:db8::1]:_port""#, "2001:db8::1"),
        ("for=[2001:db8::1]", "2001:db8::1"),
        (r#"for="[::ffff:203.0.113.7]""#, "203.0.113.7"),
        ("for=198.51.100.1, for=203.0.113.7, for=10.2.2.2", "203.0.113.7"),
        (r#"for=203.0.113.7;host="a,for=1.2.3.4;b\",for=5.6.7.8", for=10.2.2.2;host="x;for=9.9.9.9""#, "203.0.113.7"),
        (r#"for="203.0.113.9, for=203.0.113.7"#, "203.0.113.7"),
        (r#"for=1.2.3.4, for=", for="[2001:db8::1]:4711""#, "2001:db8::1"),
        (r#"\", for=203.0.113.7;host="a\\""#, "203.0.113.7"),
    ];
    for (line, expected) in cases {
        assert_eq!(behind_proxy(&[(FORWARDED, line)]), expected, "{line}");
    }
}

#[test]
fn element_that_names_no_address_ends_the_walk() {
    let elements = [
        "",
        "for",
        "for=",
        "for=unknown",
        "for=_hidden",
        r#"for="_hidden:_port""#,
        "for=203.0.113.7;for=203.0.113.8",
        r#"for="203.0.113.7"#,
        r#"for="203.0.113\.7""#,
        "proto=https",
        "xfor=203.0.113.7",
    ];
    for element in elements {
        let line = format!("for=203.0.113.9, {element}, for=10.2.2.2");
        let found = behind_proxy(&[(FORWARDED, &line)]);
        // A lone quotation mark also hides where the element begins; what counts is that nothing before it is believed.
        assert_eq!(found, "10.2.2.2", "{element}");
    }
}

#[test]
fn without_headers_the_peer_is_the_client() {
    assert_eq!(behind_proxy(&[]), PROXY);
    assert_eq!(behind_proxy(&[(X_FORWARDED_FOR, "")]), PROXY);
    assert_eq!(behind_proxy(&[(FORWARDED, "")]), PROXY);
}

#[test]
fn headers_that_agree_are_both_believed() {
    let lines = [(X_FORWARDED_FOR, "1.2.3.4, 203.0.113.7"), (FORWARDED, "for=5.6.7.8, for=203.0.113.7")];
    assert_eq!(behind_proxy(&lines), "203.0.113.7");
}

#[test]
fn headers_that_contradict_each_other_are_both_disbelieved() {
    let lines = [(X_FORWARDED_FOR, "203.0.113.7"), (FORWARDED, "for=203.0.113.8")];
    assert_eq!(behind_proxy(&lines), UNDECIDED.to_string());
    let lines = [(X_FORWARDED_FOR, "203.0.113.7"), (FORWARDED, "for=unknown")];
    assert_eq!(behind_proxy(&lines), UNDECIDED.to_string());
}

#[test]
fn header_that_names_nobody_does_not_contradict_the_other() {
    let lines = [(X_FORWARDED_FOR, "203.0.113.7"), (FORWARDED, "proto=https;host=shop.example")];
    assert_eq!(behind_proxy(&lines), "203.0.113.7");
    let lines = [(X_FORWARDED_FOR, " "), (FORWARDED, "for=203.0.113.7")];
    assert_eq!(behind_proxy(&lines), "203.0.113.7");
}

#[test]
fn mapped_peer_and_mapped_network_are_ipv4() {
    let forwarded = headers(&[(X_FORWARDED_FOR, "203.0.113.7")]);
    let networks = trusted(&["::ffff:10.0.0.0/104"]);
    assert_eq!(client_ip(address("10.0.0.1"), &forwarded, &networks), address("203.0.113.7"));
    assert_eq!(client_ip(address("::ffff:10.0.0.1"), &forwarded, &trusted(&["10.0.0.1/32"])), address("203.0.113.7"));
    assert_eq!(client_ip(address("::ffff:10.0.0.2"), &forwarded, &trusted(&["10.0.0.1/32"])), address("10.0.0.2"));
    let server = PeerAddress::new("[::ffff:192.0.2.1]:80".parse().unwrap());
    assert_eq!(server.ip(), address("192.0.2.1"));
}

#[test]
fn ipv6_clients_are_limited_by_their_network() {
    assert_eq!(rate_limit_key(address("2001:db8:1:2:3:4:5:6")), address("2001:db8:1:2::"));
    assert_eq!(rate_limit_key(address("203.0.113.7")), address("203.0.113.7"));
    assert_eq!(rate_limit_key(address("::ffff:203.0.113.7")), address("203.0.113.7"));
}

/// Header values as a client can send them: any bytes, and bytes that the parsers care about.
fn any_line() -> impl Strategy<Value = HeaderValue> {
    let telling = proptest::string::string_regex(r#"([,;="\\ \[\]:%_.0-9a-f]|for=|1\.2\.3\.4|10\.0\.0\.9){0,40}"#)
        .unwrap()
        .prop_map(String::into_bytes);
    prop_oneof![vec(any::<u8>(), 0..60), telling]
        .prop_filter_map("no header value", |bytes| HeaderValue::from_bytes(&bytes).ok())
}

fn appended(line: &HeaderValue, hop: &str) -> HeaderValue {
    HeaderValue::from_bytes(&[line.as_bytes(), b", ", hop.as_bytes()].concat()).unwrap()
}

proptest! {
    #[test]
    fn untrusted_peer_is_the_client_whatever_it_sends(
        peer: IpAddr,
        listed in vec(any_line(), 0..3),
        forwarded in vec(any_line(), 0..3),
    ) {
        let mut headers = HeaderMap::new();
        for line in listed {
            headers.append(X_FORWARDED_FOR, line);
        }
        for line in forwarded {
            headers.append(FORWARDED, line);
        }
        prop_assert_eq!(client_ip(peer, &headers, &TrustedProxies::default()), peer.to_canonical());
        let networks = trusted(&["10.0.0.0/8"]);
        prop_assume!(!networks.contains(peer));
        prop_assert_eq!(client_ip(peer, &headers, &networks), peer.to_canonical());
    }

    #[test]
    fn client_cannot_spoil_what_its_proxy_appends_to_the_list(line in any_line(), further in any_line()) {
        let mut headers = HeaderMap::new();
        headers.append(X_FORWARDED_FOR, further);
        headers.append(X_FORWARDED_FOR, appended(&line, "203.0.113.7"));
        prop_assert_eq!(client_ip(address(PROXY), &headers, &trusted(&["10.0.0.0/8"])), address("203.0.113.7"));
    }

    #[test]
    fn client_cannot_spoil_what_its_proxies_append_to_forwarded(line in any_line(), further in any_line()) {
        let mut headers = HeaderMap::new();
        headers.append(FORWARDED, further);
        let line = appended(&line, r#"for="[2001:db8::1]:4711";host="a,\"b""#);
        headers.append(FORWARDED, appended(&line, "for=10.3.3.3"));
        prop_assert_eq!(client_ip(address(PROXY), &headers, &trusted(&["10.0.0.0/8"])), address("2001:db8::1"));
    }

    #[test]
    fn client_gains_no_address_by_sending_the_header_that_its_proxy_ignores(line in any_line()) {
        let mut headers = HeaderMap::new();
        headers.append(FORWARDED, line.clone());
        headers.append(X_FORWARDED_FOR, HeaderValue::from_static("203.0.113.7"));
        let found = client_ip(address(PROXY), &headers, &trusted(&["10.0.0.0/8"]));
        prop_assert!([address("203.0.113.7"), UNDECIDED].contains(&found), "{}", found);
        let mut headers = HeaderMap::new();
        headers.append(X_FORWARDED_FOR, line);
        headers.append(FORWARDED, HeaderValue::from_static("for=203.0.113.7"));
        let found = client_ip(address(PROXY), &headers, &trusted(&["10.0.0.0/8"]));
        prop_assert!([address("203.0.113.7"), UNDECIDED].contains(&found), "{}", found);
    }
}

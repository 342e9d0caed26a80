//! Public addresses that mean this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use url::{Host, Url};

/// The address and port of this machine that a URL such as `http://localhost:8080` leads to; none if it leads elsewhere.
pub(super) fn local_address(url: &str) -> Option<SocketAddr> {
    let url = Url::parse(url).ok()?;
    let ip = match url.host()? {
        Host::Domain(name) if name == "localhost" || name.ends_with(".localhost") => IpAddr::V4(Ipv4Addr::LOCALHOST),
        Host::Domain(_) => return None,
        Host::Ipv4(ip) => IpAddr::V4(ip),
        Host::Ipv6(ip) => IpAddr::V6(ip),
    };
    let port = url.port_or_known_default()?;
    ip.is_loopback().then(|| SocketAddr::new(ip, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_lead_to_a_port_of_it() {
        for (url, address) in [
            ("http://localhost:8221", Some("127.0.0.1:8221")),
            ("http://shop.localhost", Some("127.0.0.1:80")),
            ("http://127.0.0.2:9000", Some("127.0.0.2:9000")),
            ("http://[::1]:9000", Some("[::1]:9000")),
            ("https://localhost", Some("127.0.0.1:443")),
            ("http://localhost.example:8221", None),
            ("http://192.168.0.1:8221", None),
            ("localhost", None),
        ] {
            let address = address.map(|address| address.parse().expect("an address"));
            assert_eq!(local_address(url), address, "{url}");
        }
    }
}

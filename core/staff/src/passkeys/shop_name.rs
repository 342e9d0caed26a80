//! The shop as authenticators know it.

use url::{Host, Url};

/// The name and the origin that passkeys are bound to: those of the shop's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyShop {
    /// The host, which passkeys belong to.
    pub(super) id: String,
    origin: String,
}

impl PasskeyShop {
    /// The shop at this address. None where that is a number, which no passkey can belong to; this machine's own is `localhost`.
    pub fn at(base_url: &str) -> Option<Self> {
        let mut url = Url::parse(base_url).ok()?;
        let is_own_machine = match url.host()? {
            Host::Domain(_) => false,
            Host::Ipv4(address) if address.is_loopback() => true,
            Host::Ipv6(address) if address.is_loopback() => true,
            Host::Ipv4(_) | Host::Ipv6(_) => return None,
        };
        if is_own_machine {
            url.set_host(Some("localhost")).ok()?;
        }
        Some(Self { id: url.host_str()?.to_owned(), origin: url.origin().ascii_serialization() })
    }

    /// Scheme, host and port of the pages that may use them.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::PasskeyShop;

    #[test]
    fn passkeys_belong_to_the_host_of_the_address_and_to_no_number() {
        let at = |address| PasskeyShop::at(address).map(|shop| (shop.id.clone(), shop.origin().to_owned()));
        let expected = |id: &str, origin: &str| Some((id.to_owned(), origin.to_owned()));
        assert_eq!(at("https://shop.example"), expected("shop.example", "https://shop.example"));
        assert_eq!(at("https://shop.example:8443"), expected("shop.example", "https://shop.example:8443"));
        assert_eq!(at("http://localhost:8080"), expected("localhost", "http://localhost:8080"));
        assert_eq!(at("http://127.0.0.1:8080"), expected("localhost", "http://localhost:8080"));
        assert_eq!(at("http://[::1]:8080"), expected("localhost", "http://localhost:8080"));
        assert_eq!(at("https://192.0.2.1"), None);
    }
}

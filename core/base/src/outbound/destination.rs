//! Where a webhook may be sent to: the check of its URL before any name is looked up (S6.5.3).

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

use super::public_address::is_public;
use crate::config::WebhooksConfig;

/// Longest URL of a destination, in bytes.
const MAX_LENGTH: usize = 2048;

/// Which destinations are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// `https://` at addresses of the public internet.
    Public,
    /// `https://` and `http://` at addresses of the public internet: for what anybody may read, such as images.
    PublicPlain,
    /// Anything; for development and tests (`webhooks.allow_private_destinations`).
    Anywhere,
}

impl Reach {
    /// What the configuration allows.
    pub fn of(config: &WebhooksConfig) -> Self {
        if config.allow_private_destinations { Self::Anywhere } else { Self::Public }
    }
}

/// Why nothing is sent to a destination. No attempt is made later: only the operator can change it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is no URL.
    #[error("it is no complete URL such as https://example.com/hook")]
    Malformed,
    /// The URL is too long.
    #[error("it is longer than {MAX_LENGTH} characters")]
    TooLong,
    /// There is no scheme: what stands before the first colon is a host.
    #[error("it begins with no http:// or https://, as a complete URL does")]
    NoScheme,
    /// The scheme is not `https`, or not even `http`.
    #[error("only https:// is sent to, not {0}://")]
    Scheme(String),
    /// The URL holds a user name or password.
    #[error("it must hold no user name or password")]
    UserInfo,
    /// The URL has a part that servers never see.
    #[error("it must have no part after #")]
    Fragment,
    /// Nothing listens on port 0.
    #[error("port 0 cannot be connected to")]
    Port,
    /// The name can belong to no public host: it has no point, or one at its end.
    #[error("{0} is not the full name of a public host")]
    Name(String),
    /// The address, or one of those that the name leads to, is not public.
    #[error("{0} is not a public address")]
    Address(IpAddr),
}

impl Refusal {
    /// Whether `webhooks.allow_private_destinations` would allow it.
    pub fn is_about_privacy(&self) -> bool {
        match self {
            Self::Scheme(scheme) => scheme == "http",
            Self::Name(_) | Self::Address(_) => true,
            Self::Malformed | Self::NoScheme | Self::TooLong | Self::UserInfo | Self::Fragment | Self::Port => false,
        }
    }
}

/// A URL that may be sent to, as far as that can be told without looking up its name.
#[derive(Clone, PartialEq, Eq)]
pub struct Destination {
    url: Url,
}

impl Destination {
    /// Checks a URL. Host names in digits, such as `0x7f.1`, are judged as the addresses they are.
    pub fn parse(text: &str, reach: Reach) -> Result<Self, Refusal> {
        if text.len() > MAX_LENGTH {
            return Err(Refusal::TooLong);
        }
        // The parser would drop blanks and line breaks, and a URL that has them is a mistake.
        if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(Refusal::Malformed);
        }
        let url = Url::parse(text).map_err(|_| Refusal::Malformed)?;
        // `localhost:8222/hook` is parsed as a URL of the scheme `localhost`.
        if url.cannot_be_a_base() && url.path().starts_with(|letter: char| letter.is_ascii_digit()) {
            return Err(Refusal::NoScheme);
        }
        let is_allowed = url.scheme() == "https" || (reach != Reach::Public && url.scheme() == "http");
        if !is_allowed {
            return Err(Refusal::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(Refusal::Fragment);
        }
        if url.port() == Some(0) {
            return Err(Refusal::Port);
        }
        match url.host().ok_or(Refusal::Malformed)? {
            Host::Ipv4(address) => admit(address.into(), reach)?,
            Host::Ipv6(address) => admit(address.into(), reach)?,
            Host::Domain(name) => {
                let is_full = name.contains('.') && !name.starts_with('.') && !name.ends_with('.');
                if reach != Reach::Anywhere && !is_full {
                    return Err(Refusal::Name(name.to_owned()));
                }
            }
        }
        Ok(Self { url })
    }

    /// The URL.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The host's name; none when the URL has an address, which was judged already.
    pub fn name(&self) -> Option<&str> {
        self.url.domain()
    }
}

/// Judges one address.
pub(crate) fn admit(address: IpAddr, reach: Reach) -> Result<(), Refusal> {
    if reach == Reach::Anywhere || is_public(address) { Ok(()) } else { Err(Refusal::Address(address)) }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.url, f)
    }
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

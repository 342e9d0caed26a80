//! Addresses on the web.

use std::fmt;

use url::Url;

use super::value::{Malformed, read_from_text};

/// An absolute `http` or `https` address without path and without a slash at its end (contract 1, `server.base_url`).
///
/// A path would have the shop share its host with others, who would get its cookies and be believed as its own pages.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// The address this text is, or why it is none.
    fn parse(text: &str) -> Result<Self, Malformed> {
        let url = web_address(text)?;
        if url.path() != "/" {
            let path = url.path();
            return Err(Malformed::Because(format!(
                "a shop needs a host of its own, such as \"https://shop.example.com\"; remove the path {path}"
            )));
        }
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

read_from_text!(BaseUrl, "an address with http:// or https://, such as \"https://shop.example.com\"", Self::parse);

/// Scheme, host and port of a website, written as browsers write them in `Origin`.
///
/// Also the address of a payment provider's interface, whose paths only its gateway knows.
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

read_from_text!(WebOrigin, "scheme and host without a path, such as \"https://www.example.com\"", |text| Self::parse(
    text
)
.ok_or(Malformed::Unexpected));

/// The address of a service that paths are appended to, such as `https://ec.europa.eu/taxation_customs/vies/rest-api`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUrl(String);

impl ServiceUrl {
    /// The address this text is, or why it is none. A slash at its end is left out.
    fn parse(text: &str) -> Result<Self, Malformed> {
        web_address(text).map(|url| Self(url.as_str().trim_end_matches('/').to_owned()))
    }

    /// The address, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

read_from_text!(
    ServiceUrl,
    "an address with http:// or https://, such as \"https://api.example.com/v1\"",
    ServiceUrl::parse
);

/// The address of a page on any website, with a place for the secret of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTemplate(String);

impl LinkTemplate {
    /// What the secret is written in place of.
    const TOKEN: &str = "{token}";

    /// The template that this text is: an absolute `http` or `https` address with `{token}` once, behind its host.
    pub(super) fn parse(text: &str) -> Option<Self> {
        is_page_template(text, &[Self::TOKEN]).then(|| Self(text.to_owned()))
    }

    /// The link with this secret, which must need no escaping.
    pub fn link(&self, token: &str) -> String {
        self.0.replace(Self::TOKEN, token)
    }
}

/// The address of a page on any website that shows an order, with places for its number and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderUrl(String);

impl OrderUrl {
    const NUMBER: &str = "{number}";
    const KEY: &str = "{key}";

    /// The template that this text is: an absolute `http` or `https` address with `{number}` and `{key}` once each, behind its
    /// host.
    pub(super) fn parse(text: &str) -> Option<Self> {
        is_page_template(text, &[Self::NUMBER, Self::KEY]).then(|| Self(text.to_owned()))
    }

    /// The link to an order, whose number and key must need no escaping.
    pub fn link(&self, number: &str, key: &str) -> String {
        self.0.replace(Self::NUMBER, number).replace(Self::KEY, key)
    }
}

/// Whether a text is an absolute `http` or `https` address with each of these places once, behind its host.
fn is_page_template(text: &str, places: &[&str]) -> bool {
    let has_each_once = places.iter().all(|place| text.matches(place).count() == 1);
    let is_exact = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
        && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control() || letter == '\\');
    if !has_each_once || !is_exact {
        return false;
    }
    let before = places.iter().filter_map(|place| text.find(place)).min().map_or(text, |end| &text[..end]);
    let Ok(url) = Url::parse(before) else { return false };
    // Behind the host there is a slash at least, so that what is written there is no part of a name that others look up.
    let is_behind_host = before.split_once("//").is_some_and(|(_, rest)| rest.contains(['/', '?', '#']));
    is_behind_host && url.username().is_empty() && url.password().is_none()
}

/// A complete web address without credentials, query and fragment.
fn web_address(text: &str) -> Result<Url, Malformed> {
    let url = Url::parse(text).map_err(|_| Malformed::Unexpected)?;
    // The parser would repair `http:shop` and backslashes, and take `*` for a host.
    let is_exact = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
        && !text.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\\' | '*'));
    if !is_exact {
        return Err(Malformed::Unexpected);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Malformed::Because("an address with user name or password cannot be used here".to_owned()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Malformed::Because("remove what begins at `?` or `#`".to_owned()));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_kept_as_browsers_see_it() {
        for (text, kept, origin) in [
            ("http://localhost:8080", "http://localhost:8080", "http://localhost:8080"),
            ("https://Shop.Example.com:443", "https://shop.example.com", "https://shop.example.com"),
            ("http://[::1]:80", "http://[::1]", "http://[::1]"),
        ] {
            let url = BaseUrl::parse(text).expect(text);
            assert_eq!((url.as_str(), url.origin().as_str()), (kept, origin), "{text}");
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
            "https://shop.example/a",
            "https://shop.example/a/",
            "https://shop.example//",
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
    fn a_link_has_one_place_for_its_secret_behind_the_host() {
        for (text, link) in [
            ("https://shop.example/verify?token={token}", "https://shop.example/verify?token=abc"),
            ("http://localhost:3000/#/reset/{token}", "http://localhost:3000/#/reset/abc"),
            ("https://shop.example/{token}/x?a=b#c", "https://shop.example/abc/x?a=b#c"),
        ] {
            let template = LinkTemplate::parse(text).expect(text);
            assert_eq!(template.link("abc"), link);
        }
        for text in [
            "",
            "{token}",
            "https://shop.example/verify",
            "https://shop.example/{token}/{token}",
            "https://{token}.example/",
            "https://shop.example{token}",
            "https://user@shop.example/{token}",
            "ftp://shop.example/{token}",
            "/verify/{token}",
            "https://shop.example/a b/{token}",
            "javascript://shop.example/%0a{token}",
        ] {
            assert_eq!(LinkTemplate::parse(text), None, "{text}");
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
}

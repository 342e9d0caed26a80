//! The rule table of `POST /orders/{order}/pay`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use stoa_kernel::config::Config;
use stoa_kernel::http::error::{FieldProblem, FieldProblems};
use stoa_kernel::http::extract::{Input, Settings};
use stoa_kernel::http::rules::{Field, Rules, field};
use stoa_kernel::i18n::{Message, Violation};

use crate::idempotency::key_field;

/// Most characters of a URL that the customer comes back to.
const MAX_URL: usize = 500;

/// The body of `POST /orders/{order}/pay`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PayRequest {
    pub(super) gateway: String,
    pub(super) return_url: String,
    pub(super) cancel_url: String,
    #[serde(skip_serializing)]
    pub(super) idempotency_key: Option<String>,
}

impl Input for PayRequest {
    const NAME: &'static str = "PayRequest";

    fn rules() -> Rules {
        Rules::new([
            field("gateway").required().max(40).describe("The `gateway_id` of a payment method."),
            web_address("return_url").describe("Where the customer comes back to after paying."),
            web_address("cancel_url").describe("Where the customer comes back to without having paid."),
            key_field(),
        ])
    }

    /// A link of this shop's that leads through the provider must not end at anybody's page.
    fn check_settings(body: &Value, shop: &Settings<'_>) -> FieldProblems {
        let foreign = ["return_url", "cancel_url"].into_iter().filter(|name| {
            body[*name]
                .as_str()
                .and_then(|text| Url::parse(text).ok())
                .is_some_and(|url| !is_own(&url, shop.config, shop.base_url))
        });
        let problem = |name: &str| vec![FieldProblem::Message(Violation::ForeignPage.on(name.to_owned()))];
        foreign.map(|name| (name.to_owned(), problem(name))).collect()
    }
}

/// Whether a page is of the shop or of one of the websites that it allows. A shop that was told of none, neither of its own
/// public address, is one that is tried out: it takes any.
fn is_own(page: &Url, config: &Config, base_url: &str) -> bool {
    let server = &config.server;
    if server.base_url.is_none() && server.allowed_origins.is_empty() {
        return true;
    }
    let is_of_shop = Url::parse(base_url).is_ok_and(|shop| shop.origin() == page.origin());
    let origin = page.origin().ascii_serialization();
    is_of_shop || server.allowed_origins.iter().any(|allowed| allowed.as_str() == origin)
}

fn web_address(name: &'static str) -> Field {
    field(name).required().max(MAX_URL).check(is_web_address).format("uri").pattern(WEB_ADDRESS)
}

/// As much of what [`is_web_address`] asks for as a regular expression can say.
const WEB_ADDRESS: &str = "^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s\\\\][^\\s\\\\]*$";

/// Absolute, http or https, with a host, and without credentials, which a browser would send along.
fn is_web_address(field: &str, value: &Value) -> Option<Message> {
    let text = value.as_str().unwrap_or_default();
    let scheme_is_written = |url: &Url| {
        let scheme = format!("{}://", url.scheme());
        let begins = text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(&scheme));
        // Browsers find a host behind any number of slashes.
        begins && !text[scheme.len()..].starts_with('/')
    };
    let valid = Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && scheme_is_written(&url)
            && url.host_str().is_some_and(|host| !host.is_empty())
            && url.username().is_empty()
            && url.password().is_none()
            && !text.contains(char::is_whitespace)
            && !text.contains('\\')
    });
    (!valid).then(|| Violation::Url.on(field.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        is_web_address("return_url", &text.into()).is_none()
    }

    #[test]
    fn addresses_of_pages_are_accepted() {
        for text in
            ["https://shop.example/thanks", "http://localhost:3000/?a=b#c", "HTTPS://SHOP.EXAMPLE", "https://[::1]/"]
        {
            assert!(accepts(text), "{text}");
        }
    }

    #[test]
    fn what_leads_to_no_page_is_refused() {
        for text in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//shop.example/",
            "/thanks",
            "https://",
            "https:///thanks",
            "https:shop.example",
            "ftp://shop.example/",
            "https://user@shop.example/",
            "https://user:pw@shop.example/",
            "https://shop.example/a b",
            "https://shop.example\\@evil.example/",
            "shop.example",
            "",
        ] {
            assert!(!accepts(text), "{text}");
        }
    }
}

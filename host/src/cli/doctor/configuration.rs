//! The configuration itself: where it comes from, and what in it is unwise.

use stoa_core::config::{BaseUrl, Config, LimitsConfig, PaymentsConfig, TrustedProxy};

use super::finding::Finding;
use crate::cli::local_address::local_address;
use crate::installation::{Installation, OpenMode};

/// Which file the settings come from. That they are valid is known once they were loaded.
pub(in crate::cli) fn source(installation: &Installation) -> Finding {
    let message = if let Some(file) = &installation.file {
        format!("{} is valid", file.display())
    } else {
        let file = installation.folder.join("config.toml");
        format!("there is no {}; defaults and environment variables are used", file.display())
    };
    Finding::ok("configuration", message)
}

/// Why more is on than the configuration says, in a demo.
pub(in crate::cli) fn purpose(purpose: OpenMode) -> Option<Finding> {
    match purpose {
        OpenMode::Configured => None,
        OpenMode::Demo => Some(Finding::ok(
            "demo",
            "the database is the demo shop's: what `serve --demo` switches on is on for every command, until it is served \
             without --demo",
        )),
    }
}

/// How customers can pay. Gateways without their keys were refused with the configuration.
pub(in crate::cli) fn gateways(payments: &PaymentsConfig) -> Vec<Finding> {
    const CHECK: &str = "payments";
    let PaymentsConfig { manual, development, simulated, stripe, mollie, paypal } = payments;
    let gateways = [
        ("manual", manual.enabled),
        ("development", development.enabled),
        ("simulated", simulated.enabled),
        ("stripe", stripe.enabled),
        ("mollie", mollie.enabled),
        ("paypal", paypal.enabled),
    ];
    let enabled = gateways.iter().filter(|(_, enabled)| *enabled).map(|(name, _)| *name).collect::<Vec<_>>();
    if enabled.is_empty() {
        let message = "no gateway is enabled: orders cannot be paid";
        return vec![Finding::warning(
            CHECK,
            message,
            "set `payments.manual.enabled = true`, or enable another gateway",
        )];
    }
    let mut findings = vec![Finding::ok(CHECK, format!("customers pay by {}", enabled.join(", ")))];
    if development.enabled {
        let message = "the gateway `development` settles every payment without money";
        findings.push(Finding::warning(CHECK, message, "set `payments.development.enabled = false` in a real shop"));
    }
    if simulated.enabled {
        let message = "the gateway `simulated` lets customers choose that they have paid";
        findings.push(Finding::warning(CHECK, message, "set `payments.simulated.enabled = false` in a real shop"));
    }
    findings
}

/// Limits that are switched off.
pub(super) fn limits(limits: &LimitsConfig) -> Finding {
    const CHECK: &str = "limits";
    let LimitsConfig { store: _, catalog, protected, checkout, token_creation, failed_logins, callbacks } = limits;
    let all = [
        ("catalog", catalog),
        ("protected", protected),
        ("checkout", checkout),
        ("token_creation", token_creation),
        ("failed_logins", failed_logins),
        ("callbacks", callbacks),
    ];
    let off = all.iter().filter(|(_, limit)| !limit.is_on()).map(|(key, _)| format!("`limits.{key}`"));
    let off = off.collect::<Vec<_>>();
    if off.is_empty() {
        return Finding::ok(CHECK, "all limits are on");
    }
    let message = match off.as_slice() {
        [one] => format!("{one} is off: clients may ask as often as they like"),
        several => format!("{} are off: clients may ask as often as they like", several.join(", ")),
    };
    Finding::warning(CHECK, message, "give these limits more than 0 requests, or remove them to get the defaults")
}

/// The address that customers see.
pub(super) fn base_url(config: &Config) -> Finding {
    const CHECK: &str = "server.base_url";
    let listen = config.server.listen;
    let example = "set `server.base_url` to the public address, such as \"https://shop.example.com\"";
    match &config.server.base_url {
        None if listen.ip().is_loopback() => {
            Finding::ok(CHECK, format!("not set; the shop is for this machine only ({listen})"))
        }
        None => {
            let message =
                format!("not set, though the shop listens on {listen}: links in its answers point to this machine");
            Finding::warning(CHECK, message, example)
        }
        Some(url) if url.is_https() => Finding::ok(CHECK, url.to_string()),
        Some(url) if local_address(url.as_str()).is_some() => {
            wrong_port(config).unwrap_or_else(|| Finding::ok(CHECK, format!("{url}, for this machine only")))
        }
        Some(url) => {
            let message =
                format!("{url} is not encrypted: passwords and sessions of customers can be read on their way");
            Finding::warning(CHECK, message, "let a reverse proxy speak https, and set `server.base_url` to https://…")
        }
    }
}

/// Links that lead to a port of this machine that the shop does not listen on. What is encrypted has a proxy in front.
pub(in crate::cli) fn wrong_port(config: &Config) -> Option<Finding> {
    let url = config.server.base_url.as_ref().filter(|url| !url.is_https())?;
    let (local, listen) = (local_address(url.as_str())?, config.server.listen);
    // The system chooses port 0.
    if listen.port() == local.port() || listen.port() == 0 {
        return None;
    }
    let message = format!("links lead to {url}, and the shop listens on port {}", listen.port());
    let fix = format!("set `server.listen` to \"{local}\", unless something on this machine passes requests on");
    Some(Finding::warning("server.base_url", message, fix))
}

/// Shortest prefix of a public IPv6 network that can reasonably consist of proxies alone.
const WIDEST_V6: u8 = 16;

/// Whose `X-Forwarded-For` is believed.
pub(super) fn trusted_proxies(config: &Config) -> Finding {
    const CHECK: &str = "server.trusted_proxies";
    let proxies = &config.server.trusted_proxies;
    let behind_proxy = config.server.base_url.as_ref().is_some_and(BaseUrl::is_https);
    if proxies.is_empty() && behind_proxy {
        let message = "`server.base_url` is https, so a proxy stands in front, and none is trusted: \
                       all customers share its address, and its limits";
        return Finding::warning(
            CHECK,
            message,
            "set `server.trusted_proxies` to the proxy's address, such as [\"127.0.0.1\"]",
        );
    }
    let wide = proxies.iter().map(TrustedProxy::network).filter(|network| match network {
        // What is larger than a private network, the configuration refuses.
        ipnet::IpNet::V4(_) => false,
        ipnet::IpNet::V6(network) => network.prefix_len() < WIDEST_V6 && !network.addr().is_unique_local(),
    });
    let wide = wide.map(|network| network.to_string()).collect::<Vec<_>>();
    if !wide.is_empty() {
        let message =
            format!("{} is a large part of the internet, and believed about addresses of customers", wide.join(", "));
        return Finding::warning(CHECK, message, "name only the addresses of your proxies in `server.trusted_proxies`");
    }
    if proxies.is_empty() {
        return Finding::ok(CHECK, "none; clients connect by themselves");
    }
    let all = proxies.iter().map(|proxy| proxy.network().to_string()).collect::<Vec<_>>();
    Finding::ok(CHECK, all.join(", "))
}

#[cfg(test)]
mod tests {
    use stoa_core::config::Sources;

    use super::*;
    use crate::cli::doctor::finding::State;

    fn config(variables: &[(&str, &str)]) -> Config {
        let sources = Sources::new("/nowhere").environment(variables.iter().copied());
        Config::load(sources).expect("a valid configuration").config
    }

    #[test]
    fn a_public_shop_needs_an_address_and_https() {
        for (listen, url, state) in [
            ("127.0.0.1:8080", "", State::Ok),
            ("0.0.0.0:8080", "", State::Warning),
            ("0.0.0.0:8080", "https://shop.example", State::Ok),
            ("0.0.0.0:8080", "http://shop.example", State::Warning),
            ("127.0.0.1:8080", "http://localhost:8080", State::Ok),
            ("127.0.0.1:8080", "http://127.0.0.1:8080", State::Ok),
            ("127.0.0.1:8080", "http://[::1]:8080", State::Ok),
            ("127.0.0.1:8080", "http://localhost:8221", State::Warning),
            ("127.0.0.1:0", "http://localhost:8221", State::Ok),
            ("127.0.0.1:8080", "https://localhost:8443", State::Ok),
            ("127.0.0.1:8080", "http://[2001:db8::1]", State::Warning),
            ("127.0.0.1:8080", "http://localhost.example", State::Warning),
        ] {
            let mut variables = vec![("STOA_SERVER__LISTEN", listen)];
            if !url.is_empty() {
                variables.push(("STOA_SERVER__BASE_URL", url));
            }
            assert_eq!(base_url(&config(&variables)).state, state, "{listen} {url}");
        }
    }

    #[test]
    fn a_proxy_must_be_trusted_and_no_more_than_it() {
        for (url, proxies, state) in [
            ("http://localhost", "[]", State::Ok),
            ("https://shop.example", "[]", State::Warning),
            ("https://shop.example", "[\"127.0.0.1\"]", State::Ok),
            ("https://shop.example", "[\"10.0.0.0/8\"]", State::Ok),
            ("https://shop.example", "[\"fc00::/7\"]", State::Ok),
            ("https://shop.example", "[\"2a00::/12\"]", State::Warning),
        ] {
            let config = config(&[("STOA_SERVER__BASE_URL", url), ("STOA_SERVER__TRUSTED_PROXIES", proxies)]);
            assert_eq!(trusted_proxies(&config).state, state, "{url} {proxies}");
        }
    }

    #[test]
    fn limits_that_are_off_are_named() {
        assert_eq!(limits(&LimitsConfig::default()).state, State::Ok);
        let config = config(&[("STOA_LIMITS__FAILED_LOGINS__REQUESTS", "0")]);
        let finding = limits(&config.limits);
        assert_eq!(finding.state, State::Warning);
        assert!(finding.message.starts_with("`limits.failed_logins` is off"), "{}", finding.message);
    }

    #[test]
    fn a_gateway_without_money_and_no_gateway_at_all_are_told() {
        let states = |variables: &[(&str, &str)]| {
            gateways(&config(variables).payments).iter().map(|finding| finding.state).collect::<Vec<_>>()
        };
        assert_eq!(states(&[]), [State::Ok]);
        assert_eq!(states(&[("STOA_PAYMENTS__DEVELOPMENT__ENABLED", "true")]), [State::Ok, State::Warning]);
        assert_eq!(states(&[("STOA_PAYMENTS__MANUAL__ENABLED", "false")]), [State::Warning]);
    }
}

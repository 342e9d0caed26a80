//! Keys of payment providers that are for no real money, and whether the mail server answers.

use std::time::Duration;

use stoa_core::config::{BaseUrl, Config, PaymentsConfig};
use stoa_core::mail::{ExaminedServer, examine_mail_server};

use super::finding::Finding;
use crate::failure::without_number;

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Keys for trying out in a shop that customers can see.
pub(in crate::cli) fn test_keys(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "payments.keys";
    if !config.server.base_url.as_ref().is_some_and(BaseUrl::is_https) {
        return Vec::new();
    }
    let PaymentsConfig { stripe, mollie, paypal, .. } = &config.payments;
    let begins = |key: &Option<stoa_core::secret::Secret>, beginnings: &[&str]| {
        key.as_ref().is_some_and(|key| beginnings.iter().any(|beginning| key.expose().starts_with(beginning)))
    };
    let found = [
        (
            stripe.enabled && begins(&stripe.secret_key, &["sk_test_", "rk_test_"]),
            "payments.stripe.secret_key",
            "sk_live_…",
        ),
        (mollie.enabled && begins(&mollie.api_key, &["test_"]), "payments.mollie.api_key", "live_…"),
    ];
    let keys = found.into_iter().filter(|(is_test, ..)| *is_test).map(|(_, setting, live)| {
        let message = format!("`{setting}` is a test key, and the shop is public: customers pay without money");
        Finding::warning(CHECK, message, format!("set it to the live key, {live}"))
    });
    let sandbox = (paypal.enabled && paypal.api_base.as_str().contains("sandbox")).then(|| {
        let message =
            "`payments.paypal.api_base` is PayPal's sandbox, and the shop is public: customers pay without money";
        Finding::warning(CHECK, message, "remove it to get the default, and set the keys of the live application")
    });
    keys.chain(sandbox).collect()
}

/// Introduces the shop to the mail server.
pub(super) async fn mail(config: &Config, base_url: &str) -> Option<Finding> {
    const CHECK: &str = "mail.server";
    let ExaminedServer { place, answer } = examine_mail_server(&config.mail, base_url, PATIENCE).await?;
    Some(match answer {
        Ok(()) => Finding::ok(CHECK, format!("{place} answers and would take mails")),
        Err(reason) => Finding::failure(
            CHECK,
            format!("{place} takes no mail: {}", without_number(reason)),
            "look at host, port, encryption, username and password in [mail.smtp]",
        ),
    })
}

#[cfg(test)]
mod tests {
    use stoa_core::config::Sources;

    use super::*;

    #[test]
    fn test_keys_are_told_where_customers_can_see_the_shop() {
        let told = |base_url: &str, key: &str| {
            let variables = [
                ("STOA_SERVER__BASE_URL", base_url),
                ("STOA_PAYMENTS__STRIPE__ENABLED", "true"),
                ("STOA_PAYMENTS__STRIPE__SECRET_KEY", key),
                ("STOA_PAYMENTS__STRIPE__WEBHOOK_SECRET", "whsec_0123456789abcdef"),
                ("STOA_PAYMENTS__MOLLIE__ENABLED", "true"),
                ("STOA_PAYMENTS__MOLLIE__API_KEY", "test_0123456789"),
            ];
            let config = Config::load(Sources::new("/nowhere").environment(variables)).expect("it is right").config;
            test_keys(&config).into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        let both = told("https://shop.example.com", "sk_test_0123456789");
        assert!(both[0].starts_with("`payments.stripe.secret_key` is a test key"), "{both:?}");
        assert!(both[1].starts_with("`payments.mollie.api_key` is a test key"), "{both:?}");
        assert!(!both.concat().contains("0123456789"), "a key is shown: {both:?}");
        assert_eq!(told("https://shop.example.com", "sk_live_0123456789").len(), 1);
        assert_eq!(told("http://127.0.0.1:8080", "sk_test_0123456789"), [""; 0]);
    }
}

//! `[payments.<gateway>]`: how customers pay.

use serde::Deserialize;

use super::address::WebOrigin;
use super::check::{Check, Section};
use super::value::{MAX_MINUTES, within};
use crate::secret::Secret;

/// Settings of the payment gateways.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaymentsConfig {
    /// Payment by hand, confirmed by the operator.
    pub manual: ManualConfig,
    /// The gateway that settles everything at once.
    pub development: DevelopmentConfig,
    /// Stripe.
    pub stripe: StripeConfig,
    /// Mollie.
    pub mollie: MollieConfig,
    /// PayPal.
    pub paypal: PaypalConfig,
}

/// Settings of payment by hand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ManualConfig {
    /// Whether customers may choose it.
    pub enabled: bool,
    /// Minutes after which an unpaid order of this kind is cancelled; 0 is never.
    #[serde(deserialize_with = "within::<_, _, 0, MAX_MINUTES>")]
    pub expiry_minutes: u32,
}

impl Default for ManualConfig {
    fn default() -> Self {
        Self { enabled: true, expiry_minutes: 20_160 }
    }
}

/// Settings of the gateway that settles everything at once, without money.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DevelopmentConfig {
    /// Whether it may be used at all.
    pub enabled: bool,
}

/// Settings of Stripe.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StripeConfig {
    /// Whether customers may choose it; the keys are there then.
    pub enabled: bool,
    /// Key for requests to Stripe.
    pub secret_key: Option<Secret>,
    /// Key that callbacks are signed with.
    pub webhook_secret: Option<Secret>,
    /// Scheme and host of the provider's interface.
    pub api_base: WebOrigin,
}

/// Settings of Mollie.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MollieConfig {
    /// Whether customers may choose it; the key is there then.
    pub enabled: bool,
    /// Key for requests to Mollie.
    pub api_key: Option<Secret>,
    /// Scheme and host of the provider's interface.
    pub api_base: WebOrigin,
}

/// Settings of PayPal.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaypalConfig {
    /// Whether customers may choose it; the keys are there then.
    pub enabled: bool,
    /// Name of the application at PayPal.
    pub client_id: Option<Secret>,
    /// Its password.
    pub client_secret: Option<Secret>,
    /// Identifier of the webhook, which callbacks are verified with.
    pub webhook_id: Option<Secret>,
    /// Scheme and host of the provider's interface.
    pub api_base: WebOrigin,
}

impl Default for StripeConfig {
    fn default() -> Self {
        Self { enabled: false, secret_key: None, webhook_secret: None, api_base: provider("https://api.stripe.com") }
    }
}

impl Default for MollieConfig {
    fn default() -> Self {
        Self { enabled: false, api_key: None, api_base: provider("https://api.mollie.com") }
    }
}

impl Default for PaypalConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            client_id: None,
            client_secret: None,
            webhook_id: None,
            api_base: provider("https://api-m.paypal.com"),
        }
    }
}

fn provider(address: &str) -> WebOrigin {
    WebOrigin::parse(address).expect("the addresses of the providers are origins")
}

impl Section for PaymentsConfig {
    const KEY: &'static str = "payments";

    fn check(&self, check: &mut Check<'_>) {
        let Self { manual: _, development: _, stripe, mollie, paypal } = self;
        if stripe.enabled {
            let keys = [("secret_key", &stripe.secret_key), ("webhook_secret", &stripe.webhook_secret)];
            require_keys(&mut check.table("stripe"), &keys);
        }
        if mollie.enabled {
            require_keys(&mut check.table("mollie"), &[("api_key", &mollie.api_key)]);
        }
        if paypal.enabled {
            let keys = [
                ("client_id", &paypal.client_id),
                ("client_secret", &paypal.client_secret),
                ("webhook_id", &paypal.webhook_id),
            ];
            require_keys(&mut check.table("paypal"), &keys);
        }
    }
}

/// Refuses an enabled gateway that lacks a key: an empty one could verify anything (S4.6.2).
fn require_keys(check: &mut Check<'_>, keys: &[(&str, &Option<Secret>)]) {
    let is_sound = check.is_sound();
    for (key, secret) in keys {
        match secret {
            None if is_sound => check.refuse_because_of("enabled", key, "this is needed while the gateway is enabled"),
            Some(secret) if secret.is_blank() => {
                check.refuse(key, "this is empty, and needed while the gateway is enabled");
            }
            None | Some(_) => {}
        }
    }
}

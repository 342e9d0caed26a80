//! `[payments.<gateway>]`: how customers pay.

use serde::Deserialize;

use super::address::WebOrigin;
use super::check::Check;
use super::value::{MAX_MINUTES, optional_paragraphs, within};
use crate::secret::Secret;

/// Settings of the payment gateways.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentsConfig {
    /// Payment by bank transfer or in cash, confirmed by the operator.
    pub manual: ManualConfig,
    /// The gateway that settles everything at once.
    pub development: DevelopmentConfig,
    /// The gateway that plays a provider.
    pub simulated: SimulatedConfig,
    /// Stripe.
    pub stripe: StripeConfig,
    /// Mollie.
    pub mollie: MollieConfig,
    /// PayPal.
    pub paypal: PaypalConfig,
}

/// Settings of the gateway `manual`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManualConfig {
    /// Whether customers may choose it.
    pub enabled: bool,
    /// Minutes after which an unpaid order of this kind is cancelled; 0 is never.
    #[serde(deserialize_with = "within::<_, _, 0, MAX_MINUTES>")]
    pub expiry_minutes: u32,
    /// What customers are told to do, with `{order}` and `{amount}` where the order's number and what is to be paid belong.
    #[serde(default, deserialize_with = "optional_paragraphs")]
    pub instructions: Option<String>,
}

/// Settings of the gateway that settles everything at once, without money.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DevelopmentConfig {
    /// Whether it may be used at all.
    pub enabled: bool,
}

/// Settings of the gateway that plays a provider, without money.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatedConfig {
    /// Whether it may be used at all.
    pub enabled: bool,
}

/// Settings of Stripe.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct MollieConfig {
    /// Whether customers may choose it; the key is there then.
    pub enabled: bool,
    /// Key for requests to Mollie.
    pub api_key: Option<Secret>,
    /// Key that callbacks of a subscription are signed with; the callbacks of single payments are not signed.
    pub webhook_secret: Option<Secret>,
    /// Scheme and host of the provider's interface.
    pub api_base: WebOrigin,
}

/// Settings of PayPal.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// Fewest characters of a key for requests: a shorter one was cut off. Whether it is right, the provider says.
pub const MIN_KEY: usize = 8;

/// Fewest characters of a key that callbacks are signed with: a shorter one could be guessed (S4.6.2).
pub const MIN_SIGNING_KEY: usize = 16;

impl PaymentsConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        let Self { manual: _, development: _, simulated: _, stripe, mollie, paypal } = self;
        if stripe.enabled {
            let mut table = check.table("stripe");
            require_keys(&mut table, &[("secret_key", &stripe.secret_key), ("webhook_secret", &stripe.webhook_secret)]);
            check_key(&mut table, "secret_key", stripe.secret_key.as_ref(), MIN_KEY);
            check_key(&mut table, "webhook_secret", stripe.webhook_secret.as_ref(), MIN_SIGNING_KEY);
            refuse_other_keys(&mut table, "secret_key", stripe.secret_key.as_ref(), "sk_… or rk_…");
            refuse_other_keys(&mut table, "webhook_secret", stripe.webhook_secret.as_ref(), "whsec_…");
        }
        if mollie.enabled {
            let mut table = check.table("mollie");
            require_keys(&mut table, &[("api_key", &mollie.api_key)]);
            check_key(&mut table, "api_key", mollie.api_key.as_ref(), MIN_KEY);
            check_key(&mut table, "webhook_secret", mollie.webhook_secret.as_ref(), MIN_SIGNING_KEY);
        }
        if paypal.enabled {
            let mut table = check.table("paypal");
            let keys = [
                ("client_id", &paypal.client_id),
                ("client_secret", &paypal.client_secret),
                ("webhook_id", &paypal.webhook_id),
            ];
            require_keys(&mut table, &keys);
            // Two of them are names rather than secrets.
            check_key(&mut table, "client_id", paypal.client_id.as_ref(), 1);
            check_key(&mut table, "client_secret", paypal.client_secret.as_ref(), MIN_KEY);
            check_key(&mut table, "webhook_id", paypal.webhook_id.as_ref(), 1);
        }
    }
}

/// The keys that Stripe shows beside one another: how they begin, what they are, and where they belong.
const STRIPE_KEYS: [(&str, &str, &str); 5] = [
    ("pk_", "the publishable key, which everybody may know", ""),
    ("sk_", "the secret key", "secret_key"),
    ("rk_", "a restricted key", "secret_key"),
    ("whsec_", "the signing secret of a webhook", "webhook_secret"),
    ("we_", "the id of a webhook", ""),
];

/// Refuses one of Stripe's keys in the place of another; the reason repeats nothing but its beginning.
fn refuse_other_keys(check: &mut Check<'_>, key: &str, secret: Option<&Secret>, expected: &str) {
    let Some(text) = secret.map(Secret::expose) else { return };
    let other = STRIPE_KEYS.iter().find(|(beginning, _, place)| text.starts_with(beginning) && *place != key);
    if let Some((beginning, what, _)) = other {
        check.refuse(key, &format!("this is {what} ({beginning}…); {expected} was expected"));
    }
}

/// Where keys come from, and what to do without one.
const FROM_PROVIDER: &str = "copy it from the provider's dashboard, or set `enabled = false`";

/// Refuses an enabled gateway that lacks a key.
fn require_keys(check: &mut Check<'_>, keys: &[(&str, &Option<Secret>)]) {
    let is_sound = check.is_sound();
    for (key, secret) in keys {
        if secret.is_none() && is_sound {
            check.refuse_because_of(
                "enabled",
                key,
                &format!("this is needed while the gateway is enabled; {FROM_PROVIDER}"),
            );
        }
    }
}

/// Refuses a key that is empty, cut off, or damaged on its way here; the reason repeats nothing of it.
fn check_key(check: &mut Check<'_>, key: &str, secret: Option<&Secret>, min: usize) {
    let Some(secret) = secret else { return };
    let text = secret.expose();
    if secret.is_blank() {
        check.refuse(key, &format!("this is empty, and needed while the gateway is enabled; {FROM_PROVIDER}"));
    } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        check.refuse(key, "this holds a blank, a line break or another character that no key has; copy it once more");
    } else if text.len() < min {
        check.refuse(
            key,
            &format!("this is too short for a key: at least {min} characters were expected; was all of it copied?"),
        );
    }
}

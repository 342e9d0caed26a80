//! The gateways that core brings along, one folder for each provider.
//!
//! Each translates between a provider's interface, as its documents describe it, and [`Gateway`](stoa_kernel::gateways::Gateway).
//! All are registered whether customers may choose them or not, so that money can still go back through one that was
//! switched off.

mod development;
mod examine;
mod exchange;
mod manual;
mod mollie;
mod paypal;
mod simulated;
mod stripe;

use stoa_kernel::config::Config;
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::secret::Secret;

use development::Development;
use examine::ExamineProviders;
use manual::Manual;
use mollie::Mollie;
use paypal::Paypal;
use stripe::Stripe;

/// Registers them, in the order in which customers see them, and whether they answer.
///
/// # Errors
///
/// If a route of theirs cannot be registered.
pub fn register(cx: &mut ModuleContext<'_>, config: &Config) -> Result<(), RegisterError> {
    let payments = &config.payments;
    let (http, clock) = (cx.http().clone(), cx.clock().clone());
    cx.gateway_if(payments.manual.enabled, Manual::new(&payments.manual, &config.seller));
    cx.gateway_if(payments.development.enabled, Development::new(&payments.development));
    simulated::register(cx, &payments.simulated)?;
    cx.gateway_if(payments.stripe.enabled, Stripe::new(&payments.stripe, http.clone()));
    cx.gateway_if(payments.mollie.enabled, Mollie::new(&payments.mollie, http.clone()));
    cx.gateway_if(payments.paypal.enabled, Paypal::new(&payments.paypal, &config.shop.name, http, clock));
    cx.examine(ExamineProviders);
    Ok(())
}

/// A key that is worth using. The configuration of a gateway that is off is not checked, and an empty key would verify
/// anything.
fn usable_key(key: Option<&Secret>, min: usize) -> Option<Secret> {
    let is_usable =
        |key: &&Secret| key.expose().len() >= min && key.expose().bytes().all(|byte| byte.is_ascii_graphic());
    key.filter(is_usable).cloned()
}

stoa_kernel::texts!("texts");

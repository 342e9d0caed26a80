//! The gateways that core brings along, one folder for each provider.
//!
//! Each translates between a provider's interface, as its documents describe it, and [`Gateway`](crate::gateways::Gateway).
//! All are registered whether customers may choose them or not, so that money can still go back through one that was
//! switched off.

mod development;
mod manual;

use crate::config::Config;
use crate::module::ModuleContext;

use development::Development;
use manual::Manual;

/// Registers them, in the order in which customers see them.
pub(crate) fn register_gateways(cx: &mut ModuleContext<'_>, config: &Config) {
    let payments = &config.payments;
    cx.gateway_if(payments.manual.enabled, Manual::new(&payments.manual));
    cx.gateway_if(payments.development.enabled, Development::new(&payments.development));
}

//! The modules that this program links: one line each, which is all the wiring there is. A feature of its name switches each on.

#[cfg(feature = "digital_secrets")]
use stoa_digital_secrets as _;
#[cfg(feature = "documentation")]
use stoa_documentation as _;
#[cfg(feature = "downloads")]
use stoa_downloads as _;
#[cfg(feature = "event_tickets")]
use stoa_event_tickets as _;
#[cfg(feature = "inventory")]
use stoa_inventory as _;
#[cfg(feature = "services")]
use stoa_services as _;
#[cfg(feature = "storefront")]
use stoa_storefront as _;
#[cfg(feature = "subscriptions")]
use stoa_subscriptions as _;

/// Names of Stoa's own modules. The configuration may mention those that a program does not link,
/// as long as it does not enable them.
pub(crate) const STOCK_MODULES: &[&str] = &[
    "subscriptions",
    "services",
    "downloads",
    "digital_secrets",
    "documentation",
    "event_tickets",
    "inventory",
    "storefront",
];

/// The module that shows the documentation at `/docs`.
pub(crate) const DOCUMENTATION_MODULE: &str = "documentation";

/// The module whose product settings take the stock that other shops' exports tell of.
pub(crate) const STOCK_KEEPING_MODULE: &str = "inventory";

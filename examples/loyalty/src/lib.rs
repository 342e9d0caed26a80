//! Loyalty points: earned with what is paid, taken back with what is refunded, redeemed in the checkout.
//!
//! `register` below names everything that the module has. The other files hold one subject each.

mod command;
mod config;
mod console;
mod model;
mod orders;
mod personal;
mod points;
mod queries;
mod routes;

use stoa_core::orders::{OrderCancelling, OrderPaid, OrderPlacing};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::command::LoyaltyCommand;
pub use crate::config::Config;
use crate::orders::{GiveBack, Redeem, Settle};
use crate::personal::Points;

/// The module's name: its key in the configuration, and what its abilities, tables and listeners begin with.
const NAME: &str = "loyalty";

/// The module. It has no value: everything it brings goes into the tables behind `cx`.
pub struct Loyalty;
stoa_core::module!(Loyalty);
stoa_core::texts!("texts");

impl Module for Loyalty {
    const NAME: &'static str = NAME;
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(sqlite: "migrations/sqlite", postgres: "migrations/postgres"));
        cx.on_committed::<OrderPaid>("loyalty.settle_paid", Settle(config));
        cx.on_committed::<RefundRecorded>("loyalty.settle_refunded", Settle(config));
        cx.added_lines(Redeem(config));
        cx.on_transaction::<OrderPlacing>("loyalty.redeem", Redeem(config));
        cx.on_transaction_even_off::<OrderCancelling>("loyalty.give_back", GiveBack);
        cx.storefront_panel(Panel::new(PanelOn::Cart, include_str!("../pages/cart.html")).path("/loyalty"));
        cx.storefront_panel(Panel::new(PanelOn::Account, include_str!("../pages/account.html")).path("/loyalty"));
        cx.personal_data(Points);
        cx.claims_from_guests("loyalty.claim", &queries::CLAIM);
        console::register(cx)?;
        cx.command::<LoyaltyCommand>(());
        cx.invariant(Invariant::new("loyalty_points", "an account has the points of its entries", queries::FIND_WRONG));
        cx.ability("loyalty", "loyalty.read")?;
        cx.ability("loyalty-redeeming", "loyalty.redeem")?;
        cx.routes(config, routes::of_customers())
    }
}

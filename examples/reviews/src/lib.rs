//! Reviews: what those who have bought a product say of it, with one to five stars.
//!
//! `register` below names everything that the module has. The other files hold one subject each.

mod config;
mod console;
mod details;
mod model;
mod personal;
mod queries;
mod routes;
mod writing;

use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

pub use crate::config::Config;
use crate::details::TellStars;
use crate::personal::Personal;

/// The module. It has no value: everything it brings goes into the tables behind `cx`.
pub struct Reviews;
stoa_core::module!(Reviews);
stoa_core::texts!("texts");

impl Module for Reviews {
    const NAME: &'static str = "reviews";
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(sqlite: "migrations/sqlite", postgres: "migrations/postgres"));
        cx.product_details(TellStars);
        let stars = include_str!("../pages/stars.html");
        cx.storefront_panel(Panel::new(PanelOn::Product, stars));
        cx.storefront_panel(Panel::new(PanelOn::Card, stars));
        let below = Panel::new(PanelOn::BelowProduct, include_str!("../pages/below-product.html"));
        cx.storefront_panel(below.path("/reviews/{slug}").own("/own-reviews/{slug}"));
        let account = Panel::new(PanelOn::Account, include_str!("../pages/account.html"));
        cx.storefront_panel(account.path("/own-reviews"));
        // What `cx.personal_data` would do, but that who is forgotten later has the stars counted anew, first in the transaction.
        cx.on_transaction::<CustomerAnonymizing>("reviews.forget", Personal);
        cx.on_committed::<CustomerAnonymized>("reviews.forget_later", Personal);
        cx.on_preflight::<CustomerExporting>("reviews.export", Personal);
        cx.claims_from_guests("reviews.claim", &[queries::CLAIM]);
        console::register(cx)?;
        cx.ability("own-reviews", "reviews.read")?;
        cx.ability("review-writing", "reviews.write")?;
        cx.public_routes((), routes::public())?;
        cx.routes(config, routes::own())
    }
}

//! Gift wrapping: customers say in which paper a product is to be wrapped, and what the card says.
//!
//! This is the example for authors of modules. Start with [`GiftWrap`] below: its `register` names
//! everything that the module has. The other files hold one subject each.

mod charges;
mod command;
mod config;
mod console;
mod events;
mod jobs;
mod mails;
mod model;
mod orders;
mod personal;
mod queries;
mod routes;
mod storefront;
mod watching;
mod webhooks;

use stoa_core::orders::{OrderCancelling, OrderPlacing};
use stoa_core::prelude::*;

use crate::charges::ChargeWraps;
use crate::command::GiftWrapCommand;
pub use crate::config::Config;
use crate::events::{GiftWrapRequested, GiftWrapRequesting, PrintCard, ReplaceEarlierWish};
use crate::jobs::Prune;
use crate::mails::{CARD_PRINTED, SayWrapped};
use crate::model::WrapSettings;
use crate::orders::{PackWishes, UnpackWishes};
use crate::personal::Wishes;
use crate::routes::wrap_routes;
use crate::storefront::{OWN_WISHES, PAPERS, TellWraps};
use crate::watching::{CountCards, INVARIANTS, LookAtCards};
use crate::webhooks::WRAP_REQUESTED;

/// The module. It has no value: everything it brings goes into the tables behind `cx`.
pub struct GiftWrap;
stoa_core::module!(GiftWrap);
stoa_core::texts!("texts");

impl Module for GiftWrap {
    const NAME: &'static str = "gift_wrap";
    const CAPABILITIES: &'static [&'static str] = &["gift_wrappable"];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres",
        ));
        cx.product_settings::<WrapSettings>();
        cx.product_details(TellWraps);
        cx.storefront_panel(PAPERS);
        cx.storefront_panel(OWN_WISHES);
        cx.added_lines(ChargeWraps);
        cx.mail_template(CARD_PRINTED);
        cx.mail_part(SayWrapped);
        cx.webhook_type(WRAP_REQUESTED);
        cx.on_transaction::<GiftWrapRequesting>("gift_wrap.replace", ReplaceEarlierWish);
        cx.on_committed::<GiftWrapRequested>("gift_wrap.print_card", PrintCard);
        cx.on_transaction::<OrderPlacing>("gift_wrap.pack", PackWishes);
        cx.on_transaction_even_off::<OrderCancelling>("gift_wrap.unpack", UnpackWishes);
        cx.personal_data(Wishes);
        cx.claims_from_guests("gift_wrap.claim", &[queries::CLAIM]);
        cx.job(Prune::new(&config));
        cx.command::<GiftWrapCommand>(());
        console::register(cx)?;
        for invariant in INVARIANTS {
            cx.invariant(invariant);
        }
        cx.examine(LookAtCards);
        cx.measure(CountCards);
        cx.ability("gift-wraps", "gift_wrap.read")?;
        cx.ability("gift-wrap-wishes", "gift_wrap.create")?;
        cx.routes(config, wrap_routes())
    }
}

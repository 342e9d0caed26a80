//! The module `guest_book`: entries that customers write, and that come with what they buy.
//!
//! `register` below names everything that the module has. The other files hold one subject each.

mod command;
mod config;
mod jobs;
mod listeners;
mod model;
mod queries;
mod routes;
mod watching;

use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::orders::OrderPaid;
use stoa_core::prelude::*;

use crate::command::EntriesCommand;
pub use crate::config::Config;
use crate::jobs::ForgetOld;
use crate::listeners::{AddBought, Personal};
use crate::model::OfProduct;
use crate::routes::entry_routes;
use crate::watching::{CountEntries, HAS_TEXT, LookAtEntries};

/// The module's name: its key in the configuration, and what its abilities, tables and listeners begin with.
const NAME: &str = "guest_book";

/// The module. It has no value: everything it brings goes into the tables behind `cx`.
pub struct GuestBookModule;
stoa_core::module!(GuestBookModule);
stoa_core::texts!("texts");

impl Module for GuestBookModule {
    const NAME: &'static str = NAME;
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(sqlite: "migrations/sqlite", postgres: "migrations/postgres"));
        cx.product_settings::<OfProduct>();
        cx.on_committed::<OrderPaid>("guest_book.add_bought", AddBought);
        cx.on_transaction::<CustomerAnonymizing>("guest_book.forget", Personal);
        cx.on_committed::<CustomerAnonymized>("guest_book.forget_later", Personal);
        cx.on_preflight::<CustomerExporting>("guest_book.export", Personal);
        cx.claims_from_guests("guest_book.claim", &[queries::CLAIM]);
        cx.job(ForgetOld::new(&config));
        cx.command::<EntriesCommand>(());
        cx.invariant(HAS_TEXT);
        cx.examine(LookAtEntries);
        cx.measure(CountEntries);
        // Reading and writing have prefixes of their own, so that a token can hold one without the other.
        cx.ability("guest-book", "guest_book.read")?;
        cx.ability("guest-book-entries", "guest_book.write")?;
        cx.routes((), entry_routes())
    }
}

//! The module `guest_book`.
//!
//! `register` below names everything that the module has. The other files hold one subject each.

mod bought;
mod command;
mod config;
mod console;
mod jobs;
mod mails;
mod model;
mod panel;
mod personal;
mod queries;
mod routes;
mod watching;

use stoa_core::orders::OrderPaid;
use stoa_core::prelude::*;

use crate::bought::{AddBought, OfProduct};
use crate::command::EntriesCommand;
pub use crate::config::Config;
use crate::jobs::ForgetOld;
use crate::mails::{THANKS, Thank};
use crate::panel::OWN_ENTRIES;
use crate::personal::Entries;
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
        cx.personal_data(Entries);
        cx.claims_from_guests("guest_book.claim", &[queries::CLAIM]);
        cx.product_settings::<OfProduct>();
        cx.on_committed::<OrderPaid>("guest_book.add_bought", AddBought);
        cx.mail_template(THANKS);
        cx.on_committed::<OrderPaid>("guest_book.thank", Thank);
        cx.job(ForgetOld::new(&config));
        cx.command::<EntriesCommand>(());
        cx.invariant(HAS_TEXT);
        cx.examine(LookAtEntries);
        cx.measure(CountEntries);
        cx.storefront_panel(OWN_ENTRIES);
        console::register(cx)?;
        routes::register(cx)?;
        Ok(())
    }
}

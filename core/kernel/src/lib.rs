//! What everything in Stoa stands on: HTTP, authentication, events, jobs, the shop's handles of its database, and what a
//! module is. It knows nothing that is sold, and nobody who buys.
//!
//! What it stands on itself is shown as its own: `stoa_base` (configuration, texts, money) and `stoa_db` (databases).

pub mod audit;
pub mod auth;
pub mod clock;
pub mod commands;
pub mod console;
pub mod core_routes;
pub mod db;
pub mod doctor;
pub mod encryption;
pub mod events;
pub mod fair_queue;
pub mod from_shop;
pub mod gateways;
pub mod guest_claiming;
pub mod http;
pub mod invariant;
pub mod jobs;
pub mod mail;
pub mod metrics;
pub mod module;
pub mod order_link;
pub mod pages;
mod panics;
pub mod personal_data;
pub mod pictures;
pub mod prelude;
pub mod queue;
pub mod random;
pub mod record_number;
pub mod retention;
pub mod shop_currency;
pub mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;

pub use stoa_base::{
    config, error_chain, fold, html, i18n, money, outbound, private_files, secret, states, storage, suggestion, text,
    texts, vat_id,
};
pub use stoa_db::migrations;
pub use stoa_sql::{PageSql, SearchSql, search_sql, sorted_sql, sql};

texts!("texts");

#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use stoa_sql::CATALOGUE;
}

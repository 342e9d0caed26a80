#![doc = include_str!("../README.md")]

mod account;
pub mod addresses;
pub mod auth;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod clock;
pub mod commands;
pub mod config;
pub mod conformance;
pub mod credit_notes;
pub mod customers;
pub mod db;
pub mod discounts;
pub mod doctor;
pub mod encryption;
pub mod entitlements;
mod error_chain;
pub mod events;
mod excerpt;
mod fair_queue;
pub mod gateways;
mod html;
pub mod http;
pub mod i18n;
mod idempotency;
pub mod invariant;
pub mod invoices;
pub mod jobs;
mod links;
pub mod mail;
pub mod metrics;
pub mod module;
pub mod money;
mod order_mails;
pub mod orders;
pub mod outbound;
pub mod payments;
pub mod pdf;
pub mod prelude;
pub mod pricing;
mod private_files;
pub mod program;
pub mod random;
pub mod record_number;
pub mod refunds;
mod retention;
pub mod secret;
pub mod services;
mod sessions;
pub mod shop_currency;
mod site;
pub mod support_tickets;
mod templates;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tokens;
pub mod verification;
pub mod webhooks;

pub use error_chain::error_chain;

#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use stoa_sql::{CATALOGUE, linkme};
}

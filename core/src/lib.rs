#![doc = include_str!("../README.md")]

mod account;
pub mod addresses;
pub mod auth;
pub mod catalog;
pub mod clock;
pub mod config;
pub mod customers;
pub mod db;
pub mod encryption;
mod error_chain;
pub mod events;
mod excerpt;
pub mod gateways;
mod html;
pub mod http;
pub mod i18n;
pub mod jobs;
mod links;
pub mod mail;
pub mod metrics;
pub mod module;
pub mod money;
pub mod outbound;
pub mod pdf;
pub mod prelude;
mod private_files;
pub mod program;
pub mod random;
mod retention;
pub mod secret;
pub mod services;
mod sessions;
mod site;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tokens;

pub use error_chain::error_chain;

#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use stoa_sql::{CATALOGUE, linkme};
}

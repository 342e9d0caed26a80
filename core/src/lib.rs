#![doc = include_str!("../README.md")]

pub mod auth;
pub mod catalog;
pub mod clock;
pub mod config;
pub mod customers;
pub mod db;
pub mod encryption;
pub mod events;
mod excerpt;
pub mod http;
pub mod i18n;
pub mod jobs;
pub mod metrics;
pub mod module;
pub mod money;
pub mod outbound;
pub mod prelude;
pub mod program;
pub mod random;
pub mod secret;
pub mod services;
mod site;
#[cfg(feature = "testing")]
pub mod testing;
mod tokens;

#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use stoa_sql::{CATALOGUE, linkme};
}

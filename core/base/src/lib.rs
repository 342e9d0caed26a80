//! The ground of a shop, which needs neither a database nor a request: configuration, texts, money, outbound HTTP and
//! stored files.

pub mod config;
mod error_chain;
mod excerpt;
pub mod fold;
pub mod html;
pub mod i18n;
pub mod money;
pub mod outbound;
pub mod private_files;
pub mod roles;
pub mod secret;
pub mod states;
pub mod storage;
pub mod suggestion;
pub mod vat_id;

pub use error_chain::error_chain;

#[doc(hidden)]
pub mod __private {
    pub use inventory;
}

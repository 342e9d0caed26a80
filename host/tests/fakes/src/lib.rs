//! Fakes for payment providers, written from the providers' own documents.
//!
//! Each listens on a port of this machine, takes requests as strictly as the provider does, keeps what it is told, shows a
//! page where a customer pays or gives up, and writes callbacks in the provider's form. Tests tell it what the customer does
//! and which [`Fault`] the next request meets. `cargo run -p stoa-fakes` serves all three, to be tried by hand.

mod authority;
mod deliver;
mod fault;
mod form;
mod idempotency;
mod json;
pub mod mollie;
mod page;
pub mod paypal;
mod server;
pub mod stripe;

pub use authority::Authority;
pub use deliver::{Callback, deliver};
pub use fault::Fault;
pub use server::{Clock, Recorded};

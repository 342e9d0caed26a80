//! Encryption at rest under the installation's key (contract 1, `secrets.*`).
//!
//! One key of 32 bytes belongs to a shop. It lies in a file beside the database, or comes with the configuration, and
//! never in the database: that holds only its fingerprint, so that a shop which is started with another key stops
//! instead of writing what its own key cannot read. Values are sealed and opened with a [`Cipher`], which handlers,
//! listeners and jobs ask for.

mod cipher;
mod error;
mod installation;
pub mod key_file;
mod queries;

pub use cipher::{Cipher, SealContext, Unreadable};
pub use error::KeyError;
pub use installation::MissingKey;

//! Passkeys (Web Authentication, level 3): a key that a device or a password manager keeps, used with a finger, a face or a PIN.
//!
//! One is more than a password and a second factor together, since it is bound to the shop's address and to whoever unlocks it. It
//! logs somebody in by itself, or is the second factor after the password. What checks it is the standard's list of steps (7.1 for a new
//! one, 7.2 for one that is shown); the signatures are checked by `ring`. What was asked for is `offered`, and `challenge` is what has to
//! come back; `client_data` is what the browser says of it, `authenticator` what the authenticator says, and `attestation` what comes with
//! a new one. `registration` and `presented` put these together, with whose passkey it is and how often it has signed. Why no crate does
//! this is told in `core/ARCHITECTURE.md`.

mod attestation;
mod authenticator;
mod challenge;
mod client_data;
mod kept;
mod key;
mod offered;
mod presented;
mod queries;
mod registration;
mod shop_name;
#[cfg(test)]
mod vectors;

pub use kept::{StaffPasskey, list_passkeys, remove_passkey};
pub use offered::{passkey_to_add, passkey_to_show};
pub use registration::{AddedPasskey, PasskeyError, PresentedPasskey, add_passkey};
pub use shop_name::PasskeyShop;

pub(crate) use kept::forget_passkeys;
pub(crate) use queries::DELETE_USED_CHALLENGES;

/// Why what a browser has sent was not taken. Whoever sent it learns only that it was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// It is not what browsers send.
    #[error("it is not of the form of the standard")]
    Malformed,
    /// Nobody was asked this, it was somebody else, or long ago, or answered already.
    #[error("the challenge is not one that is open here")]
    Challenge,
    /// It was made on another page, or in a frame of one.
    #[error("it was made for another site")]
    Site,
    /// Nobody has unlocked it.
    #[error("the authenticator did not verify who uses it")]
    NotVerified,
    /// Flags that contradict one another, or what was said before.
    #[error("what it says about copies is contradictory")]
    Copies,
    /// Of a kind that was not asked for.
    #[error("the key is of a kind that was not asked for")]
    Key,
    /// Nobody has such a passkey.
    #[error("nobody who may log in has this passkey")]
    Unknown,
    /// The signature is of another key, or of something else.
    #[error("the signature is not right")]
    Signature,
    /// The authenticator has signed less often than it had before.
    #[error("the authenticator counts less than before, as a copy does")]
    Counter,
}

//! What a password must be.

use std::ops::RangeInclusive;

use super::is_guessable;

/// Why a password is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    /// It is shorter or longer than so many characters.
    #[error("the password must have {} to {} characters", .0.start(), .0.end())]
    Length(RangeInclusive<usize>),
    /// Whoever guesses tries it first.
    #[error(
        "the password is too easy to guess: choose none of the commonest, not the e-mail address and not the name of the shop"
    )]
    Guessable,
}

/// Refuses a password that has fewer or more characters than these, or is tried first.
pub fn check_password(
    password: &str,
    lengths: &RangeInclusive<usize>,
    email: &str,
    shop_name: &str,
) -> Result<(), WeakPassword> {
    if !lengths.contains(&password.chars().count()) {
        return Err(WeakPassword::Length(lengths.clone()));
    }
    if is_guessable(password, email, shop_name) { Err(WeakPassword::Guessable) } else { Ok(()) }
}

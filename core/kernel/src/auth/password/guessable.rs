//! Passwords that whoever guesses tries first.
//!
//! The commonest ones stand in `assets/passwords/common.txt`, which was made from the list of the crate `passwords` (MIT): of
//! the 100,000 that leaks show most often, those that are long enough to be chosen, in lower case and sorted. They are compared
//! with all differences of case removed.

use std::sync::LazyLock;

use crate::fold::fold;

static COMMON: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../../assets/passwords/common.txt").lines().collect());

/// Whether a password is one of the commonest, the e-mail address, what stands before its `@`, or the shop's name.
pub fn is_guessable(password: &str, email: &str, shop_name: &str) -> bool {
    let password = fold(password.trim());
    let (email, name) = (fold(email.trim()), fold(shop_name.trim()));
    let local = email.split('@').next().unwrap_or_default();
    let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
    COMMON.binary_search(&password.as_str()).is_ok()
        || password == email
        || password == local
        || without_blanks(&password) == without_blanks(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessable(password: &str) -> bool {
        is_guessable(password, "Ada.Lovelace@example.com", "The Lamp Shop")
    }

    #[test]
    fn the_list_is_sorted_and_holds_what_can_be_chosen() {
        assert!(COMMON.len() > 9_000, "{}", COMMON.len());
        assert!(COMMON.is_sorted_by(|one, next| one < next), "looking up needs an order");
        for password in COMMON.iter() {
            assert!((10..=200).contains(&password.chars().count()), "{password:?}");
            assert_eq!(fold(password), *password);
        }
    }

    #[test]
    fn what_is_tried_first_is_guessable_in_any_case() {
        for password in [
            "1234567890",
            "qwertyuiop",
            "Password123",
            "ILOVEYOU123",
            "1Q2w3E4r5T",
            "  basketball ",
            "ada.lovelace@example.com",
            "Ada.Lovelace@Example.com",
            "ADA.LOVELACE",
            "the lamp shop",
            "TheLampShop",
        ] {
            assert!(guessable(password), "{password}");
        }
    }

    #[test]
    fn nothing_else_is() {
        for password in
            ["correct horse battery staple", "a lovely password", "ada.lovelace1", "the lamp shop!", "12345678901x"]
        {
            assert!(!guessable(password), "{password}");
        }
    }
}

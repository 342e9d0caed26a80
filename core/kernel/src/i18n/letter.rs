//! What the shop writes to people by mail, before it is put into words.

use super::{Language, dutch, english, german};

/// A message that is sent by mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter<'a> {
    /// Asks whether an address belongs to whoever registered with it.
    VerifyEmail {
        /// The address of the page that confirms it.
        link: &'a str,
        /// Days for which the link is valid.
        days: i64,
    },
    /// Offers to choose a new password.
    ResetPassword {
        /// The address of the page to do so.
        link: &'a str,
        /// Minutes for which the link is valid.
        minutes: i64,
    },
}

impl Letter<'_> {
    /// Subject and body in a language, in the name of a shop.
    pub(crate) fn text(&self, language: Language, shop: &str) -> (String, String) {
        match language {
            Language::En => english::letter(self, shop),
            Language::De => german::letter(self, shop),
            Language::Nl => dutch::letter(self, shop),
        }
    }
}

/// A text on one of the shop's own pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageText {
    /// The heading of the page that confirms an address.
    VerifyHeading,
    /// What pressing its button does.
    VerifyExplanation,
    /// Its button.
    VerifyButton,
    /// That the address is confirmed.
    Verified,
    /// The heading of the page that sets a new password.
    ResetHeading,
    /// The label of its field.
    NewPassword,
    /// What a password must be like, and what becomes of sessions.
    ResetExplanation,
    /// Its button.
    ResetButton,
    /// That the password is changed.
    PasswordChanged,
}

impl PageText {
    /// The text in a language.
    pub fn text(self, language: Language) -> &'static str {
        match language {
            Language::En => english::page(self),
            Language::De => german::page(self),
            Language::Nl => dutch::page(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://shop.example/account/x?token=abc";

    #[test]
    fn every_letter_names_shop_link_and_time_in_every_language() {
        for (letter, time) in [
            (Letter::VerifyEmail { link: LINK, days: 3 }, "3"),
            (Letter::ResetPassword { link: LINK, minutes: 60 }, "60"),
        ] {
            let texts = Language::ALL.map(|language| letter.text(language, "Lamps & Co"));
            for (subject, body) in &texts {
                assert!(subject.contains("Lamps & Co") && body.contains("Lamps & Co"), "{subject}\n{body}");
                assert!(body.lines().any(|line| line == LINK), "{body}");
                assert!(body.contains(time) && body.ends_with(".\n") && !subject.contains('\n'), "{body}");
                assert!(body.lines().all(|line| line.chars().count() <= 78), "{body}");
            }
            let [en, de, nl] = texts;
            assert!(en.0 != de.0 && de.0 != nl.0 && en.0 != nl.0 && en.1 != de.1 && de.1 != nl.1 && en.1 != nl.1);
        }
    }
}

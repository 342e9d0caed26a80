//! Words that stand alone, without a sentence around them.

use super::Language;

/// A word that the shop shows beside texts of its operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// What was chosen.
    Yes,
    /// What was not.
    No,
}

impl Word {
    /// The word in a language.
    pub const fn text(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Yes, Language::En) => "Yes",
            (Self::Yes, Language::De | Language::Nl) => "Ja",
            (Self::No, Language::En) => "No",
            (Self::No, Language::De) => "Nein",
            (Self::No, Language::Nl) => "Nee",
        }
    }
}

//! Where texts come from: files that are compiled in, known at link time like modules.

use super::Language;

/// The texts of a crate, made by [`texts!`](crate::texts!).
#[derive(Debug, Clone, Copy)]
pub struct TextSource {
    /// The crate.
    pub package: &'static str,
    /// Where the files are, for messages.
    pub place: &'static str,
    /// The texts in English.
    pub en: &'static str,
    /// The texts in German.
    pub de: &'static str,
    /// The texts in Dutch.
    pub nl: &'static str,
}

impl TextSource {
    /// Each language with its file.
    pub(super) fn files(&self) -> [(Language, &'static str); 3] {
        [(Language::EN, self.en), (Language::DE, self.de), (Language::NL, self.nl)]
    }

    /// What the file of a language is called in messages.
    pub(super) fn file(&self, language: Language) -> String {
        format!("{} of `{}`: {}.ftl", self.place, self.package, language.tag())
    }
}

/// A place in the program that says a text, made by [`text!`](crate::text!).
#[derive(Debug, Clone, Copy)]
pub struct UsedText {
    /// The text's key.
    pub key: &'static str,
    /// The variables that are given.
    pub variables: &'static [&'static str],
    /// The file of the source.
    pub file: &'static str,
    /// The line in it.
    pub line: u32,
}

inventory::collect!(TextSource);
inventory::collect!(UsedText);

/// Brings the texts of a crate: the Fluent files `en.ftl`, `de.ftl` and `nl.ftl` of a folder in it, as in `texts!("texts")`.
///
/// A key is unique in the whole program, and therefore begins with the name of the feature or module. Whole sentences, please,
/// and the polite form of address: "Sie" in German, "u" in Dutch. Small tests write the texts into the macro:
/// `texts! { en: "…", de: "…", nl: "…" }`.
#[macro_export]
macro_rules! texts {
    ($folder:literal) => {
        $crate::texts! {
            @ $folder;
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/en.ftl"));
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/de.ftl"));
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/nl.ftl"))
        }
    };
    (en: $en:expr, de: $de:expr, nl: $nl:expr $(,)?) => {
        $crate::texts! { @ file!(); $en; $de; $nl }
    };
    (@ $place:expr; $en:expr; $de:expr; $nl:expr) => {
        $crate::__private::inventory::submit! {
            $crate::i18n::TextSource { package: env!("CARGO_PKG_NAME"), place: $place, en: $en, de: $de, nl: $nl }
        }
    };
}

//! The API's texts for people, in every language the shop speaks.
//!
//! A [`Message`] says what happened, with its parameters, and knows no language; [`Texts`] put it into words when the answer is
//! written. The words stand in Fluent files, `texts/en.ftl`, `de.ftl` and `nl.ftl` of each crate, which [`texts!`](crate::texts!)
//! brings. Each start of the program checks them: a text that a language lacks, a variable that nobody gives and a key that is not
//! there are told with their place. Machines read the error's `code` and `reason` instead (S7).
//!
//! ```
//! # extern crate stoa_base as stoa_core;
//! use stoa_core::i18n::{Language, Message, Texts, Violation};
//!
//! let texts = Texts::built_in();
//! let language = texts.negotiate(Some("de-AT,de;q=0.9,en;q=0.8"));
//! assert_eq!(
//!     texts.say(&Message::CartEmpty, language),
//!     "Ihr Warenkorb ist leer. Bitte legen Sie zuerst ein Produkt hinein."
//! );
//! assert_eq!(
//!     texts.say(&Violation::MaxLength { max: 255 }.on("name"), Language::EN),
//!     "The field “name” must not be longer than 255 characters.",
//! );
//! ```

mod collect;
mod country;
mod entries;
mod language;
mod message;
mod source;
mod text;
mod texts;
mod violation;

pub use collect::TextProblems;
pub use country::{country_name, sort_by_name};
pub use language::Language;
pub use message::Message;
pub use source::{TextSource, UsedText};
pub use text::{Text, Value};
pub use texts::Texts;
pub use violation::Violation;

crate::texts!("texts");

//! The API's texts for people, in every language the shop speaks.
//!
//! A [`Message`] says what happened, with its parameters, and knows no language; [`Message::text`] puts it into words
//! when the answer is written. Each language is one file with one exhaustive `match` for messages and one for
//! violations, so a missing translation does not compile. Machines read the error's `code` and `reason` instead (S7).
//!
//! ```
//! # extern crate stoa_kernel as stoa_core;
//! use stoa_core::i18n::{Language, Message, Violation};
//!
//! let language = Language::negotiate(Some("de-AT,de;q=0.9,en;q=0.8"));
//! assert_eq!(Message::CartEmpty.text(language), "Ihr Warenkorb ist leer. Bitte legen Sie zuerst ein Produkt hinein.");
//! assert_eq!(
//!     Violation::MaxLength { max: 255 }.on("name").text(Language::En),
//!     "The field “name” must not be longer than 255 characters.",
//! );
//! ```

mod chat;
mod document_text;
mod dutch;
mod english;
mod german;
mod language;
mod letter;
mod message;
mod violation;
mod word;

pub use language::Language;
pub use message::{Message, Translations};
pub use violation::Violation;

pub use chat::ChatText;
pub use document_text::DocumentText;
pub use letter::{Letter, PageText};
pub use word::Word;

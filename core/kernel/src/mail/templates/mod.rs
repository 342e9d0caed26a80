//! Texts of mails: what features and modules register, the operator's own in place of them, and how they are filled in.
//!
//! Who sends what, and when, is no matter of this folder.

mod declared;
mod folder;
mod table;
mod template;

pub use declared::{MailAbout, MailTemplate, MailTexts};
pub use table::MailTemplates;

pub use table::MailTemplateTable;
pub use template::Values;

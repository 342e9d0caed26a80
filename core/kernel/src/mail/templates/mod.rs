//! Texts of mails: what features and modules register, the operator's own in place of them, and how they are filled in.
//!
//! Who sends what, and when, is no matter of this folder.

mod declared;
mod folder;
mod html;
mod page;
mod piece;
mod table;
mod template;

pub use declared::{MailAbout, MailTemplate, MailTexts};
pub use table::{MailTemplateTable, MailTemplates, WithPages, Written};
pub use template::Values;

pub(crate) use html::{Blocks, button, escaped, escaped_lines};
pub(crate) use table::Letterhead;

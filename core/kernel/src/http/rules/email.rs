//! What e-mail addresses look like.

use super::{Field, Kind};
use crate::i18n::Violation;

impl Field {
    /// An e-mail address.
    #[must_use]
    pub fn email(mut self) -> Self {
        if let Kind::String { format, .. } = &mut self.kind {
            *format = Some("email");
        }
        self.check = Some(|field, value| {
            let valid = value.as_str().is_some_and(is_email);
            (!valid).then(|| Violation::Email.on(field.to_owned()))
        });
        self
    }
}

/// Whether a text has the form of an e-mail address: one `@`, something on both sides, a domain of
/// labels. What lies beyond only a mail to it can tell.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control());
    let labels_fit = domain.split('.').all(|label| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    });
    plain(local)
        && local.len() <= 64
        && !local.contains(['@', '"', '<', '>', ',', ';', ':', '\\', '(', ')'])
        && !local.starts_with('.')
        && !local.ends_with('.')
        && domain.len() <= 253
        && domain.contains('.')
        && labels_fit
}

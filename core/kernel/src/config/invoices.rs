//! `[invoices]`: what invoices and credit notes are numbered by.

use serde::Deserialize;
use serde::de::Deserializer;

use super::check::Check;
use super::value::{self, Malformed};

/// Most characters of a prefix.
const MAX_PREFIX: usize = 12;

/// Settings of invoices and credit notes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvoicesConfig {
    /// What the numbers of invoices begin with.
    #[serde(deserialize_with = "prefix")]
    pub prefix: String,
    /// What the numbers of credit notes begin with.
    #[serde(deserialize_with = "prefix")]
    pub credit_note_prefix: String,
}

impl InvoicesConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if check.is_sound() && self.prefix == self.credit_note_prefix {
            check.refuse_because_of("prefix", "credit_note_prefix", "invoices have this prefix already");
        }
    }
}

/// The rest of a number is told from its prefix by what it looks like, and numbers are names of files.
fn prefix<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::text(deserializer, "1 to 12 capital letters, digits and dashes, such as \"INV\"", |text| {
        let has_form = (1..=MAX_PREFIX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-')
            && text.starts_with(|first: char| first.is_ascii_uppercase())
            && !text.ends_with('-');
        has_form.then(|| text.to_owned()).ok_or(Malformed::Unexpected)
    })
}

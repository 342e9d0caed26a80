//! `[invoices]`: what invoices and credit notes are numbered by.

use std::fmt;

use serde::Deserialize;

use super::check::Check;
use super::value::{Malformed, read_from_text};

/// Most characters of a prefix, and of an instance's name.
const MAX_PREFIX: usize = 12;

/// What stands for the name of the instance at the end of a prefix.
const PLACE: &str = "-{instance}";

/// Settings of invoices and credit notes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvoicesConfig {
    /// What the numbers of invoices begin with.
    pub prefix: NumberPrefix,
    /// What the numbers of credit notes begin with.
    pub credit_note_prefix: NumberPrefix,
    /// Whose numbers are counted apart.
    pub series: SeriesOf,
    /// The name of this instance in its numbers.
    pub instance: Option<SeriesName>,
}

/// Whose numbers run without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesOf {
    /// The shop's: one series, for which instances wait for moments.
    Shop,
    /// Each instance's: no instance waits for another.
    Instance,
}

/// What numbers begin with; may end with `-{instance}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberPrefix(String);

/// The name of an instance: 1 to 12 capital letters and digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesName(String);

impl SeriesName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NumberPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl InvoicesConfig {
    /// The instance whose series numbers are taken from; none for that of the shop.
    pub fn instance_series(&self) -> Option<&SeriesName> {
        self.instance.as_ref().filter(|_| self.series == SeriesOf::Instance)
    }

    /// What the numbers of a document begin with that this instance issues.
    pub fn prefix_of(&self, prefix: &NumberPrefix) -> String {
        match (prefix.0.strip_suffix(PLACE), self.instance_series()) {
            (Some(fixed), Some(instance)) => format!("{fixed}-{}", instance.0),
            _ => prefix.0.clone(),
        }
    }

    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if !check.is_sound() {
            return;
        }
        if self.prefix == self.credit_note_prefix {
            check.refuse_because_of(
                "prefix",
                "credit_note_prefix",
                "invoices have this prefix already; choose another one, such as \"CN\"",
            );
        }
        if self.series == SeriesOf::Instance && self.instance.is_none() {
            let reason = "a series for each instance needs the name of this one; give each its own, such as \
                          STOA_INVOICES__INSTANCE=A";
            check.refuse_because_of("series", "instance", reason);
        }
        for (key, prefix) in [("prefix", &self.prefix), ("credit_note_prefix", &self.credit_note_prefix)] {
            match (self.series, prefix.0.ends_with(PLACE)) {
                (SeriesOf::Instance, false) => {
                    let reason = format!(
                        "two instances would give out the same numbers; with `invoices.series = \"instance\"` write \"{prefix}{PLACE}\""
                    );
                    check.refuse_because_of("series", key, &reason);
                }
                (SeriesOf::Shop, true) => {
                    let reason = "`{instance}` has no meaning while the shop has one series; leave it out, or set \
                                  `invoices.series = \"instance\"`";
                    check.refuse(key, reason);
                }
                _ => {}
            }
        }
    }
}

// The rest of a number is told from its prefix by what it looks like, and numbers are names of files. The name of an instance has
// no dash, so prefixes that differ before it never meet.
read_from_text!(
    NumberPrefix,
    "1 to 12 capital letters, digits and dashes, such as \"INV\", or the same and \"-{instance}\"",
    |text| {
        let fixed = text.strip_suffix(PLACE).unwrap_or(text);
        let has_form = (1..=MAX_PREFIX).contains(&fixed.len())
            && fixed.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-')
            && fixed.starts_with(|first: char| first.is_ascii_uppercase())
            && !fixed.ends_with('-');
        has_form.then(|| Self(text.to_owned())).ok_or(Malformed::Unexpected)
    }
);

read_from_text!(SeriesName, "1 to 12 capital letters and digits, such as \"A\"", |text| {
    let has_form = (1..=MAX_PREFIX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    has_form.then(|| Self(text.to_owned())).ok_or(Malformed::Unexpected)
});

//! Whether each setting is documented.

use super::check::Evidence;
use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;

/// The README names each key.
pub(super) fn look(subject: &Subject, evidence: &Evidence, report: &mut Report) {
    let settings = subject.entry().settings();
    let of_products = subject.registry().product_settings(subject.name());
    if settings.is_empty() && of_products.is_empty() {
        return;
    }
    let Some(readme) = &evidence.readme else {
        let why = "the module's README.md is not at hand: give the folder of its crate with `--sources`";
        report.leave_out(Rule::Settings, why);
        return;
    };
    let kinds = [("setting", settings), ("setting of a product", of_products)];
    for (kind, key) in kinds.into_iter().flat_map(|(kind, keys)| keys.iter().map(move |key| (kind, key))) {
        if !mentions(readme, key) {
            let mend = format!("say in README.md what `{key}` means, and what it is by default");
            report.breach(Rule::Settings, format!("{kind} `{key}`"), "the README does not name it", mend);
        }
    }
}

/// Whether a text names a key as a word of its own.
pub(super) fn mentions(text: &str, key: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '-';
    text.match_indices(key).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + key.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_word_of_its_own() {
        assert!(mentions("| `keep` | 3 |", "keep") && mentions("keep = 3", "keep"));
        assert!(!mentions("`keep_days`, upkeep and keep-alive", "keep"));
    }
}

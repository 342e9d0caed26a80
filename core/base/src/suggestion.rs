//! The name that was meant: near misses of settings, slugs, states and whatever else people type.

use std::fmt::Display;

/// Longer words are compared as far as this alone: the work grows with the square of their length.
const COMPARED: usize = 200;

/// What is told about a name that nothing has: the one that was probably meant, or else all that there are.
pub fn no_such<'k>(noun: &str, wrong: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    format!("there is no {noun} `{wrong}`{}", instead(wrong, known))
}

/// The end of a sentence about an unknown name: what was probably meant, or else all that there are.
pub fn instead<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known = known.into_iter().collect::<Vec<_>>();
    if known.is_empty() {
        return String::new();
    }
    meant_or(wrong, known.iter().copied(), &format!("there are: {}", known.join(", ")))
}

/// The end of a sentence about an unknown name: what was probably meant, or else what helps.
pub fn meant_or<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>, otherwise: &str) -> String {
    match closest(wrong, known) {
        None => format!("; {otherwise}"),
        meant => did_you_mean(meant),
    }
}

/// The end of a sentence about an unknown name: what was probably meant, or nothing.
pub fn did_you_mean(meant: Option<impl Display>) -> String {
    meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

/// The one of `known` that `wrong` is most likely a typing error of, if any is likely.
pub fn closest<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain_wrong = plain(wrong);
    let distances = known.into_iter().filter_map(|candidate| {
        let distance = distance(&plain_wrong, &plain(candidate))?;
        Some((distance, candidate))
    });
    distances.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// The e-mail address that `wrong` is most likely a typing error of: most of an address is a provider's name, so short ones differ in
/// few letters from those of others.
pub fn closest_email<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wrong = wrong.trim().to_lowercase();
    let mistakes = known.into_iter().filter_map(|address| {
        let mistakes = strsim::damerau_levenshtein(&wrong, address);
        let local = address.split('@').next().unwrap_or_default();
        let likely = if local.chars().count() < 6 { 1 } else { 2 };
        (mistakes <= likely).then_some((mistakes, address))
    });
    mistakes.min_by_key(|(mistakes, _)| *mistakes).map(|(_, address)| address)
}

/// Without what people leave out or put in: `base-URL` is `baseurl`.
fn plain(word: &str) -> String {
    let letters = word.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).take(COMPARED).collect()
}

/// How many letters are wrong, or none when the words have too little in common.
fn distance(wrong: &str, known: &str) -> Option<usize> {
    let (wrong_letters, known_letters) = (wrong.chars().count(), known.chars().count());
    // `proxies` for `trusted_proxies` is far in letters, and yet clear.
    let is_part = wrong_letters >= 4 && known.contains(wrong);
    let likely = wrong_letters.max(known_letters) / 3;
    if !is_part && wrong_letters.abs_diff(known_letters) > likely {
        return None;
    }
    let distance = strsim::damerau_levenshtein(wrong, known);
    (distance <= likely || is_part).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 9] =
        ["listen", "base_url", "trusted_proxies", "url", "enabled", "secret_key", "free_from", "server", "media"];

    #[test]
    fn a_typing_error_finds_the_word_that_was_meant() {
        for (wrong, meant) in [
            ("lissten", "listen"),
            ("base_ulr", "base_url"),
            ("baseUrl", "base_url"),
            ("BASE-URL", "base_url"),
            ("proxies", "trusted_proxies"),
            ("uri", "url"),
            ("enable", "enabled"),
            ("enabeld", "enabled"),
            ("secretkey", "secret_key"),
            ("free_form", "free_from"),
            ("serve", "server"),
        ] {
            assert_eq!(closest(wrong, KNOWN), Some(meant), "{wrong}");
        }
    }

    #[test]
    fn another_word_finds_nothing() {
        for wrong in ["zebra", "x", "", "smtp", "cat"] {
            assert_eq!(closest(wrong, KNOWN), None, "{wrong}");
        }
    }

    #[test]
    fn an_unknown_name_leads_to_the_one_that_was_meant_or_to_all() {
        assert_eq!(
            no_such("job", "evnts.dispatch", ["events.dispatch"]),
            "there is no job `evnts.dispatch`; did you mean `events.dispatch`?"
        );
        assert_eq!(no_such("role", "boss", ["owner", "viewer"]), "there is no role `boss`; there are: owner, viewer");
        assert_eq!(no_such("carrier", "dhl", []), "there is no carrier `dhl`");
        let known = ["ada@example.com", "bob@example.com", "grace.hopper@example.com"];
        assert_eq!(closest_email("Adda@example.com", known), Some("ada@example.com"));
        assert_eq!(closest_email("graec.hopper@exmple.com", known), Some("grace.hopper@example.com"));
        assert_eq!(closest_email("eve@example.com", known), None, "most of it is the provider's name");
    }
}

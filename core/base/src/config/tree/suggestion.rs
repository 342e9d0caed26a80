//! The word that was meant.

/// The one of `known` that `wrong` is most likely a typing error of, if any is likely.
pub fn closest<'k>(wrong: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain_wrong = plain(wrong);
    let distances = known.into_iter().filter_map(|candidate| {
        let distance = distance(&plain_wrong, &plain(candidate))?;
        Some((distance, candidate))
    });
    distances.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// Without what people leave out or put in: `base-URL` is `baseurl`.
fn plain(word: &str) -> String {
    word.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How many letters are wrong, or none when the words have too little in common.
fn distance(wrong: &str, known: &str) -> Option<usize> {
    let letters = wrong.chars().count().max(known.chars().count());
    let distance = strsim::damerau_levenshtein(wrong, known);
    // `proxies` for `trusted_proxies` is far in letters, and yet clear.
    let is_part = wrong.chars().count() >= 4 && known.contains(wrong);
    (distance <= letters / 3 || is_part).then_some(distance)
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
}

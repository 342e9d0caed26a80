//! What is told of a value where the value itself is not shown.

/// The most characters of a value that its hint holds.
const MOST: usize = 4;

/// The last characters of a value, a quarter of them at most and never more than four, so that a customer can tell one value
/// from another and nobody else can complete it. A value of up to three characters has a hint without any.
pub(crate) fn hint(value: &str) -> String {
    let length = value.chars().count();
    let shown = (length / 4).min(MOST);
    let tail = value.chars().skip(length - shown);
    std::iter::once('…').chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_has_a_quarter_of_the_characters_at_most_and_never_more_than_four() {
        for length in 0..200 {
            let value = "0123456789".chars().cycle().take(length).collect::<String>();
            let shown = hint(&value).chars().count() - 1;
            assert!(shown * 4 <= length && shown <= 4, "{length}: {shown}");
            assert!(value.ends_with(hint(&value).trim_start_matches('…')));
        }
    }

    #[test]
    fn a_long_value_can_be_told_from_another() {
        assert_eq!(hint("AAAA-BBBB-CCCC-DDDD"), "…DDDD");
        assert_eq!(hint("äöüß"), "…ß");
        assert_eq!(hint("abc"), "…");
    }
}

//! The languages of messages, and how a client's wish is met.

use http::HeaderValue;
use icu_locale::subtags::{Language as Subtag, language};

/// Language ranges of a header that are looked at; a browser sends fewer than ten.
const MAX_RANGES: usize = 32;

/// A language in which the shop can speak to people: one of the program's, or one that the operator has added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(Subtag);

/// English, spoken when a client wishes for nothing we have.
impl Default for Language {
    fn default() -> Self {
        Self::EN
    }
}

impl Language {
    /// English.
    pub const EN: Self = Self(language!("en"));
    /// German, with the polite form of address.
    pub const DE: Self = Self(language!("de"));
    /// Dutch, with the polite form of address.
    pub const NL: Self = Self(language!("nl"));

    /// The languages that the program comes with, in the order that decides where a client has no preference.
    pub const BUILT_IN: [Self; 3] = [Self::EN, Self::DE, Self::NL];

    /// The language tag, as in the headers `Content-Language` and `Accept-Language`.
    pub fn tag(&self) -> &str {
        self.0.as_str()
    }

    /// The language of a tag such as `de` or `de-AT`, by its first part.
    pub(super) fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Subtag::try_from_str(primary).ok().filter(|language| !language.is_unknown()).map(Self)
    }

    /// The language of a locale such as `de-AT`, by its first part; English where it says none. Whether there are texts
    /// in it, [`Texts::language_of`](super::Texts::language_of) knows.
    pub fn of_locale(tag: &str) -> Self {
        Self::parse(tag).unwrap_or_default()
    }

    /// Chooses among languages by an `Accept-Language` header.
    pub(super) fn negotiate(accept_language: Option<&str>, languages: &[Self]) -> Self {
        let ranges: Vec<Range<'_>> =
            accept_language.unwrap_or_default().split(',').take(MAX_RANGES).filter_map(Range::parse).collect();
        let mut preferred = None;
        for language in languages {
            let Some(wish) = Wish::find(*language, &ranges) else { continue };
            if preferred.is_none_or(|(_, best)| wish.is_above(best)) {
                preferred = Some((*language, wish));
            }
        }
        preferred.map_or_else(Self::default, |(language, _)| language)
    }
}

impl From<Language> for HeaderValue {
    fn from(language: Language) -> Self {
        Self::from_str(language.tag()).expect("a tag is visible ASCII")
    }
}

/// One element of the header: a language tag or `*`, and how much it is wished for.
#[derive(Clone, Copy)]
struct Range<'a> {
    tag: &'a str,
    /// In thousandths, 0 to 1000.
    quality: u16,
}

impl<'a> Range<'a> {
    fn parse(element: &'a str) -> Option<Self> {
        let mut parts = element.split(';').map(str::trim);
        let tag = parts.next().filter(|tag| !tag.is_empty())?;
        let mut quality = 1000;
        for (name, value) in parts.filter_map(|parameter| parameter.split_once('=')) {
            if name.trim_end().eq_ignore_ascii_case("q") {
                quality = thousandths(value.trim_start())?;
            }
        }
        Some(Self { tag, quality })
    }

    fn names_exactly(&self, language: Language) -> bool {
        self.tag.eq_ignore_ascii_case(language.tag())
    }

    fn names_variety_of(&self, language: Language) -> bool {
        self.tag.split_once('-').is_some_and(|(primary, _)| primary.eq_ignore_ascii_case(language.tag()))
    }
}

/// How much a language is wished for: its quality, and where in the header that was said.
#[derive(Clone, Copy)]
struct Wish {
    quality: u16,
    position: usize,
}

impl Wish {
    fn find(language: Language, ranges: &[Range<'_>]) -> Option<Self> {
        if ranges.iter().any(|range| range.quality == 0 && range.names_exactly(language)) {
            return None;
        }
        Self::best(ranges, |range| range.names_exactly(language) || range.names_variety_of(language))
            .or_else(|| Self::best(ranges, |range| range.tag == "*"))
    }

    fn best(ranges: &[Range<'_>], fits: impl Fn(&Range<'_>) -> bool) -> Option<Self> {
        ranges
            .iter()
            .enumerate()
            .filter(|(_, range)| range.quality > 0 && fits(range))
            .map(|(position, range)| Self { quality: range.quality, position })
            .reduce(|best, wish| if wish.is_above(best) { wish } else { best })
    }

    fn is_above(self, other: Self) -> bool {
        self.quality > other.quality || (self.quality == other.quality && self.position < other.position)
    }
}

/// Reads a quality value: 0 to 1 with at most three decimals.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction = format!("{decimals:0<3}").parse::<u16>().ok()?;
    match (whole, fraction) {
        ("0", _) => Some(fraction),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn negotiate(header: &str) -> Language {
        Language::negotiate(Some(header), &Language::BUILT_IN)
    }

    #[test]
    fn without_a_header_english_is_spoken() {
        assert_eq!(Language::negotiate(None, &Language::BUILT_IN), Language::EN);
    }

    #[test]
    fn a_language_is_recognized_in_any_case() {
        for (header, language) in [("nl", Language::NL), ("DE", Language::DE), ("En", Language::EN)] {
            assert_eq!(negotiate(header), language, "{header}");
        }
    }

    #[test]
    fn a_regional_range_wishes_for_its_language() {
        for (header, language) in [("de-AT", Language::DE), ("nl-BE", Language::NL), ("de-Latn-CH-1996", Language::DE)]
        {
            assert_eq!(negotiate(header), language, "{header}");
        }
    }

    #[test]
    fn the_highest_quality_wins() {
        assert_eq!(negotiate("en;q=0.7, de;q=0.8, nl;q=0.75"), Language::DE);
        assert_eq!(negotiate("de;q=0.001, nl;q=0.002"), Language::NL);
        assert_eq!(negotiate("de-AT;q=0.3, de;q=0.9, nl;q=0.5"), Language::DE);
    }

    #[test]
    fn the_first_of_equal_wishes_wins() {
        assert_eq!(negotiate("nl, de, en"), Language::NL);
        assert_eq!(negotiate("fr, de;q=0.5, nl;q=0.5"), Language::DE);
    }

    #[test]
    fn languages_that_we_do_not_speak_are_passed_over() {
        assert_eq!(negotiate("fr-FR, fr;q=0.9, de;q=0.2"), Language::DE);
        assert_eq!(negotiate("fr, gsw, nds, deu, den-CA, english"), Language::EN);
    }

    #[test]
    fn quality_zero_excludes_a_language() {
        assert_eq!(negotiate("de;q=0, nl;q=0.1"), Language::NL);
        assert_eq!(negotiate("en;q=0, *"), Language::DE);
        assert_eq!(negotiate("de;q=0.000, de-AT, nl;q=0.1"), Language::NL);
    }

    #[test]
    fn quality_zero_for_a_region_does_not_exclude_the_language() {
        assert_eq!(negotiate("de-AT;q=0, de;q=0.5"), Language::DE);
    }

    #[test]
    fn english_remains_when_everything_is_excluded() {
        assert_eq!(negotiate("en;q=0"), Language::EN);
        assert_eq!(negotiate("*;q=0"), Language::EN);
        assert_eq!(negotiate("de-AT;q=0"), Language::EN);
    }

    #[test]
    fn a_wildcard_stands_for_languages_not_named() {
        assert_eq!(negotiate("*"), Language::EN);
        assert_eq!(negotiate("en;q=0.5, *"), Language::DE);
        assert_eq!(negotiate("nl;q=0.5, *;q=0.1"), Language::NL);
    }

    #[test]
    fn blanks_around_separators_are_allowed() {
        assert_eq!(negotiate("en ; q = 0.5 ,\tde ; Q=0.6"), Language::DE);
    }

    #[test]
    fn what_is_no_range_is_passed_over() {
        for garbage in [
            "",
            ",",
            ";;;",
            ",,;q=1,",
            "q=1",
            "\u{0}",
            "🦀",
            "de;q=2",
            "de;q=1.001",
            "de;q=-1",
            "de;q=0.1234",
            "de;q=",
            "=;",
        ] {
            assert_eq!(negotiate(garbage), Language::EN, "{garbage:?}");
            assert_eq!(negotiate(&format!("{garbage},nl")), Language::NL, "{garbage:?}");
        }
    }

    #[test]
    fn long_headers_are_answered_from_their_beginning() {
        let many = "fr,".repeat(20) + "nl," + &"xx-YY;q=0.5,".repeat(1_000) + "de";
        assert_eq!(negotiate(&many), Language::NL);
        for unit in [",", ";", "q=1;", "de-", "*", "\u{e9}"] {
            negotiate(&unit.repeat(5_000));
        }
    }

    proptest! {
        #[test]
        fn any_header_is_answered(header: String) {
            negotiate(&header);
        }

        #[test]
        fn a_single_acceptable_language_is_chosen(
            index in 0..Language::BUILT_IN.len(), quality in 1..=1_000_u16, others in "(fr|xx-YY|zh;q=0.3|,| )(,(it|pt-BR)){0,3}",
        ) {
            let language = Language::BUILT_IN[index];
            let quality = format!("{}.{:03}", quality / 1_000, quality % 1_000);
            prop_assert_eq!(negotiate(&format!("{others},{};q={quality}", language.tag())), language);
        }
    }
}

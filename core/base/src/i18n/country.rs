//! Names of countries, from the Unicode CLDR.

use icu_experimental::displaynames::DisplayNamesOptions;
use icu_experimental::displaynames::multi::RegionDisplayNames;
use icu_locale::subtags::Region;

use super::Language;

/// The name of a country such as `DE` in a language; none for a code that nobody knows.
pub fn country_name(code: &str, language: Language) -> Option<String> {
    let locale: icu_locale::Locale = language.tag().parse().ok()?;
    let names = RegionDisplayNames::try_new((&locale).into(), DisplayNamesOptions::default()).ok()?;
    names.of(code.parse::<Region>().ok()?).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_called_as_its_visitors_do() {
        assert_eq!(country_name("DE", Language::EN).as_deref(), Some("Germany"));
        assert_eq!(country_name("AT", Language::DE).as_deref(), Some("Österreich"));
        assert_eq!(country_name("DE", Language::NL).as_deref(), Some("Duitsland"));
        assert_eq!(country_name("??", Language::EN), None);
    }
}

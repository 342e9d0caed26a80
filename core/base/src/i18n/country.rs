//! Names of countries, from the Unicode CLDR.

use icu_collator::Collator;
use icu_collator::options::CollatorOptions;
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

/// Sorts what has a name as people who read this language look for it: “Österreich” stands beside “Oman”, and not behind “Zypern”.
pub fn sort_by_name<T>(named: &mut [(String, T)], language: Language) {
    let locale = language.tag().parse::<icu_locale::Locale>().ok();
    let collator = locale.and_then(|locale| Collator::try_new((&locale).into(), CollatorOptions::default()).ok());
    named.sort_by(|(one, _), (other, _)| match &collator {
        Some(collator) => collator.compare(one, other),
        None => one.cmp(other),
    });
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

    #[test]
    fn countries_stand_where_people_look_for_them() {
        let mut named = ["Zypern", "Österreich", "Ålandinseln", "Oman", "Albanien"].map(|name| (name.to_owned(), ()));
        sort_by_name(&mut named, Language::DE);
        assert_eq!(named.map(|(name, ())| name), ["Ålandinseln", "Albanien", "Oman", "Österreich", "Zypern"]);
    }
}

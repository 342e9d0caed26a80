//! Country codes.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::value::{Malformed, read_from_text};

/// A country by its ISO 3166-1 alpha-2 code, such as `NL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountryCode(&'static str);

impl CountryCode {
    /// The form of a code, as a regular expression.
    pub const PATTERN: &'static str = "^[A-Za-z]{2}$";

    /// The country of this code; lower-case letters are taken for capitals.
    pub fn parse(code: &str) -> Option<Self> {
        let country = rust_iso3166::from_alpha2(&code.to_ascii_uppercase())?;
        Some(Self(country.alpha2))
    }

    /// All countries, by code.
    pub fn all() -> BTreeSet<Self> {
        rust_iso3166::ALL_ALPHA2.iter().copied().map(Self).collect()
    }

    /// The two capital letters.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The country that is meant by what is no code: by a habit such as `UK`, or by its English name.
    pub fn meant(text: &str) -> Option<Self> {
        Self::by_habit(text).or_else(|| Self::by_name(text))
    }

    /// The code of the country that is often called so: by its three letters, or by what its own authorities or the European
    /// Union say instead.
    fn by_habit(code: &str) -> Option<Self> {
        let code = code.trim().to_ascii_uppercase();
        match code.as_str() {
            "UK" | "EN" => Self::parse("GB"),
            "EL" => Self::parse("GR"),
            code => rust_iso3166::from_alpha3(code).map(|country| Self(country.alpha2)),
        }
    }

    /// The code of the country that goes by this English name, or one that begins so.
    fn by_name(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let is_meant = |country: &&rust_iso3166::CountryCode| country.name.to_lowercase().starts_with(&name);
        let country = rust_iso3166::ALL.iter().find(is_meant).filter(|_| name.chars().count() > 3)?;
        Some(Self(country.alpha2))
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

read_from_text!(CountryCode, "a two-letter country code (ISO 3166-1), such as \"NL\"", |text| {
    Self::parse(text).ok_or_else(|| match (Self::by_habit(text), Self::by_name(text)) {
        (Some(meant), _) => {
            Malformed::Because(format!("{text:?} is no country code (ISO 3166-1); did you mean \"{meant}\"?"))
        }
        (None, Some(meant)) => Malformed::Because(format!("countries are named by code; did you mean \"{meant}\"?")),
        (None, None) => Malformed::Unexpected,
    })
});

/// Reads a list of countries that is not empty.
pub(super) fn countries<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: From<BTreeSet<CountryCode>>,
{
    let countries = BTreeSet::deserialize(deserializer)?;
    if countries.is_empty() {
        return Err(D::Error::custom("this list is empty; leave the setting out to mean all countries"));
    }
    Ok(countries.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_whatever_their_case() {
        assert_eq!(CountryCode::parse("NL").map(CountryCode::as_str), Some("NL"));
        assert_eq!(CountryCode::parse("nl").map(CountryCode::as_str), Some("NL"));
        for wrong in ["", "N", "NLD", "XX", "ZZ", "Ñ", "ß"] {
            assert_eq!(CountryCode::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn there_are_249_countries() {
        assert_eq!(CountryCode::all().len(), 249);
    }

    #[test]
    fn what_people_say_instead_leads_to_the_code() {
        for (said, meant) in [("UK", "GB"), ("uk", "GB"), ("EL", "GR"), ("NLD", "NL"), ("usa", "US")] {
            assert_eq!(CountryCode::by_habit(said).map(CountryCode::as_str), Some(meant), "{said}");
        }
        assert_eq!(CountryCode::by_habit("QQ"), None);
    }

    #[test]
    fn a_name_leads_to_its_code() {
        assert_eq!(CountryCode::by_name("netherlands").map(CountryCode::as_str), Some("NL"));
        assert_eq!(CountryCode::by_name("Narnia"), None);
        assert_eq!(CountryCode::by_name(""), None);
    }
}

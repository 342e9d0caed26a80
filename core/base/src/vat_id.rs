//! VAT identification numbers: their form in each member state of the Union, and the check digits where these are certain.
//! Whether a number was given to anybody is another question.

mod check_digits;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::config::CountryCode;

/// What stands behind the letters of a country: `9` is a digit, `A` a letter, `*` either of them, anything else itself. The
/// member states of the Union by the letters that they use for it, and Northern Ireland.
const FORMS: &[(&str, &[&str])] = &[
    ("AT", &["U99999999"]),
    ("BE", &["0999999999", "1999999999"]),
    ("BG", &["999999999", "9999999999"]),
    ("CY", &["99999999A"]),
    ("CZ", &["99999999", "999999999", "9999999999"]),
    ("DE", &["999999999"]),
    ("DK", &["99999999"]),
    ("EE", &["999999999"]),
    ("EL", &["999999999"]),
    ("ES", &["*9999999*"]),
    ("FI", &["99999999"]),
    ("FR", &["**999999999"]),
    ("HR", &["99999999999"]),
    ("HU", &["99999999"]),
    ("IE", &["9999999A", "9999999AA", "9*99999A", "9+99999A"]),
    ("IT", &["99999999999"]),
    ("LT", &["999999999", "999999999999"]),
    ("LU", &["99999999"]),
    ("LV", &["99999999999"]),
    ("MT", &["99999999"]),
    ("NL", &["999999999B99"]),
    ("PL", &["9999999999"]),
    ("PT", &["999999999"]),
    ("RO", &["99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999", "9999999999"]),
    ("SE", &["999999999999"]),
    ("SI", &["99999999"]),
    ("SK", &["9999999999"]),
    ("XI", &["999999999", "999999999999", "GD999", "HA999"]),
];

/// Digits and letters of a number that is from elsewhere.
const ELSEWHERE: std::ops::RangeInclusive<usize> = 2..=15;

/// A VAT identification number that has the form of one, in capitals and without blanks, points and dashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VatId(String);

impl VatId {
    /// The number that a text is. Case does not matter, nor do blanks, points and dashes in it.
    pub fn parse(given: &str) -> Option<Self> {
        // A text with more than this is no number, however much of it is left out.
        if given.len() > 64 {
            return None;
        }
        let kept = given.chars().filter(|character| !matches!(character, ' ' | '.' | '-'));
        let number = kept.map(|character| character.to_ascii_uppercase()).collect::<String>();
        // What people write for Greece, whose numbers begin as its language does.
        let number = number.strip_prefix("GR").map_or_else(|| number.clone(), |rest| format!("EL{rest}"));
        is_well_formed(&number).then_some(Self(number))
    }

    /// The number with the letters of its country, such as `DE136695976`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether its check digits fit the rest of it, as far as the rule of its country is certain.
    pub fn has_right_check_digits(&self) -> bool {
        check_digits::are_right(self.prefix(), self.number())
    }

    /// The letters of its country: `EL` of Greece, `XI` of Northern Ireland.
    pub fn prefix(&self) -> &str {
        &self.0[..2]
    }

    /// The number without these letters.
    pub fn number(&self) -> &str {
        &self.0[2..]
    }

    /// Whether it is of the Union's system, where VIES can be asked about it.
    pub fn is_of_union(&self) -> bool {
        FORMS.iter().any(|(prefix, _)| *prefix == self.prefix())
    }

    /// The member state that has given it. None of a number from elsewhere; Northern Ireland is none either.
    pub fn member_state(&self) -> Option<CountryCode> {
        match self.prefix() {
            "EL" => CountryCode::parse("GR"),
            "XI" => None,
            prefix if self.is_of_union() => CountryCode::parse(prefix),
            _ => None,
        }
    }
}

impl fmt::Display for VatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a country is a member state of the Union, whose numbers and returns these are.
pub fn is_member_state(country: CountryCode) -> bool {
    let prefix = if country.as_str() == "GR" { "EL" } else { country.as_str() };
    prefix != "XI" && FORMS.iter().any(|(known, _)| *known == prefix)
}

fn is_well_formed(number: &str) -> bool {
    let Some((country, rest)) = number.split_at_checked(2) else { return false };
    if let Some((_, forms)) = FORMS.iter().find(|(prefix, _)| *prefix == country) {
        return forms.iter().any(|form| fits(rest, form));
    }
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    CountryCode::parse(country).is_some()
        && ELSEWHERE.contains(&rest.len())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        // A word that begins like a country is none.
        && digits * 2 > rest.len()
}

fn fits(rest: &str, form: &str) -> bool {
    let fits = |(byte, place): (u8, u8)| match place {
        b'9' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_uppercase(),
        b'*' => byte.is_ascii_alphanumeric(),
        same => byte == same,
    };
    rest.len() == form.len() && rest.bytes().zip(form.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_member_states_are_taken_as_people_write_them() {
        for (given, kept) in [
            ("ATU13585627", "ATU13585627"),
            ("BE 0428.759.497", "BE0428759497"),
            ("BG 175 074 752", "BG175074752"),
            ("CY-10259033P", "CY10259033P"),
            ("CZ 25123891", "CZ25123891"),
            ("de 136.695-976", "DE136695976"),
            ("DK 13585628", "DK13585628"),
            ("EE 100 931 558", "EE100931558"),
            ("EL 094259216", "EL094259216"),
            ("gr 094259216", "EL094259216"),
            ("ES X1234567X", "ESX1234567X"),
            ("FI 20774740", "FI20774740"),
            ("FR 40 303 265 045", "FR40303265045"),
            ("FRK7399859412", "FRK7399859412"),
            ("HR 33392005961", "HR33392005961"),
            ("HU-12892312", "HU12892312"),
            ("IE 6433435F", "IE6433435F"),
            ("IE1+23456X", "IE1+23456X"),
            ("IT 00743110157", "IT00743110157"),
            ("LT 119511515", "LT119511515"),
            ("LU 15027442", "LU15027442"),
            ("LV 4000 3521 600", "LV40003521600"),
            ("MT 1167-9112", "MT11679112"),
            ("nl 0044.95.445.B.01", "NL004495445B01"),
            ("NL123456789B13", "NL123456789B13"),
            ("PL 8567346215", "PL8567346215"),
            ("PT 501 964 843", "PT501964843"),
            ("RO 18547290", "RO18547290"),
            ("SE 123456789701", "SE123456789701"),
            ("SI 5022 3054", "SI50223054"),
            ("SK 202 274 96 19", "SK2022749619"),
            ("XIGD123", "XIGD123"),
            ("CHE-123.456.789", "CHE123456789"),
            ("GB 980780684", "GB980780684"),
        ] {
            let id = VatId::parse(given).expect(given);
            assert_eq!((id.as_str(), id.has_right_check_digits()), (kept, true), "{given}");
        }
    }

    #[test]
    fn what_no_country_would_give_is_refused() {
        for number in [
            "",
            "D",
            "DE",
            "DE12345678",
            "DE1234567890",
            "136695976",
            "NL004495445A01",
            "ATU1358562",
            "EL12345678é",
            "DE13669597\u{0}",
            "GB",
            "XX123456789",
            "nonsense",
            "invalid123",
            "FR12345678901234567",
            "é1",
        ] {
            assert_eq!(VatId::parse(number), None, "{number:?}");
        }
    }

    #[test]
    fn a_mistyped_digit_is_noticed() {
        for number in [
            "ATU13585628",
            "BE0428759498",
            "DE136695977",
            "EE100931559",
            "EL094259217",
            "FI20774741",
            "FR41303265045",
            "HR33392005962",
            "HU12892313",
            "IT00743110158",
            "LU15027443",
            "NL004495446B01",
            "PL8567346216",
            "PT501964844",
            "SE123456789801",
            "SI50223055",
        ] {
            assert!(!VatId::parse(number).expect(number).has_right_check_digits(), "{number}");
        }
    }

    #[test]
    fn a_number_tells_the_member_state_that_has_given_it() {
        for (number, state) in
            [("DE136695976", Some("DE")), ("EL094259216", Some("GR")), ("XIGD123", None), ("CHE123456789", None)]
        {
            let id = VatId::parse(number).expect(number);
            assert_eq!(id.member_state().map(CountryCode::as_str), state, "{number}");
        }
        for (country, is_one) in [("GR", true), ("DE", true), ("GB", false), ("CH", false)] {
            assert_eq!(is_member_state(CountryCode::parse(country).expect(country)), is_one, "{country}");
        }
    }
}

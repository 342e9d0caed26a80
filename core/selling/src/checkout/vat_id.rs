//! The form of VAT identification numbers. Whether a number was given to anybody is another question.

use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::text;

/// The field and the parameter.
pub(super) const VAT_ID: &str = "vat_id";

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

/// Refuses what cannot be a VAT identification number. Case does not matter, nor do blanks, points and dashes in it.
pub(super) fn check_vat_id(given: &str) -> ApiResult<()> {
    if is_well_formed(given) {
        Ok(())
    } else {
        Err(ApiError::invalid_field(VAT_ID, text!("checkout-vat-id-malformed")))
    }
}

fn is_well_formed(given: &str) -> bool {
    let kept = given.chars().filter(|character| !matches!(character, ' ' | '.' | '-'));
    let number = kept.map(|character| character.to_ascii_uppercase()).collect::<String>();
    let Some((country, rest)) = number.split_at_checked(2) else { return false };
    match FORMS.iter().find(|(prefix, _)| *prefix == country) {
        Some((_, forms)) => forms.iter().any(|form| fits(rest, form)),
        None => {
            country.bytes().all(|byte| byte.is_ascii_uppercase())
                && ELSEWHERE.contains(&rest.len())
                && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }
    }
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
        for number in [
            "ATU12345678",
            "BE0123456789",
            "BG123456789",
            "CY12345678X",
            "CZ12345678",
            "DE123456789",
            "de 123.456-789",
            "DK12345678",
            "EE123456789",
            "EL123456789",
            "ESX1234567X",
            "FI12345678",
            "FRXX123456789",
            "HR12345678901",
            "HU12345678",
            "IE1234567WA",
            "IE1+23456X",
            "IT12345678901",
            "LT123456789012",
            "LU12345678",
            "LV12345678901",
            "MT12345678",
            "NL123456789B01",
            "PL1234567890",
            "PT123456789",
            "RO12",
            "SE123456789012",
            "SI12345678",
            "SK1234567890",
            "XIGD123",
            "CHE123456789",
            "GB123456789",
        ] {
            assert!(is_well_formed(number), "{number}");
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
            "123456789",
            "NL123456789A01",
            "ATU1234567",
            "GR123456789é",
            "DE12345678\u{0}",
            "GB",
            "FR12345678901234567",
        ] {
            assert!(!is_well_formed(number), "{number:?}");
        }
    }
}

//! Check digits of VAT identification numbers, of the member states whose rule is published, simple and without exceptions. A
//! number of another is not refused for its digits.

/// Whether the digits of a number, which has the form of its country, fit together.
pub(super) fn are_right(country: &str, number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).map(|digit| u64::from(digit - b'0')).collect::<Vec<_>>();
    match country {
        "AT" => (10 - (luhn(&digits[..7], 1) + 4) % 10) % 10 == digits[7],
        "BE" => 97 - value(&digits[..8]) % 97 == value(&digits[8..]),
        "DE" | "HR" => iso_7064(&digits),
        "EE" => (10 - weighted(&digits, &[3, 7, 1, 3, 7, 1, 3, 7]) % 10) % 10 == digits[8],
        "EL" => weighted(&digits, &[256, 128, 64, 32, 16, 8, 4, 2]) % 11 % 10 == digits[8],
        "FI" => (11 - weighted(&digits, &[7, 9, 10, 5, 8, 4, 2]) % 11) % 11 == digits[7],
        // A key with letters follows another rule.
        "FR" => digits.len() < 11 || (value(&digits[2..]) * 100 + 12) % 97 == value(&digits[..2]),
        "HU" => (10 - weighted(&digits, &[9, 7, 3, 1, 9, 7, 3]) % 10) % 10 == digits[7],
        "IT" => (10 - luhn(&digits[..10], 1) % 10) % 10 == digits[10],
        "LU" => value(&digits[..6]) % 89 == value(&digits[6..]),
        // Companies have the one, people in business the other.
        "NL" => weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11 == digits[8] || iso_7064_97(number),
        "PL" => weighted(&digits, &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == digits[9],
        "PT" => (11 - weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11 % 10 == digits[8],
        "SE" => (10 - luhn(&digits[..9], 0) % 10) % 10 == digits[9],
        "SI" => (11 - weighted(&digits, &[8, 7, 6, 5, 4, 3, 2]) % 11) % 10 == digits[7],
        _ => true,
    }
}

fn value(digits: &[u64]) -> u64 {
    digits.iter().fold(0, |value, digit| value * 10 + digit)
}

fn weighted(digits: &[u64], weights: &[u64]) -> u64 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// The sum of the digits, each second one from this on doubled, and the digits of what is doubled added up.
fn luhn(digits: &[u64], first_doubled: usize) -> u64 {
    let is_doubled = |index: usize| index % 2 == first_doubled;
    let sum = |(index, digit): (usize, &u64)| if is_doubled(index) { digit * 2 / 10 + digit * 2 % 10 } else { *digit };
    digits.iter().enumerate().map(sum).sum()
}

/// ISO 7064, MOD 11,10.
fn iso_7064(digits: &[u64]) -> bool {
    let Some((last, digits)) = digits.split_last() else { return false };
    let product = digits.iter().fold(10, |product, digit| match (digit + product) % 10 {
        0 => 10 * 2 % 11,
        sum => sum * 2 % 11,
    });
    (11 - product) % 10 == *last
}

/// ISO 7064, MOD 97-10, of the number with its country: letters are numbers from 10 on.
fn iso_7064_97(number: &str) -> bool {
    let digits = "NL".chars().chain(number.chars()).filter_map(|character| character.to_digit(36));
    let remainder = digits.fold(0, |remainder, digit| {
        let shifted = if digit < 10 { remainder * 10 } else { remainder * 100 };
        (shifted + digit) % 97
    });
    remainder == 1
}

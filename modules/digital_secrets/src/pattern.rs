//! Patterns that values are generated from, such as `XXXX-9999-****`.

use std::fmt;

use stoa_core::random::Random;
use stoa_core::secret::Secret;

/// Letters that nobody takes for a digit, or for one another.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
const DIGITS: &[u8] = b"0123456789";
/// Letters and digits that nobody takes for one another.
const BOTH: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// The longest pattern, in characters.
const LONGEST: usize = 100;

/// How many different values a pattern must be able to make: fewer are found by trying.
const LEAST_VALUES: u128 = 1 << 30;

/// A character of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Fixed(char),
    OneOf(&'static [u8]),
}

/// What values of a product look like: `X` stands for a letter, `9` for a digit, `*` for either, and everything else for
/// itself, as does what follows a backslash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Part>);

impl Pattern {
    /// Reads a pattern; the error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            parts.push(match character {
                'X' => Part::OneOf(LETTERS),
                '9' => Part::OneOf(DIGITS),
                '*' => Part::OneOf(BOTH),
                '\\' => Part::Fixed(characters.next().ok_or("it ends with a backslash that nothing follows")?),
                other => Part::Fixed(other),
            });
        }
        if parts.len() > LONGEST {
            return Err(format!("it has more than {LONGEST} characters"));
        }
        if parts.iter().any(|part| matches!(part, Part::Fixed(fixed) if fixed.is_control())) {
            return Err(String::from("it holds a control character"));
        }
        let ends = [parts.first(), parts.last()];
        if ends.iter().any(|end| matches!(end, Some(Part::Fixed(fixed)) if fixed.is_whitespace())) {
            return Err(String::from("it begins or ends with white space"));
        }
        let pattern = Self(parts);
        if pattern.values() < LEAST_VALUES {
            return Err(String::from(
                "it can make so few values that they could be guessed; use more of `X` (a letter), `9` (a digit) and \
                 `*` (either), such as `XXXX-9999-****`",
            ));
        }
        Ok(pattern)
    }

    /// How many different values there are.
    fn values(&self) -> u128 {
        let choices = self.0.iter().map(|part| match part {
            Part::Fixed(_) => 1,
            Part::OneOf(alphabet) => alphabet.len() as u128,
        });
        choices.fold(1, u128::saturating_mul)
    }

    /// A value, each as likely as any other.
    pub(crate) fn generate(&self, random: &Random) -> Secret {
        let characters = self.0.iter().map(|part| match part {
            Part::Fixed(fixed) => *fixed,
            Part::OneOf(alphabet) => char::from(pick(alphabet, random)),
        });
        Secret::new(characters.collect::<String>())
    }
}

/// One of an alphabet; bytes that would favor some are drawn again.
fn pick(alphabet: &[u8], random: &Random) -> u8 {
    let fair = 256 - 256 % alphabet.len();
    loop {
        let [byte] = random.bytes::<1>();
        if usize::from(byte) < fair {
            return alphabet[usize::from(byte) % alphabet.len()];
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Fixed(fixed @ ('X' | '9' | '*' | '\\')) => write!(f, "\\{fixed}")?,
                Part::Fixed(fixed) => write!(f, "{fixed}")?,
                Part::OneOf(LETTERS) => f.write_str("X")?,
                Part::OneOf(DIGITS) => f.write_str("9")?,
                Part::OneOf(_) => f.write_str("*")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(pattern: &str, seed: u64) -> String {
        let pattern = Pattern::parse(pattern).expect("the pattern is right");
        pattern.generate(&Random::seeded(seed)).expose().to_owned()
    }

    #[test]
    fn a_value_looks_like_its_pattern() {
        for seed in 0..200 {
            let value = generated(r"\X9-XXXX-9999-****", seed);
            let (head, rest) = value.split_at(2);
            assert!(head.starts_with('X') && head.ends_with(|last: char| last.is_ascii_digit()), "{value}");
            let groups = rest.split('-').skip(1).collect::<Vec<_>>();
            assert!(groups[0].len() == 4 && groups[0].bytes().all(|byte| LETTERS.contains(&byte)), "{value}");
            assert!(groups[1].len() == 4 && groups[1].bytes().all(|byte| DIGITS.contains(&byte)), "{value}");
            assert!(groups[2].len() == 4 && groups[2].bytes().all(|byte| BOTH.contains(&byte)), "{value}");
        }
    }

    #[test]
    fn every_character_of_an_alphabet_comes_about_equally_often() {
        let random = Random::seeded(1);
        let mut counts = std::collections::BTreeMap::<u8, u32>::new();
        for _ in 0..24_000 {
            *counts.entry(pick(LETTERS, &random)).or_default() += 1;
        }
        assert_eq!(counts.len(), LETTERS.len());
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_pattern_is_shown_as_it_was_read() {
        for pattern in ["XXXX-9999-****", r"\X\9\*\\XXXXXXXX", "ä-XXXXXXXXXX"] {
            assert_eq!(Pattern::parse(pattern).expect("it is right").to_string(), pattern);
        }
    }

    #[test]
    fn what_could_be_guessed_or_never_typed_is_refused() {
        for (pattern, expected) in [
            ("", "guessed"),
            ("KEY", "guessed"),
            ("9999", "guessed"),
            (r"XXXXXXXXXX\", "backslash"),
            ("XXXXXXXXXX\n", "control"),
            (" XXXXXXXXXX", "white space"),
            (&"X".repeat(101), "100 characters"),
        ] {
            let refused = Pattern::parse(pattern).expect_err("it is wrong");
            assert!(refused.contains(expected), "{pattern}: {refused}");
        }
    }
}

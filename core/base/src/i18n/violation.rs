//! The rules that a field of the input can break.

use std::borrow::Cow;

use super::Message;
use super::text::{Text, Value};
use crate::__text;
use crate::excerpt::excerpt;

/// A rule that a field breaks. The field's name comes in with [`on`](Self::on).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Violation {
    /// The field is missing, null or blank, and must not be.
    Required,
    /// The field must be a string.
    String,
    /// The field must be a whole number.
    Integer,
    /// The field must be a number.
    Number,
    /// The text must be a price in whole units of the currency, with its decimals where it has some.
    Price {
        /// A price that is accepted.
        example: Cow<'static, str>,
    },
    /// The field must be `true` or `false`.
    Boolean,
    /// The field must be an array.
    Array,
    /// The field must be an object.
    Object,
    /// The text is too short.
    MinLength {
        /// The least number of characters.
        min: usize,
    },
    /// The text is too long.
    MaxLength {
        /// The greatest number of characters.
        max: usize,
    },
    /// The text does not have the one length that is accepted.
    ExactLength {
        /// The number of characters.
        length: usize,
    },
    /// The array has too few entries.
    MinItems {
        /// The least number of entries.
        min: usize,
    },
    /// The array has too many entries.
    MaxItems {
        /// The greatest number of entries.
        max: usize,
    },
    /// The number is too small.
    MinValue {
        /// The least number.
        min: i64,
    },
    /// The number is too large.
    MaxValue {
        /// The greatest number.
        max: i64,
    },
    /// The number lies outside of a range.
    Between {
        /// The least number.
        min: i64,
        /// The greatest number.
        max: i64,
    },
    /// The number is beyond what can be stored.
    NumberOutOfRange,
    /// The text must be an e-mail address.
    Email,
    /// The text must be an absolute `http` or `https` URL.
    Url,
    /// The text must be a date and time of ISO 8601 with an offset.
    DateTime,
    /// The value is none of those that are accepted.
    OneOf {
        /// The accepted values; the text shows the first twelve.
        allowed: Vec<Cow<'static, str>>,
    },
    /// The text contains control characters (contract 2).
    ControlCharacters,
    /// The JSON object names the field twice (contract 2).
    DuplicateKey,
    /// The token ability is not in the catalog of S5.3.
    UnknownAbility {
        /// The ability that was asked for.
        ability: Cow<'static, str>,
    },
    /// The country code is none that checkout supports (S4.4, contract 2.2).
    UnknownCountry,
    /// Somebody else has the value, which only one can have.
    Taken,
    /// The password is among those that are tried first.
    GuessablePassword,
    /// The page is of another website than the shop's own and those that it allows.
    ForeignPage,
    /// The value is given twice, and differently.
    Ambiguous,
    /// Another field says the same; only one of the two may be given.
    Exclusive {
        /// The other field.
        other: Cow<'static, str>,
    },
    /// The id is of nothing that the customer has.
    UnknownId,
    /// Nothing is sent to the country of the address.
    NotDelivered,
    /// The shop has no payment method.
    NoWayToPay,
    /// The product does not exist, or cannot be bought now (contract 2.1).
    UnavailableProduct,
    /// The product has no such option (contract 2.1).
    UnknownOption,
    /// Together with what is in the cart, it is more of a product than a cart holds (contract 2.1).
    TooManyInCart {
        /// The most of one product.
        max: i64,
    },
    /// The currency is not the installation's.
    UnsupportedCurrency {
        /// The code of the currency that is accepted.
        supported: Cow<'static, str>,
    },
    /// No discount has the code (contract 2.2).
    DiscountUnknown,
    /// The discount code is not valid yet.
    DiscountNotYet,
    /// The discount code is not valid any more.
    DiscountOver,
    /// The order's subtotal is too small for the discount code.
    DiscountBelowMinimum {
        /// The least subtotal, as the shop writes amounts.
        minimum: Cow<'static, str>,
    },
    /// The discount code was used as often as it can be.
    DiscountUsedUp,
    /// The customer has used the discount code as often as one can.
    DiscountUsedUpByCustomer,
}

impl Violation {
    /// Says which field breaks the rule, by the name that `errors` has for it.
    pub fn on(self, field: impl Into<Cow<'static, str>>) -> Message {
        Message::Field { field: field.into(), violation: self }
    }

    /// The key of the sentence about a field, and what is put in.
    pub(super) fn text(&self, field: &str) -> Text {
        let field = excerpt(field);
        macro_rules! rule {
            ($key:literal $(, $name:ident = $value:expr)*) => {
                __text!($key, field = field $(, $name = $value)*)
            };
        }
        match self {
            Self::Required => rule!("field-required"),
            Self::String => rule!("field-string"),
            Self::Integer => rule!("field-integer"),
            Self::Number => rule!("field-number"),
            Self::Price { example } => rule!("field-price", example = excerpt(example)),
            Self::Boolean => rule!("field-boolean"),
            Self::Array => rule!("field-array"),
            Self::Object => rule!("field-object"),
            Self::MinLength { min } => rule!("field-min-length", min = *min),
            Self::MaxLength { max } => rule!("field-max-length", max = *max),
            Self::ExactLength { length } => rule!("field-exact-length", length = *length),
            Self::MinItems { min } => rule!("field-min-items", min = *min),
            Self::MaxItems { max } => rule!("field-max-items", max = *max),
            Self::MinValue { min } => rule!("field-min-value", min = *min),
            Self::MaxValue { max } => rule!("field-max-value", max = *max),
            Self::Between { min, max } => rule!("field-between", min = *min, max = *max),
            Self::NumberOutOfRange => rule!("field-number-out-of-range"),
            Self::Email => rule!("field-email"),
            Self::Url => rule!("field-url"),
            Self::DateTime => rule!("field-date-time"),
            Self::OneOf { allowed } => rule!("field-one-of", allowed = shown(allowed)),
            Self::ControlCharacters => rule!("field-control-characters"),
            Self::DuplicateKey => rule!("field-duplicate-key"),
            Self::UnknownAbility { ability } => rule!("field-unknown-ability", ability = excerpt(ability)),
            Self::UnknownCountry => rule!("field-unknown-country"),
            Self::Taken => rule!("field-taken"),
            Self::GuessablePassword => rule!("field-guessable-password"),
            Self::ForeignPage => rule!("field-foreign-page"),
            Self::Ambiguous => rule!("field-ambiguous"),
            Self::Exclusive { other } => rule!("field-exclusive", other = excerpt(other)),
            Self::UnknownId => rule!("field-unknown-id"),
            Self::NotDelivered => rule!("field-not-delivered"),
            Self::NoWayToPay => rule!("field-no-way-to-pay"),
            Self::UnavailableProduct => rule!("field-unavailable-product"),
            Self::UnknownOption => rule!("field-unknown-option"),
            Self::TooManyInCart { max } => rule!("field-too-many-in-cart", max = *max),
            Self::UnsupportedCurrency { supported } => {
                rule!("field-unsupported-currency", supported = excerpt(supported))
            }
            Self::DiscountUnknown => rule!("field-discount-unknown"),
            Self::DiscountNotYet => rule!("field-discount-not-yet"),
            Self::DiscountOver => rule!("field-discount-over"),
            Self::DiscountBelowMinimum { minimum } => rule!("field-discount-below-minimum", minimum = minimum.as_ref()),
            Self::DiscountUsedUp => rule!("field-discount-used-up"),
            Self::DiscountUsedUpByCustomer => rule!("field-discount-used-up-by-customer"),
        }
    }
}

/// Values of [`Violation::OneOf`] that a text shows.
const SHOWN_VALUES: usize = 12;

/// The accepted values for a text.
fn shown(allowed: &[Cow<'static, str>]) -> Value {
    let values = allowed.iter().take(SHOWN_VALUES).map(|value| excerpt(value).into_owned()).collect();
    Value::Quoted { values, is_cut: allowed.len() > SHOWN_VALUES }
}

#[cfg(test)]
mod tests {
    use std::iter::successors;

    use super::*;
    use crate::i18n::{Language, Texts};

    /// One of each violation: an exhaustive chain, so that a new one without a place in it does not compile.
    fn next(violation: &Violation) -> Option<Violation> {
        Some(match violation {
            Violation::Required => Violation::String,
            Violation::String => Violation::Integer,
            Violation::Integer => Violation::Number,
            Violation::Number => Violation::Price { example: "19.90".into() },
            Violation::Price { .. } => Violation::Boolean,
            Violation::Boolean => Violation::Array,
            Violation::Array => Violation::Object,
            Violation::Object => Violation::MinLength { min: 10 },
            Violation::MinLength { .. } => Violation::MaxLength { max: 10 },
            Violation::MaxLength { .. } => Violation::ExactLength { length: 10 },
            Violation::ExactLength { .. } => Violation::MinItems { min: 10 },
            Violation::MinItems { .. } => Violation::MaxItems { max: 10 },
            Violation::MaxItems { .. } => Violation::MinValue { min: 10 },
            Violation::MinValue { .. } => Violation::MaxValue { max: 10 },
            Violation::MaxValue { .. } => Violation::Between { min: -5, max: 10 },
            Violation::Between { .. } => Violation::NumberOutOfRange,
            Violation::NumberOutOfRange => Violation::Email,
            Violation::Email => Violation::Url,
            Violation::Url => Violation::DateTime,
            Violation::DateTime => Violation::OneOf { allowed: vec!["day".into(), "week".into()] },
            Violation::OneOf { .. } => Violation::ControlCharacters,
            Violation::ControlCharacters => Violation::DuplicateKey,
            Violation::DuplicateKey => Violation::UnknownAbility { ability: "orders.eat".into() },
            Violation::UnknownAbility { .. } => Violation::UnknownCountry,
            Violation::UnknownCountry => Violation::Taken,
            Violation::Taken => Violation::GuessablePassword,
            Violation::GuessablePassword => Violation::ForeignPage,
            Violation::ForeignPage => Violation::Ambiguous,
            Violation::Ambiguous => Violation::Exclusive { other: "billing_address_id".into() },
            Violation::Exclusive { .. } => Violation::UnknownId,
            Violation::UnknownId => Violation::NotDelivered,
            Violation::NotDelivered => Violation::NoWayToPay,
            Violation::NoWayToPay => Violation::UnavailableProduct,
            Violation::UnavailableProduct => Violation::UnknownOption,
            Violation::UnknownOption => Violation::TooManyInCart { max: 99 },
            Violation::TooManyInCart { .. } => Violation::UnsupportedCurrency { supported: "EUR".into() },
            Violation::UnsupportedCurrency { .. } => Violation::DiscountUnknown,
            Violation::DiscountUnknown => Violation::DiscountNotYet,
            Violation::DiscountNotYet => Violation::DiscountOver,
            Violation::DiscountOver => Violation::DiscountBelowMinimum { minimum: "€20.00".into() },
            Violation::DiscountBelowMinimum { .. } => Violation::DiscountUsedUp,
            Violation::DiscountUsedUp => Violation::DiscountUsedUpByCustomer,
            Violation::DiscountUsedUpByCustomer => return None,
        })
    }

    fn every_violation() -> impl Iterator<Item = Violation> {
        successors(Some(Violation::Required), next)
    }

    fn texts(violation: &Violation) -> [String; 3] {
        Language::BUILT_IN.map(|language| Texts::built_in().say(&violation.clone().on("billing.city"), language))
    }

    #[test]
    fn every_violation_is_a_sentence_that_names_the_field() {
        for violation in every_violation() {
            for (text, field) in texts(&violation).iter().zip(["“billing.city”", "„billing.city“", "‘billing.city’"])
            {
                assert!(text.contains(field), "{text}");
                assert!(text.ends_with('.') && text.chars().next().is_some_and(char::is_uppercase), "{text}");
                assert!(!text.contains(['{', '}', '\n', '"']) && !text.contains("  "), "{text}");
            }
        }
    }

    #[test]
    fn every_violation_is_translated() {
        for violation in every_violation() {
            let [en, de, nl] = texts(&violation).map(|text| text.replace(['“', '”', '„', '‘', '’'], ""));
            assert!(en != de && de != nl && nl != en, "{en:?} {de:?} {nl:?}");
        }
    }

    #[test]
    fn no_two_violations_sound_alike() {
        for language in 0..Language::BUILT_IN.len() {
            let all: Vec<_> = every_violation().map(|violation| texts(&violation)[language].clone()).collect();
            let distinct: std::collections::HashSet<_> = all.iter().collect();
            assert_eq!(distinct.len(), all.len());
        }
    }

    #[test]
    fn limits_and_values_appear_in_every_language() {
        for (violation, parameters) in [
            (Violation::MinLength { min: 71 }, vec!["71"]),
            (Violation::MaxLength { max: 72 }, vec!["72"]),
            (Violation::ExactLength { length: 73 }, vec!["73"]),
            (Violation::MinItems { min: 74 }, vec!["74"]),
            (Violation::MaxItems { max: 75 }, vec!["75"]),
            (Violation::MinValue { min: -76 }, vec!["-76"]),
            (Violation::MaxValue { max: 77 }, vec!["77"]),
            (Violation::Between { min: 78, max: 79 }, vec!["78", "79"]),
            (Violation::OneOf { allowed: vec!["day".into(), "week".into()] }, vec!["day", "week"]),
            (Violation::UnknownAbility { ability: "orders.eat".into() }, vec!["orders.eat"]),
            (Violation::TooManyInCart { max: 80 }, vec!["80"]),
            (Violation::UnsupportedCurrency { supported: "EUR".into() }, vec!["EUR"]),
            (Violation::Price { example: "19.90".into() }, vec!["19.90"]),
            (Violation::DiscountBelowMinimum { minimum: "€20.00".into() }, vec!["€20.00"]),
        ] {
            for text in texts(&violation) {
                assert!(parameters.iter().all(|parameter| text.contains(parameter)), "{text}");
            }
        }
    }

    #[test]
    fn one_is_singular() {
        for (violation, words) in [
            (Violation::MinLength { min: 1 }, ["1 character ", "1 Zeichen ", "1 teken "]),
            (Violation::MaxLength { max: 1 }, ["1 character.", "1 Zeichen ", "1 teken "]),
            (Violation::ExactLength { length: 1 }, ["1 character ", "1 Zeichen ", "1 teken "]),
            (Violation::MinItems { min: 1 }, ["1 item.", "einen Eintrag ", "1 item "]),
            (Violation::MaxItems { max: 1 }, ["1 item.", "einen Eintrag ", "1 item "]),
        ] {
            for (text, words) in texts(&violation).iter().zip(words) {
                assert!(text.contains(words), "{text:?} {words:?}");
            }
        }
    }

    #[test]
    fn a_long_list_of_values_is_cut() {
        let allowed: Vec<Cow<'static, str>> = (0..250).map(|number| format!("value-{number}").into()).collect();
        for text in texts(&Violation::OneOf { allowed }) {
            assert!(text.contains("value-11") && text.contains("…") && !text.contains("value-12"), "{text}");
        }
    }

    #[test]
    fn names_from_outside_cannot_flood_a_message() {
        for text in texts(&Violation::UnknownAbility { ability: "x\r\n".repeat(100_000).into() }) {
            assert!(text.len() < 500 && !text.contains(char::is_control), "{text}");
        }
        let text = Texts::built_in().say(&Violation::Required.on("y\u{0}".repeat(100_000)), Language::DE);
        assert!(text.len() < 500 && !text.contains(char::is_control), "{text}");
    }
}

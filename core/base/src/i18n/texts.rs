//! All texts in all languages, parsed once.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use chrono::{Datelike, NaiveDate};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use super::collect::{self, BuiltIn, TextProblems};
use super::text::Value;
use super::{Language, Message};
use crate::text;

type Bundle = FluentBundle<Arc<FluentResource>>;

/// The program's own texts, as they were parsed and put together. Parsing them takes most of a command's start.
static BUILT_IN: LazyLock<(BuiltIn, Texts)> = LazyLock::new(|| {
    let built_in = collect::built_in();
    let texts = Texts::of(bundles(&built_in));
    (built_in, texts)
});

/// All texts of a shop: those of its program, with the operator's in place of some or in more languages. Cloning is cheap.
#[derive(Clone)]
pub struct Texts(Arc<[(Language, Bundle)]>);

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Texts").field(&self.languages()).finish()
    }
}

impl Texts {
    fn of(bundles: Vec<(Language, Bundle)>) -> Self {
        Self(bundles.into())
    }

    /// The texts that the program comes with.
    pub fn built_in() -> Self {
        BUILT_IN.1.clone()
    }

    /// Checks the program's texts, and puts those of the operator's folder in their place.
    pub fn load(folder: Option<&Path>) -> Result<Self, TextProblems> {
        let (built_in, texts) = &*BUILT_IN;
        let own = collect::own(folder, built_in);
        let problems = TextProblems { config: own.problems, registration: built_in.mistakes.clone() };
        if !problems.config.is_empty() || !problems.registration.is_empty() {
            return Err(problems);
        }
        if folder.is_none() {
            return Ok(texts.clone());
        }
        let mut bundles = bundles(built_in);
        for (language, texts) in own.texts {
            let texts = Arc::new(texts);
            match bundles.iter_mut().find(|(known, _)| *known == language) {
                Some((_, known)) => known.add_resource_overriding(texts),
                None => bundles.push(bundle(language, vec![texts])),
            }
        }
        Ok(Self::of(bundles))
    }

    /// The languages that there are texts in: those of the program, then the operator's by their tags.
    pub fn languages(&self) -> Vec<Language> {
        self.0.iter().map(|(language, _)| *language).collect()
    }

    /// Chooses the language that the value of an `Accept-Language` header prefers (contract 2).
    ///
    /// Follows RFC 9110, section 12.5.4: the highest quality wins, then the range that stands first. A range with
    /// regions or scripts wishes for its language (`de-AT` for German), `*` for every language not named, and quality 0
    /// excludes a language. What is no range is passed over, and English remains when nothing fits.
    pub fn negotiate(&self, accept_language: Option<&str>) -> Language {
        Language::negotiate(accept_language, &self.languages())
    }

    /// The language of a locale such as `de-AT`, by its first part; English where there are no texts.
    pub fn language_of(&self, locale: &str) -> Language {
        let language = Language::of_locale(locale);
        if self.languages().contains(&language) { language } else { Language::EN }
    }

    /// Puts a message into words. What a language lacks is said in English.
    pub fn say(&self, message: &Message, language: Language) -> String {
        let text = message.text();
        let Some((language, bundle)) = self.bundle(language, text.key).or_else(|| self.bundle(Language::EN, text.key))
        else {
            // Keys are checked at the start.
            return text.key.to_owned();
        };
        let pattern = bundle.get_message(text.key).and_then(|found| found.value()).expect("it was looked for");
        let mut values = FluentArgs::with_capacity(text.values.len());
        for (name, value) in &text.values {
            values.set(*name, self.fluent_value(value, language));
        }
        bundle.format_pattern(pattern, Some(&values), &mut Vec::new()).into_owned()
    }

    /// Puts the text of a key that a template names into words; none for a key that there is not. What a language lacks is said
    /// in English.
    pub fn say_by_key(&self, key: &str, values: &[(&str, Value)], language: Language) -> Option<String> {
        let (language, bundle) = self.bundle(language, key).or_else(|| self.bundle(Language::EN, key))?;
        let pattern = bundle.get_message(key)?.value()?;
        let mut filled = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            filled.set(*name, self.fluent_value(value, language));
        }
        Some(bundle.format_pattern(pattern, Some(&filled), &mut Vec::new()).into_owned())
    }

    fn bundle(&self, language: Language, key: &str) -> Option<(Language, &Bundle)> {
        let (language, bundle) = self.0.iter().find(|(known, _)| *known == language)?;
        bundle.has_message(key).then_some((*language, bundle))
    }

    fn fluent_value<'a>(&self, value: &'a Value, language: Language) -> FluentValue<'a> {
        match value {
            Value::Text(text) => FluentValue::from(text.as_str()),
            Value::Number(number) => FluentValue::from(*number),
            Value::Quoted { values, is_cut } => {
                let quoted = values.iter().map(|text| self.say(&text!("quoted", text = text), language));
                let shown = quoted.chain(is_cut.then(|| "…".to_owned()));
                FluentValue::from(shown.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A day with the name of its month.
    pub fn long_date(&self, date: NaiveDate, language: Language) -> String {
        let year = date.year().to_string();
        self.say(&text!("long-date", day = date.day(), month = date.month(), year = year), language)
    }

    /// A rate in basis points as a percentage: 2100 is 21 %.
    pub fn percentage(&self, rate: i64, language: Language) -> String {
        let minus = if rate < 0 { "-" } else { "" };
        let (whole, rest) = (rate.unsigned_abs() / 100, rate.unsigned_abs() % 100);
        let whole = format!("{minus}{whole}");
        let text = match format!("{rest:02}").trim_end_matches('0') {
            "" => text!("percentage-whole", whole = whole),
            decimals => text!("percentage", whole = whole, decimals = decimals),
        };
        self.say(&text, language)
    }
}

fn bundles(built_in: &BuiltIn) -> Vec<(Language, Bundle)> {
    built_in.texts.iter().map(|(language, texts)| bundle(*language, texts.clone())).collect()
}

fn bundle(language: Language, texts: Vec<Arc<FluentResource>>) -> (Language, Bundle) {
    let locale = language.tag().parse().expect("a language is a locale");
    let mut bundle = Bundle::new_concurrent(vec![locale]);
    // Marks around values would be new characters in the API's messages.
    bundle.set_use_isolating(false);
    for texts in texts {
        bundle.add_resource_overriding(texts);
    }
    (language, bundle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_this_crate_are_sound() {
        let problems = Texts::load(None).err().unwrap_or_default();
        assert!(problems.registration.is_empty(), "{}", problems.registration.join("\n"));
    }

    #[test]
    fn rates_have_only_the_decimals_they_need() {
        let texts = Texts::built_in();
        for (rate, en, de) in [
            (0, "0%", "0\u{a0}%"),
            (5, "0.05%", "0,05\u{a0}%"),
            (550, "5.5%", "5,5\u{a0}%"),
            (2100, "21%", "21\u{a0}%"),
            (10_000, "100%", "100\u{a0}%"),
            (-725, "-7.25%", "-7,25\u{a0}%"),
        ] {
            assert_eq!(texts.percentage(rate, Language::EN), en);
            assert_eq!(texts.percentage(rate, Language::DE), de);
        }
        assert_eq!(texts.percentage(i64::MIN, Language::NL), "-92233720368547758,08%");
    }

    #[test]
    fn days_are_written_as_each_language_does() {
        let texts = Texts::built_in();
        let date = NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day");
        assert_eq!(texts.long_date(date, Language::EN), "1 March 2026");
        assert_eq!(texts.long_date(date, Language::DE), "1. März 2026");
        assert_eq!(texts.long_date(date, Language::NL), "1 maart 2026");
    }
}

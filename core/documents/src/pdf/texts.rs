//! How a document says things: its language, and how amounts, days and rates are written in it.

use chrono::{DateTime, NaiveDate, Utc};

use stoa_kernel::i18n::{Language, Message, Texts};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::text;

use super::document::{Document, DocumentKind};

/// Language and locale of a document.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    texts: &'a Texts,
    language: Language,
    money: MoneyFormatter,
}

impl<'a> Words<'a> {
    pub(crate) fn new(document: &Document, texts: &'a Texts) -> Self {
        let language = texts.language_of(&document.language);
        let money = MoneyFormatter::new(&document.locale, document.currency).unwrap_or_else(|_| {
            // What was stored long ago must stay readable, even if the locale was valid only then.
            MoneyFormatter::new(language.tag(), document.currency).expect("languages are known")
        });
        Self { texts, language, money }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    pub(crate) fn say(&self, text: &Message) -> String {
        self.texts.say(text, self.language)
    }

    /// An amount in minor units.
    pub(crate) fn money(&self, amount: i64) -> String {
        self.money.format(amount)
    }

    /// An amount that is taken away. The smallest of all has no opposite, and is nobody's discount.
    pub(crate) fn negative(&self, amount: i64) -> String {
        self.money(amount.saturating_neg())
    }

    pub(crate) fn date(&self, date: NaiveDate) -> String {
        self.texts.long_date(date, self.language)
    }

    pub(crate) fn day(&self, time: DateTime<Utc>) -> String {
        self.date(time.date_naive())
    }

    /// A rate in basis points.
    pub(crate) fn rate(&self, rate: i64) -> String {
        self.texts.percentage(rate, self.language)
    }

    /// What the document is called: `Invoice F-2026-000001`.
    pub(crate) fn title(&self, document: &Document) -> String {
        let kind = match document.kind {
            DocumentKind::Invoice => text!("document-invoice"),
            DocumentKind::CreditNote => text!("document-credit-note"),
        };
        format!("{} {}", self.say(&kind), document.number)
    }
}

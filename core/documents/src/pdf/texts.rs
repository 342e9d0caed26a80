//! How a document says things: its language, and how amounts, days and rates are written in it.

use chrono::{DateTime, NaiveDate, Utc};

use stoa_kernel::i18n::{DocumentText, Language};
use stoa_kernel::money::MoneyFormatter;

use super::document::{Document, DocumentKind};

/// Language and locale of a document.
#[derive(Debug)]
pub(super) struct Texts {
    language: Language,
    money: MoneyFormatter,
}

impl Texts {
    pub(super) fn new(document: &Document) -> Self {
        let language = Language::of_locale(&document.language);
        let money = MoneyFormatter::new(&document.locale, document.currency).unwrap_or_else(|_| {
            // What was stored long ago must stay readable, even if the locale was valid only then.
            MoneyFormatter::new(language.tag(), document.currency).expect("our own languages are known")
        });
        Self { language, money }
    }

    pub(super) fn language(&self) -> Language {
        self.language
    }

    pub(super) fn say(&self, text: DocumentText<'_>) -> String {
        text.text(self.language).into_owned()
    }

    /// An amount in minor units.
    pub(super) fn money(&self, amount: i64) -> String {
        self.money.format(amount)
    }

    /// An amount that is taken away. The smallest of all has no opposite, and is nobody's discount.
    pub(super) fn negative(&self, amount: i64) -> String {
        self.money(amount.saturating_neg())
    }

    pub(super) fn date(&self, date: NaiveDate) -> String {
        self.language.long_date(date)
    }

    pub(super) fn day(&self, time: DateTime<Utc>) -> String {
        self.date(time.date_naive())
    }

    /// A rate in basis points.
    pub(super) fn rate(&self, rate: i64) -> String {
        self.language.percentage(rate)
    }

    /// What the document is called: `Invoice F-2026-000001`.
    pub(super) fn title(&self, document: &Document) -> String {
        let kind = match document.kind {
            DocumentKind::Invoice => DocumentText::Invoice,
            DocumentKind::CreditNote => DocumentText::CreditNote,
        };
        format!("{} {}", self.say(kind), document.number)
    }
}

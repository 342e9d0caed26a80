//! What products are browsed by, in memory: price, brand, and the choices of their options.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use sqlx::types::Json;

use crate::record::{OptionRecord, OptionType};

/// What is read of a product.
#[derive(sqlx::FromRow)]
pub(crate) struct TraitRow {
    pub(crate) id: i64,
    pub(crate) price_amount: i64,
    pub(crate) brand: Option<String>,
    pub(crate) options: Json<Vec<OptionRecord>>,
}

/// A word that many products share, such as a brand or a colour.
pub(super) type Word = u32;

/// What is known of a product.
#[derive(Debug, Default)]
pub(super) struct Traits {
    pub(super) price_amount: i64,
    /// Facet and value.
    pub(super) values: Box<[(Word, Word)]>,
}

/// Something that products are chosen by: the brand, or an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facet {
    /// The parameter that chooses by it: `brand`, `option.color`.
    pub(super) parameter: String,
    /// As customers see it; none for the brand.
    pub(super) label: Option<String>,
}

/// The traits of all products.
#[derive(Default)]
pub(crate) struct TraitsIndex {
    of: HashMap<i64, Traits, RandomState>,
    facets: Vec<Facet>,
    /// Value and label.
    words: Vec<(String, String)>,
    numbers: HashMap<(Word, String), Word, RandomState>,
}

impl TraitsIndex {
    /// Adds a product, or replaces what was known of it.
    pub(crate) fn put(&mut self, row: &TraitRow) {
        let mut values = Vec::new();
        if let Some(brand) = row.brand.as_deref().filter(|brand| !brand.is_empty()) {
            let facet = self.facet("brand".to_owned(), None);
            values.push((facet, self.word(facet, brand, brand)));
        }
        let chosen = |kind| matches!(kind, OptionType::Select | OptionType::Radio | OptionType::Checkbox);
        for option in row.options.0.iter().filter(|option| option.active && chosen(option.kind)) {
            let facet = self.facet(format!("option.{}", option.key), Some(&option.label));
            for choice in option.choices.iter().filter(|choice| choice.active) {
                values.push((facet, self.word(facet, &choice.value, &choice.label)));
            }
        }
        self.of.insert(row.id, Traits { price_amount: row.price_amount, values: values.into() });
    }

    /// Forgets products that are not listed any more.
    pub(crate) fn keep(&mut self, is_listed: impl Fn(i64) -> bool) {
        self.of.retain(|id, _| is_listed(*id));
    }

    pub(super) fn of(&self, id: i64) -> Option<&Traits> {
        self.of.get(&id)
    }

    /// The facet that a parameter chooses by.
    pub(super) fn facet_by(&self, parameter: &str) -> Option<Word> {
        let at = self.facets.iter().position(|facet| facet.parameter == parameter)?;
        Word::try_from(at).ok()
    }

    pub(super) fn facets(&self) -> impl Iterator<Item = (Word, &Facet)> {
        (0..).zip(&self.facets)
    }

    /// The value of a facet that is called so; none for one that no product has.
    pub(super) fn value_by(&self, facet: Word, value: &str) -> Option<Word> {
        self.numbers.get(&(facet, value.to_owned())).copied()
    }

    /// Value and label.
    pub(super) fn word_at(&self, word: Word) -> Option<&(String, String)> {
        self.words.get(word as usize)
    }

    fn facet(&mut self, parameter: String, label: Option<&str>) -> Word {
        if let Some(known) = self.facet_by(&parameter) {
            return known;
        }
        self.facets.push(Facet { parameter, label: label.map(str::to_owned) });
        Word::try_from(self.facets.len() - 1).unwrap_or(Word::MAX)
    }

    fn word(&mut self, facet: Word, value: &str, label: &str) -> Word {
        let next = Word::try_from(self.words.len()).unwrap_or(Word::MAX);
        let word = *self.numbers.entry((facet, value.to_owned())).or_insert(next);
        if word == next {
            self.words.push((value.to_owned(), label.to_owned()));
        }
        word
    }
}

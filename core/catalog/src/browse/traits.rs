//! What products are browsed by, in memory: price, brand, the choices of their options, and what modules add.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use sqlx::types::Json;
use stoa_kernel::i18n::Message;
use stoa_kernel::module::ReadFacet;

use crate::prices::PriceFacts;
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
    /// What modules make another price of it by, if they have a say in it.
    pub(super) priced_by: Option<Box<PriceFacts>>,
    /// Facet and value.
    pub(super) values: Box<[(Word, Word)]>,
}

/// What customers read above the values of a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FacetLabel {
    /// Nothing of the shop's own: it is the brand.
    Brand,
    /// The label of an option.
    Option(String),
    /// What a module says.
    Module(Message),
}

/// Something that products are chosen by: the brand, an option, or what a module has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facet {
    /// The parameter that chooses by it: `brand`, `option.color`, `event_tickets.venue`.
    pub(super) parameter: String,
    /// What stands above the values.
    pub(super) label: FacetLabel,
}

/// The traits of all products.
#[derive(Default)]
pub(crate) struct TraitsIndex {
    of: HashMap<i64, Traits, RandomState>,
    /// Facets and values that products have by modules.
    by_modules: HashMap<i64, Vec<(Word, Word)>, RandomState>,
    facets: Vec<Facet>,
    /// Value and label.
    words: Vec<(String, String)>,
    numbers: HashMap<(Word, String), Word, RandomState>,
}

impl TraitsIndex {
    /// Adds a product, or replaces what was known of it; with what modules have a say in its price by, if they have one.
    pub(crate) fn put(&mut self, row: &TraitRow, priced_by: Option<PriceFacts>) {
        let mut values = Vec::new();
        if let Some(brand) = row.brand.as_deref().filter(|brand| !brand.is_empty()) {
            let facet = self.facet("brand", FacetLabel::Brand);
            values.push((facet, self.word(facet, brand, brand)));
        }
        let chosen = |kind| matches!(kind, OptionType::Select | OptionType::Radio | OptionType::Checkbox);
        for option in row.options.0.iter().filter(|option| option.active && chosen(option.kind)) {
            let facet = self.facet(&format!("option.{}", option.key), FacetLabel::Option(option.label.clone()));
            for choice in option.choices.iter().filter(|choice| choice.active) {
                values.push((facet, self.word(facet, &choice.value, &choice.label)));
            }
        }
        let priced_by = priced_by.map(Box::new);
        self.of.insert(row.id, Traits { price_amount: row.price_amount, priced_by, values: values.into() });
    }

    /// Takes over what modules say now, in place of what they have said before.
    pub(crate) fn put_modules(&mut self, facets: Vec<ReadFacet>) {
        self.by_modules.clear();
        for read in facets {
            let facet = self.facet(&read.parameter, FacetLabel::Module(read.label));
            for value in read.values {
                let word = self.word(facet, &value.value, &value.label);
                self.by_modules.entry(value.product_id).or_default().push((facet, word));
            }
        }
    }

    /// Forgets products that are not listed any more.
    pub(crate) fn keep(&mut self, is_listed: impl Fn(i64) -> bool) {
        self.of.retain(|id, _| is_listed(*id));
    }

    pub(super) fn of(&self, id: i64) -> Option<&Traits> {
        self.of.get(&id)
    }

    /// Facets and values of a product.
    pub(super) fn values_of(&self, id: i64) -> impl Iterator<Item = (Word, Word)> {
        let own = self.of.get(&id).into_iter().flat_map(|traits| traits.values.iter());
        own.chain(self.by_modules.get(&id).into_iter().flatten()).copied()
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

    fn facet(&mut self, parameter: &str, label: FacetLabel) -> Word {
        if let Some(known) = self.facet_by(parameter) {
            return known;
        }
        self.facets.push(Facet { parameter: parameter.to_owned(), label });
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

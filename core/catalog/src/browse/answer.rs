//! The answer of `GET /browse`.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::db::Db;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::page::last_page;
use stoa_kernel::i18n::Language;
use stoa_kernel::module::Buyer;

use super::query::{Sort, Wish};
use super::traits::{FacetLabel, Traits, TraitsIndex, Word};
use crate::answers::CachedAnswer;
use crate::index::{Among, ListingIndex};
use crate::queries;
use crate::render::{PRODUCTS_PER_PAGE, page_range, to_json};
use crate::sharing::ListOf;
use crate::state::Catalog;

/// What a page of products comes with.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BrowseMeta {
    /// The page of this answer, from 1.
    current_page: u64,
    /// The number of pages, at least 1.
    last_page: u64,
    /// All products of all pages.
    total: u64,
    /// What there is to choose by, with what most products have first.
    facets: Vec<FacetResource>,
}

/// Something that products are chosen by.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BrowseFacet")]
struct FacetResource {
    /// The parameter that chooses by it: `brand`, `option.KEY`, or `MODULE.KEY` for what a module adds.
    parameter: String,
    /// `brand`, the option's key, or the module's.
    key: String,
    /// What is chosen, as customers read it; null for the brand.
    label: Option<String>,
    /// What can be chosen, with the most products first.
    values: Vec<FacetValue>,
}

/// A value of a facet.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BrowseFacetValue")]
struct FacetValue {
    /// What the parameter takes.
    value: String,
    /// As customers see it.
    label: String,
    /// Products that have it and whatever else is chosen.
    count: u64,
}

/// Most values of a facet that are offered.
const MOST_VALUES: usize = 30;

/// Products that are left, and how many have each value.
#[derive(Default)]
struct Found {
    ids: Vec<i64>,
    counts: BTreeMap<(Word, Word), u64>,
}

impl Catalog {
    /// `GET /browse`.
    pub(crate) async fn browse(
        &self,
        db: &Db,
        listing: &ListingIndex,
        query: &str,
        language: Language,
    ) -> ApiResult<CachedAnswer> {
        let frame = self.frame();
        let wish = Wish::parse(query, frame.money.currency())?;
        let candidates = self.candidates(listing, &wish).await;
        let sold_out = if wish.only_available {
            let ids = db.read(queries::SOLD_OUT).bind(frame.modules.as_str()).all::<(i64,)>().await?;
            ids.into_iter().map(|(id,)| id).collect::<HashSet<_>>()
        } else {
            HashSet::new()
        };
        let (ids, facets, varies) = {
            // Traits follow with the texts.
            drop(self.texts_at(listing.version).await);
            self.follow_facets(listing.version).await?;
            let traits = self.traits();
            let (buyer, varies) = (Buyer::guest(db.now()), Cell::new(false));
            let price = |product: &Traits| {
                let Some(facts) = &product.priced_by else { return product.price_amount };
                let price = facts.unit_amount(&frame.selling, &buyer, product.price_amount);
                varies.set(varies.get() || price.varies);
                price.amount
            };
            let mut found = sift(&traits, candidates, &wish, &sold_out, price);
            arrange(&traits, &mut found.ids, wish.sort, price);
            let say = |label: &FacetLabel| match label {
                FacetLabel::Brand => None,
                FacetLabel::Option(label) => Some(label.clone()),
                FacetLabel::Module(message) => Some(frame.texts.say(message, language)),
            };
            (found.ids, offered(&traits, &found.counts, say), varies.get())
        };
        let total = ids.len() as u64;
        let page = ids.get(page_range(wish.page, ids.len())).unwrap_or_default();
        let products = self.products_by_id(db, listing.version, page).await?;
        let last_page = last_page(total, PRODUCTS_PER_PAGE);
        let meta = BrowseMeta { current_page: wish.page, last_page, total, facets };
        let category = wish.category.as_deref().and_then(|filter| listing.category_by_filter(filter));
        let list = category.map_or(ListOf::Everything, |category| ListOf::Category(category.id));
        let mut after = b"],\"meta\":".to_vec();
        after.extend(to_json(&meta)?);
        after.push(b'}');
        let mut answer = self.assemble(list, b"{\"data\":[", &products, &after);
        // What is sold out changes without a new version, and so do prices that depend on the time.
        answer.is_live |= wish.only_available || varies;
        Ok(answer)
    }

    /// Leaves those of these products that have all that is chosen of what modules add: values by their parameters.
    pub(crate) async fn choose(
        &self,
        version: i64,
        ids: Vec<i64>,
        chosen: &BTreeMap<&str, &str>,
    ) -> ApiResult<Vec<i64>> {
        drop(self.texts_at(version).await);
        self.follow_facets(version).await?;
        let traits = self.traits();
        let pairs = chosen.iter().map(|(parameter, value)| {
            let facet = traits.facet_by(parameter)?;
            Some((facet, traits.value_by(facet, value)?))
        });
        // A value that no product has leaves none.
        let Some(pairs) = pairs.collect::<Option<Vec<_>>>() else { return Ok(Vec::new()) };
        let has = |id: i64, pair: (Word, Word)| traits.values_of(id).any(|own| own == pair);
        Ok(ids.into_iter().filter(|id| pairs.iter().all(|pair| has(*id, *pair))).collect())
    }

    /// The products that the words and the category of a wish leave, in the order of the listing.
    async fn candidates(&self, listing: &ListingIndex, wish: &Wish) -> Vec<i64> {
        let category = match wish.category.as_deref().map(|filter| listing.category_by_filter(filter)) {
            Some(None) => return Vec::new(),
            Some(Some(category)) => Some(listing.with_descendants(category.id)),
            None => None,
        };
        let is_in = |position: usize| {
            category.as_ref().is_none_or(|categories| categories.contains(&listing.category_at(position)))
        };
        match &wish.term {
            None => {
                let all = listing.all().iter().enumerate();
                all.filter(|(position, _)| is_in(*position)).map(|(_, id)| *id).collect()
            }
            Some(term) => {
                let texts = self.texts_at(listing.version).await;
                let positions = texts.find(term, Among::Visible).filter(is_in);
                let positions = positions.slice(0, positions.count());
                positions.into_iter().filter_map(|position| listing.all().get(position).copied()).collect()
            }
        }
    }
}

/// Leaves out what is not wished for. A value is counted for products that fit but for what is chosen of its own facet, so that
/// other values of it can be chosen instead.
fn sift(
    traits: &TraitsIndex,
    candidates: Vec<i64>,
    wish: &Wish,
    sold_out: &HashSet<i64>,
    price: impl Fn(&Traits) -> i64,
) -> Found {
    let is_by_price = wish.min.is_some() || wish.max.is_some();
    let nothing = Traits::default();
    let chosen = wish.chosen.iter().map(|(parameter, value)| {
        let facet = traits.facet_by(parameter);
        (facet, facet.and_then(|facet| traits.value_by(facet, value)))
    });
    let chosen = chosen.collect::<Vec<_>>();
    let mut found = Found::default();
    for id in candidates {
        let product = traits.of(id).unwrap_or(&nothing);
        let fits = || {
            let price = price(product);
            wish.min.is_none_or(|min| price >= min) && wish.max.is_none_or(|max| price <= max)
        };
        if sold_out.contains(&id) || (is_by_price && !fits()) {
            continue;
        }
        let has = |(facet, value): &(Option<Word>, Option<Word>)| {
            facet.zip(*value).is_some_and(|pair| traits.values_of(id).any(|own| own == pair))
        };
        let mut missed = chosen.iter().filter(|pair| !has(pair)).map(|(facet, _)| *facet);
        let (first, second) = (missed.next(), missed.next());
        for pair in traits.values_of(id) {
            let counts = match (first, second) {
                (None, _) => true,
                (Some(only), None) => only == Some(pair.0),
                (Some(_), Some(_)) => false,
            };
            if counts {
                *found.counts.entry(pair).or_default() += 1;
            }
        }
        if first.is_none() {
            found.ids.push(id);
        }
    }
    found
}

/// Puts products in order; those that are alike stay in the order of their names.
fn arrange(traits: &TraitsIndex, ids: &mut [i64], sort: Sort, price: impl Fn(&Traits) -> i64) {
    let price = |id: &i64| traits.of(*id).map_or(0, &price);
    match sort {
        Sort::Name => {}
        // Modules may have a say in a price, which is worked out once.
        Sort::Price => ids.sort_by_cached_key(price),
        Sort::PriceDown => ids.sort_by_cached_key(|id| Reverse(price(id))),
        Sort::Newest => ids.sort_by_key(|id| Reverse(*id)),
    }
}

fn offered(
    traits: &TraitsIndex,
    counts: &BTreeMap<(Word, Word), u64>,
    say: impl Fn(&FacetLabel) -> Option<String>,
) -> Vec<FacetResource> {
    let facets = traits.facets().filter_map(|(number, facet)| {
        let of_facet = counts.range((number, 0)..=(number, Word::MAX));
        let mut values = of_facet
            .filter_map(|((_, word), count)| {
                let (value, label) = traits.word_at(*word)?;
                Some(FacetValue { value: value.clone(), label: label.clone(), count: *count })
            })
            .collect::<Vec<_>>();
        values.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.label.cmp(&b.label)));
        values.truncate(MOST_VALUES);
        let key = facet.parameter.split_once('.').map_or(&*facet.parameter, |(_, key)| key).to_owned();
        (!values.is_empty()).then(|| FacetResource {
            parameter: facet.parameter.clone(),
            key,
            label: say(&facet.label),
            values,
        })
    });
    let mut facets = facets.collect::<Vec<_>>();
    // What most products have comes first.
    facets.sort_by_key(|facet| Reverse(facet.values.iter().map(|value| value.count).sum::<u64>()));
    facets
}

//! The stock that files tell of, as settings of the module that keeps it here.
//!
//! The capability that would make that module count is not added: where the module is not enabled, a product with it could
//! not be bought (contract 2.1). Its settings alone wait until the module is there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::cells::MAX_QUANTITY;
use super::variants::Variant;
use super::{ChoiceRecord, Member, OptionRecord, ProductRecord};

/// The longest SKU that is made here, in characters.
const MAX_MADE_SKU: usize = 200;

/// The stock of one thing that can be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountedStock {
    pub(super) quantity: i64,
    /// Whether more can be ordered than there is.
    pub(super) backorder: bool,
}

impl CountedStock {
    fn and(self, other: Self) -> Self {
        let quantity = self.quantity.saturating_add(other.quantity).min(MAX_QUANTITY);
        Self { quantity, backorder: self.backorder || other.backorder }
    }

    fn settings(self) -> Value {
        json!({"quantity": self.quantity, "backorder": self.backorder})
    }
}

/// Gives a product that is one single thing its stock.
pub(super) fn keep_stock(product: &mut ProductRecord, stock_module: &str, stock: Option<CountedStock>) {
    if let Some(stock) = stock {
        product.modules = Member::Value(Map::from_iter([(stock_module.to_owned(), stock.settings())]));
    }
}

/// Gives a product with variants their stock: by the SKU of a choice where one decides, else by the selections that make
/// the variant. Where a variant has no SKU, one is made from the product's slug and the selections.
///
/// Several variants of one SKU are counted one by one: what tells one of them tells nothing of the others. Gives back the
/// SKUs of the file whose stock was kept.
pub(super) fn keep_variants(product: &mut ProductRecord, stock_module: &str, variants: &[Variant]) -> Vec<String> {
    let none = Vec::new();
    let options = product.options.value().unwrap_or(&none);
    let shares_sku = product.sku.value().is_some()
        && !options.iter().flat_map(|o| &o.choices).any(|c| c.sku.is_some())
        && variants.iter().all(|variant| variant.sku.is_some());
    let is_one_row = variants.windows(2).all(|pair| pair[0].line == pair[1].line);
    if options.is_empty() || (is_one_row && (variants.len() <= 1 || shares_sku)) {
        let stock = variants.first().and_then(|variant| variant.stock);
        let sku = product.sku.value().filter(|_| stock.is_some()).cloned();
        keep_stock(product, stock_module, stock);
        return sku.into_iter().collect();
    }
    let settings = variant_settings(&product.slug, options, variants);
    let shared = shared_stock(variants);
    let counted = variants.iter().filter(|variant| variant.stock.is_some()).filter_map(|variant| variant.sku.clone());
    let counted = counted.filter(|sku| !shared.contains_key(sku.as_str())).collect();
    if !settings.is_empty() {
        let settings = json!({"variants": settings});
        product.modules = Member::Value(Map::from_iter([(stock_module.to_owned(), settings)]));
    }
    counted
}

/// The SKUs that several rows have of which one tells of its stock, with the lines of those rows.
pub(super) fn shared_stock(variants: &[Variant]) -> BTreeMap<&str, BTreeSet<u64>> {
    let mut lines = BTreeMap::<&str, BTreeSet<u64>>::new();
    for variant in variants {
        if let Some(sku) = &variant.sku {
            lines.entry(sku).or_default().insert(variant.line);
        }
    }
    let is_counted = |sku: &str| variants.iter().any(|v| v.stock.is_some() && v.sku.as_deref() == Some(sku));
    lines.retain(|sku, lines| lines.len() > 1 && is_counted(sku));
    lines
}

fn variant_settings(slug: &str, options: &[OptionRecord], variants: &[Variant]) -> Vec<Value> {
    // Each option offers the values of its axis that are used, in their order.
    let used = (0..options.len()).map(|axis| variants.iter().filter_map(|v| v.values.get(axis).copied()).collect());
    let used = used.collect::<Vec<BTreeSet<usize>>>();
    let shared = shared_stock(variants);
    let mut made = HashMap::<u64, String>::new();
    let mut totals = BTreeMap::<String, CountedStock>::new();
    let mut lines = HashSet::new();
    let (mut by_choice, mut by_selections) = (BTreeSet::new(), Vec::new());
    for (index, variant) in variants.iter().enumerate() {
        let Some(stock) = variant.stock else { continue };
        let chosen = chosen(options, &used, (index, variant));
        let selections =
            chosen.iter().map(|(key, choice)| ((*key).clone(), json!(choice.value))).collect::<Map<_, _>>();
        let own = variant.sku.clone().filter(|sku| !shared.contains_key(sku.as_str()));
        let sku = own.unwrap_or_else(|| {
            made.entry(variant.line).or_insert_with(|| made_sku(slug, &chosen, variant.line)).clone()
        });
        if lines.insert(variant.line) {
            totals.entry(sku.clone()).and_modify(|total| *total = total.and(stock)).or_insert(stock);
        }
        if chosen.iter().any(|(_, choice)| choice.sku.as_ref() == Some(&sku)) {
            by_choice.insert(sku);
        } else {
            by_selections.push((sku, selections));
        }
    }
    let entry = |sku: &String| {
        let mut entry = totals.get(sku).map_or_else(|| json!({}), |total| total.settings());
        entry["sku"] = json!(sku);
        entry
    };
    let with_selections = |(sku, selections): &(String, Map<String, Value>)| {
        let mut entry = entry(sku);
        entry["selections"] = Value::Object(selections.clone());
        entry
    };
    by_choice.iter().map(entry).chain(by_selections.iter().map(with_selections)).collect()
}

/// The choices that make a variant: one of a single option that has one for each variant, or one of each option.
fn chosen<'a>(
    options: &'a [OptionRecord],
    used: &[BTreeSet<usize>],
    (index, variant): (usize, &Variant),
) -> Vec<(&'a String, &'a ChoiceRecord)> {
    if let [option] = options {
        return option.choices.get(index).map(|choice| (&option.key, choice)).into_iter().collect();
    }
    let chosen = options.iter().zip(used).zip(&variant.values).filter_map(|((option, used), at)| {
        let choice = option.choices.get(used.range(..at).count())?;
        Some((&option.key, choice))
    });
    chosen.collect()
}

fn made_sku(slug: &str, chosen: &[(&String, &ChoiceRecord)], line: u64) -> String {
    let values = chosen.iter().map(|(_, choice)| choice.value.as_str()).collect::<Vec<_>>().join(":");
    let sku = format!("{slug}:{values}");
    if sku.chars().count() <= MAX_MADE_SKU { sku } else { format!("{slug}:{line}") }
}

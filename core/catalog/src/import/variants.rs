//! Variants of a product turned into options with price adjustments (contract 4).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::rules::{MAX_CHOICE_VALUE, MAX_KEY, MAX_NAME};
use super::slugs::{UsedNames, slugify};
use super::stock::CountedStock;
use super::variant_facts::VariantFacts;
use super::{ChoiceRecord, OptionRecord, OptionType};

/// What variants differ in, such as the size, with its values in the order customers see them.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// One thing that can be bought.
#[derive(Debug, Clone)]
pub(super) struct Variant {
    /// Line of the file.
    pub(super) line: u64,
    /// For each axis the position of its value.
    pub(super) values: Vec<usize>,
    /// Price in minor units.
    pub(super) price: i64,
    pub(super) sku: Option<String>,
    pub(super) active: bool,
    pub(super) stock: Option<CountedStock>,
    pub(super) facts: VariantFacts,
}

/// What the variants make of their product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PricedVariants {
    /// The price of the cheapest variant on offer, in minor units.
    pub(super) price: i64,
    pub(super) options: Vec<OptionRecord>,
    /// The stock keeping unit that all variants have in common.
    pub(super) sku: Option<String>,
    /// Whether stock keeping units were lost, since a choice stands for several variants.
    pub(super) skus_lost: bool,
}

/// The options for at least one variant, each combination given once.
///
/// One axis becomes one option. Several become one option each if every combination is there and on offer and the
/// prices add up; else one option `variant` has a choice for each combination.
pub(super) fn price_variants(axes: &[Axis], variants: &[Variant]) -> PricedVariants {
    let on_offer = variants.iter().filter(|variant| variant.active);
    let price = on_offer
        .map(|variant| variant.price)
        .min()
        .or_else(|| variants.iter().map(|variant| variant.price).min())
        .unwrap_or(0);
    let shared = shared_sku(variants);
    if axes.is_empty() || variants.is_empty() {
        return PricedVariants { price, options: Vec::new(), sku: shared, skus_lost: false };
    }
    let combined =
        |label: &str, key: Option<String>| vec![combined_option(label, key, axes, variants, (price, shared.as_ref()))];
    let (options, skus_lost) = if let [axis] = axes {
        (combined(&axis.name, None), false)
    } else if let Some(mut options) = added_options(axes, variants, price) {
        let lost = shared.is_none() && !spread_skus(&mut options, axes, variants);
        (options, lost)
    } else {
        (combined("Variant", Some("variant".to_owned())), false)
    };
    PricedVariants { price, options, sku: shared, skus_lost }
}

/// The one stock keeping unit that every variant has.
fn shared_sku(variants: &[Variant]) -> Option<String> {
    let first = variants.first()?.sku.as_ref()?;
    variants.iter().all(|variant| variant.sku.as_ref() == Some(first)).then(|| first.clone())
}

/// One option with a choice for each variant.
fn combined_option(
    label: &str,
    key: Option<String>,
    axes: &[Axis],
    variants: &[Variant],
    (price, shared_sku): (i64, Option<&String>),
) -> OptionRecord {
    let mut values = UsedNames::default();
    let choice = |variant: &Variant| {
        let names: Vec<&str> = axes.iter().zip(&variant.values).map(|(axis, at)| axis.values[*at].as_str()).collect();
        let label = names.join(" / ");
        ChoiceRecord {
            value: take_word(&mut values, &label, "choice", MAX_CHOICE_VALUE),
            label,
            price_adjustment_amount: variant.price - price,
            sku: if shared_sku.is_some() { None } else { variant.sku.clone() },
            active: variant.active,
        }
    };
    let choices = variants.iter().map(choice).collect();
    let key = key.unwrap_or_else(|| take_word(&mut UsedNames::default(), label, "option", MAX_KEY));
    option(key, label, choices)
}

/// An option for each axis, if the prices add up.
fn added_options(axes: &[Axis], variants: &[Variant], price: i64) -> Option<Vec<OptionRecord>> {
    let prices: HashMap<&[usize], i64> =
        variants.iter().map(|variant| (variant.values.as_slice(), variant.price)).collect();
    let used: Vec<BTreeSet<usize>> =
        (0..axes.len()).map(|axis| variants.iter().map(|variant| variant.values[axis]).collect()).collect();
    let combinations: usize = used.iter().map(BTreeSet::len).product();
    if combinations != prices.len() || variants.iter().any(|variant| !variant.active) {
        return None;
    }
    let cheapest = variants.iter().min_by_key(|variant| variant.price)?;
    // With one value exchanged in the cheapest variant, the difference is what that value adds.
    let mut adjustments: Vec<BTreeMap<usize, i64>> = Vec::new();
    for (axis, values) in used.iter().enumerate() {
        let mut added = BTreeMap::new();
        for value in values {
            let mut exchanged = cheapest.values.clone();
            exchanged[axis] = *value;
            added.insert(*value, prices.get(exchanged.as_slice())? - price);
        }
        adjustments.push(added);
    }
    let sum =
        |variant: &Variant| -> i64 { variant.values.iter().zip(&adjustments).map(|(value, added)| added[value]).sum() };
    if variants.iter().any(|variant| price + sum(variant) != variant.price) {
        return None;
    }
    let mut keys = UsedNames::default();
    let options = axes.iter().zip(adjustments).map(|(axis, added)| {
        let mut values = UsedNames::default();
        let choices = added.into_iter().map(|(at, amount)| ChoiceRecord {
            value: take_word(&mut values, &axis.values[at], "choice", MAX_CHOICE_VALUE),
            label: axis.values[at].clone(),
            price_adjustment_amount: amount,
            sku: None,
            active: true,
        });
        let key = take_word(&mut keys, &axis.name, "option", MAX_KEY);
        option(key, &axis.name, choices.collect())
    });
    Some(options.collect())
}

/// Gives the stock keeping units to the option that alone decides them; false when no single option does.
fn spread_skus(options: &mut [OptionRecord], axes: &[Axis], variants: &[Variant]) -> bool {
    if variants.iter().all(|variant| variant.sku.is_none()) {
        return true;
    }
    for (at, option) in options.iter_mut().enumerate() {
        let mut skus: BTreeMap<usize, &Option<String>> = BTreeMap::new();
        let decides =
            variants.iter().all(|variant| *skus.entry(variant.values[at]).or_insert(&variant.sku) == &variant.sku);
        if decides {
            for choice in &mut option.choices {
                let value = axes[at].values.iter().position(|value| *value == choice.label);
                choice.sku = value.and_then(|value| skus.get(&value)).and_then(|sku| (*sku).clone());
            }
            return true;
        }
    }
    false
}

fn option(key: String, label: &str, choices: Vec<ChoiceRecord>) -> OptionRecord {
    OptionRecord { key, label: label.to_owned(), kind: OptionType::Select, required: true, active: true, choices }
}

/// A key or value made from a name, different from those taken before.
fn take_word(taken: &mut UsedNames, name: &str, fallback: &str, limit: usize) -> String {
    let word = slugify(name, limit).unwrap_or_else(|| fallback.to_owned());
    taken.claim_name(&[word], limit).unwrap_or_else(|| fallback.to_owned())
}

/// What is wrong with the names of axes and values, each in a sentence.
pub(super) fn check_names(axes: &[Axis], variants: &[Variant]) -> Vec<(u64, String)> {
    let line = variants.first().map_or(0, |variant| variant.line);
    let mut reasons = Vec::new();
    for axis in axes {
        if axis.name.chars().count() > MAX_NAME {
            reasons.push((line, format!("an option name has more than {MAX_NAME} characters")));
        }
    }
    for variant in variants {
        let lengths = axes.iter().zip(&variant.values).map(|(axis, at)| axis.values[*at].chars().count());
        let label = lengths.sum::<usize>() + 3 * axes.len().saturating_sub(1);
        if label > MAX_NAME {
            let reason = format!("the option values together have more than {MAX_NAME} characters");
            reasons.push((variant.line, reason));
        }
    }
    reasons
}

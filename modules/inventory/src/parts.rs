//! The SKUs that a product is sold by, and what follows from their stock for the product.

use std::collections::BTreeMap;

use serde::Serialize;
use stoa_core::catalog::{Availability, OptionRecord, OptionType};

use crate::settings::StockSettings;
use crate::stock::level;

/// The part that a combination of several selections is.
const COMBINATION: &str = "+";

/// The part that the product itself is.
const OWN: &str = "";

/// One SKU that a product may take.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Part {
    /// The option that takes it.
    #[serde(rename = "part")]
    pub(crate) option: String,
    pub(crate) sku: String,
    /// Whether the product cannot be had without one of this part.
    pub(crate) needed: bool,
}

impl Part {
    /// Whether it is the product itself.
    pub(crate) fn is_own(&self) -> bool {
        self.option == OWN
    }
}

/// A product as far as its parts depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sold<'a> {
    pub(crate) slug: &'a str,
    pub(crate) sku: Option<&'a str>,
    pub(crate) options: &'a [OptionRecord],
    pub(crate) settings: Option<&'a StockSettings>,
}

impl Sold<'_> {
    /// The SKUs that it is sold by, sorted, each once for an option.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let mut parts = self.combinations();
        if parts.is_empty() {
            parts = self.options.iter().filter(|option| option.active).flat_map(of_option).collect();
        }
        if !parts.iter().any(|part| part.needed) {
            let own = self.sku.unwrap_or(self.slug);
            parts.push(Part { option: String::from(OWN), sku: own.to_owned(), needed: false });
        }
        parts.sort();
        parts.dedup();
        parts
    }

    fn combinations(&self) -> Vec<Part> {
        let offered = |key: &String, value: &String| {
            let options = self.options.iter().filter(|option| option.active && option.key == *key);
            options.flat_map(|option| &option.choices).any(|choice| choice.active && choice.value == *value)
        };
        let all = self.settings.into_iter().flat_map(StockSettings::combinations);
        let offered = all.filter(|variant| variant.selections.iter().all(|(key, value)| offered(key, value)));
        let part = |sku: &String| Part { option: String::from(COMBINATION), sku: sku.clone(), needed: true };
        offered.map(|variant| part(&variant.sku)).collect()
    }
}

fn of_option(option: &OptionRecord) -> Vec<Part> {
    let active = option.choices.iter().filter(|choice| choice.active).collect::<Vec<_>>();
    let takes_one = matches!(option.kind, OptionType::Select | OptionType::Radio | OptionType::Checkbox);
    let needed = option.required && takes_one && active.iter().all(|choice| choice.sku.is_some());
    let skus = active.iter().filter_map(|choice| choice.sku.clone());
    skus.map(|sku| Part { option: option.key.clone(), sku, needed }).collect()
}

/// A part with what there is of it; nothing where it is not counted.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct StockedPart {
    pub(crate) product_id: i64,
    pub(crate) part: String,
    pub(crate) needed: bool,
    pub(crate) on_hand: Option<i64>,
    pub(crate) reserved: Option<i64>,
    pub(crate) backorder: Option<bool>,
}

impl StockedPart {
    fn level(&self, threshold: i64) -> Option<Availability> {
        let ((on_hand, reserved), backorder) = self.on_hand.zip(self.reserved).zip(self.backorder)?;
        Some(level(on_hand - reserved, backorder, threshold))
    }
}

/// What customers are told about each of the products that these are all parts of.
///
/// Of an option that has to be chosen, the best choice counts; of several such options, the worst. Without any, the best of
/// all that the product may be sold by counts. Nothing is told of a product of which nothing is counted.
pub(crate) fn availability(parts: &[StockedPart], threshold: i64) -> BTreeMap<i64, Option<Availability>> {
    let mut products = BTreeMap::<i64, Vec<&StockedPart>>::new();
    for part in parts {
        products.entry(part.product_id).or_default().push(part);
    }
    products.into_iter().map(|(id, parts)| (id, of_product(&parts, threshold))).collect()
}

fn of_product(parts: &[&StockedPart], threshold: i64) -> Option<Availability> {
    if parts.iter().all(|part| part.on_hand.is_none()) {
        return None;
    }
    // What is not counted can always be had.
    let level = |part: &&StockedPart| part.level(threshold).unwrap_or(Availability::InStock);
    let mut needed = BTreeMap::<&str, Availability>::new();
    for part in parts.iter().filter(|part| part.needed) {
        let best = needed.entry(&part.part).or_insert(Availability::OutOfStock);
        *best = level(part).min(*best);
    }
    needed.into_values().max().or_else(|| parts.iter().map(level).min())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn option(key: &str, required: bool, skus: &[Option<&str>]) -> OptionRecord {
        let choice = |(at, sku): (usize, Option<&str>)| json!({"value": at.to_string(), "label": "", "price_adjustment_amount": 0, "sku": sku, "active": true});
        let choices = skus.iter().copied().enumerate().map(choice).collect::<Vec<_>>();
        let option = json!({"key": key, "label": key, "type": "select", "required": required, "active": true,
                            "choices": choices});
        serde_json::from_value(option).expect("it is an option")
    }

    fn sold(options: &[OptionRecord], settings: Option<&StockSettings>) -> Vec<(String, String, bool)> {
        let parts = Sold { slug: "tee", sku: Some("TEE"), options, settings }.parts();
        parts.into_iter().map(|part| (part.option, part.sku, part.needed)).collect()
    }

    fn row(part: &str, sku: &str, needed: bool) -> (String, String, bool) {
        (part.to_owned(), sku.to_owned(), needed)
    }

    #[test]
    fn a_product_is_sold_by_its_choices_or_by_itself() {
        assert_eq!(sold(&[], None), [row("", "TEE", false)]);
        let size = option("size", true, &[Some("S"), Some("M")]);
        assert_eq!(sold(std::slice::from_ref(&size), None), [row("size", "M", true), row("size", "S", true)]);
        let extra = option("extra", false, &[Some("BOX"), None]);
        assert_eq!(sold(std::slice::from_ref(&extra), None), [row("", "TEE", false), row("extra", "BOX", false)]);
        let settings = json!({"variants": [{"sku": "S-0", "selections": {"size": "0"}},
                                           {"sku": "gone", "selections": {"size": "7"}}]});
        let settings = StockSettings::read(&settings);
        assert_eq!(sold(&[size], Some(&settings)), [row("+", "S-0", true)]);
    }

    fn stocked(part: &str, needed: bool, available: Option<i64>) -> StockedPart {
        StockedPart {
            product_id: 7,
            part: part.to_owned(),
            needed,
            on_hand: available,
            reserved: available.map(|_| 0),
            backorder: available.map(|_| false),
        }
    }

    #[test]
    fn the_best_choice_counts_and_of_several_options_the_worst() {
        let of = |parts: &[StockedPart]| availability(parts, 2)[&7];
        assert_eq!(of(&[stocked("", false, Some(3))]), Some(Availability::InStock));
        assert_eq!(of(&[stocked("", false, Some(2))]), Some(Availability::LowStock));
        assert_eq!(of(&[stocked("", false, Some(0))]), Some(Availability::OutOfStock));
        assert_eq!(of(&[stocked("", false, None)]), None);
        let sizes = [stocked("size", true, Some(0)), stocked("size", true, Some(9))];
        assert_eq!(of(&sizes), Some(Availability::InStock));
        let colors = [stocked("color", true, Some(1)), stocked("color", true, Some(0))];
        assert_eq!(of(&[sizes, colors].concat()), Some(Availability::LowStock));
        assert_eq!(of(&[stocked("size", true, Some(0)), stocked("size", true, None)]), Some(Availability::InStock));
    }
}

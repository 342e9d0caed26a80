//! Options made of variants.

use proptest::prelude::*;

use super::super::OptionRecord;
use super::super::variant_facts::VariantFacts;
use super::super::variants::{Axis, Variant, price_variants};

fn axis(name: &str, values: usize) -> Axis {
    Axis { name: name.to_owned(), values: (0..values).map(|value| format!("{name}{value}")).collect() }
}

fn variant(values: Vec<usize>, price: i64) -> Variant {
    Variant { line: 1, values, price, sku: None, active: true, stock: None, facts: VariantFacts::default() }
}

/// What a customer pays for a combination, whichever form the options took.
fn charged(base: i64, options: &[OptionRecord], labels: &[String]) -> Option<i64> {
    let adjustment = |option: &OptionRecord, label: &str| {
        let choice = option.choices.iter().find(|choice| choice.label == label && choice.active)?;
        Some(choice.price_adjustment_amount)
    };
    if let [option] = options {
        return Some(base + adjustment(option, &labels.join(" / "))?);
    }
    options.iter().zip(labels).try_fold(base, |sum, (option, label)| Some(sum + adjustment(option, label)?))
}

proptest! {
    #[test]
    fn every_variant_costs_what_its_row_says(
        sizes in prop::collection::vec(1_usize..4, 1..4),
        steps in prop::collection::vec(0_i64..500, 12),
        odd in prop::option::of((0_usize..30, 1_i64..500)),
        left_out in prop::option::of(0_usize..30),
        inactive in prop::option::of(0_usize..30),
    ) {
        let axes: Vec<Axis> = sizes.iter().enumerate().map(|(at, size)| axis(["S", "C", "M"][at], *size)).collect();
        let mut variants = vec![variant(Vec::new(), 1000)];
        for (at, size) in sizes.iter().enumerate() {
            variants = variants.iter().flat_map(|start| (0..*size).map(|value| {
                let mut next = start.clone();
                next.values.push(value);
                next.price += steps[at * 4 + value];
                next
            }).collect::<Vec<_>>()).collect();
        }
        if let Some((at, more)) = odd && let Some(variant) = variants.get_mut(at) { variant.price += more; }
        if let Some(variant) = inactive.and_then(|at| variants.get_mut(at)) { variant.active = false; }
        if let Some(at) = left_out && at < variants.len() && variants.len() > 1 { variants.remove(at); }

        let priced = price_variants(&axes, &variants);
        let labels = |variant: &Variant| -> Vec<String> {
            variant.values.iter().zip(&axes).map(|(at, axis)| axis.values[*at].clone()).collect()
        };
        for variant in &variants {
            let charged = charged(priced.price, &priced.options, &labels(variant));
            prop_assert_eq!(charged, variant.active.then_some(variant.price));
        }
        if variants.iter().any(|variant| variant.active) {
            let cheapest = variants.iter().filter(|variant| variant.active).map(|variant| variant.price).min();
            prop_assert_eq!(Some(priced.price), cheapest);
        }
        // No combination is on offer that was not in the file.
        let offered: usize = priced.options.iter().map(|option| option.choices.iter().filter(|choice| choice.active).count()).product();
        prop_assert_eq!(offered, variants.iter().filter(|variant| variant.active).count());
        for option in &priced.options {
            let mut values: Vec<&str> = option.choices.iter().map(|choice| choice.value.as_str()).collect();
            values.sort_unstable();
            values.dedup();
            prop_assert_eq!(values.len(), option.choices.len());
        }
    }
}

#[test]
fn values_that_make_the_same_word_stay_apart() {
    let axes = [Axis { name: "Power".to_owned(), values: ["+1.5", "-1.5", "!"].map(str::to_owned).to_vec() }];
    let variants: Vec<Variant> = (0..3).map(|at| variant(vec![at], 100)).collect();
    let priced = price_variants(&axes, &variants);
    let values: Vec<&str> = priced.options[0].choices.iter().map(|choice| choice.value.as_str()).collect();
    assert_eq!(values, ["1-5", "1-5-2", "choice"]);
}

#[test]
fn a_lone_variant_keeps_its_option() {
    let priced = price_variants(&[axis("Size", 1)], &[variant(vec![0], 700)]);
    assert_eq!((priced.price, priced.options.len()), (700, 1));
}

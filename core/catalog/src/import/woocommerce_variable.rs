//! Variable products, which wait for their variations until the end of the file.

use std::collections::{BTreeMap, HashMap};

use super::header::Header;
use super::outcome::{ProblemLocation, ReadItem};
use super::problems::Problems;
use super::rules::MAX_CHOICES;
use super::stock::{CountedStock, keep_variants};
use super::variant_facts::{FactColumns, VariantFacts, product_facts};
use super::variants::{Axis, PricedVariants, Variant, check_names, price_variants};
use super::woocommerce::no_price;
use super::woocommerce_row::Type;
use super::{Member, ProductRecord};

/// A variable product and what was read of its variations.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) line: u64,
    pub(super) problems: Problems,
    /// Complete but for price, options and category.
    pub(super) product: ProductRecord,
    /// Paths of the names of its categories, its own first.
    pub(super) categories: Vec<Vec<String>>,
    /// Attributes with all their values.
    pub(super) attributes: Vec<(String, Vec<String>)>,
    pub(super) variations: Vec<Variation>,
}

/// A variation, in as little memory as possible.
#[derive(Debug)]
pub(super) struct Variation {
    pub(super) line: u64,
    pub(super) problems: Problems,
    pub(super) kind: Type,
    /// Attributes with one value, or none for "any".
    pub(super) attributes: Vec<(String, Vec<String>)>,
    /// Nothing when it has no price, so that nobody can buy it.
    pub(super) price: Option<i64>,
    pub(super) sku: Option<String>,
    pub(super) active: bool,
    pub(super) stock: Option<CountedStock>,
    pub(super) facts: VariantFacts,
}

/// A variable product that is complete.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) product: ProductRecord,
    pub(super) categories: Vec<Vec<String>>,
    pub(super) skus_lost: bool,
    /// Lines of variations that were left out without a price.
    pub(super) unpriced: Vec<u64>,
    /// What else is worth telling.
    pub(super) notices: Vec<ReadItem>,
}

impl Variable {
    /// The product with its options, or what is wrong with it.
    pub(super) fn finish(
        mut self,
        stock_module: Option<&str>,
        columns: FactColumns<'_>,
        header: &mut Header,
    ) -> Result<Finished, (String, Problems)> {
        let mut problems = std::mem::take(&mut self.problems);
        for variation in &mut self.variations {
            problems.absorb(std::mem::take(&mut variation.problems));
        }
        if self.variations.len() > MAX_CHOICES {
            let reason = format!("the product has more than {MAX_CHOICES} variations");
            problems.add(self.line, None, reason);
        }
        let mut unpriced: Vec<u64> = self.variations.iter().filter(|v| v.price.is_none()).map(|v| v.line).collect();
        if unpriced.len() == self.variations.len() {
            // Nobody can buy it yet, but everything else is there.
            self.product.active = Member::Value(false);
            let reason = if unpriced.is_empty() {
                let slug = &self.product.slug;
                format!("the variable product `{slug}` has no variations in this file and is taken over inactive")
            } else {
                no_price(&self.product.slug)
            };
            problems.note(self.line, None, reason);
            unpriced.clear();
        } else {
            self.variations.retain(|variation| variation.price.is_some());
        }
        let priced = if problems.is_empty() { self.price(&mut problems) } else { None };
        let Some((priced, variants)) = priced.filter(|_| problems.is_empty()) else {
            return Err((self.product.slug, problems));
        };
        let mut product = self.product;
        if !self.variations.is_empty() {
            let mut capabilities = Vec::new();
            for variation in &self.variations {
                variation.kind.add_capabilities(&mut capabilities);
            }
            capabilities.sort_unstable_by(|one, other| other.cmp(one));
            product.capabilities = Member::Value(capabilities);
        }
        // What the variations do not agree in, the product may say itself.
        let facts = product_facts(&variants, priced.price, columns, header);
        if let Member::Value(gtin) = facts.gtin {
            product.facts.gtin = Member::Value(gtin);
        }
        if let Member::Value(grams) = facts.weight_grams {
            product.facts.weight_grams = Member::Value(grams);
        }
        product.facts.compare_at_amount = facts.compare_at_amount;
        product.price_amount = Member::Value(priced.price);
        let mut options = priced.options;
        match (&product.sku, priced.sku) {
            (Member::Null, Some(sku)) => product.sku = Member::Value(sku),
            // The product has another one of its own: then the variations' is that of the choices.
            (Member::Value(own), Some(sku)) if *own != sku => {
                for choice in options.first_mut().into_iter().flat_map(|option| &mut option.choices) {
                    choice.sku = Some(sku.clone());
                }
            }
            _ => {}
        }
        product.options = Member::Value(options);
        if let Some(stock_module) = stock_module {
            keep_variants(&mut product, stock_module, &variants);
        }
        let notices = problems.notices().collect();
        Ok(Finished { product, categories: self.categories, skus_lost: priced.skus_lost, unpriced, notices })
    }

    fn price(&self, problems: &mut Problems) -> Option<(PricedVariants, Vec<Variant>)> {
        let axes = self.axes();
        let mut variants = self.variants(&axes, problems)?;
        // A variation without a weight of its own weighs as much as its product.
        let weight = self.product.facts.weight_grams.value().copied();
        for variant in &mut variants {
            variant.facts.weight_grams = variant.facts.weight_grams.or(weight);
        }
        for (line, reason) in check_names(&axes, &variants) {
            problems.add(line, None, reason);
        }
        Some((price_variants(&axes, &variants), variants))
    }

    /// The attributes that variations use, in the product's order, each with the product's values first.
    fn axes(&self) -> Vec<Axis> {
        let mut axes: Vec<Axis> = Vec::new();
        let used = self.variations.iter().flat_map(|variation| &variation.attributes);
        let mut positions: BTreeMap<String, usize> = BTreeMap::new();
        for (name, _) in &self.attributes {
            let next = positions.len();
            positions.entry(name.to_lowercase()).or_insert(next);
        }
        for (name, values) in used {
            let at = axes.iter().position(|axis| same(&axis.name, name)).unwrap_or_else(|| {
                let listed = self.attributes.iter().find(|(other, _)| same(other, name));
                axes.push(match listed {
                    Some((name, values)) => Axis { name: name.clone(), values: values.clone() },
                    None => Axis { name: name.clone(), values: Vec::new() },
                });
                axes.len() - 1
            });
            for value in values {
                if !axes[at].values.iter().any(|other| same(other, value)) {
                    axes[at].values.push(value.clone());
                }
            }
        }
        axes.sort_by_key(|axis| positions.get(&axis.name.to_lowercase()).copied().unwrap_or(usize::MAX));
        axes
    }

    /// Every combination that can be bought. Where several variations stand for one, the one that says more wins: an
    /// open attribute ("any") is meant for the values that no variation of their own covers.
    fn variants(&self, axes: &[Axis], problems: &mut Problems) -> Option<Vec<Variant>> {
        let mut order: Vec<(usize, &Variation)> =
            self.variations.iter().map(|variation| (open_axes(axes, variation), variation)).collect();
        order.sort_by_key(|(open, variation)| (*open, variation.line));
        let mut found: BTreeMap<Vec<usize>, Variant> = BTreeMap::new();
        let mut exact: HashMap<Vec<usize>, u64> = HashMap::new();
        for (open, variation) in order {
            let combinations = self.combinations(axes, variation, problems)?;
            for values in combinations {
                if open == 0
                    && let Some(first) = exact.insert(values.clone(), variation.line)
                {
                    let reason = format!("this variation has the same attribute values as line {first}");
                    problems.add(variation.line, None, reason);
                }
                found.entry(values.clone()).or_insert_with(|| Variant {
                    line: variation.line,
                    values,
                    price: variation.price.unwrap_or(0),
                    sku: variation.sku.clone(),
                    active: variation.active,
                    stock: variation.stock,
                    facts: variation.facts.clone(),
                });
            }
            if found.len() > MAX_CHOICES {
                let reason = format!("the product has more than {MAX_CHOICES} variants");
                problems.add(self.line, None, reason);
                return None;
            }
        }
        // Sorted by the positions of the values, as the product lists them.
        Some(found.into_values().collect())
    }

    /// The combinations that a variation stands for.
    fn combinations(&self, axes: &[Axis], variation: &Variation, problems: &mut Problems) -> Option<Vec<Vec<usize>>> {
        let mut combinations: Vec<Vec<usize>> = vec![Vec::new()];
        for axis in axes {
            let value = value_of(variation, axis);
            let positions: Vec<usize> = match value {
                Some(value) => axis.values.iter().position(|other| same(other, value)).into_iter().collect(),
                None => (0..axis.values.len()).collect(),
            };
            if positions.is_empty() {
                let reason = format!(
                    "the attribute `{}` is left open (any value), but the product in line {} lists no values of it",
                    axis.name, self.line
                );
                problems.add(variation.line, Some(ProblemLocation::Column("Attribute value(s)".to_owned())), reason);
                return None;
            }
            if combinations.len() * positions.len() > MAX_CHOICES {
                let reason =
                    format!("this variation stands for more than {MAX_CHOICES} combinations of attribute values");
                problems.add(variation.line, None, reason);
                return None;
            }
            combinations = combinations
                .iter()
                .flat_map(|start| positions.iter().map(|at| [start.as_slice(), &[*at]].concat()))
                .collect();
        }
        Some(combinations)
    }
}

fn same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

fn value_of<'v>(variation: &'v Variation, axis: &Axis) -> Option<&'v String> {
    let (_, values) = variation.attributes.iter().find(|(name, _)| same(name, &axis.name))?;
    values.first()
}

fn open_axes(axes: &[Axis], variation: &Variation) -> usize {
    axes.iter().filter(|axis| value_of(variation, axis).is_none()).count()
}

//! A product while a record is laid over it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use stoa_kernel::module::ProductModules;
use stoa_kernel::suggestion::{closest, did_you_mean};

use super::categories::Categories;
use super::writer::RecordProblem;
use crate::facts::ProductFacts;
use crate::record::{Member, OptionRecord, ProductRecord};

/// A product as it is stored, or shall be.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct ProductState {
    /// The key.
    pub slug: String,
    /// The name.
    pub name: String,
    /// A second line.
    pub subtitle: Option<String>,
    /// The stock keeping unit.
    pub sku: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// Minor units.
    pub price_amount: i64,
    /// What else is known of it.
    #[sqlx(flatten)]
    pub facts: ProductFacts,
    /// Name of a tax class.
    pub tax_class: Option<String>,
    /// Slug of the category.
    pub category: Option<String>,
    /// Absolute URLs, or paths below the media folder.
    #[sqlx(json)]
    pub images: Vec<String>,
    /// Whether the shop shows it.
    pub active: bool,
    /// Capability keys.
    #[sqlx(json)]
    pub capabilities: Vec<String>,
    /// All options.
    #[sqlx(json)]
    pub options: Vec<OptionRecord>,
    /// Settings by module, which have a table of their own.
    #[sqlx(skip)]
    pub settings: BTreeMap<String, Value>,
}

impl ProductState {
    /// The product as a record that says everything.
    pub fn record(self) -> ProductRecord {
        ProductRecord {
            slug: self.slug,
            name: Member::Value(self.name),
            subtitle: Member::known(self.subtitle),
            sku: Member::known(self.sku),
            description: Member::known(self.description),
            price_amount: Member::Value(self.price_amount),
            facts: self.facts.record(self.price_amount),
            tax_class: Member::known(self.tax_class),
            category: Member::known(self.category),
            images: Member::Value(self.images),
            active: Member::Value(self.active),
            capabilities: Member::Value(self.capabilities),
            options: Member::Value(self.options),
            modules: Member::Value(self.settings.into_iter().collect()),
        }
    }
}

/// What the record makes of the stored product, or everything that keeps it from being.
pub(super) fn merge(
    record: &ProductRecord,
    stored: Option<&ProductState>,
    categories: &Categories,
    modules: &ProductModules,
) -> Result<ProductState, Vec<RecordProblem>> {
    let mut problems = Vec::new();
    let name = record.name.clone().or_stored(stored.map(|product| product.name.clone()));
    if name.is_none() {
        problems.push(RecordProblem::new("name", "a new product needs a name"));
    }
    let price = record.price_amount.or_stored(stored.map(|product| product.price_amount));
    if price.is_none() {
        problems.push(RecordProblem::new("price_amount", "a new product needs a price, in minor units"));
    }
    let category = record.category.clone().or_stored(stored.and_then(|product| product.category.clone()));
    if let Some(slug) = category.as_deref().filter(|slug| categories.get(slug).is_none()) {
        problems.push(RecordProblem::new("category", categories.unknown(slug)));
    }
    let options = list(&record.options, stored.map(|product| &product.options));
    let lowest = OptionRecord::lowest_adjustment(&options);
    if let Some(price) = price.filter(|price| price.saturating_add(lowest) < 0) {
        // Of the two, the one that the record speaks of is to be mended.
        let member = if record.options.is_absent() { "price_amount" } else { "options" };
        let taken = lowest.saturating_neg();
        let reason = format!(
            "some selection would cost less than nothing: the price is {price}, and options take up to {taken} off"
        );
        problems.push(RecordProblem::new(member, reason));
    }
    let settings = merge_settings(&record.modules, stored, modules, &mut problems);
    match (name, price) {
        (Some(name), Some(price_amount)) if problems.is_empty() => Ok(ProductState {
            slug: record.slug.clone(),
            name,
            subtitle: record.subtitle.clone().or_stored(stored.and_then(|product| product.subtitle.clone())),
            sku: record.sku.clone().or_stored(stored.and_then(|product| product.sku.clone())),
            description: record.description.clone().or_stored(stored.and_then(|product| product.description.clone())),
            price_amount,
            facts: record.facts.over(stored.map(|product| &product.facts), price_amount),
            tax_class: record.tax_class.clone().or_stored(stored.and_then(|product| product.tax_class.clone())),
            category,
            images: list(&record.images, stored.map(|product| &product.images)),
            active: record.active.or_stored(stored.map(|product| product.active)).unwrap_or(true),
            capabilities: list(&record.capabilities, stored.map(|product| &product.capabilities)),
            options,
            settings,
        }),
        _ => Err(problems),
    }
}

fn list<T: Clone>(member: &Member<Vec<T>>, stored: Option<&Vec<T>>) -> Vec<T> {
    member.clone().or_stored(stored.cloned()).unwrap_or_default()
}

/// Settings of modules that the record names replace what is stored; those of others stay.
fn merge_settings(
    member: &Member<Map<String, Value>>,
    stored: Option<&ProductState>,
    modules: &ProductModules,
    problems: &mut Vec<RecordProblem>,
) -> BTreeMap<String, Value> {
    let mut settings = stored.map(|product| product.settings.clone()).unwrap_or_default();
    let given = match member {
        Member::Absent => return settings,
        Member::Null => return BTreeMap::new(),
        Member::Value(given) => given,
    };
    for (module, value) in given {
        let place = format!("modules.{module}");
        if !modules.is_linked(module) {
            let meant = did_you_mean(closest(module, modules.all().iter().map(|known| known.name)));
            problems.push(RecordProblem::new(&place, format!("this program has no module `{module}`{meant}")));
        } else if value.is_null() {
            settings.remove(module);
        } else if let Err(reason) = modules.check_settings(module, value) {
            problems.push(RecordProblem::new(&place, reason));
        } else {
            settings.insert(module.clone(), value.clone());
        }
    }
    settings
}

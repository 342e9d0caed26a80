//! What operators change of the catalog, for the audit log: of each record the members that are others now.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use stoa_kernel::audit::{Actor, Subject};
use stoa_kernel::db::{DbError, Tx};

use super::categories::{Categories, CategoryState};
use super::products::ProductState;

/// The catalog as it was before a batch.
pub(super) struct Before {
    categories: Categories,
    products: BTreeMap<String, ProductState>,
}

impl Before {
    /// Kept only where somebody acts whose changes are written down.
    pub(super) fn of(tx: &Tx, categories: &Categories, products: &BTreeMap<String, ProductState>) -> Option<Self> {
        let is_operator = matches!(tx.acting().actor, Actor::Staff(_) | Actor::CommandLine(_));
        is_operator.then(|| Self { categories: categories.clone(), products: products.clone() })
    }

    /// Writes down what is another now.
    pub(super) async fn audit(
        &self,
        tx: &mut Tx,
        categories: &[CategoryState],
        written: &[String],
        products: &BTreeMap<String, ProductState>,
    ) -> Result<(), DbError> {
        for category in categories {
            let before = self.categories.get(&category.slug).map(category_facts);
            let act = if before.is_some() { "categories.edit" } else { "categories.create" };
            let (before, after) = differing(before, category_facts(category));
            tx.audit(act, Subject::category(&category.slug), before, after).await?;
        }
        for slug in written {
            let Some(product) = products.get(slug) else { continue };
            let before = self.products.get(slug).map(product_facts);
            let act = if before.is_some() { "products.edit" } else { "products.create" };
            let (before, after) = differing(before, product_facts(product));
            tx.audit(act, Subject::product(slug), before, after).await?;
        }
        Ok(())
    }
}

/// A category as the audit log tells it.
pub(super) fn category_facts(category: &CategoryState) -> Map<String, Value> {
    members(json!({
        "name": category.name, "parent": category.parent, "image": category.image, "active": category.active,
    }))
}

/// A product as the audit log tells it.
pub(super) fn product_facts(product: &ProductState) -> Map<String, Value> {
    members(json!({
        "name": product.name, "subtitle": product.subtitle, "sku": product.sku, "description": product.description,
        "price_amount": product.price_amount, "compare_at_amount": product.facts.compare_at_amount,
        "brand": product.facts.brand, "gtin": product.facts.gtin, "weight_grams": product.facts.weight_grams,
        "unit_price": product.facts.unit_price, "safety": product.facts.safety, "options": product.options,
        "tax_class": product.tax_class, "category": product.category,
        "images": product.images, "active": product.active, "capabilities": product.capabilities,
        "modules": product.settings,
    }))
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Those members that differ, on both sides; of something new, those that say something.
fn differing(before: Option<Map<String, Value>>, after: Map<String, Value>) -> (Value, Value) {
    let Some(mut before) = before else {
        let said = after.into_iter().filter(|(_, value)| !value.is_null());
        return (Value::Null, Value::Object(said.collect()));
    };
    let same = |name: &String, value: &Value| before.get(name) == Some(value);
    let after = after.into_iter().filter(|(name, value)| !same(name, value)).collect::<Map<_, _>>();
    before.retain(|name, _| after.contains_key(name));
    (Value::Object(before), Value::Object(after))
}

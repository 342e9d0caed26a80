//! Stocking a test's shop with lines of the import format.

use serde_json::{Value, json};
use stoa_core::catalog::{Record, export_categories, export_products};
use stoa_core::testing::TestShop;

/// A line of a category.
pub(crate) fn category(slug: &str, more: &Value) -> Value {
    merged(json!({"type": "category", "slug": slug, "name": slug}), more)
}

/// A line of a product.
pub(crate) fn product(slug: &str, more: &Value) -> Value {
    merged(json!({"type": "product", "slug": slug, "name": slug, "price_amount": 1000}), more)
}

fn merged(mut line: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().expect("more members are an object") {
        line[name] = value.clone();
    }
    line
}

/// The catalog as its export has it.
pub(crate) async fn exported(shop: &TestShop) -> Vec<Value> {
    let db = &shop.parts.db;
    let categories = export_categories(db).await.expect("categories can be read");
    let mut lines = categories
        .into_iter()
        .map(|category| serde_json::to_value(Record::Category(category)).expect("a record serializes"))
        .collect::<Vec<_>>();
    let mut after = Some(0);
    while let Some(start) = after {
        let slice = export_products(db, start).await.expect("products can be read");
        lines.extend(
            slice
                .products
                .into_iter()
                .map(|product| serde_json::to_value(Record::Product(Box::new(product))).expect("a record serializes")),
        );
        after = slice.after;
    }
    lines
}

/// The member of each entry of `data`.
pub(crate) fn column(body: &Value, member: &str) -> Vec<String> {
    let entries = body["data"].as_array().expect("data is a list");
    entries.iter().map(|entry| entry[member].as_str().unwrap_or_default().to_owned()).collect()
}

//! Stocking a test's shop with lines of the import format.

use serde_json::{Value, json};
use stoa_core::catalog::import::{Format, Outcome, ReadSettings, RecordReader};
use stoa_core::catalog::write::{CatalogWriter, Change, Mode, RecordProblem};
use stoa_core::catalog::{Record, export_categories, export_products};
use stoa_core::money::Currency;
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

/// The records of lines, as the importer reads them.
pub(crate) fn records(lines: &[Value]) -> Vec<Record> {
    let text = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let settings = ReadSettings { currency: Currency::EUR, now: chrono::DateTime::UNIX_EPOCH, stock_module: None };
    let reader = RecordReader::open(text.as_bytes(), Some(Format::Stoa), "test", settings).expect("lines are readable");
    reader
        .map(|item| match item.expect("lines are readable").outcome {
            Outcome::Record(record) => record,
            other => panic!("no record: {other:?}"),
        })
        .collect()
}

/// Writes lines into the shop and returns what became of each.
pub(crate) async fn write(shop: &TestShop, lines: &[Value]) -> Vec<Result<Change, Vec<RecordProblem>>> {
    let mut writer = CatalogWriter::new(&shop.services.db, &shop.registry, Mode::Write);
    let outcomes = writer.write(&records(lines)).await.expect("the database takes them");
    shop.refresh_catalog().await;
    outcomes
}

/// Writes lines that are all accepted.
pub(crate) async fn stock(shop: &TestShop, lines: &[Value]) {
    for outcome in write(shop, lines).await {
        outcome.expect("the line is accepted");
    }
}

/// The catalog as its export has it.
pub(crate) async fn exported(shop: &TestShop) -> Vec<Value> {
    let db = &shop.services.db;
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

//! Filled columns that have no place here.

use super::super::{LeftOutColumn, ReadSettings, RecordReader};
use super::{settings, table};

fn left_out(text: &str, settings: ReadSettings) -> Vec<(String, u64)> {
    let mut reader = RecordReader::open(std::io::Cursor::new(text), None, "x", settings).expect("readable");
    assert!(reader.by_ref().all(|item| item.is_ok()));
    reader.left_out().into_iter().map(|LeftOutColumn { name, rows }| (name, rows)).collect()
}

fn told(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|(name, rows)| ((*name).to_owned(), *rows)).collect()
}

#[test]
fn columns_of_shopify_that_say_something_and_are_not_taken_over_are_counted() {
    let header = [
        "Handle",
        "Title",
        "Tags",
        "Option1 Name",
        "Option1 Value",
        "Variant Price",
        "Variant Inventory Tracker",
        "Variant Inventory Qty",
        "Variant Fulfillment Service",
        "Variant Taxable",
        "Variant Barcode",
        "Variant Weight Unit",
        "Image Alt Text",
        "SEO Title",
        "Gift Card",
    ];
    let usual = |handle: &'static str, size: &'static str| {
        vec![
            ("Handle", handle),
            ("Title", "T"),
            ("Option1 Name", "Size"),
            ("Option1 Value", size),
            ("Variant Price", "1"),
            ("Variant Fulfillment Service", "manual"),
            ("Variant Taxable", "true"),
            ("Variant Weight Unit", "kg"),
            ("Gift Card", "false"),
            ("Variant Inventory Tracker", "shopify"),
            ("Variant Inventory Qty", "4"),
        ]
    };
    let rows = [
        [usual("a", "S"), vec![("Tags", "x"), ("Variant Barcode", "4006381333931")]].concat(),
        [usual("a", "L"), vec![("Variant Barcode", "96385074")]].concat(),
        [usual("b", "S"), vec![("Tags", "y"), ("SEO Title", "Best"), ("Variant Barcode", "shelf 7")]].concat(),
        usual("c", "S"),
    ];
    let text = table(&header, &rows.each_ref().map(Vec::as_slice));
    assert_eq!(left_out(&text, settings()), told(&[("Tags", 2), ("Variant Barcode", 3), ("SEO Title", 1)]));
    let without_stock = left_out(&text, ReadSettings { stock_module: None, ..settings() });
    assert!(without_stock.contains(&("Variant Inventory Qty".to_owned(), 4)), "{without_stock:?}");
}

#[test]
fn columns_of_woocommerce_that_say_something_and_are_not_taken_over_are_counted() {
    let header = [
        "ID",
        "Type",
        "Name",
        "Is featured?",
        "Tax status",
        "Sold individually?",
        "Allow customer reviews?",
        "Regular price",
        "Tags",
        "Position",
        "Attribute 1 name",
        "Attribute 1 value(s)",
        "Attribute 1 visible",
        "Meta: _x",
    ];
    let usual = [
        ("ID", "1"),
        ("Type", "simple"),
        ("Name", "A"),
        ("Is featured?", "0"),
        ("Tax status", "taxable"),
        ("Sold individually?", "0"),
        ("Allow customer reviews?", "1"),
        ("Regular price", "1"),
        ("Position", "0"),
    ];
    let more = [
        ("Tags", "x"),
        ("Attribute 1 name", "Wood"),
        ("Attribute 1 value(s)", "Oak"),
        ("Attribute 1 visible", "1"),
        ("Meta: _x", "y"),
    ];
    let text = table(&header, &[&usual, &[&usual[..], &more].concat()]);
    assert_eq!(left_out(&text, settings()), told(&[("Tags", 1), ("Attribute 1 value(s)", 1), ("Meta: _x", 1)]));
}

//! The stock of variants, as settings of the module that keeps it.

use serde_json::{Value, json};

use super::super::Member;
use super::shopify::{Row, shopify};
use super::woocommerce::woo;
use super::{Format, ProductRecord, notices, only_product, products, read};

/// The settings of the module; null for none.
fn stock(product: &ProductRecord) -> Value {
    product.modules.value().map_or(Value::Null, |all| all["stock"].clone())
}

/// Variants of the product `a` that differ in size and color: size, color, SKU, quantity.
fn variants(rows: &[[&'static str; 4]]) -> String {
    let row = |(index, [size, color, sku, quantity]): (usize, &[&'static str; 4])| {
        let mut cells = vec![
            ("Handle", "a"),
            ("Variant Price", "10"),
            ("Option1 Value", *size),
            ("Option2 Value", *color),
            ("Variant SKU", *sku),
            ("Variant Inventory Qty", *quantity),
            ("Variant Inventory Tracker", if quantity.is_empty() { "" } else { "shopify" }),
        ];
        if index == 0 {
            let second = if color.is_empty() { "" } else { "Color" };
            cells.extend([("Title", "A"), ("Option1 Name", "Size"), ("Option2 Name", second)]);
        }
        cells
    };
    let rows = rows.iter().enumerate().map(row).collect::<Vec<_>>();
    shopify(&rows.iter().map(Vec::as_slice).collect::<Vec<Row<'_>>>())
}

fn of_shopify(rows: &[[&'static str; 4]]) -> Value {
    stock(&only_product(&variants(rows), Format::Shopify))
}

#[test]
fn variants_keep_their_stock_by_the_skus_of_their_choices() {
    assert_eq!(
        of_shopify(&[["S", "", "A-S", "3"], ["L", "", "A-L", "0"], ["XL", "", "A-XL", ""]]),
        json!({"variants": [{"quantity": 0, "backorder": false, "sku": "A-L"},
                            {"quantity": 3, "backorder": false, "sku": "A-S"}]})
    );
}

#[test]
fn variants_without_a_sku_get_one_of_the_slug_and_their_choices() {
    assert_eq!(
        of_shopify(&[["S", "", "", "3"], ["L", "", "", "4"]]),
        json!({"variants": [
            {"quantity": 3, "backorder": false, "sku": "a:s", "selections": {"size": "s"}},
            {"quantity": 4, "backorder": false, "sku": "a:l", "selections": {"size": "l"}}]})
    );
}

#[test]
fn combinations_whose_choices_stand_for_several_variants_keep_their_stock_by_selections() {
    let text =
        variants(&[["S", "Red", "1", "5"], ["S", "Blue", "2", "6"], ["L", "Red", "3", "7"], ["L", "Blue", "4", "8"]]);
    let items = read(&text, Format::Shopify);
    assert_eq!(notices(&items).len(), 1, "the choices have no SKU, which is told");
    let found = stock(products(&items)[0]);
    assert_eq!(found["variants"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        found["variants"][3],
        json!({"quantity": 8, "backorder": false, "sku": "4", "selections": {"size": "l", "color": "blue"}})
    );
}

#[test]
fn variants_that_share_a_sku_keep_a_stock_each_and_are_told() {
    let counted = |quantity: i64, sku: &str, size: &str, color: &str| json!({"quantity": quantity, "backorder": false, "sku": sku, "selections": {"size": size, "color": color}});
    // The color alone decides, but there are as many of each size as the file says.
    let rows = [["S", "Red", "R", "1"], ["S", "Blue", "B", "2"], ["L", "Red", "R", "3"], ["L", "Blue", "B", "4"]];
    assert_eq!(
        of_shopify(&rows),
        json!({"variants": [counted(1, "a:s:red", "s", "red"), counted(2, "a:s:blue", "s", "blue"),
                            counted(3, "a:l:red", "l", "red"), counted(4, "a:l:blue", "l", "blue")]})
    );
    let rows = [["S", "", "X", "1"], ["L", "", "X", "2"]];
    let one = |quantity: i64, sku: &str, size: &str| json!({"quantity": quantity, "backorder": false, "sku": sku, "selections": {"size": size}});
    assert_eq!(of_shopify(&rows), json!({"variants": [one(1, "a:s", "s"), one(2, "a:l", "l")]}));
    let told = notices(&read(&variants(&rows), Format::Shopify));
    let expected = "column `Variant SKU`: the variants in lines 2, 3 share the SKU `X`: each keeps a stock of its own";
    assert_eq!(told, [(2, expected.to_owned())]);
    assert_eq!(of_shopify(&[["S", "", "X", ""], ["L", "", "X", ""]]), Value::Null);
}

#[test]
fn products_that_share_a_sku_share_one_stock_which_is_told() {
    let counted = |handle: &'static str| {
        let cells = [("Variant SKU", "X"), ("Variant Inventory Tracker", "shopify"), ("Variant Inventory Qty", "3")];
        [&[("Handle", handle), ("Title", "T"), ("Variant Price", "1")][..], &cells].concat()
    };
    let items = read(&shopify(&[&counted("a"), &counted("b")]), Format::Shopify);
    let expected = "column `Variant SKU`: `b` and `a` share the SKU `X` and so one stock";
    assert_eq!(notices(&items), [(3, expected.to_owned())]);
}

fn variation<'a>(color: &'a str, cells: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let usual = [
        ("Type", "variation"),
        ("Parent", "p"),
        ("Published", "1"),
        ("Regular price", "10"),
        ("Attribute 1 name", "Color"),
        ("Attribute 1 value(s)", color),
    ];
    [usual.as_slice(), cells].concat()
}

#[test]
fn variations_of_woocommerce_keep_their_stock() {
    let parent = [
        ("ID", "7"),
        ("Type", "variable"),
        ("SKU", "p"),
        ("Name", "Shirt"),
        ("Published", "1"),
        ("Attribute 1 name", "Color"),
        ("Attribute 1 value(s)", "Blue, Red, Green"),
    ];
    let rows = [
        parent.to_vec(),
        variation("Blue", &[("SKU", "p-b"), ("Stock", "4"), ("Backorders allowed?", "1")]),
        variation("Red", &[("SKU", "p-r"), ("In stock?", "0")]),
        variation("Green", &[("SKU", "p-g"), ("Stock", "parent"), ("In stock?", "1")]),
    ];
    let text = woo(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let product = only_product(&text, Format::Woocommerce);
    assert_eq!(
        stock(&product),
        json!({"variants": [{"quantity": 4, "backorder": true, "sku": "p-b"},
                            {"quantity": 0, "backorder": false, "sku": "p-r"}]})
    );
    assert_eq!(product.capabilities, Member::Value(vec![String::from("shippable")]));
}

#[test]
fn a_variation_that_stands_for_several_is_counted_once() {
    let parent = [
        ("Type", "variable"),
        ("SKU", "p"),
        ("Name", "Shirt"),
        ("Published", "1"),
        ("Attribute 1 name", "Color"),
        ("Attribute 1 value(s)", "Blue, Red"),
    ];
    let any = variation("", &[("Stock", "4")]);
    let text = woo(&[&parent, &any]);
    let found = stock(&only_product(&text, Format::Woocommerce));
    assert_eq!(
        found,
        json!({"variants": [
            {"quantity": 4, "backorder": false, "sku": "shirt:blue", "selections": {"color": "blue"}},
            {"quantity": 4, "backorder": false, "sku": "shirt:blue", "selections": {"color": "red"}}]})
    );
}

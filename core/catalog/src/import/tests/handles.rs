//! Handles of Shopify that can be no slugs as they are, and texts that nobody would refuse a product for.

use super::super::{ReadSettings, RecordReader, TagUse};
use super::shopify::{shopify, with};
use super::{Format, categories, notices, only_product, products, read, settings, table};

#[test]
fn signs_in_a_handle_are_transliterated_and_told() {
    for (handle, slug) in [
        ("skin-tac™-adhesive", "skin-tactm-adhesive"),
        ("Dryarmor®", "dryarmor-r"),
        ("a b", "a-b"),
        ("50%-off/now", "50-off-now"),
        ("❄\u{fe0f}-ar-condicionado", "ar-condicionado"),
        ("sale-!", "sale"),
        ("größe-größer", "größe-größer"),
        ("ランプ", "ランプ"),
    ] {
        let items = read(&shopify(&[&with(&[("Handle", handle)])]), Format::Shopify);
        let found = products(&items).first().map_or("", |product| product.slug.as_str());
        assert_eq!(found, slug, "{items:?}");
        let told = notices(&items).into_iter().map(|(_, told)| told).collect::<Vec<_>>();
        let handle = handle.to_lowercase();
        let expected = (handle != slug).then(|| format!("column `Handle`: `{handle}` becomes the slug `{slug}`"));
        assert_eq!(told, expected.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn a_line_break_in_a_line_is_a_blank() {
    let product =
        only_product(&shopify(&[&with(&[("Variant SKU", "A\r\n B"), ("Title", "Oak\tchair")])]), Format::Shopify);
    assert_eq!(product.sku.value().map(String::as_str), Some("A B"));
    assert_eq!(product.name.value().map(String::as_str), Some("Oak chair"));
}

const HEADER: [&str; 6] = ["Handle", "Title", "Product Category", "Type", "Tags", "Variant Price"];

fn row(type_: &'static str, tags: &'static str) -> [(&'static str, &'static str); 6] {
    let taxonomy = ("Product Category", "Home & Garden > Lighting > Floor Lamps");
    [("Handle", "a"), ("Title", "A"), taxonomy, ("Type", type_), ("Tags", tags), ("Variant Price", "1")]
}

#[test]
fn the_last_name_of_shopifys_category_stands_in_for_an_empty_type() {
    let names = |type_: &'static str| {
        let items = read(&table(&HEADER, &[&row(type_, "x, y")]), Format::Shopify);
        categories(&items).iter().map(|(_, name, _)| (*name).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((names(""), names("Lamps")), (vec!["Floor Lamps".to_owned()], vec!["Lamps".to_owned()]));
}

#[test]
fn tags_become_categories_when_asked() {
    let read = |type_: &'static str, tags: &'static str| {
        let text = table(&HEADER, &[&row(type_, tags)]);
        let settings = ReadSettings { tags: TagUse::Categories, ..settings() };
        let reader = RecordReader::open(std::io::Cursor::new(text), None, "x", settings).expect("readable");
        reader.map(|item| item.expect("readable")).collect::<Vec<_>>()
    };
    let items = read("", "Men, summer, men");
    assert_eq!(categories(&items).iter().map(|(slug, ..)| *slug).collect::<Vec<_>>(), ["men", "summer"]);
    assert_eq!(products(&items)[0].category.value().map(String::as_str), Some("men"));
    assert_eq!(notices(&items).len(), 1, "that it stands in the first alone");
    let items = read("Lamps", "Men");
    assert_eq!(products(&items)[0].category.value().map(String::as_str), Some("lamps"));
    let items = read("", "");
    assert_eq!(products(&items)[0].category.value().map(String::as_str), Some("floor-lamps"));
    let settings = ReadSettings { tags: TagUse::Categories, ..settings() };
    let other = RecordReader::open(std::io::Cursor::new("Type,Name,Regular price\n"), None, "x", settings);
    assert!(
        other
            .expect_err("WooCommerce has categories")
            .to_string()
            .contains("--tags-as-categories is for exports of Shopify")
    );
}

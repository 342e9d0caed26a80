//! Real exports of both systems, read from a folder that may stand beside the project.

use stoa_kernel::testing::real_export;

use super::super::{Member, ReadItem};
use super::{Format, categories, notices, products, rejections, try_read};

/// The items of a real export; nothing where the folder is missing, which is told.
fn real_file(name: &str, format: Format) -> Option<Vec<ReadItem>> {
    let bytes = std::fs::read(real_export(name)?).expect("a readable file");
    assert_eq!(Format::detect(&bytes, name), Some(format));
    Some(try_read(&bytes, format).expect("a readable file"))
}

#[test]
fn all_products_of_shopify_exports_are_read() {
    let mut count = 0;
    for name in ["apparel", "home-and-garden", "jewelery"] {
        let Some(items) = real_file(&format!("shopify/{name}.csv"), Format::Shopify) else {
            return;
        };
        assert!(rejections(&items).is_empty(), "{:?}", rejections(&items));
        for product in products(&items) {
            count += 1;
            assert_eq!(product.active, Member::Value(true));
            assert!(product.description.value().is_some_and(|text| !text.contains('<')));
            assert!(product.images.value().is_some_and(|images| !images.is_empty()));
        }
    }
    assert_eq!(count, 60);
}

#[test]
fn variants_of_a_shopify_export_become_choices() {
    let Some(items) = real_file("shopify/jewelery.csv", Format::Shopify) else { return };
    let anchor = products(&items).into_iter().find(|product| product.slug == "leather-anchor").expect("the bracelet");
    assert_eq!(anchor.price_amount, Member::Value(5500));
    let options = anchor.options.value().expect("options");
    let choices: Vec<(&str, i64)> =
        options[0].choices.iter().map(|choice| (choice.label.as_str(), choice.price_adjustment_amount)).collect();
    assert_eq!(choices, [("Gold", 1499), ("Silver", 0)]);
    assert_eq!(anchor.images.value().map(Vec::len), Some(3));
    let names: Vec<&str> = categories(&items).iter().map(|(_, name, _)| *name).collect();
    assert_eq!(names, ["Bracelet", "Earrings", "Necklace"]);
    let choker =
        products(&items).into_iter().find(|product| product.slug == "choker-with-gold-pendant").expect("the choker");
    let text = choker.description.value().expect("a description");
    assert!(text.ends_with("strong.\n\n- 14k yellow gold\n- Leather\n- Length, 12\" with 2.5\" extender\n- Width, 0.3\"\n- Lobster clasp\n- Made in USA"), "{text}");
}

#[test]
fn a_woocommerce_export_is_read() {
    let Some(items) = real_file("woocommerce/sample_products.csv", Format::Woocommerce) else {
        return;
    };
    assert!(rejections(&items).is_empty(), "{:?}", rejections(&items));
    let lines: Vec<u64> = notices(&items).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [17, 18], "a grouped and an external product");
    let products = products(&items);
    assert_eq!(products.len(), 13);
    let active = products.iter().filter(|product| product.active == Member::Value(true));
    assert_eq!(active.count(), 12);

    let find = |slug: &str| *products.iter().find(|product| product.slug == slug).expect(slug);
    let hoodie = find("hoodie");
    assert_eq!(hoodie.price_amount, Member::Value(4200));
    let [variant] = &hoodie.options.value().expect("options")[..] else { panic!("{hoodie:?}") };
    assert_eq!((variant.key.as_str(), variant.choices.len()), ("variant", 6));
    let red = variant.choices.iter().find(|choice| choice.label == "Red / No").expect("red, without logo");
    assert_eq!((red.price_adjustment_amount, red.sku.as_deref()), (0, Some("cc-hoodie-red")));

    let shirt = find("t-shirt");
    let [color, size] = &shirt.options.value().expect("options")[..] else { panic!("{shirt:?}") };
    assert_eq!((color.choices.len(), size.choices.len()), (3, 3));
    assert_eq!(color.choices[0].sku.as_deref(), Some("cc-t-shirt-blue"));

    assert_eq!(find("album").capabilities, Member::Value(vec!["digital".to_owned()]));
    assert_eq!(find("belt").price_amount, Member::Value(5500));
    let parents: Vec<Option<&str>> = categories(&items).iter().map(|(_, _, parent)| *parent).collect();
    assert_eq!(parents.iter().filter(|parent| **parent == Some("clothing")).count(), 3);
}

//! WooCommerce's columns in the languages that it ships.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Member;
use super::super::header::folded;
use super::{Format, only_product, products, rejections, try_read};

/// The names of the columns by language and column.
fn names() -> BTreeMap<&'static str, BTreeMap<&'static str, Vec<&'static str>>> {
    let mut languages: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for line in include_str!("../woocommerce_names.txt").lines().filter(|line| !line.starts_with('#')) {
        let parts = line.split('|').collect::<Vec<_>>();
        let [language, column, names @ ..] = &parts[..] else { panic!("{line}") };
        let columns = languages.entry(*language).or_default();
        assert!(columns.insert(*column, names.to_vec()).is_none() && !names.is_empty(), "{line}");
    }
    languages
}

#[test]
fn no_name_stands_for_two_columns_of_one_language() {
    let all = names();
    let english = &all["en"];
    for (language, columns) in &all {
        let mut seen = BTreeSet::new();
        for (column, own) in columns {
            assert!(english.contains_key(column), "{language}: {column}");
            for name in own {
                assert!(seen.insert(folded(name)), "{language}: {name} twice");
                let is_pattern = english[column][0].contains('#');
                assert_eq!(name.matches('#').count(), usize::from(is_pattern), "{language}: {name}");
            }
        }
    }
    for language in ["de", "nl", "fr", "es", "it", "pt_BR", "pt_PT", "pl", "sv", "da", "nb", "fi", "cs"] {
        assert!(all.contains_key(language), "{language}");
    }
}

#[test]
fn a_product_is_read_the_same_in_every_language() {
    let all = names();
    let cells = [
        ("id", "7"),
        ("type", "simple"),
        ("sku", "L"),
        ("gtin", "4006381333931"),
        ("name", "Lamp"),
        ("published", "1"),
        ("visibility", "hidden"),
        ("short_description", "Short"),
        ("description", "Long"),
        ("sale_starts", "2020-01-01"),
        ("sale_ends", "2090-01-01"),
        ("tax_class", "reduced-rate"),
        ("in_stock", "1"),
        ("stock", "4"),
        ("backorders", "1"),
        ("weight", "0.25"),
        ("reviews", "1"),
        ("sale_price", "15.50"),
        ("regular_price", "19.90"),
        ("categories", "Home > Lamps"),
        ("images", "https://i.example/a.jpg"),
        ("parent", ""),
        ("brands", "Acme"),
    ];
    let mut expected = None;
    for (language, columns) in &all {
        for version in 0..3 {
            let name = |column: &str| {
                let own = columns.get(column).unwrap_or(&all["en"][column]);
                format!("\"{}\"", own[version.min(own.len() - 1)].replace('#', "kg").replace(' ', "\u{a0}"))
            };
            let header = cells.map(|(column, _)| name(column)).join(",");
            let text = format!("{header}\n{}\n", cells.map(|(_, value)| value).join(","));
            assert_eq!(Format::detect(text.as_bytes(), "x"), Some(Format::Woocommerce), "{language}");
            let product = only_product(&text, Format::Woocommerce);
            assert_eq!(
                (product.price_amount, product.active),
                (Member::Value(1550), Member::Value(false)),
                "{language}"
            );
            assert_eq!(*expected.get_or_insert(product.clone()), product, "{language}: {header}");
        }
    }
}

#[test]
fn attributes_and_variations_are_read_in_every_language() {
    let all = names();
    for (language, columns) in &all {
        let name = |column: &str| {
            let own = columns.get(column).unwrap_or(&all["en"][column]);
            format!("\"{}\"", own[0].replace('#', "1"))
        };
        let header = ["type", "sku", "name", "regular_price", "parent", "attribute_name", "attribute_values"].map(name);
        let text = format!(
            "{}\nvariable,p,Cap,,,Size,\"S, L\"\nvariation,s,,10,p,Size,S\nvariation,l,,12,p,Size,L\n",
            header.join(",")
        );
        let items = try_read(text.as_bytes(), Format::Woocommerce).expect(language);
        assert!(rejections(&items).is_empty(), "{language}: {items:?}");
        let products = products(&items);
        let option = &products[0].options.value().expect("options")[0];
        assert_eq!((option.label.as_str(), option.choices.len()), ("Size", 2), "{language}");
    }
}

#[test]
fn an_export_in_a_language_that_is_not_known_is_named_as_that() {
    let header =
        format!("ID,Lajix,Nimix,{}", (0..20).map(|number| format!("Sarakex {number}")).collect::<Vec<_>>().join(","));
    let expected = "this looks like a WooCommerce export in a language that is not known here: \
                    set the language of the user who exports to English, and export again";
    for format in [None, Some(Format::Woocommerce)] {
        let error = super::super::RecordReader::open(std::io::Cursor::new(&header), format, "x.csv", super::settings());
        assert_eq!(error.expect_err("unknown").to_string(), expected);
    }
}

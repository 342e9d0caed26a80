//! The format `stoa`.

use super::super::{
    CategoryRecord, ChoiceRecord, FactsRecord, Member, OptionRecord, OptionType, ProductRecord, Record,
};
use super::{Format, Outcome, only_product, only_refusal, products, read, rejections};
use crate::safety::{ProductSafety, SafetyContact};
use crate::unit_price::UnitPriceRecord;

fn value(text: &str) -> Member<String> {
    Member::Value(text.to_owned())
}

/// A product line with more members.
fn product(members: &str) -> String {
    format!(r#"{{"type":"product","slug":"a"{}{members}}}"#, if members.is_empty() { "" } else { "," })
}

#[test]
fn every_member_of_a_product_is_read() {
    let read = only_product(
        &product(
            r#""name":" Oak chair ","subtitle":"s","sku":"S-1","description":"one\r\ntwo\t\"three\"",
            "price_amount":1999,"brand":"Oaks","gtin":"4006381333931","weight_grams":9000,"compare_at_amount":2499,
            "unit_price":{"amount":2221,"reference":"10 kg"},
            "safety":{"manufacturer":{"name":"Oaks","address":"Road 1\nTown","email":"safety@oaks.example"},"responsible_person":null,
            "warnings":{"en":"Heavy.","de":" Schwer. ","nl":null}},"tax_class":"reduced","category":"chairs","images":["https://i.example/a.jpg","chairs/oak.jpg"],
            "active":false,"capabilities":["shippable"],"options":[
            {"key":"size","label":"Size","type":"select","required":true,"active":true,"choices":[
            {"value":"S","label":"Small","price_adjustment_amount":-5,"sku":"S-1-S","active":false},{"value":"L","label":"Large"}]},
            {"key":"gift","label":"Gift","type":"toggle","required":true}],
            "modules":{"stock":{"quantity":7},"other":null}"#
        )
        .replace('\n', " "),
        Format::Stoa,
    );
    let choice = |value: &str, label: &str, amount, sku: Option<&str>, active| ChoiceRecord {
        value: value.to_owned(),
        label: label.to_owned(),
        price_adjustment_amount: amount,
        sku: sku.map(str::to_owned),
        active,
    };
    let option = |key: &str, label: &str, kind, choices| OptionRecord {
        key: key.to_owned(),
        label: label.to_owned(),
        kind,
        required: true,
        active: true,
        choices,
    };
    let modules = serde_json::json!({"stock": {"quantity": 7}, "other": null});
    let expected = ProductRecord {
        slug: "a".to_owned(),
        name: value("Oak chair"),
        subtitle: value("s"),
        sku: value("S-1"),
        description: value("one\ntwo\t\"three\""),
        price_amount: Member::Value(1999),
        facts: FactsRecord {
            brand: value("Oaks"),
            gtin: value("4006381333931"),
            weight_grams: Member::Value(9000),
            compare_at_amount: Member::Value(2499),
            unit_price: Member::Value(UnitPriceRecord { amount: 2221, reference: "10 kg".to_owned() }),
            safety: Member::Value(ProductSafety {
                manufacturer: Some(SafetyContact {
                    name: "Oaks".to_owned(),
                    address: "Road 1\nTown".to_owned(),
                    email: "safety@oaks.example".to_owned(),
                }),
                responsible_person: None,
                warnings: [("de", "Schwer."), ("en", "Heavy.")]
                    .map(|(key, text)| (key.to_owned(), text.to_owned()))
                    .into(),
            }),
        },
        tax_class: value("reduced"),
        category: value("chairs"),
        images: Member::Value(vec!["https://i.example/a.jpg".to_owned(), "chairs/oak.jpg".to_owned()]),
        active: Member::Value(false),
        capabilities: Member::Value(vec!["shippable".to_owned()]),
        options: Member::Value(vec![
            option(
                "size",
                "Size",
                OptionType::Select,
                vec![choice("S", "Small", -5, Some("S-1-S"), false), choice("L", "Large", 0, None, true)],
            ),
            option("gift", "Gift", OptionType::Toggle, Vec::new()),
        ]),
        modules: Member::Value(modules.as_object().expect("an object").clone()),
    };
    assert_eq!(read, expected);
}

#[test]
fn absent_members_differ_from_null_and_blank_ones() {
    let absent = only_product(&product(""), Format::Stoa);
    assert_eq!(absent, ProductRecord { slug: "a".to_owned(), ..ProductRecord::default() });
    let null = only_product(
        &product(r#""subtitle":null,"sku":"  ","images":null,"category":"","modules":null"#),
        Format::Stoa,
    );
    assert_eq!((null.subtitle, null.sku, null.category), (Member::Null, Member::Null, Member::Null));
    assert_eq!((null.images, null.modules), (Member::Null, Member::Null));
}

#[test]
fn every_member_of_a_category_is_read() {
    let items = read(
        r#"{"slug":"oak","type":"category","name":"Oak","parent":"wood","image":"https://i.example/o.png","active":true}"#,
        Format::Stoa,
    );
    let expected = CategoryRecord {
        slug: "oak".to_owned(),
        name: value("Oak"),
        parent: value("wood"),
        image: value("https://i.example/o.png"),
        active: Member::Value(true),
    };
    assert_eq!(items[0].outcome, Outcome::Record(Record::Category(expected)));
}

#[test]
fn slugs_of_any_script_are_read() {
    for slug in ["oak-chair", "a_b.c~d", "2026", "茶", "λάμπα", "हिन्दी", "müller-2"] {
        let line = format!(r#"{{"type":"product","slug":"{slug}"}}"#);
        assert_eq!(only_product(&line, Format::Stoa).slug, slug);
    }
}

#[test]
fn all_problems_of_a_line_are_told_at_once() {
    let refusal = only_refusal(
        &product(r#""name":7,"price_amount":-1,"options":[{"key":"k","type":"text"}],"colour":"red""#),
        Format::Stoa,
    );
    let places: Vec<&str> = refusal.lines().map(|line| line.split('`').nth(1).expect("a member")).collect();
    assert_eq!(places, ["name", "price_amount", "options[0].label", "colour"]);
}

#[test]
fn a_line_with_thousands_of_problems_tells_twenty() {
    use std::fmt::Write;
    let members = (0..5000).fold(r#""x":0"#.to_owned(), |mut all, number| {
        write!(all, r#","x{number}":0"#).expect("writing to a string");
        all
    });
    let refusal = only_refusal(&product(&members), Format::Stoa);
    assert_eq!(refusal.lines().count(), 20);
    assert!(refusal.ends_with("(and 4981 more problems)"), "{refusal}");
}

#[test]
fn a_slug_used_twice_is_refused_with_its_first_line() {
    let text = [product(""), r#"{"type":"category","slug":"a"}"#.to_owned(), String::new(), product(r#""name":"B""#)]
        .join("\n");
    let items = read(&text, Format::Stoa);
    assert_eq!(rejections(&items).len(), 1, "a category may share a product's slug");
    let refusal = rejections(&items)[0];
    assert_eq!(refusal.to_string(), "line 4, member `slug`: the slug `a` is used by line 1 already");
    assert_eq!(refusal.slug.as_deref(), Some("a"));
}

#[test]
fn a_slug_of_a_refused_line_may_be_used_again() {
    let text = [product(r#""name":7"#), product(r#""name":"B""#)].join("\n");
    assert_eq!(products(&read(&text, Format::Stoa)).len(), 1);
}

#[test]
fn messages_hold_no_control_characters() {
    let refusal = only_refusal(r#"{"type":"product","slug":"a\u001b[31mb"}"#, Format::Stoa);
    assert!(!refusal.contains('\u{1b}'), "{refusal}");
    let refusal = only_refusal(&product(r#""a\u001b[31m":1"#), Format::Stoa);
    assert!(!refusal.contains('\u{1b}'), "{refusal}");
    let refusal = only_refusal(&product(r#""a":1,"a\u001b":1,"a\u001b":2"#), Format::Stoa);
    assert!(!refusal.contains('\u{1b}'), "{refusal}");
    let refusal = only_refusal(r#"{"type":"\u001b[31m","slug":"a"}"#, Format::Stoa);
    assert!(!refusal.contains('\u{1b}'), "{refusal}");
}

#[test]
fn nesting_has_an_end() {
    let deep = product(&format!(r#""modules":{{"m":{{"a":{}1{}}}}}"#, "[".repeat(5000), "]".repeat(5000)));
    assert!(only_refusal(&deep, Format::Stoa).contains("recursion limit"));
}

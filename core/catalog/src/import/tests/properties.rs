//! Whatever the bytes, reading ends without a panic; what was written is read again.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::super::{
    CategoryRecord, ChoiceRecord, FactsRecord, MAX_AMOUNT, Member, OptionRecord, OptionType, Outcome, ProductRecord,
    Record, RecordWriter,
};
use super::{Format, try_read};

/// Headers and pieces from which files are made that get past the first checks.
const SHOPIFY: &str = "Handle,Title,Body (HTML),Type,Published,Status,Gift Card,Option1 Name,Option1 Value,Option2 Name,\
    Option2 Value,Variant SKU,Variant Price,Variant Requires Shipping,Variant Inventory Tracker,Variant Inventory Qty,Image Src,Image Position\n";
const WOO: &str = "ID,Type,SKU,Name,Published,Visibility in catalog,Short description,Description,Date sale price starts,\
    Date sale price ends,In stock?,Stock,Sale price,Regular price,Categories,Images,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)\n";

fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        ",",
        ",",
        ",",
        ",",
        ",",
        ",",
        "\n",
        "\r\n",
        "\"",
        "\"\"",
        "a",
        "b",
        "1",
        "9.99",
        "0",
        "true",
        "false",
        "Title",
        "Default Title",
        "simple",
        "variable",
        "variation",
        "id:1",
        "Color",
        "Red, Blue",
        "A > B",
        "<p>",
        "&lt;",
        "\\,",
        "\\n",
        "shopify",
        "https://i.example/a.jpg",
        "2026-01-01",
        "{\"type\":\"product\",",
        "\"slug\":",
        "null",
        "[",
        "]",
        "{",
        "}",
        "é",
        "\u{0}",
        "'-",
    ]);
    prop_oneof![8 => fixed.prop_map(str::to_owned), 1 => any::<String>()]
}

fn rows() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..200).prop_map(|pieces| pieces.concat())
}

/// Rows of the right width, so that their cells are read.
fn cells(width: usize) -> impl Strategy<Value = String> {
    let cell = prop_oneof![3 => Just(String::new()), 5 => piece()];
    prop::collection::vec(prop::collection::vec(cell, width), 0..12).prop_map(|rows| {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect()
    })
}

fn all_lines_exist(bytes: &[u8], format: Format) -> Result<(), TestCaseError> {
    let ends = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    for item in try_read(bytes, format).unwrap_or_default() {
        prop_assert!((1..=ends as u64 + 1).contains(&item.line), "line {}", item.line);
        if let Outcome::Rejected(rejection) = item.outcome {
            prop_assert!(!rejection.problems.is_empty());
            let text = rejection.to_string();
            prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{:?}", text);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        for format in Format::ALL {
            all_lines_exist(&bytes, format)?;
        }
        Format::detect(&bytes, "file.csv");
        for header in [SHOPIFY, WOO] {
            for format in Format::ALL {
                all_lines_exist(&[header.as_bytes(), &bytes].concat(), format)?;
            }
        }
    }

    #[test]
    fn any_rows_are_read_without_a_panic(rows in rows()) {
        all_lines_exist(format!("{SHOPIFY}{rows}").as_bytes(), Format::Shopify)?;
        all_lines_exist(format!("{WOO}{rows}").as_bytes(), Format::Woocommerce)?;
        all_lines_exist(rows.as_bytes(), Format::Stoa)?;
    }

    #[test]
    fn any_cells_of_shopify_are_read_without_a_panic(rows in cells(SHOPIFY.split(',').count())) {
        all_lines_exist(format!("{SHOPIFY}{rows}").as_bytes(), Format::Shopify)?;
    }

    #[test]
    fn any_cells_of_woocommerce_are_read_without_a_panic(rows in cells(WOO.split(',').count())) {
        all_lines_exist(format!("{WOO}{rows}").as_bytes(), Format::Woocommerce)?;
    }

    #[test]
    fn what_csv_files_give_can_be_written_and_read_again(rows in cells(SHOPIFY.split(',').count()), others in cells(WOO.split(',').count())) {
        for (text, format) in [(format!("{SHOPIFY}{rows}"), Format::Shopify), (format!("{WOO}{others}"), Format::Woocommerce)] {
            let mut records = Vec::new();
            for item in try_read(text.as_bytes(), format).unwrap_or_default() {
                if let Outcome::Record(record) = item.outcome {
                    records.push(record);
                }
            }
            prop_assert_eq!(written_and_read(&records), records);
        }
    }

    #[test]
    fn records_survive_being_written_and_read(records in prop::collection::vec(record(), 0..8)) {
        let mut slugs = std::collections::HashSet::new();
        let mut records = records;
        records.retain(|record| slugs.insert((matches!(record, Record::Product(_)), record.slug().to_owned())));
        prop_assert_eq!(written_and_read(&records), records);
    }
}

fn written_and_read(records: &[Record]) -> Vec<Record> {
    let mut writer = RecordWriter::new(Vec::new());
    for record in records {
        writer.write(record).expect("writing to memory");
    }
    let bytes = writer.finish().expect("writing to memory");
    if records.is_empty() {
        return Vec::new();
    }
    let items = try_read(&bytes, Format::Stoa).expect("readable");
    items
        .into_iter()
        .map(|item| match item.outcome {
            Outcome::Record(record) => record,
            other => panic!("{other:?} in {}", String::from_utf8_lossy(&bytes)),
        })
        .collect()
}

fn member<T: std::fmt::Debug + Clone + 'static>(value: impl Strategy<Value = T> + 'static) -> BoxedStrategy<Member<T>> {
    prop_oneof![1 => Just(Member::Absent), 1 => Just(Member::Null), 3 => value.prop_map(Member::Value)].boxed()
}

fn never_null<T: std::fmt::Debug + Clone + 'static>(
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Member<T>> {
    prop_oneof![1 => Just(Member::Absent), 3 => value.prop_map(Member::Value)].boxed()
}

/// A text as the rules leave it: trimmed, not blank, without control characters.
fn text(limit: usize) -> impl Strategy<Value = String> {
    any::<String>().prop_map(move |text| {
        let text: String = text.chars().filter(|c| !c.is_control()).take(limit).collect();
        let text = text.trim();
        if text.is_empty() { "x".to_owned() } else { text.to_owned() }
    })
}

fn slug() -> impl Strategy<Value = String> {
    "[a-z茶é][a-z0-9_.~-]{0,20}"
}

fn image() -> impl Strategy<Value = String> {
    prop_oneof!["https://i\\.example/[a-z0-9]{1,9}\\.jpg", "[a-z]{1,5}/[a-z]{1,5}\\.png"]
}

fn category() -> impl Strategy<Value = Record> {
    let parent = member(slug().prop_map(|slug| format!("{slug}-parent")));
    (slug(), never_null(text(255)), parent, member(image()), never_null(any::<bool>())).prop_map(
        |(slug, name, parent, image, active)| Record::Category(CategoryRecord { slug, name, parent, image, active }),
    )
}

fn choices() -> impl Strategy<Value = Vec<ChoiceRecord>> {
    let choice = (text(191), text(255), 0..=MAX_AMOUNT, prop::option::of(text(100)), any::<bool>());
    prop::collection::vec(choice, 1..4).prop_map(|choices| {
        let mut seen = std::collections::HashSet::new();
        choices
            .into_iter()
            .filter(|(value, ..)| seen.insert(value.clone()))
            .map(|(value, label, price_adjustment_amount, sku, active)| ChoiceRecord {
                value,
                label,
                price_adjustment_amount,
                sku,
                active,
            })
            .collect()
    })
}

fn options() -> impl Strategy<Value = Vec<OptionRecord>> {
    let kind = prop::sample::select(OptionType::ALL.to_vec());
    let option = (text(255), kind, any::<bool>(), any::<bool>(), choices());
    prop::collection::vec(option, 0..4).prop_map(|options| {
        let numbered = options.into_iter().enumerate();
        numbered
            .map(|(number, (label, kind, required, active, choices))| OptionRecord {
                key: format!("key-{number}"),
                label,
                kind,
                required,
                active,
                choices: if kind.has_choices() { choices } else { Vec::new() },
            })
            .collect()
    })
}

fn modules() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::String),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    });
    let settings = prop::collection::btree_map(any::<String>(), value, 0..3)
        .prop_map(|object| Value::Object(object.into_iter().collect()));
    let settings = prop_oneof![4 => settings, 1 => Just(Value::Null)];
    prop::collection::btree_map("[a-z][a-z0-9_]{0,9}", settings, 0..3).prop_map(|modules| modules.into_iter().collect())
}

fn known_facts() -> impl Strategy<Value = FactsRecord> {
    let gtin = prop::sample::select(vec!["96385074", "036000291452", "4006381333931", "10614141000415"]);
    let gtin = gtin.prop_map(str::to_owned);
    (member(text(255)), member(gtin), member(0..=1_000_000_000_i64), member(0..=MAX_AMOUNT)).prop_map(
        |(brand, gtin, weight_grams, compare_at_amount)| FactsRecord {
            brand,
            gtin,
            weight_grams,
            compare_at_amount,
            ..FactsRecord::default()
        },
    )
}

fn product() -> impl Strategy<Value = Record> {
    let texts = (never_null(text(255)), member(text(255)), member(text(100)), member(text(65_535)), member(text(64)));
    let facts = (never_null(0..=MAX_AMOUNT), member(slug()), never_null(any::<bool>()), known_facts());
    let capabilities =
        prop::collection::btree_set("[a-z][a-z0-9_]{0,9}", 0..4).prop_map(|keys| keys.into_iter().collect());
    let lists =
        (member(prop::collection::vec(image(), 0..3)), member(capabilities), member(options()), member(modules()));
    (slug(), texts, facts, lists).prop_map(|(slug, texts, facts, lists)| {
        let (name, subtitle, sku, description, tax_class) = texts;
        let (price_amount, category, active, facts) = facts;
        let (images, capabilities, options, modules) = lists;
        Record::Product(Box::new(ProductRecord {
            slug,
            name,
            subtitle,
            sku,
            description,
            price_amount,
            facts,
            tax_class,
            category,
            images,
            active,
            capabilities,
            options,
            modules,
        }))
    })
}

fn record() -> impl Strategy<Value = Record> {
    prop_oneof![category(), product()]
}

#[test]
fn lines_are_written_with_the_type_first_and_members_in_the_order_of_the_contract() {
    let product = ProductRecord {
        slug: "a".to_owned(),
        name: Member::Value("A".to_owned()),
        subtitle: Member::Null,
        price_amount: Member::Value(5),
        options: Member::Value(vec![OptionRecord {
            key: "k".to_owned(),
            label: "K".to_owned(),
            kind: OptionType::Select,
            required: true,
            active: true,
            choices: vec![ChoiceRecord {
                value: "v".to_owned(),
                label: "V".to_owned(),
                price_adjustment_amount: 1,
                sku: None,
                active: false,
            }],
        }]),
        ..ProductRecord::default()
    };
    let mut writer = RecordWriter::new(Vec::new());
    writer.write(&Record::Product(Box::new(product))).expect("writing to memory");
    let category = CategoryRecord { slug: "c".to_owned(), parent: Member::Null, ..CategoryRecord::default() };
    writer.write(&Record::Category(category)).expect("writing to memory");
    let written = String::from_utf8(writer.finish().expect("writing to memory")).expect("UTF-8");
    assert_eq!(
        written,
        concat!(
            r#"{"type":"product","slug":"a","name":"A","subtitle":null,"price_amount":5,"options":[{"key":"k","label":"K","type":"select","#,
            r#""required":true,"active":true,"choices":[{"value":"v","label":"V","price_adjustment_amount":1,"active":false}]}]}"#,
            "\n",
            r#"{"type":"category","slug":"c","parent":null}"#,
            "\n"
        )
    );
}

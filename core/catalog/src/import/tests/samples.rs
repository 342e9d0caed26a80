//! Small files of each format, as a shop would have them.

use std::path::PathBuf;

use super::super::{Outcome, ReadItem, RecordWriter};
use super::{Format, notices, products, rejections, try_read};

fn sample(name: &str, format: Format) -> Vec<ReadItem> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/import").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(Format::detect(&bytes, name), Some(format));
    try_read(&bytes, format).expect("a readable file")
}

/// The records as an export would write them.
fn written(items: &[ReadItem]) -> String {
    let mut writer = RecordWriter::new(Vec::new());
    for item in items {
        if let Outcome::Record(record) = &item.outcome {
            writer.write(record).expect("writing to memory");
        }
    }
    String::from_utf8(writer.finish().expect("writing to memory")).expect("UTF-8")
}

fn refusals(items: &[ReadItem]) -> Vec<String> {
    rejections(items).iter().map(ToString::to_string).collect()
}

#[test]
fn the_stoa_sample_is_read_but_for_its_typing_error() {
    let items = sample("tea.jsonl", Format::Stoa);
    assert_eq!(products(&items).len(), 2);
    assert_eq!(refusals(&items), ["line 6, member `price_amont`: is unknown; did you mean `price_amount`?"]);
}

#[test]
fn the_shopify_sample_becomes_what_is_expected() {
    let items = sample("shopify.csv", Format::Shopify);
    let expected = std::fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/import/shopify.expected.jsonl"),
    );
    assert_eq!(written(&items), expected.expect("the expected records"));
    assert_eq!(
        refusals(&items),
        ["line 12, column `Variant Price`: \"1.234,56\" is not an amount: write it like 1234.56"]
    );
    assert_eq!(notices(&items).len(), 1, "a gift card");
}

#[test]
fn the_woocommerce_sample_becomes_what_is_expected() {
    let items = sample("woocommerce.csv", Format::Woocommerce);
    let expected = std::fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/import/woocommerce.expected.jsonl"),
    );
    assert_eq!(written(&items), expected.expect("the expected records"));
    assert_eq!(
        refusals(&items),
        ["line 9, column `Parent`: there is no variable product `LOST` in this file: export all products together"]
    );
    assert_eq!(notices(&items).len(), 1, "a grouped product");
}

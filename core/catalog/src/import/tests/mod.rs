//! Tests of the readers and the writer.

mod facts;
mod files;
mod handles;
mod html;
mod languages;
mod left_out;
mod properties;
#[cfg(feature = "testing")]
mod real_files;
mod samples;
mod shopify;
mod shopify_refusals;
mod stoa;
mod stoa_refusals;
mod stock;
mod variants;
mod woocommerce;
mod woocommerce_variable;
mod words;

use std::io::Cursor;

use chrono::{DateTime, Utc};

use stoa_kernel::money::Currency;

use super::{
    Format, Outcome, ProductRecord, ReadItem, ReadSettings, Record, RecordReader, Rejection, TagUse, UnreadableFile,
};

/// The moment at which all tests read their files.
fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_790_000_000, 0).expect("a moment in 2026")
}

fn settings() -> ReadSettings {
    ReadSettings { currency: Currency::EUR, now: now(), stock_module: Some("stock".to_owned()), tags: TagUse::LeftOut }
}

fn try_read(bytes: &[u8], format: Format) -> Result<Vec<ReadItem>, UnreadableFile> {
    RecordReader::open(Cursor::new(bytes), Some(format), "file", settings())?.collect()
}

fn read(text: &str, format: Format) -> Vec<ReadItem> {
    try_read(text.as_bytes(), format).expect("the file is readable")
}

fn products(items: &[ReadItem]) -> Vec<&ProductRecord> {
    let product = |item: &'_ ReadItem| match &item.outcome {
        Outcome::Record(Record::Product(_)) => true,
        Outcome::Record(Record::Category(_)) | Outcome::Rejected(_) | Outcome::Notice(_) => false,
    };
    items
        .iter()
        .filter(|item| product(item))
        .map(|item| match &item.outcome {
            Outcome::Record(Record::Product(product)) => &**product,
            _ => unreachable!("only products are left"),
        })
        .collect()
}

/// Slug, name and parent of each category in order.
fn categories(items: &[ReadItem]) -> Vec<(&str, &str, Option<&str>)> {
    let mut found = Vec::new();
    for item in items {
        if let Outcome::Record(Record::Category(category)) = &item.outcome {
            let name = category.name.value().map_or("", String::as_str);
            found.push((category.slug.as_str(), name, category.parent.value().map(String::as_str)));
        }
    }
    found
}

fn rejections(items: &[ReadItem]) -> Vec<&Rejection> {
    let mut found = Vec::new();
    for item in items {
        if let Outcome::Rejected(rejection) = &item.outcome {
            found.push(rejection);
        }
    }
    found
}

/// Each notice with its line.
fn notices(items: &[ReadItem]) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for item in items {
        if let Outcome::Notice(notice) = &item.outcome {
            found.push((item.line, notice.to_string()));
        }
    }
    found
}

/// The only product of a file in which nothing is refused.
fn only_product(text: &str, format: Format) -> ProductRecord {
    let items = read(text, format);
    assert_eq!(rejections(&items), Vec::<&Rejection>::new());
    let products = products(&items);
    assert_eq!(products.len(), 1, "{items:?}");
    products[0].clone()
}

/// The text of the only refusal of a file.
fn only_refusal(text: &str, format: Format) -> String {
    let items = read(text, format);
    let rejections = rejections(&items);
    assert_eq!(rejections.len(), 1, "{items:?}");
    rejections[0].to_string()
}

/// A CSV file from a header and rows that name the columns they fill.
fn table(header: &[&str], rows: &[&[(&str, &str)]]) -> String {
    let quoted = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
    let names = header.iter().map(|name| if name.contains(',') { quoted(name) } else { (*name).to_owned() });
    let mut text = names.collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        for (name, _) in *row {
            assert!(header.contains(name), "no column {name}");
        }
        let value =
            |column: &&str| row.iter().find(|(name, _)| name == column).map_or(String::new(), |(_, v)| quoted(v));
        text += &(header.iter().map(value).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

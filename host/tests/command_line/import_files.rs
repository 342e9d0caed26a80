//! `stoa import`: files of every format and of none.

use std::fmt::Write as _;

use stoa_core::db::Backend;

use super::import::exported;
use super::place::ShopFolder;

const STOA: &str = "{\"type\": \"product\", \"slug\": \"lamp\", \"name\": \"Lamp\", \"price_amount\": 4900}\n";
const SHOPIFY: &str = "Handle,Title,Variant Price\nlamp,Lamp,49.00\n";
const WOOCOMMERCE: &str = "Type,Name,Regular price\nsimple,Lamp,49\n";

const CREATED: &str = "created 1 product, updated 0, unchanged 0, refused 0\n";
const UNCHANGED: &str = "created 0, updated 0, unchanged 1 product, refused 0\n";

#[tokio::test]
async fn the_format_is_told_from_the_content_or_given() {
    let formats = [("stoa", "lamp.jsonl", STOA), ("shopify", "s.csv", SHOPIFY), ("woocommerce", "w.csv", WOOCOMMERCE)];
    for (format, file, text) in formats {
        let place = ShopFolder::empty();
        place.write(file, text);
        assert_eq!(place.run(["import", file]).await.succeeded().out, CREATED, "{format}");
        assert_eq!(place.run(["import", file, "--format", format]).await.succeeded().out, UNCHANGED, "{format}");
        assert_eq!(exported(&place, "lamp").await["price_amount"], 4900, "{format}");
        for (other, _, _) in formats.iter().filter(|(other, _, _)| *other != format) {
            place.run(["import", file, "--format", other]).await.refused(1, &[file]);
        }
    }
}

#[tokio::test]
async fn the_format_that_it_looks_like_is_named() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    place.write("s.csv", SHOPIFY);
    place.write("lamp.jsonl", STOA);
    place.write("notes.txt", "Dear diary, today I opened a shop.\n");
    place.run(["import", "s.csv", "--format", "stoa"]).await.refused(1, &["s.csv", "--format shopify"]);
    place.run(["import", "s.csv", "--format", "woocommerce"]).await.refused(1, &["s.csv", "--format shopify"]);
    place.run(["import", "lamp.jsonl", "--format", "shopify"]).await.refused(1, &["lamp.jsonl", "--format stoa"]);
    place.write("other.csv", "Handle,Title\nlamp,Lamp\n");
    let lacking = &["other.csv", "Shopify", "lacks the column `Variant Price`"];
    place.run(["import", "other.csv", "--format", "shopify"]).await.refused(1, lacking);
    place
        .run(["import", "notes.txt"])
        .await
        .refused(1, &["notes.txt", "--format stoa (JSON Lines), shopify or woocommerce"]);
    place.run(["import", "s.csv", "--format", "xml"]).await.refused(2, &["xml", "stoa, shopify, woocommerce"]);
    place.run(["import"]).await.refused(2, &["<FILE>"]);
}

#[tokio::test]
async fn what_is_no_catalog_is_told_with_the_file() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let wide = |mark: &[u8], pair: fn(u16) -> [u8; 2]| {
        let text = STOA.encode_utf16().flat_map(pair);
        mark.iter().copied().chain(text).collect::<Vec<_>>()
    };
    place.write("empty.csv", "");
    place.write("blank.jsonl", " \n\n\t\n");
    place.write("mark.csv", "\u{feff}");
    place.write("little.jsonl", wide(&[0xff, 0xfe], u16::to_le_bytes));
    place.write("big.jsonl", wide(&[0xfe, 0xff], u16::to_be_bytes));
    place.write("unmarked.jsonl", wide(&[], u16::to_le_bytes));
    place.write("catalog.jsonl.gz", [0x1f, 0x8b, 8, 0]);
    for (file, words) in [
        ("missing.csv", &["missing.csv: there is no such file"][..]),
        ("data", &["data is a directory"]),
        ("empty.csv/x.csv", &["empty.csv/x.csv: a part of its path is no folder"]),
        ("empty.csv", &["empty.csv: the file is empty"]),
        ("mark.csv", &["mark.csv: the file is empty"]),
        ("little.jsonl", &["little.jsonl", "UTF-16", "save it as UTF-8"]),
        ("big.jsonl", &["big.jsonl", "UTF-16"]),
        ("unmarked.jsonl", &["unmarked.jsonl", "UTF-16"]),
        ("catalog.jsonl.gz", &["catalog.jsonl.gz", "gzip"]),
    ] {
        place.run(["import", file]).await.refused(1, words);
        place.run(["import", file, "--dry-run"]).await.refused(1, words);
    }
    assert_eq!(place.run(["export", "-"]).await.succeeded().out, "");
    // As the export of an empty shop has no lines, so may a file.
    place.write("none.jsonl", "");
    for import in
        [&["import", "none.jsonl"][..], &["import", "blank.jsonl"], &["import", "none.jsonl", "--format", "stoa"]]
    {
        assert_eq!(place.run(import).await.succeeded().out, "created 0, updated 0, unchanged 0, refused 0\n");
    }
}

#[tokio::test]
async fn a_byte_order_mark_is_no_obstacle() {
    let place = ShopFolder::empty();
    place.write("marked.jsonl", format!("\u{feff}{STOA}"));
    place.write("marked.csv", format!("\u{feff}{SHOPIFY}"));
    assert_eq!(place.run(["import", "marked.jsonl"]).await.succeeded().out, CREATED);
    assert_eq!(place.run(["import", "marked.csv"]).await.succeeded().code, 0);
}

#[tokio::test]
async fn a_line_without_end_is_skipped_and_the_next_one_read() {
    let place = ShopFolder::empty();
    let long = "x".repeat(10_000_000);
    let line = format!("{{\"type\": \"product\", \"slug\": \"long\", \"name\": \"{long}\", \"price_amount\": 1}}\n");
    place.write("long.jsonl", format!("{line}{STOA}"));
    let outcome = place.run(["import", "long.jsonl"]).await;
    assert_eq!((outcome.code, outcome.out.as_str()), (1, "created 1 product, updated 0, unchanged 0, refused 1\n"));
    assert_eq!(outcome.err, "long.jsonl: line 1: refused: the line is longer than 8388608 bytes and was skipped\n");
}

/// A row of a CSV file, and words of its refusal.
const ROWS: [(&str, &[&str]); 7] = [
    ("lamp,Lamp", &["line 2", "2 ", "3 "]),
    ("lamp,Lamp,49.00,red", &["line 2", "4 ", "3 "]),
    ("lamp,Lamp,\"1.234,56\"", &["line 2, Variant Price", "\"1.234,56\" is not an amount", "1234.56"]),
    ("lamp,Lamp,-5", &["line 2, Variant Price", "\"-5\" is negative"]),
    ("lamp,Lamp,1.999", &["line 2, Variant Price", "more than the 2 decimals"]),
    ("lamp,Lamp,123456789012345678901234567890", &["line 2, Variant Price", "too large"]),
    ("lamp,,49.00", &["line 2, Title", "is empty"]),
];

#[tokio::test]
async fn rows_that_cannot_be_taken_are_named_with_line_and_column() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    for (row, words) in ROWS {
        place.write("s.csv", format!("Handle,Title,Variant Price\n{row}\nchair,Chair,20\n"));
        let outcome = place.run(["import", "s.csv", "--dry-run"]).await;
        assert_eq!(
            (outcome.code, outcome.out.as_str()),
            (1, "would be created 1 product, updated 0, unchanged 0, refused 1\n"),
            "{row}: {}",
            outcome.err
        );
        for word in words {
            assert!(outcome.err.starts_with("s.csv: line") && outcome.err.contains(word), "{row}: {}", outcome.err);
        }
    }
}

#[tokio::test]
async fn what_is_left_out_on_purpose_is_told_and_no_failure() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let mut text = String::from("Type,Name,Regular price,Categories\n");
    for row in ["simple,Lamp,49,\"Home > Lamps, Gifts\"", "grouped,Set,,", "simple,Chair,20,Home"] {
        let _ = writeln!(text, "{row}");
    }
    place.write("woo.csv", text);
    let outcome = place.run(["import", "woo.csv"]).await.succeeded();
    assert_eq!(outcome.out, "created 2 products and 3 categories, updated 0, unchanged 0, refused 0, notices 2\n");
    let expected = [
        "woo.csv: line 2, Categories: notice: `lamp` stands in `Home > Lamps` alone, since a product has one category; \
         `Gifts` is left out",
        "woo.csv: line 3, Type: notice: the grouped product \"Set\" is left out: it cannot be sold by itself",
    ];
    assert_eq!(outcome.err.lines().collect::<Vec<_>>(), expected);
    let categories = place.run(["category", "list", "--json"]).await.succeeded().data();
    let slugs = categories.iter().map(|category| category["slug"].as_str().unwrap_or_default()).collect::<Vec<_>>();
    assert!(["home", "home-lamps", "gifts"].iter().all(|slug| slugs.contains(slug)), "{slugs:?}");
}

//! Encodings, line ends, limits and what cannot be read at all.

use std::io::{self, BufReader, Read};

use super::super::MAX_LINE_BYTES;
use super::{
    Format, Outcome, RecordReader, UnreadableFile, notices, only_refusal, products, read, rejections, settings,
    try_read,
};

const LINE: &str = r#"{"type":"product","slug":"a","name":"A","price_amount":1}"#;
const SHOPIFY: &str = "Handle,Title,Variant Price\n";

fn fatal(bytes: &[u8], format: Format) -> String {
    try_read(bytes, format).expect_err("the file is unreadable").to_string()
}

#[test]
fn a_file_without_content_is_empty() {
    for bytes in [&b""[..], b"\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \r\n"] {
        for format in Format::ALL.into_iter().filter(|format| *format != Format::Stoa) {
            assert_eq!(fatal(bytes, format), "the file is empty", "{bytes:?}");
        }
        // What is exported of a shop without products.
        assert_eq!(try_read(bytes, Format::Stoa).expect("readable"), [], "{bytes:?}");
    }
}

#[test]
fn utf_16_is_named() {
    let encode = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let little: Vec<u8> = encode(LINE).into_iter().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = encode(LINE).into_iter().flat_map(u16::to_be_bytes).collect();
    for bytes in [[b"\xff\xfe", &little[..]].concat(), [b"\xfe\xff", &big[..]].concat(), little, big] {
        assert!(fatal(&bytes, Format::Stoa).contains("UTF-16"));
    }
}

#[test]
fn a_spreadsheet_or_archive_is_named() {
    assert!(fatal(b"PK\x03\x04\x14\x00", Format::Shopify).contains("spreadsheet"));
    assert!(fatal(b"\x1f\x8b\x08\x00", Format::Stoa).contains("gzip"));
}

#[test]
fn a_directory_is_named() {
    let directory = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).expect("the package's folder");
    let error =
        RecordReader::open(BufReader::new(directory), None, "core", settings()).expect_err("a directory is no file");
    assert!(matches!(error, UnreadableFile::Directory), "{error}");
}

#[test]
fn a_failing_disk_ends_the_reading_once() {
    struct Failing(io::Cursor<Vec<u8>>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer) {
                Ok(0) => Err(io::Error::other("disk gone")),
                other => other,
            }
        }
    }
    impl io::Seek for Failing {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let lines = format!("{LINE}\n").into_bytes();
    let lines: Vec<u8> = lines.into_iter().cycle().take(100_000).collect();
    let source = BufReader::new(Failing(io::Cursor::new(lines)));
    let mut reader = RecordReader::open(source, None, "f.jsonl", settings()).expect("the beginning is fine");
    assert!(matches!(reader.find(Result::is_err), Some(Err(UnreadableFile::Io(_)))));
    assert!(reader.next().is_none());
}

#[test]
fn byte_order_mark_windows_line_ends_and_blank_lines_do_no_harm() {
    let other = LINE.replace("\"a\"", "\"b\"");
    let stoa = format!("\u{feff}{LINE}\r\n\r\n  \r\n{other}");
    let items = read(&stoa, Format::Stoa);
    assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(products(&items).len(), 2);

    let csv = "\u{feff}Handle,Title,Variant Price\r\n\r\na,A,1\r\n,,\r\n\r\nb,B,2";
    let items = read(csv, Format::Shopify);
    assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [3, 6]);
    assert_eq!(products(&items).len(), 2);
}

#[test]
fn rows_ended_by_carriage_returns_alone_are_counted() {
    let items = read("Handle,Title,Variant Price\ra,A,1\r\rb,B,x\r", Format::Shopify);
    assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn line_numbers_count_the_lines_within_fields() {
    let text = format!("{SHOPIFY}\na,\"one\ntwo\r\nthree\",1\nb,B,1\n");
    let items = read(&text, Format::Shopify);
    assert_eq!(products(&items)[0].name.value().map(String::as_str), Some("one two three"));
    assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [3, 6]);
    let text = "Handle,Title,Body (HTML),Variant Price\na,A,\"one\ntwo\r\nthree\",1\n\nb,B,,nonsense\n";
    assert!(only_refusal(text, Format::Shopify).starts_with("line 6, column `Variant Price`"));
}

#[test]
fn a_line_that_is_too_long_is_skipped_and_the_rest_read() {
    let long = "x".repeat(MAX_LINE_BYTES + 1);
    let other = LINE.replace("\"a\"", "\"b\"");
    let items = read(&format!("{LINE}\n\"{long}\"\n{other}\n"), Format::Stoa);
    assert_eq!(products(&items).len(), 2);
    assert_eq!(rejections(&items)[0].to_string(), "line 2: the line is longer than 8388608 bytes and was skipped");

    let items = read(&format!("{SHOPIFY}a,A,1\nb,{long},1\nc,C,1\n"), Format::Shopify);
    assert_eq!(products(&items).len(), 2);
    assert_eq!(rejections(&items)[0].problems[0].line, 3);
    assert!(rejections(&items)[0].to_string().contains("8388608 bytes"));
}

#[test]
fn a_row_of_ten_thousand_columns_is_refused_and_the_rest_read() {
    let wide = ",".repeat(20_000);
    let items = read(&format!("{SHOPIFY}a,A,1\nb,B,1{wide}\nc,C,1\n"), Format::Shopify);
    assert_eq!(products(&items).len(), 2);
    assert!(rejections(&items)[0].to_string().starts_with("line 3: the row has more than"));
}

#[test]
fn a_quotation_mark_that_is_never_closed_is_named() {
    let items = read(&format!("{SHOPIFY}a,A,1\nb,\"B,1\nc,C,1\n"), Format::Shopify);
    assert_eq!(products(&items).len(), 1);
    let refusal = rejections(&items)[0].to_string();
    assert_eq!(refusal, "line 3: a quotation mark that opens a field here is never closed");
}

#[test]
fn a_row_with_too_few_or_too_many_columns_is_refused() {
    for (row, count) in [("b,B", 2), ("b,B,1,more", 4)] {
        let items = read(&format!("{SHOPIFY}a,A,1\n{row}\nc,C,1,,\n"), Format::Shopify);
        assert_eq!(products(&items).len(), 2, "empty columns at the end do no harm");
        let refusal = rejections(&items)[0].to_string();
        assert!(refusal.starts_with(&format!("line 3: the row has {count} columns, but the header has 3")));
    }
}

#[test]
fn text_that_is_not_utf_8_is_refused_by_line() {
    let stoa = [b"{\"type\":\"product\",\"slug\":\"x\xe9\"}\n", LINE.as_bytes()].concat();
    let items = try_read(&stoa, Format::Stoa).expect("readable");
    assert_eq!(products(&items).len(), 1);
    assert_eq!(rejections(&items)[0].to_string(), "line 1: byte 28 is not UTF-8: save the file as UTF-8");

    let csv = [SHOPIFY.as_bytes(), b"a,Caf\xe9,1\nb,B,1\n\xe9,C,1\n"].concat();
    let items = try_read(&csv, Format::Shopify).expect("readable");
    assert_eq!(products(&items).len(), 1);
    let refusals: Vec<String> = rejections(&items).iter().map(ToString::to_string).collect();
    assert!(refusals[0].starts_with("line 2, column `Title`: is not encoded in UTF-8"), "{refusals:?}");
    assert!(!refusals[0].contains("is empty"), "{refusals:?}");
    assert!(refusals[1].starts_with("line 4, column `Handle`: is not encoded in UTF-8"));
}

#[test]
fn bytes_in_ignored_columns_do_no_harm() {
    let csv = b"Handle,Title,Variant Price,Image Alt Text\na,A,1,Caf\xe9\n";
    assert_eq!(products(&try_read(csv, Format::Shopify).expect("readable")).len(), 1);
}

#[test]
fn the_format_is_told_from_the_content() {
    let woo = "ID,Type,SKU,Name,Regular price\n";
    for (bytes, name, expected) in [
        (LINE, "x", Some(Format::Stoa)),
        ("\u{feff}\n {oops", "x.csv", Some(Format::Stoa)),
        ("nonsense", "x.jsonl", Some(Format::Stoa)),
        ("nonsense", "x.csv", None),
        (SHOPIFY, "x.jsonl", Some(Format::Shopify)),
        ("Title,URL handle,Price", "x", Some(Format::Shopify)),
        ("Handle;Title;Variant Price", "x", Some(Format::Shopify)),
        (woo, "x", Some(Format::Woocommerce)),
        ("\u{feff}Type\tName\tRegular price\r\n", "x", Some(Format::Woocommerce)),
    ] {
        assert_eq!(Format::detect(bytes.as_bytes(), name), expected, "{bytes} {name}");
    }
    let unknown = RecordReader::open(io::Cursor::new(b"a,b,c"), None, "x.csv", settings());
    assert!(matches!(unknown, Err(UnreadableFile::UnknownFormat)));
    let reader = RecordReader::open(io::Cursor::new(SHOPIFY), None, "x", settings()).expect("readable");
    assert_eq!(reader.format(), Format::Shopify);
}

#[test]
fn the_wrong_format_is_refused_with_the_right_one() {
    for (text, format, found) in [
        (LINE, Format::Shopify, "stoa"),
        (LINE, Format::Woocommerce, "stoa"),
        ("Type,Name,Regular price\n", Format::Shopify, "woocommerce"),
        (SHOPIFY, Format::Stoa, "shopify"),
    ] {
        let message = fatal(text.as_bytes(), format);
        assert!(message.contains(&format!("import it with --format {found}")), "{message}");
    }
}

#[test]
fn missing_columns_are_named() {
    let message = fatal(b"Handle,Name\n", Format::Shopify);
    assert!(message.contains("lacks the columns `Title`, `Variant Price`"), "{message}");
    let message = fatal("ID,Typ,Name,Preis\n".as_bytes(), Format::Woocommerce);
    assert!(message.contains("lacks the column `Regulärer Preis`"), "{message}");
}

#[test]
fn a_column_that_stands_twice_is_named() {
    let message = fatal(b"Handle,Title,Variant Price,title\n", Format::Shopify);
    assert_eq!(message, "column `Title` stands twice in the header: remove or rename one of them");
}

#[test]
fn other_delimiters_are_read() {
    for delimiter in [";", "\t"] {
        let text = format!("{SHOPIFY}a,\"A, B\",1.50\n").replacen(',', delimiter, 2);
        let text = text.replace("a,\"", &format!("a{delimiter}\"")).replace("\",1", &format!("\"{delimiter}1"));
        let items = read(&text, Format::Shopify);
        assert_eq!(products(&items)[0].name.value().map(String::as_str), Some("A, B"), "{text:?}");
    }
}

#[test]
fn all_bytes_are_counted() {
    let text = format!("\u{feff}{SHOPIFY}a,A,1\n\nb,B,2");
    let mut reader = RecordReader::open(io::Cursor::new(&text), None, "x", settings()).expect("readable");
    let mut before = reader.bytes_read();
    while let Some(item) = reader.next() {
        assert!(matches!(item.expect("readable").outcome, Outcome::Record(_)));
        assert!(reader.bytes_read() >= before);
        before = reader.bytes_read();
    }
    assert_eq!(usize::try_from(reader.bytes_read()).expect("small"), text.len());
}

#[test]
fn a_header_alone_is_a_file_without_records() {
    assert!(read(SHOPIFY, Format::Shopify).is_empty());
    assert!(notices(&read("Type,Name,Regular price", Format::Woocommerce)).is_empty());
}

//! The formats, and how a file's first bytes tell which one it is.

use std::fmt;
use std::str::FromStr;

use stoa_kernel::suggestion::no_such;

use super::UnreadableFile;
use super::header::Header;
use super::rows;

/// A format that can be imported (contract 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Our own: JSON Lines, one record a line.
    Stoa,
    /// The product CSV that Shopify exports.
    Shopify,
    /// The product CSV that WooCommerce exports.
    Woocommerce,
}

/// The byte order mark of UTF-8, which some editors put first.
pub(super) const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

impl Format {
    /// All formats, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Stoa, Self::Shopify, Self::Woocommerce];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stoa => "stoa",
            Self::Shopify => "shopify",
            Self::Woocommerce => "woocommerce",
        }
    }

    /// The format of a file, told from its first bytes (a header line at least) and, failing that, from its name.
    pub fn detect(first_bytes: &[u8], file_name: &str) -> Option<Self> {
        Self::of_content(first_bytes).or_else(|| {
            let extension = file_name.rsplit_once('.')?.1.to_ascii_lowercase();
            matches!(extension.as_str(), "jsonl" | "ndjson" | "json").then_some(Self::Stoa)
        })
    }

    /// The format that the content alone tells.
    pub(super) fn of_content(first_bytes: &[u8]) -> Option<Self> {
        let text = first_bytes.strip_prefix(UTF8_MARK).unwrap_or(first_bytes).trim_ascii_start();
        if text.first() == Some(&b'{') {
            return Some(Self::Stoa);
        }
        rows::DELIMITERS.iter().find_map(|delimiter| {
            let header = Header::new(&rows::first_row(text, *delimiter)?);
            [Self::Shopify, Self::Woocommerce].into_iter().find(|format| format.lacking(&header).is_empty())
        })
    }

    /// The columns that a header lacks without which nothing of this format can be imported, by their usual names.
    pub(super) fn lacking(self, header: &Header) -> Vec<&'static str> {
        match self {
            Self::Stoa => Vec::new(),
            Self::Shopify => header.lacking(super::shopify_columns::REQUIRED),
            Self::Woocommerce => super::woocommerce_columns::lacking(header),
        }
    }

    /// Whether the content looks like an export of WooCommerce in a language that is not known.
    pub(super) fn is_foreign(first_bytes: &[u8]) -> bool {
        let text = first_bytes.strip_prefix(UTF8_MARK).unwrap_or(first_bytes);
        let mut rows = rows::DELIMITERS.iter().filter_map(|delimiter| rows::first_row(text, *delimiter));
        rows.any(|row| super::woocommerce_columns::is_foreign(&Header::new(&row)))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Stoa => "Stoa",
            Self::Shopify => "Shopify",
            Self::Woocommerce => "WooCommerce",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or_else(|| no_such("format", name, Self::ALL.map(Self::as_str)))
    }
}

/// Refuses what is no UTF-8 text at all, by its first bytes.
pub(super) fn check_text(first_bytes: &[u8]) -> Result<(), UnreadableFile> {
    let kind = match first_bytes {
        [b'P', b'K', 3, 4, ..] => Some("a spreadsheet or ZIP archive"),
        [0x1f, 0x8b, ..] => Some("a gzip archive"),
        [b'%', b'P', b'D', b'F', ..] => Some("a PDF document"),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Some("an old spreadsheet"),
        _ => None,
    };
    if let Some(kind) = kind {
        return Err(UnreadableFile::NotText { kind });
    }
    // Without a mark, Latin text in UTF-16 or UTF-32 still shows by a NUL in every character.
    match first_bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff, ..] | [0, _, 0, _, ..] | [_, 0, _, 0, ..] => {
            Err(UnreadableFile::WideText)
        }
        _ => Ok(()),
    }
}

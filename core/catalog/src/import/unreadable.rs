//! Files that cannot be read at all, or not to their end.

use std::io;

use super::Format;

/// Why nothing, or nothing more, can be read from a file. The caller puts the file's name before it.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableFile {
    /// No bytes, or only blank ones.
    #[error("the file is empty")]
    Empty,
    /// A directory was given.
    #[error("this is a directory: name one file in it")]
    Directory,
    /// The text is not encoded in UTF-8 but in UTF-16 or UTF-32.
    #[error("the file is encoded in UTF-16 or UTF-32: save it as UTF-8 and import it again")]
    WideText,
    /// A spreadsheet, an archive or something else that is no text.
    #[error("this is {kind}, not text: export as CSV or JSON Lines (unpacked) and import that file")]
    NotText {
        /// What it looks like, with its article.
        kind: &'static str,
    },
    /// No format was given and the content does not tell it.
    #[error("the format cannot be told from the content: say --format stoa (JSON Lines), shopify or woocommerce")]
    UnknownFormat,
    /// The content is plainly of another format than the one asked for.
    #[error(
        "this is no {expected} file: it looks like {found}; import it with --format {}",
        found.as_str()
    )]
    OtherFormat {
        /// The format asked for.
        expected: Format,
        /// The format it looks like.
        found: Format,
    },
    /// The header of a CSV file lacks columns that cannot be done without.
    #[error(
        "the header of this {format} file lacks {}: export the products again without changing the header",
        quoted_list(missing)
    )]
    MissingColumns {
        /// The format asked for.
        format: Format,
        /// The columns that are missing.
        missing: Vec<&'static str>,
    },
    /// The columns of a WooCommerce export are named in a language that is not known.
    #[error(
        "this looks like a WooCommerce export in a language that is not known here: \
         set the language of the user who exports to English, and export again"
    )]
    UnknownLanguage,
    /// Tags were to become categories, but the format has none that are read.
    #[error("--tags-as-categories is for exports of Shopify, but this is a {format} file")]
    NoTags {
        /// The format of the file.
        format: Format,
    },
    /// A column that is read stands twice in the header.
    #[error("column `{name}` stands twice in the header: remove or rename one of them")]
    RepeatedColumn {
        /// The name of the column.
        name: String,
    },
    /// The header is too long, or its quotation marks do not end.
    #[error("the header cannot be read: {reason}")]
    BadHeader {
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system could not read on.
    #[error("the file cannot be read: {0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for UnreadableFile {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::IsADirectory { Self::Directory } else { Self::Io(error) }
    }
}

fn quoted_list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let noun = if quoted.len() == 1 { "the column" } else { "the columns" };
    format!("{noun} {}", quoted.join(", "))
}

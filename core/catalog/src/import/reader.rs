//! The reader of import files, whatever their format.

use std::collections::VecDeque;
use std::io::{BufRead, Seek, SeekFrom};

use chrono::{DateTime, Utc};

use stoa_kernel::money::Currency;

use super::format::Format;
use super::input::{Input, is_blank};
use super::left_out::LeftOutColumn;
use super::shopify::ShopifyProducts;
use super::stoa::StoaLines;
use super::woocommerce::WooProducts;
use super::{ReadItem, UnreadableFile};

/// What reading depends on besides the file.
#[derive(Debug, Clone)]
pub struct ReadSettings {
    /// The shop's currency, whose minor unit prices are read in.
    pub currency: Currency,
    /// The moment that decides whether a sale price is the price.
    pub now: DateTime<Utc>,
    /// Key of the module whose product settings take `quantity` and `backorder`; without one, stock in CSV files is
    /// not read. The host knows which linked module that is, since no feature of core names a module.
    pub stock_module: Option<String>,
    /// What becomes of the tags in an export of Shopify.
    pub tags: TagUse,
}

/// What becomes of tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TagUse {
    /// They are left out, which is told.
    #[default]
    LeftOut,
    /// Each becomes a category; a product without a type stands in that of its first tag.
    Categories,
}

/// Reads the records of an import file one by one, in bounded memory (contract 4).
///
/// It blocks, so asynchronous callers run it on a thread for blocking work. Only WooCommerce's variable products and
/// their variations are kept until the end of the file, and the slugs used so far, since both may stand anywhere. Files of
/// Shopify are read twice, to know which of their rows stand apart.
#[derive(Debug)]
pub struct RecordReader<R> {
    source: Source<R>,
    format: Format,
    found: VecDeque<ReadItem>,
    finished: bool,
}

#[derive(Debug)]
enum Source<R> {
    Stoa(StoaLines<R>),
    Shopify(Box<ShopifyProducts<R>>),
    Woocommerce(Box<WooProducts<R>>),
}

impl<R: BufRead + Seek> RecordReader<R> {
    /// Begins to read a file, whose format is told from its content when `format` is left out.
    ///
    /// Fails when nothing in the file can be read: it is empty, a directory, no UTF-8 text, of another format, or its
    /// header lacks columns.
    pub fn open(
        mut source: R,
        format: Option<Format>,
        file_name: &str,
        settings: ReadSettings,
    ) -> Result<Self, UnreadableFile> {
        let (_, first_bytes) = Input::open(&mut source)?;
        source.seek(SeekFrom::Start(0))?;
        let format = format.or_else(|| Format::detect(&first_bytes, file_name));
        // The export of an empty shop has no lines; a table without a header is none.
        if is_blank(&first_bytes) && format != Some(Format::Stoa) {
            return Err(UnreadableFile::Empty);
        }
        let unknown = || {
            if Format::is_foreign(&first_bytes) {
                UnreadableFile::UnknownLanguage
            } else {
                UnreadableFile::UnknownFormat
            }
        };
        let format = format.ok_or_else(unknown)?;
        if settings.tags == TagUse::Categories && format != Format::Shopify {
            return Err(UnreadableFile::NoTags { format });
        }
        let source = match format {
            Format::Stoa => match Format::of_content(&first_bytes) {
                Some(found) if found != format => {
                    return Err(UnreadableFile::OtherFormat { expected: format, found });
                }
                _ => Source::Stoa(StoaLines::new(Input::open(source)?.0)),
            },
            Format::Shopify => Source::Shopify(Box::new(ShopifyProducts::open(source, settings)?)),
            Format::Woocommerce => {
                Source::Woocommerce(Box::new(WooProducts::open(Input::open(source)?.0, &first_bytes, settings)?))
            }
        };
        Ok(Self { source, format, found: VecDeque::new(), finished: false })
    }
}

impl<R: BufRead> RecordReader<R> {
    /// The format that is read.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The filled columns of which something was not taken over, as far as the file was read.
    pub fn left_out(&self) -> Vec<LeftOutColumn> {
        match &self.source {
            Source::Stoa(_) => Vec::new(),
            Source::Shopify(products) => products.table.header.left_out_columns(),
            Source::Woocommerce(products) => products.table.header.left_out_columns(),
        }
    }

    /// Bytes of the file read so far, for a progress bar.
    pub const fn bytes_read(&self) -> u64 {
        match &self.source {
            Source::Stoa(lines) => lines.input.consumed(),
            Source::Shopify(products) => products.table.rows.input.consumed(),
            Source::Woocommerce(products) => products.table.rows.input.consumed(),
        }
    }

    fn read_on(&mut self) -> Result<bool, UnreadableFile> {
        match &mut self.source {
            Source::Stoa(lines) => {
                let item = lines.next()?;
                let more = item.is_some();
                self.found.extend(item);
                Ok(more)
            }
            Source::Shopify(products) => products.read_on(&mut self.found),
            Source::Woocommerce(products) => products.read_on(&mut self.found),
        }
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<ReadItem, UnreadableFile>;

    /// The next item; an error, after which nothing more comes, when the file cannot be read on.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.found.pop_front() {
                return Some(Ok(item));
            }
            if self.finished {
                return None;
            }
            match self.read_on() {
                Ok(more) => self.finished = !more,
                Err(error) => {
                    self.finished = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

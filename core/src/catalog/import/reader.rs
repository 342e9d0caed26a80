//! The reader of import files, whatever their format.

use std::collections::VecDeque;
use std::io::BufRead;

use chrono::{DateTime, Utc};

use super::format::Format;
use super::input::Input;
use super::shopify::ShopifyProducts;
use super::stoa::StoaLines;
use super::woocommerce::WooProducts;
use super::{ReadItem, UnreadableFile};
use crate::money::Currency;

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
}

/// Reads the records of an import file one by one, in bounded memory (contract 4).
///
/// It blocks, so asynchronous callers run it on a thread for blocking work. Only WooCommerce's variable products and
/// their variations are kept until the end of the file, and the slugs used so far, since both may stand anywhere.
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

impl<R: BufRead> RecordReader<R> {
    /// Begins to read a file, whose format is told from its content when `format` is left out.
    ///
    /// Fails when nothing in the file can be read: it is empty, a directory, no UTF-8 text, of another format, or its
    /// header lacks columns.
    pub fn open(
        source: R,
        format: Option<Format>,
        file_name: &str,
        settings: ReadSettings,
    ) -> Result<Self, UnreadableFile> {
        let (input, first_bytes) = Input::open(source)?;
        let format = format.or_else(|| Format::detect(&first_bytes, file_name)).ok_or(UnreadableFile::UnknownFormat)?;
        let source = match format {
            Format::Stoa => match Format::of_content(&first_bytes) {
                Some(found) if found != format => {
                    return Err(UnreadableFile::OtherFormat { expected: format, found });
                }
                _ => Source::Stoa(StoaLines::new(input)),
            },
            Format::Shopify => Source::Shopify(Box::new(ShopifyProducts::open(input, &first_bytes, settings)?)),
            Format::Woocommerce => Source::Woocommerce(Box::new(WooProducts::open(input, &first_bytes, settings)?)),
        };
        Ok(Self { source, format, found: VecDeque::new(), finished: false })
    }

    /// The format that is read.
    pub const fn format(&self) -> Format {
        self.format
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

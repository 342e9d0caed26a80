//! Shopify's product CSV: the rows that share a handle are one product (contract 4).

use std::collections::{HashMap, VecDeque};
use std::io::BufRead;

use super::categories::Categories;
use super::header::{Column, Table, TableRow};
use super::input::Input;
use super::outcome::Problem;
use super::rows::Row;
use super::shopify_columns::ShopifyColumns;
use super::shopify_product::Group;
use super::{Format, ReadItem, ReadSettings, Record, UnreadableFile};

/// Reads products, one group of rows at a time.
#[derive(Debug)]
pub(super) struct ShopifyProducts<R> {
    pub(super) table: Table<R>,
    columns: ShopifyColumns,
    settings: ReadSettings,
    group: Option<Group>,
    categories: Categories,
    /// The line on which each handle's rows began.
    begun: HashMap<String, u64>,
}

impl<R: BufRead> ShopifyProducts<R> {
    pub(super) fn open(input: Input<R>, first_bytes: &[u8], settings: ReadSettings) -> Result<Self, UnreadableFile> {
        let table = Table::open(input, first_bytes, Format::Shopify)?;
        let columns = ShopifyColumns::new(&table.header)?;
        let (categories, begun) = (Categories::default(), HashMap::new());
        Ok(Self { table, columns, settings, group: None, categories, begun })
    }

    /// Reads on until something is found; false at the end of the file.
    pub(super) fn read_on(&mut self, found: &mut VecDeque<ReadItem>) -> Result<bool, UnreadableFile> {
        match self.table.next()? {
            TableRow::End => {
                self.finish_group(found);
                return Ok(false);
            }
            TableRow::Broken(problem) => found.push_back(ReadItem::rejected(problem)),
            TableRow::Row { row, fault } => self.add_row(&row, fault, found),
        }
        Ok(true)
    }

    fn add_row(&mut self, row: &Row, fault: Option<Problem>, found: &mut VecDeque<ReadItem>) {
        let handle = match self.columns.handle.text(row) {
            // Shopify itself ignores the case of handles and stores them in lower case.
            Ok(text) => text.to_lowercase(),
            Err(problem) => return found.push_back(ReadItem::rejected(problem)),
        };
        if handle.is_empty() {
            let place = Some(self.columns.handle.place());
            let reason = "is empty: every row names the product it belongs to";
            let problem = fault.unwrap_or_else(|| Problem::new(row.line, place, reason));
            return found.push_back(ReadItem::rejected(problem));
        }
        if self.group.as_ref().is_none_or(|group| group.handle != handle) {
            self.finish_group(found);
            let mut group = Group::begin(handle.clone(), row, &self.columns, &self.settings);
            if let Some(first) = self.begun.insert(handle, row.line) {
                let reason = format!(
                    "the rows of one product must stand together, but this handle is used from line {first} on already"
                );
                group.problems.add(row.line, Some(self.columns.handle.place()), reason);
            }
            self.group = Some(group);
        } else if let Some(group) = &mut self.group {
            group.add(row, &self.columns, &self.settings);
        }
        if let (Some(problem), Some(group)) = (fault, &mut self.group) {
            // Fields of a row of the wrong width may stand in the wrong column; only its width is worth telling.
            group.problems.replace_line(problem);
        }
    }

    fn finish_group(&mut self, found: &mut VecDeque<ReadItem>) {
        let Some(mut group) = self.group.take() else { return };
        let line = group.line;
        if group.gift_card {
            // There is nothing that would issue the card's balance: who buys it would pay for nothing.
            let reason = format!("the gift card `{}` is left out: gift cards are not supported", group.handle);
            let place = self.columns.gift_card.as_ref().map(Column::place);
            return found.push_back(ReadItem::notice(line, place, reason));
        }
        let kind = group.kind.take();
        let (mut product, skus_lost) = match group.finish(&self.columns, &self.settings) {
            Ok(finished) => finished,
            Err((slug, problems)) => {
                return found.push_back(ReadItem::refused(line, slug, problems));
            }
        };
        if let Some(column) = &self.columns.kind {
            let paths: Vec<Vec<String>> = kind.into_iter().map(|kind| vec![kind]).collect();
            self.categories.assign(&mut product, &paths, (line, column), found);
        }
        if skus_lost {
            let reason = format!(
                "the variants' stock keeping units of `{}` are left out, since its options' choices stand for several variants each",
                product.slug
            );
            let place = self.columns.sku.as_ref().map(Column::place);
            found.push_back(ReadItem::notice(line, place, reason));
        }
        found.push_back(ReadItem::record(line, Record::Product(Box::new(product))));
    }
}

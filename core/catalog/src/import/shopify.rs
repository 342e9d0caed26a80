//! Shopify's product CSV: the rows that share a handle are one product (contract 4).

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, Seek, SeekFrom};

use super::categories::Categories;
use super::header::Column;
use super::input::Input;
use super::outcome::Problem;
use super::rows::Row;
use super::rules::{MAX_SLUG, check_slug};
use super::shopify_columns::ShopifyColumns;
use super::shopify_product::{Finished, Group};
use super::slugs::slug_of_handle;
use super::table::{Table, TableRow};
use super::{Format, ReadItem, ReadSettings, Record, TagUse, UnreadableFile};

/// Reads products, one group of rows at a time.
#[derive(Debug)]
pub(super) struct ShopifyProducts<R> {
    pub(super) table: Table<R>,
    columns: ShopifyColumns,
    settings: ReadSettings,
    group: Option<Group>,
    categories: Categories,
    /// Handles whose rows do not stand together, with the lines on which they begin and begin again.
    apart: HashMap<String, (u64, u64)>,
    /// The line on which each slug was used.
    slugs: HashMap<String, u64>,
    /// The product that has counted each stock keeping unit, by its slug.
    counted: HashMap<String, String>,
}

impl<R: BufRead + Seek> ShopifyProducts<R> {
    /// Reads the whole file once, to know which rows stand apart: what has been handed out could not be taken back.
    pub(super) fn open(mut source: R, settings: ReadSettings) -> Result<Self, UnreadableFile> {
        let apart = rows_apart(&mut source, &settings)?;
        source.seek(SeekFrom::Start(0))?;
        let (input, first_bytes) = Input::open(source)?;
        let table = Table::open(input, &first_bytes, Format::Shopify)?;
        let columns = ShopifyColumns::new(&table.header, &settings)?;
        let (categories, slugs, counted) = (Categories::default(), HashMap::new(), HashMap::new());
        Ok(Self { table, columns, settings, group: None, categories, apart, slugs, counted })
    }
}

/// The handles whose rows do not stand together.
fn rows_apart<R: BufRead>(source: R, settings: &ReadSettings) -> Result<HashMap<String, (u64, u64)>, UnreadableFile> {
    let (input, first_bytes) = Input::open(source)?;
    let mut table = Table::open(input, &first_bytes, Format::Shopify)?;
    let columns = ShopifyColumns::new(&table.header, settings)?;
    let (mut begun, mut apart) = (HashMap::<String, u64>::new(), HashMap::new());
    let mut present: Option<String> = None;
    loop {
        let row = match table.next()? {
            TableRow::End => return Ok(apart),
            TableRow::Broken(_) => continue,
            TableRow::Row { row, .. } => row,
        };
        let Some(handle) = columns.handle.text(&row).ok().filter(|text| !text.is_empty()).map(str::to_lowercase) else {
            continue;
        };
        if present.as_ref() == Some(&handle) {
            continue;
        }
        if let Some(first) = begun.get(&handle) {
            apart.entry(handle.clone()).or_insert((*first, row.line));
        } else {
            begun.insert(handle.clone(), row.line);
        }
        present = Some(handle);
    }
}

impl<R: BufRead> ShopifyProducts<R> {
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
            if self.apart.get(&handle).is_some_and(|(first, _)| *first != row.line) {
                // It was refused as a whole where it began.
                return;
            }
            let group = self.begin_group(handle, row);
            self.group = Some(group);
        } else if let Some(group) = &mut self.group {
            group.add(row, &self.columns, &self.settings);
        }
        if let (Some(problem), Some(group)) = (fault, &mut self.group) {
            // Fields of a row of the wrong width may stand in the wrong column; only its width is worth telling.
            group.problems.replace_line(problem);
        }
    }

    fn begin_group(&mut self, handle: String, row: &Row) -> Group {
        let place = || Some(self.columns.handle.place());
        let mut problems = super::problems::Problems::default();
        if let Some((_, again)) = self.apart.get(&handle) {
            let reason = format!(
                "the rows of one product must stand together, but those of this handle go on in line {again}: sort the \
                 file by `{}`",
                place().map_or(String::new(), |place| place.name().to_owned())
            );
            problems.add(row.line, place(), reason);
        }
        let slug = match check_slug(&handle) {
            Ok(()) => handle.clone(),
            Err(reason) => {
                let slug = slug_of_handle(&handle, MAX_SLUG).filter(|_| handle.chars().count() <= MAX_SLUG);
                if let Some(slug) = &slug {
                    problems.note(row.line, place(), format!("`{handle}` becomes the slug `{slug}`"));
                } else {
                    problems.add(row.line, place(), reason);
                }
                slug.unwrap_or_else(|| handle.clone())
            }
        };
        if let Some(first) = self.slugs.insert(slug.clone(), row.line) {
            let reason =
                format!("the slug `{slug}` is that of the product in line {first} already: rename one of them");
            problems.add(row.line, place(), reason);
        }
        Group::begin((handle, slug), row, &self.columns, &self.settings, problems)
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
        let paths = std::mem::take(&mut group.categories);
        let Finished { mut product, skus_lost, notices, counted } =
            match group.finish(&self.columns, &self.settings, &mut self.table.header) {
                Ok(finished) => *finished,
                Err((slug, problems)) => {
                    return found.push_back(ReadItem::refused(line, slug, *problems));
                }
            };
        found.extend(notices);
        if let Some(column) = self.columns.category_column() {
            self.categories.assign(&mut product, &paths, (line, column), found);
        }
        let place = self.columns.sku.as_ref().map(Column::place);
        if skus_lost {
            let reason = format!(
                "the variants' stock keeping units of `{}` are left out, since its options' choices stand for several variants each",
                product.slug
            );
            found.push_back(ReadItem::notice(line, place.clone(), reason));
        }
        for sku in counted {
            if let Some(other) =
                self.counted.insert(sku.clone(), product.slug.clone()).filter(|other| *other != product.slug)
            {
                let reason = format!("`{}` and `{other}` share the SKU `{sku}` and so one stock", product.slug);
                found.push_back(ReadItem::notice(line, place.clone(), reason));
            }
        }
        found.push_back(ReadItem::record(line, Record::Product(Box::new(product))));
    }
}

impl TagUse {
    /// The category of a product that has neither a type nor tags that become categories is the last name of its place in
    /// Shopify's own taxonomy.
    pub(super) fn category_paths(kind: Option<String>, tags: Vec<String>, taxonomy: Option<&str>) -> Vec<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        for name in kind.into_iter().chain(tags) {
            if !names.iter().any(|other| other.to_lowercase() == name.to_lowercase()) {
                names.push(name);
            }
        }
        if names.is_empty() {
            let last = taxonomy.and_then(|path| path.rsplit('>').next()).map(str::trim);
            names.extend(last.filter(|name| !name.is_empty()).map(str::to_owned));
        }
        names.into_iter().map(|name| vec![name]).collect()
    }
}

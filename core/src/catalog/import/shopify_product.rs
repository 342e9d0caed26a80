//! The rows of one handle turned into a product.

use super::cells::{Cells, when};
use super::html::LineFeeds;
use super::problems::Problems;
use super::rows::Row;
use super::rules::{MAX_CHOICES, MAX_IMAGES, MAX_NAME, MAX_SKU, check_slug};
use super::shopify_columns::ShopifyColumns;
use super::stock::{CountedStock, keep_variants};
use super::variants::{Axis, Variant, check_names, price_variants};
use super::{Member, ProductRecord, ReadSettings};

/// The rows read so far that share a handle.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) handle: String,
    /// Line of its first row.
    pub(super) line: u64,
    pub(super) problems: Problems,
    pub(super) gift_card: bool,
    /// The `Type` of the first row, which becomes the category.
    pub(super) kind: Option<String>,
    name: Option<String>,
    description: Option<String>,
    active: Option<bool>,
    axes: Vec<Axis>,
    variants: Vec<Variant>,
    ships: bool,
    /// Position and address.
    images: Vec<(u64, String)>,
}

const TRUTH: [(&str, bool); 4] = [("true", true), ("false", false), ("yes", true), ("no", false)];
const STATUS: [(&str, bool); 4] = [("active", true), ("draft", false), ("archived", false), ("unlisted", false)];
const OVERSELL: [(&str, bool); 4] = [("deny", false), ("continue", true), ("false", false), ("true", true)];

impl Group {
    /// Begins with the first row, which alone holds what concerns the product as a whole.
    pub(super) fn begin(handle: String, row: &Row, columns: &ShopifyColumns, settings: &ReadSettings) -> Self {
        let mut problems = Problems::default();
        let mut cells = Cells { row, problems: &mut problems, unescape: |text| text };
        if let Err(reason) = check_slug(&handle) {
            cells.problem(&columns.handle, reason);
        }
        let published = cells.word(columns.published.as_ref(), &TRUTH);
        let status = cells.word(columns.status.as_ref(), &STATUS);
        let says = columns.published.is_some() || columns.status.is_some();
        let mut axes = Vec::new();
        for (name, _) in &columns.options {
            let name = cells.line(Some(name), MAX_NAME).unwrap_or_default();
            axes.push(Axis { name, values: Vec::new() });
        }
        let mut group = Self {
            line: row.line,
            gift_card: cells.word(columns.gift_card.as_ref(), &TRUTH).unwrap_or(false),
            kind: cells.line(columns.kind.as_ref(), MAX_NAME),
            name: cells.required_line(&columns.title, MAX_NAME),
            description: cells.html(columns.body.as_ref(), LineFeeds::Blank, str::to_owned),
            active: says.then(|| published.unwrap_or(true) && status.unwrap_or(true)),
            axes,
            variants: Vec::new(),
            ships: false,
            images: Vec::new(),
            handle,
            problems,
        };
        group.add(row, columns, settings);
        group
    }

    /// Adds what a row says about a variant and an image.
    pub(super) fn add(&mut self, row: &Row, columns: &ShopifyColumns, settings: &ReadSettings) {
        let mut problems = std::mem::take(&mut self.problems);
        let mut cells = Cells { row, problems: &mut problems, unescape: |text| text };
        let mut values = Vec::new();
        for (_, value) in &columns.options {
            values.push(cells.line(Some(value), MAX_NAME));
        }
        let sku = cells.line(columns.sku.as_ref(), MAX_SKU);
        let priced = !cells.raw(Some(&columns.price)).is_empty();
        // Rows of further images hold nothing but the handle and the image.
        let first = row.line == self.line;
        if first || priced || sku.is_some() || values.iter().any(Option::is_some) {
            self.add_variant(&mut cells, columns, values, sku, settings);
        }
        if let Some(column) = &columns.image {
            let source = cells.raw(Some(column)).to_owned();
            if let Some(image) = cells.image(column, &source) {
                let position = cells.raw(columns.image_position.as_ref()).parse();
                self.add_image(position.unwrap_or(u64::MAX), image);
            }
        }
        self.problems = problems;
    }

    /// Notes an image; an address that was there already keeps its place, and one too many is enough to refuse.
    fn add_image(&mut self, position: u64, image: String) {
        let known = self.images.iter().any(|(_, other)| *other == image);
        if !known && self.images.len() <= MAX_IMAGES {
            self.images.push((position, image));
        }
    }

    fn add_variant(
        &mut self,
        cells: &mut Cells<'_>,
        columns: &ShopifyColumns,
        values: Vec<Option<String>>,
        sku: Option<String>,
        settings: &ReadSettings,
    ) {
        let mut positions = Vec::new();
        for ((axis, value), (name, column)) in self.axes.iter_mut().zip(values).zip(&columns.options) {
            match value {
                Some(_) if axis.name.is_empty() => {
                    cells.problem(
                        column,
                        format!("is filled, but {} is empty in the product's first row", name.place()),
                    );
                }
                Some(value) => {
                    let known = axis.values.iter().position(|other| *other == value);
                    positions.push(known.unwrap_or(axis.values.len()));
                    if known.is_none() {
                        axis.values.push(value);
                    }
                }
                None if axis.name.is_empty() => {}
                None => {
                    let reason = format!("is empty, but the product has the option `{}`", axis.name);
                    cells.problem(column, reason);
                }
            }
        }
        let price = cells.amount(&columns.price, settings.currency);
        self.ships |= cells.word(columns.ships.as_ref(), &TRUTH).unwrap_or(false);
        let stock = settings.stock_module.as_ref().and_then(|_| read_stock(cells, columns));
        let line = cells.row.line;
        if self.variants.len() > MAX_CHOICES {
            return;
        }
        self.variants.push(Variant { line, values: positions, price: price.unwrap_or(0), sku, active: true, stock });
    }

    /// The product without its category, and whether stock keeping units were lost; or what is wrong.
    pub(super) fn finish(
        mut self,
        columns: &ShopifyColumns,
        settings: &ReadSettings,
    ) -> Result<(ProductRecord, bool), (String, Problems)> {
        self.axes.retain(|axis| !axis.name.is_empty());
        if self.problems.is_empty() {
            self.check_variants();
        }
        if !self.problems.is_empty() {
            return Err((self.handle, self.problems));
        }
        if is_default(&self.axes, &self.variants) {
            self.axes.clear();
        }
        let priced = price_variants(&self.axes, &self.variants);
        self.images.sort_by_key(|(position, _)| *position);
        let images = self.images.into_iter().map(|(_, image)| image).collect();
        let capabilities = if self.ships { vec!["shippable".to_owned()] } else { Vec::new() };
        let mut product = ProductRecord {
            slug: self.handle,
            name: Member::known(self.name),
            description: when(columns.body.as_ref(), Member::known(self.description)),
            sku: when(columns.sku.as_ref(), Member::known(priced.sku)),
            price_amount: Member::Value(priced.price),
            images: when(columns.image.as_ref(), Member::Value(images)),
            active: self.active.map_or(Member::Absent, Member::Value),
            capabilities: when(columns.ships.as_ref(), Member::Value(capabilities)),
            options: Member::Value(priced.options),
            ..ProductRecord::default()
        };
        if let Some(stock_module) = &settings.stock_module {
            keep_variants(&mut product, stock_module, &self.variants);
        }
        Ok((product, priced.skus_lost))
    }

    fn check_variants(&mut self) {
        let mut seen = std::collections::HashMap::new();
        for variant in &self.variants {
            if let Some(first) = seen.insert(variant.values.clone(), variant.line) {
                let reason = if self.axes.is_empty() {
                    format!("is a second variant beside line {first}, but the product has no options")
                } else {
                    format!("has the same option values as line {first}")
                };
                self.problems.add(variant.line, None, format!("this row {reason}"));
            }
        }
        for (line, reason) in check_names(&self.axes, &self.variants) {
            self.problems.add(line, None, reason);
        }
        if self.variants.len() > MAX_CHOICES {
            let reason = format!("the product has more than {MAX_CHOICES} variants");
            self.problems.add(self.line, None, reason);
        }
        if self.images.len() > MAX_IMAGES {
            let reason = format!("the product has more than {MAX_IMAGES} images");
            self.problems.add(self.line, None, reason);
        }
    }
}

/// Shopify writes a product without options as one with the option `Title` and its only value `Default Title`.
fn is_default(axes: &[Axis], variants: &[Variant]) -> bool {
    match (axes, variants) {
        ([only], [_]) => {
            only.name.eq_ignore_ascii_case("title")
                && only.values.iter().all(|value| value.eq_ignore_ascii_case("default title"))
        }
        _ => false,
    }
}

/// The stock of a variant that Shopify itself counts.
fn read_stock(cells: &mut Cells<'_>, columns: &ShopifyColumns) -> Option<CountedStock> {
    if !cells.raw(columns.tracker.as_ref()).eq_ignore_ascii_case("shopify") {
        return None;
    }
    let quantity = cells.quantity(columns.quantity.as_ref())?;
    let backorder = cells.word(columns.oversell.as_ref(), &OVERSELL).unwrap_or(false);
    Some(CountedStock { quantity, backorder })
}

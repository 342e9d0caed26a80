//! The rows of one handle turned into a product.

use super::cells::{Cells, when};
use super::header::{Column, Header};
use super::html::LineFeeds;
use super::problems::Problems;
use super::rows::Row;
use super::rules::{MAX_BRAND, MAX_CHOICES, MAX_DESCRIPTION, MAX_IMAGES, MAX_NAME, MAX_SKU};
use super::shopify_columns::ShopifyColumns;
use super::stock::{CountedStock, keep_variants, shared_stock};
use super::variant_facts::{FactColumns, VariantFacts, grams, gtin, product_facts};
use super::variants::{Axis, Variant, check_names, price_variants};
use super::{FactsRecord, Member, ProductRecord, ReadItem, ReadSettings, TagUse};

/// The rows read so far that share a handle.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) handle: String,
    slug: String,
    /// Line of its first row.
    pub(super) line: u64,
    pub(super) problems: Problems,
    pub(super) gift_card: bool,
    /// Paths of the names of its categories, its own first.
    pub(super) categories: Vec<Vec<String>>,
    brand: Option<String>,
    name: Option<String>,
    description: Option<String>,
    active: Option<bool>,
    axes: Vec<Axis>,
    variants: Vec<Variant>,
    ships: bool,
    /// Position and address.
    images: Vec<(u64, String)>,
    /// Images of single variants, which come after those of the product.
    variant_images: Vec<String>,
    /// Rows whose barcode is no GTIN.
    other_barcodes: u64,
}

/// A product that is complete but for its category.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) product: ProductRecord,
    /// Whether stock keeping units were lost, since a choice stands for several variants.
    pub(super) skus_lost: bool,
    /// What else is worth telling.
    pub(super) notices: Vec<ReadItem>,
    /// The stock keeping units whose stock it tells of.
    pub(super) counted: Vec<String>,
}

const TRUTH: [(&str, bool); 4] = [("true", true), ("false", false), ("yes", true), ("no", false)];
const STATUS: [(&str, bool); 4] = [("active", true), ("draft", false), ("archived", false), ("unlisted", false)];
const OVERSELL: [(&str, bool); 4] = [("deny", false), ("continue", true), ("false", false), ("true", true)];

impl Group {
    /// Begins with the first row, which alone holds what concerns the product as a whole.
    pub(super) fn begin(
        (handle, slug): (String, String),
        row: &Row,
        columns: &ShopifyColumns,
        settings: &ReadSettings,
        mut problems: Problems,
    ) -> Self {
        let mut cells = Cells { row, problems: &mut problems, unescape: |text| text };
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
            categories: read_categories(&mut cells, columns),
            brand: cells.line(columns.vendor.as_ref(), MAX_BRAND),
            name: cells.required_line(&columns.title, MAX_NAME),
            description: cells.html(columns.body.as_ref(), LineFeeds::Blank, str::to_owned),
            active: says.then(|| published.unwrap_or(true) && status.unwrap_or(true)),
            axes,
            variants: Vec::new(),
            ships: false,
            images: Vec::new(),
            variant_images: Vec::new(),
            other_barcodes: 0,
            handle,
            slug,
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
                self.add_image(position.unwrap_or(u64::MAX - 1), image);
            }
        }
        if let Some(column) = columns.variant_image.as_ref().filter(|_| self.variant_images.len() < MAX_CHOICES) {
            let source = cells.raw(Some(column)).to_owned();
            if let Some(image) = cells.image(column, &source).filter(|image| !self.variant_images.contains(image)) {
                self.variant_images.push(image);
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
        let facts = self.read_facts(cells, columns, settings);
        let line = cells.row.line;
        if self.variants.len() > MAX_CHOICES {
            return;
        }
        self.variants.push(Variant {
            line,
            values: positions,
            price: price.unwrap_or(0),
            sku,
            active: true,
            stock,
            facts,
        });
    }

    fn read_facts(&mut self, cells: &mut Cells<'_>, columns: &ShopifyColumns, settings: &ReadSettings) -> VariantFacts {
        let barcode = cells.raw(columns.barcode.as_ref()).to_owned();
        let gtin = gtin(&barcode);
        self.other_barcodes += u64::from(gtin.is_none() && !barcode.is_empty());
        let weight = cells.raw(columns.grams.as_ref()).to_owned();
        let weight = if weight.is_empty() { Ok(None) } else { grams(&weight, (1, 1)) };
        let weight_grams = weight.unwrap_or_else(|reason| {
            if let Some(column) = &columns.grams {
                cells.note(column, reason);
            }
            None
        });
        let has_compare_at = !cells.raw(columns.compare_at.as_ref()).is_empty();
        let compare_at = columns.compare_at.as_ref().filter(|_| has_compare_at);
        let compare_at = compare_at.and_then(|column| cells.amount(column, settings.currency));
        VariantFacts { gtin, weight_grams, compare_at }
    }

    /// The product, or its slug and what is wrong with it.
    pub(super) fn finish(
        mut self,
        columns: &ShopifyColumns,
        settings: &ReadSettings,
        header: &mut Header,
    ) -> Result<Box<Finished>, (String, Box<Problems>)> {
        self.axes.retain(|axis| !axis.name.is_empty());
        if self.problems.is_empty() {
            self.check_variants();
        }
        if !self.problems.is_empty() {
            return Err((self.slug, Box::new(self.problems)));
        }
        if let Some(column) = &columns.barcode {
            header.left_out.add(column, self.other_barcodes);
        }
        if is_default(&self.axes, &self.variants) {
            self.axes.clear();
        }
        let priced = price_variants(&self.axes, &self.variants);
        for image in std::mem::take(&mut self.variant_images) {
            if self.images.len() < MAX_IMAGES {
                self.add_image(u64::MAX, image);
            } else if let Some(column) = &columns.variant_image {
                header.left_out.add(column, 1);
            }
        }
        self.images.sort_by_key(|(position, _)| *position);
        let images = self.images.into_iter().map(|(_, image)| image).collect();
        let capabilities = if self.ships { vec!["shippable".to_owned()] } else { Vec::new() };
        let fact_columns = FactColumns {
            gtin: columns.barcode.as_ref(),
            weight: columns.grams.as_ref(),
            compare_at: columns.compare_at.as_ref(),
        };
        let facts = FactsRecord {
            brand: when(columns.vendor.as_ref(), Member::known(self.brand)),
            ..product_facts(&self.variants, priced.price, fact_columns, header)
        };
        let mut product = ProductRecord {
            slug: self.slug,
            facts,
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
        let mut counted = Vec::new();
        if let Some(stock_module) = &settings.stock_module {
            counted = keep_variants(&mut product, stock_module, &self.variants);
            for (sku, lines) in shared_stock(&self.variants) {
                let lines = lines.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                let reason =
                    format!("the variants in lines {lines} share the SKU `{sku}`: each keeps a stock of its own");
                self.problems.note(self.line, columns.sku.as_ref().map(Column::place), reason);
            }
        }
        let notices = self.problems.notices().collect();
        Ok(Box::new(Finished { product, skus_lost: priced.skus_lost, notices, counted }))
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

/// The most tags of one product that become categories.
const MAX_TAGS: usize = 250;

/// Paths of names of the categories of a product, its own first.
fn read_categories(cells: &mut Cells<'_>, columns: &ShopifyColumns) -> Vec<Vec<String>> {
    let kind = cells.line(columns.kind.as_ref(), MAX_NAME);
    let tags = cells.raw(columns.tags.as_ref()).split(',').map(|tag| tag.trim().to_owned());
    let tags = tags.filter(|tag| !tag.is_empty()).collect::<Vec<_>>();
    if let Some(column) = columns
        .tags
        .as_ref()
        .filter(|_| tags.len() > MAX_TAGS || tags.iter().any(|tag| super::rules::single_line(tag, MAX_NAME).is_err()))
    {
        cells.problem(column, format!("has more than {MAX_TAGS} tags, or one of more than {MAX_NAME} characters"));
        return Vec::new();
    }
    let taxonomy = cells.line(columns.taxonomy.as_ref(), MAX_DESCRIPTION);
    TagUse::category_paths(kind, tags, taxonomy.as_deref())
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

//! One row of WooCommerce's product CSV.

use std::collections::HashSet;

use super::cells::{Cells, when};
use super::header::Column;
use super::html::{LineFeeds, plain_text};
use super::problems::{Problems, shown};
use super::rows::Row;
use super::rules::{self, MAX_BRAND, MAX_DESCRIPTION, MAX_IMAGES, MAX_KEY, MAX_NAME, MAX_SKU};
use super::stock::CountedStock;
use super::variant_facts::{grams, gtin};
use super::woocommerce_columns::WooColumns;
use super::woocommerce_sale::{sale_end, sale_start};
use super::{FactsRecord, Member, ProductRecord, ReadSettings};

/// What kind of product a row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Simple,
    Variable,
    Variation,
    /// Grouped or external: left out on purpose (contract 4).
    LeftOut(String),
    /// Something a plug-in adds, such as subscriptions.
    Unknown(String),
}

/// The column `Type`: a kind, and two words that may stand beside it.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) downloadable: bool,
    pub(super) is_virtual: bool,
}

impl Type {
    pub(super) fn read(text: &str) -> Self {
        let text = text.to_lowercase();
        let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let kind = words.iter().find(|word| !matches!(**word, "downloadable" | "virtual"));
        Self {
            kind: match kind.copied() {
                None | Some("simple") => Kind::Simple,
                Some("variable") => Kind::Variable,
                Some("variation") => Kind::Variation,
                Some(word @ ("grouped" | "external")) => Kind::LeftOut(word.to_owned()),
                Some(word) => Kind::Unknown(word.to_owned()),
            },
            downloadable: words.contains(&"downloadable"),
            is_virtual: words.contains(&"virtual"),
        }
    }

    /// What is downloaded is `digital`, what is not virtual has to be shipped.
    pub(super) fn add_capabilities(&self, capabilities: &mut Vec<String>) {
        for (needed, key) in [(!self.is_virtual, "shippable"), (self.downloadable, "digital")] {
            if needed && !capabilities.iter().any(|other| other == key) {
                capabilities.push(key.to_owned());
            }
        }
    }
}

/// Removes the apostrophe that keeps spreadsheets from taking a field for a formula.
pub(super) fn unescape(field: &str) -> &str {
    match field.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@', '\t', '\r']) => rest.trim(),
        _ => field,
    }
}

/// What a row has besides name, price and variations, whatever its kind.
pub(super) fn read_product(cells: &mut Cells<'_>, columns: &WooColumns, kind: &Type) -> ProductRecord {
    let name = cells.required_line(&columns.name, usize::MAX).map(|name| plain_line(&name).trim().to_owned());
    if name.as_ref().is_some_and(String::is_empty) {
        cells.problem(&columns.name, "is empty without its markup");
    }
    if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME) {
        cells.problem(&columns.name, format!("has more than {MAX_NAME} characters"));
    }
    let (subtitle, description) = read_texts(cells, columns);
    let sku = cells.line(columns.sku.as_ref(), MAX_SKU);
    let tax_class = cells.line(columns.tax_class.as_ref(), MAX_KEY);
    let images = read_images(cells, columns.images.as_ref());
    let published = cells.word(columns.published.as_ref(), &PUBLISHED);
    let visible = cells.word(columns.visibility.as_ref(), &VISIBILITY);
    let says = columns.published.is_some() || columns.visibility.is_some();
    let mut capabilities = Vec::new();
    kind.add_capabilities(&mut capabilities);
    ProductRecord {
        name: Member::known(name),
        sku: when(columns.sku.as_ref(), Member::known(sku)),
        subtitle: when(columns.short_description.as_ref(), Member::known(subtitle)),
        description: when(columns.description.as_ref(), Member::known(description)),
        tax_class: when(columns.tax_class.as_ref(), Member::known(tax_class)),
        images: when(columns.images.as_ref(), Member::Value(images)),
        active: if says { Member::Value(published.unwrap_or(true) && visible.unwrap_or(true)) } else { Member::Absent },
        capabilities: Member::Value(capabilities),
        options: Member::Value(Vec::new()),
        facts: FactsRecord {
            brand: when(columns.brands.as_ref(), Member::known(read_brand(cells, columns))),
            gtin: when(columns.gtin.as_ref(), Member::known(read_gtin(cells, columns))),
            weight_grams: when(
                columns.weight.as_ref().map(|(column, _)| column),
                Member::known(read_weight(cells, columns)),
            ),
            ..FactsRecord::default()
        },
        ..ProductRecord::default()
    }
}

/// The brand; of several, the first.
fn read_brand(cells: &mut Cells<'_>, columns: &WooColumns) -> Option<String> {
    let column = columns.brands.as_ref()?;
    let brands = split_list(cells.raw(Some(column)));
    let name = |brand: &String| plain_line(brand.rsplit('>').next().unwrap_or_default().trim());
    let brand = brands.first().map(name)?;
    if brands.len() > 1 {
        cells.note(column, format!("`{brand}` is taken, since a product has one brand; the others are left out"));
    }
    match rules::single_line(&brand, MAX_BRAND) {
        Ok(brand) => brand,
        Err(reason) => {
            cells.problem(column, reason);
            None
        }
    }
}

/// The GTIN; anything else in its column is left out.
pub(super) fn read_gtin(cells: &mut Cells<'_>, columns: &WooColumns) -> Option<String> {
    let column = columns.gtin.as_ref()?;
    let text = cells.raw(Some(column)).to_owned();
    let found = gtin(&text);
    if found.is_none() && !text.is_empty() {
        cells.note(column, format!("{} is no GTIN and is left out", shown(&text)));
    }
    found
}

/// The weight in grams.
pub(super) fn read_weight(cells: &mut Cells<'_>, columns: &WooColumns) -> Option<i64> {
    let (column, unit) = columns.weight.as_ref()?;
    let text = cells.raw(Some(column)).to_owned();
    if text.is_empty() {
        return None;
    }
    grams(&text, *unit).unwrap_or_else(|reason| {
        cells.note(column, reason);
        None
    })
}

/// 0 is private, -1 a draft, 2 waiting for review.
const PUBLISHED: [(&str, bool); 6] =
    [("1", true), ("0", false), ("-1", false), ("2", false), ("true", true), ("false", false)];
const VISIBILITY: [(&str, bool); 4] = [("visible", true), ("catalog", true), ("search", true), ("hidden", false)];

/// Whether a variation is on offer. A draft's variations are exported as drafts too; the product says that already.
pub(super) fn variation_is_active(cells: &mut Cells<'_>, columns: &WooColumns) -> bool {
    let words = PUBLISHED.map(|(word, active)| (word, active || matches!(word, "-1" | "2" | "false")));
    cells.word(columns.published.as_ref(), &words).unwrap_or(true)
}

/// The short description is the subtitle if it fits, else the beginning of the description.
fn read_texts(cells: &mut Cells<'_>, columns: &WooColumns) -> (Option<String>, Option<String>) {
    let short = cells.html(columns.short_description.as_ref(), LineFeeds::Break, line_feeds);
    let description = cells.html(columns.description.as_ref(), LineFeeds::Break, line_feeds);
    let Some(short) = short else { return (None, description) };
    let subtitle = short.replace('\n', " ");
    if subtitle.chars().count() <= MAX_NAME {
        return (Some(subtitle), description);
    }
    let both = [Some(short.clone()), description.clone()];
    let both: Vec<String> = both.into_iter().flatten().collect();
    let both = both.join("\n\n");
    let fits = both.chars().count() <= MAX_DESCRIPTION && columns.description.is_some();
    (None, if fits { Some(both) } else { description })
}

/// WooCommerce writes a line feed as `\n`, and what was `\n` before as `\\n`.
fn line_feeds(text: &str) -> String {
    let parts: Vec<String> = text.split("\\\\n").map(|part| part.replace("\\n", "\n")).collect();
    parts.join("\\n")
}

/// A name without markup and entities, which WordPress stores within names.
pub(super) fn plain_line(text: &str) -> String {
    if text.contains(['<', '&']) { plain_text(text, LineFeeds::Blank).replace('\n', " ") } else { text.to_owned() }
}

fn read_images(cells: &mut Cells<'_>, column: Option<&Column>) -> Vec<String> {
    let Some(column) = column else { return Vec::new() };
    let source = cells.raw(Some(column)).to_owned();
    let mut images: Vec<String> = Vec::new();
    for part in split_list(&source) {
        if let Some(image) = cells.image(column, &part)
            && !images.contains(&image)
        {
            images.push(image);
        }
        if images.len() > MAX_IMAGES {
            cells.problem(column, format!("has more than {MAX_IMAGES} images"));
            break;
        }
    }
    images
}

/// The parts of a list with commas; a comma within a part is written `\,`.
pub(super) fn split_list(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let last = parts.len() - 1;
        match character {
            '\\' if characters.peek() == Some(&',') => parts[last].extend(characters.next()),
            ',' => parts.push(String::new()),
            other => parts[last].push(other),
        }
    }
    let parts = parts.iter().map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// The most categories of one product, and the most levels of one, with room to spare.
const MAX_CATEGORIES: usize = 100;
const MAX_LEVELS: usize = 20;

/// What cannot be taken of the categories of a product.
pub(super) fn check_categories(paths: &[Vec<String>]) -> Result<(), String> {
    if paths.len() > MAX_CATEGORIES {
        return Err(format!("has more than {MAX_CATEGORIES} categories"));
    }
    if paths.iter().any(|names| names.len() > MAX_LEVELS) {
        return Err(format!("has a category of more than {MAX_LEVELS} levels"));
    }
    if paths.iter().flatten().any(|name| name.chars().count() > MAX_NAME) {
        return Err(format!("has a category name of more than {MAX_NAME} characters"));
    }
    Ok(())
}

/// Paths of names of the categories in the column `Categories`. The first is the product's own: the deepest, or the first
/// of several that are as deep. Those above it are not among the others.
pub(super) fn read_categories(text: &str) -> Vec<Vec<String>> {
    let paths = split_list(text).into_iter().map(|path| -> Vec<String> {
        path.split('>').map(|name| plain_line(name.trim())).filter(|name| !name.is_empty()).collect()
    });
    let mut seen = HashSet::new();
    let mut paths: Vec<Vec<String>> = paths.filter(|names| !names.is_empty() && seen.insert(names.clone())).collect();
    let deepest = paths.iter().map(Vec::len).max().unwrap_or(0);
    let Some(own) = paths.iter().position(|names| names.len() == deepest) else { return paths };
    let own = paths.remove(own);
    paths.retain(|names| !own.starts_with(names));
    paths.insert(0, own);
    paths
}

/// The price at the moment of the import, nothing when the row has none; and what it was before a reduction.
pub(super) fn read_price(
    cells: &mut Cells<'_>,
    columns: &WooColumns,
    settings: &ReadSettings,
) -> (Option<i64>, Option<i64>) {
    let mut price = |column: Option<&Column>| {
        let text = cells.raw(column).to_owned();
        let column = column.filter(|_| !text.is_empty())?;
        let amount = super::amount::amount(&decimal_point(&text), settings.currency);
        amount.map_err(|reason| cells.problem(column, reason)).ok()
    };
    let regular = price(Some(&columns.regular_price));
    let sale = price(columns.sale_price.as_ref());
    let starts = moment(cells, columns.sale_starts.as_ref(), sale_start);
    let ends = moment(cells, columns.sale_ends.as_ref(), sale_end);
    let running = starts.is_none_or(|starts| starts <= settings.now) && ends.is_none_or(|ends| settings.now < ends);
    match (regular, sale) {
        // As in WooCommerce, a sale price that is no lower than the regular one is none.
        (Some(regular), Some(sale)) if running && sale < regular => (Some(sale), Some(regular)),
        (Some(regular), _) => (Some(regular), None),
        (None, sale) => (sale.filter(|_| running), None),
    }
}

fn moment<T>(cells: &mut Cells<'_>, column: Option<&Column>, read: fn(&str) -> Result<T, String>) -> Option<T> {
    let text = cells.raw(column).to_owned();
    let column = column.filter(|_| !text.is_empty())?;
    read(&text).map_err(|reason| cells.problem(column, reason)).ok()
}

/// WooCommerce writes prices with the shop's decimal sign and never with thousands separators. A comma before one or
/// two last digits can be nothing else; before three, somebody may have meant thousands, so it is left to be refused.
fn decimal_point(text: &str) -> String {
    match text.split_once(',') {
        Some((whole, cents))
            if (1..=2).contains(&cents.len())
                && whole.bytes().chain(cents.bytes()).all(|byte| byte.is_ascii_digit()) =>
        {
            format!("{whole}.{cents}")
        }
        _ => text.to_owned(),
    }
}

const IN_STOCK: [(&str, Option<bool>); 5] =
    [("1", None), ("0", Some(false)), ("backorder", Some(true)), ("true", None), ("false", Some(false))];
const BACKORDERS: [(&str, bool); 5] = [("1", true), ("0", false), ("notify", true), ("yes", true), ("no", false)];

/// The stock that WooCommerce counts. What is marked as out of stock without being counted has none left.
pub(super) fn read_stock(cells: &mut Cells<'_>, columns: &WooColumns) -> Option<CountedStock> {
    // Variations that are counted together with their product say so.
    let of_parent = cells.raw(columns.stock.as_ref()).eq_ignore_ascii_case("parent");
    let counted = if of_parent { None } else { cells.quantity(columns.stock.as_ref()) };
    let sold_out = cells.word(columns.in_stock.as_ref(), &IN_STOCK).flatten();
    let allowed = cells.word(columns.backorders.as_ref(), &BACKORDERS).unwrap_or(false);
    let (quantity, backorder) = match (counted, sold_out) {
        (Some(quantity), _) => (quantity, allowed),
        (None, Some(backorder)) => (0, backorder),
        (None, None) => return None,
    };
    Some(CountedStock { quantity, backorder })
}

/// The attributes of a row: names with their values, one of which may be empty.
pub(super) fn read_attributes(cells: &mut Cells<'_>, columns: &WooColumns) -> Vec<(String, Vec<String>)> {
    let mut attributes = Vec::new();
    for (name, values) in &columns.attributes {
        let Some(name) = cells.line(Some(name), MAX_NAME) else { continue };
        let list = split_list(cells.raw(Some(values)));
        let mut seen = HashSet::new();
        let list: Vec<String> = list.into_iter().filter(|value| seen.insert(value.clone())).collect();
        for value in &list {
            if let Err(reason) = rules::single_line(value, MAX_NAME) {
                cells.problem(values, reason);
            }
        }
        attributes.push((name, list));
    }
    attributes
}

/// Cells of a row with WooCommerce's escapes.
pub(super) const fn cells<'r>(row: &'r Row, problems: &'r mut Problems) -> Cells<'r> {
    Cells { row, problems, unescape }
}

//! The columns of WooCommerce's product CSV, which are named in the language of the one who exports.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::UnreadableFile;
use super::header::{Column, Header, folded};

/// A language with its names of the columns.
#[derive(Debug)]
pub(super) struct Language {
    names: BTreeMap<&'static str, Vec<&'static str>>,
}

/// The languages, English first.
static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let mut languages: Vec<(&str, Language)> = Vec::new();
    for line in include_str!("woocommerce_names.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('|');
        let (Some(code), Some(column)) = (parts.next(), parts.next()) else { continue };
        if languages.last().is_none_or(|(last, _)| *last != code) {
            languages.push((code, Language { names: BTreeMap::new() }));
        }
        if let Some((_, language)) = languages.last_mut() {
            language.names.insert(column, parts.collect());
        }
    }
    languages.into_iter().map(|(_, language)| language).collect()
});

/// Without these nothing can be imported.
const REQUIRED: [&str; 3] = ["type", "name", "regular_price"];

impl Language {
    /// The language in which a header has the required columns and the most of the others.
    fn of(header: &Header) -> Option<&'static Self> {
        let mut best: Option<(&Self, usize)> = None;
        for language in LANGUAGES.iter().filter(|language| language.lacking(header).is_empty()) {
            let found = language.names.keys().filter(|column| header.has(&language.names(column))).count();
            if best.is_none_or(|(_, most)| found > most) {
                best = Some((language, found));
            }
        }
        best.map(|(language, _)| language)
    }

    /// The names of a column, with the English ones last: what was not translated yet is in English.
    fn names(&self, column: &str) -> Vec<&'static str> {
        let english = LANGUAGES.first().and_then(|english| english.names.get(column));
        self.names.get(column).into_iter().chain(english).flatten().copied().collect()
    }

    fn lacking(&self, header: &Header) -> Vec<&'static str> {
        let missing = REQUIRED.iter().map(|column| self.names(column)).filter(|names| !header.has(names));
        missing.filter_map(|names| names.first().copied()).collect()
    }
}

/// The required columns that a header lacks in every language, by their names in the one it comes next to.
pub(super) fn lacking(header: &Header) -> Vec<&'static str> {
    LANGUAGES.iter().map(|language| language.lacking(header)).min_by_key(Vec::len).unwrap_or_default()
}

/// Whether a header looks like an export in a language that is not known: it begins with `ID`, which few translate, has
/// as many columns as every export, and none of those that are required.
pub(super) fn is_foreign(header: &Header) -> bool {
    const FEWEST_COLUMNS: usize = 20;
    header.folded_names().next() == Some("id")
        && header.len() >= FEWEST_COLUMNS
        && lacking(header).len() >= REQUIRED.len() - 1
}

/// Where the columns are that are read; all others are left alone.
#[derive(Debug)]
pub(super) struct WooColumns {
    pub(super) kind: Column,
    pub(super) name: Column,
    pub(super) regular_price: Column,
    pub(super) sale_price: Option<Column>,
    pub(super) sale_starts: Option<Column>,
    pub(super) sale_ends: Option<Column>,
    pub(super) id: Option<Column>,
    pub(super) sku: Option<Column>,
    pub(super) gtin: Option<Column>,
    pub(super) brands: Option<Column>,
    /// The weight with the grams of its unit, as a fraction.
    pub(super) weight: Option<(Column, GramsOfUnit)>,
    pub(super) parent: Option<Column>,
    pub(super) published: Option<Column>,
    pub(super) visibility: Option<Column>,
    pub(super) short_description: Option<Column>,
    pub(super) description: Option<Column>,
    pub(super) categories: Option<Column>,
    pub(super) images: Option<Column>,
    pub(super) tax_class: Option<Column>,
    pub(super) stock: Option<Column>,
    pub(super) in_stock: Option<Column>,
    pub(super) backorders: Option<Column>,
    /// Name and value(s) of each attribute.
    pub(super) attributes: Vec<(Column, Column)>,
}

/// How many grams a unit of weight has: a fraction.
pub(super) type GramsOfUnit = (i128, i128);

/// The units that WooCommerce knows, with their names in the languages that translate them.
const UNITS: [(&[&str], GramsOfUnit); 4] = [
    (&["kg", "kg (kilogramma)", "кг", "公斤", "กก."], (1_000, 1)),
    (&["g", "gr", "gram", "g (gramma)", "г", "克", "公克", "กรัม"], (1, 1)),
    (
        &[
            "lbs",
            "lb",
            "livres",
            "livre",
            "am. pund",
            "lbs (naula)",
            "lbs (ポンド)",
            "funty",
            "font",
            "nael",
            "фунт",
            "磅",
            "ปอนด์",
        ],
        (45_359_237, 100_000),
    ),
    (
        &[
            "oz",
            "unce",
            "onça",
            "unts",
            "uncia",
            "uncje",
            "am. uns",
            "oz (unssi)",
            "oz (オンス)",
            "унция",
            "унція",
            "盎司",
            "ออนซ์",
        ],
        (28_349_523_125, 1_000_000_000),
    ),
];

impl WooColumns {
    /// Finds them in a header that has the required ones; those of stock where it is read.
    pub(super) fn new(header: &Header, reads_stock: bool) -> Result<Self, UnreadableFile> {
        let language = Language::of(header).unwrap_or(&LANGUAGES[0]);
        let find = |column: &str| header.find(&language.names(column));
        let of_stock = |column: &str| if reads_stock { find(column) } else { Ok(None) };
        header.usual(&language.names("reviews"), "1");
        header.usual(&language.names("in_stock"), "1");
        Ok(Self {
            kind: header.required(&language.names("type"))?,
            name: header.required(&language.names("name"))?,
            regular_price: header.required(&language.names("regular_price"))?,
            sale_price: find("sale_price")?,
            sale_starts: find("sale_starts")?,
            sale_ends: find("sale_ends")?,
            id: find("id")?,
            sku: find("sku")?,
            gtin: find("gtin")?,
            brands: find("brands")?,
            weight: weight(header, &language.names("weight"))?,
            parent: find("parent")?,
            published: find("published")?,
            visibility: find("visibility")?,
            short_description: find("short_description")?,
            description: find("description")?,
            categories: find("categories")?,
            images: find("images")?,
            tax_class: find("tax_class")?,
            stock: of_stock("stock")?,
            in_stock: of_stock("in_stock")?,
            backorders: of_stock("backorders")?,
            attributes: attributes(header, language)?,
        })
    }

    /// The fewest fields of a row. WooCommerce writes 50 products at a time and the header when it knows all columns, so
    /// that rows lack the attributes and other columns that were met after them. Those that every product has come first.
    pub(super) fn fewest_fields(&self) -> usize {
        let everywhere = [&self.kind, &self.name, &self.regular_price].into_iter();
        let others = [
            &self.sale_price,
            &self.sale_starts,
            &self.sale_ends,
            &self.id,
            &self.sku,
            &self.parent,
            &self.published,
            &self.visibility,
            &self.short_description,
            &self.description,
            &self.categories,
            &self.images,
            &self.tax_class,
            &self.stock,
            &self.in_stock,
            &self.backorders,
        ];
        everywhere.chain(others.into_iter().flatten()).map(|column| column.index() + 1).max().unwrap_or(0)
    }
}

/// What stands for `#` in a folded name, if the rest of it is as in the pattern.
fn variable<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    let pattern = folded(pattern);
    let (start, end) = pattern.split_once('#')?;
    name.strip_prefix(start)?.strip_suffix(end).map(str::trim)
}

/// The column of weights, if its unit is known.
fn weight(header: &Header, patterns: &[&str]) -> Result<Option<(Column, GramsOfUnit)>, UnreadableFile> {
    for name in header.folded_names() {
        let unit = patterns.iter().find_map(|pattern| variable(pattern, name));
        let unit = unit.and_then(|unit| UNITS.iter().find(|(names, _)| names.contains(&unit)));
        if let Some((_, grams)) = unit {
            return Ok(header.find(&[name])?.map(|column| (column, *grams)));
        }
    }
    Ok(None)
}

/// The columns `Attribute N name` and `Attribute N value(s)`, by their numbers.
fn attributes(header: &Header, language: &Language) -> Result<Vec<(Column, Column)>, UnreadableFile> {
    let patterns = language.names("attribute_name");
    let number = |name: &str| patterns.iter().find_map(|pattern| variable(pattern, name)?.parse::<u32>().ok());
    let mut numbers = header.folded_names().filter_map(number).collect::<Vec<_>>();
    numbers.sort_unstable();
    numbers.dedup();
    let mut columns = Vec::new();
    for number in numbers {
        let numbered = |patterns: Vec<&str>| {
            let names = patterns.iter().map(|pattern| pattern.replace('#', &number.to_string())).collect::<Vec<_>>();
            header.find(&names.iter().map(String::as_str).collect::<Vec<_>>())
        };
        // How an attribute is shown has no counterpart here.
        numbered(language.names("attribute_visible"))?;
        numbered(language.names("attribute_global"))?;
        let name = numbered(language.names("attribute_name"))?;
        let values = numbered(language.names("attribute_values"))?;
        columns.extend(name.zip(values));
    }
    Ok(columns)
}

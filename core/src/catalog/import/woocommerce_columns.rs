//! The columns of WooCommerce's product CSV, as an English export names them.

use super::UnreadableFile;
use super::header::{Column, Header, Names};

const TYPE: Names = &["Type"];
const NAME: Names = &["Name"];
const REGULAR_PRICE: Names = &["Regular price"];

/// Without these nothing can be imported.
pub(super) const REQUIRED: &[Names] = &[TYPE, NAME, REGULAR_PRICE];

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

impl WooColumns {
    /// Finds them in a header that has the required ones.
    pub(super) fn new(header: &Header) -> Result<Self, UnreadableFile> {
        let required = |names: Names| {
            header
                .find(names)?
                .ok_or_else(|| UnreadableFile::BadHeader { reason: format!("it has no column `{}`", names[0]) })
        };
        Ok(Self {
            kind: required(TYPE)?,
            name: required(NAME)?,
            regular_price: required(REGULAR_PRICE)?,
            sale_price: header.find(&["Sale price"])?,
            sale_starts: header.find(&["Date sale price starts"])?,
            sale_ends: header.find(&["Date sale price ends"])?,
            id: header.find(&["ID"])?,
            sku: header.find(&["SKU"])?,
            parent: header.find(&["Parent"])?,
            published: header.find(&["Published"])?,
            visibility: header.find(&["Visibility in catalog"])?,
            short_description: header.find(&["Short description"])?,
            description: header.find(&["Description"])?,
            categories: header.find(&["Categories"])?,
            images: header.find(&["Images"])?,
            tax_class: header.find(&["Tax class"])?,
            stock: header.find(&["Stock"])?,
            in_stock: header.find(&["In stock?"])?,
            backorders: header.find(&["Backorders allowed?"])?,
            attributes: attributes(header)?,
        })
    }
}

/// The columns `Attribute N name` and `Attribute N value(s)`, by their numbers.
fn attributes(header: &Header) -> Result<Vec<(Column, Column)>, UnreadableFile> {
    let number = |name: &str| -> Option<u32> {
        let lower = name.to_lowercase();
        lower.strip_prefix("attribute ")?.strip_suffix(" name")?.trim().parse().ok()
    };
    let mut numbers: Vec<u32> = header.names().filter_map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut columns = Vec::new();
    for number in numbers {
        let name = header.find(&[&format!("Attribute {number} name")])?;
        let value = header.find(&[&format!("Attribute {number} value(s)")])?;
        columns.extend(name.zip(value));
    }
    Ok(columns)
}

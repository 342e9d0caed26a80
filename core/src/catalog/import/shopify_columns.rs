//! The columns of Shopify's product CSV, under the names of its older and its newer exports.

use super::UnreadableFile;
use super::header::{Column, Header, Names};

const HANDLE: Names = &["Handle", "URL handle"];
const TITLE: Names = &["Title"];
const PRICE: Names = &["Variant Price", "Price"];

/// Without these nothing can be imported.
pub(super) const REQUIRED: &[Names] = &[HANDLE, TITLE, PRICE];

/// Where the columns are that are read; all others are left alone.
#[derive(Debug)]
pub(super) struct ShopifyColumns {
    pub(super) handle: Column,
    pub(super) title: Column,
    pub(super) price: Column,
    pub(super) body: Option<Column>,
    pub(super) kind: Option<Column>,
    pub(super) published: Option<Column>,
    pub(super) status: Option<Column>,
    pub(super) gift_card: Option<Column>,
    pub(super) sku: Option<Column>,
    pub(super) ships: Option<Column>,
    pub(super) tracker: Option<Column>,
    pub(super) quantity: Option<Column>,
    pub(super) oversell: Option<Column>,
    pub(super) image: Option<Column>,
    pub(super) image_position: Option<Column>,
    /// Name and value of each of the three options.
    pub(super) options: Vec<(Column, Column)>,
}

impl ShopifyColumns {
    /// Finds them in a header that has the required ones.
    pub(super) fn new(header: &Header) -> Result<Self, UnreadableFile> {
        let required = |names: Names| {
            header
                .find(names)?
                .ok_or_else(|| UnreadableFile::BadHeader { reason: format!("it has no column `{}`", names[0]) })
        };
        let mut options = Vec::new();
        for number in 1..=3 {
            let name = header.find(&[&format!("Option{number} Name")])?;
            let value = header.find(&[&format!("Option{number} Value")])?;
            options.extend(name.zip(value));
        }
        Ok(Self {
            handle: required(HANDLE)?,
            title: required(TITLE)?,
            price: required(PRICE)?,
            body: header.find(&["Body (HTML)", "Description"])?,
            kind: header.find(&["Type"])?,
            published: header.find(&["Published", "Published on online store"])?,
            status: header.find(&["Status"])?,
            gift_card: header.find(&["Gift Card"])?,
            sku: header.find(&["Variant SKU", "SKU"])?,
            ships: header.find(&["Variant Requires Shipping", "Requires shipping"])?,
            tracker: header.find(&["Variant Inventory Tracker", "Inventory tracker"])?,
            quantity: header.find(&["Variant Inventory Qty", "Inventory quantity"])?,
            oversell: header.find(&["Variant Inventory Policy", "Continue selling when out of stock"])?,
            image: header.find(&["Image Src", "Product image URL"])?,
            image_position: header.find(&["Image Position"])?,
            options,
        })
    }
}

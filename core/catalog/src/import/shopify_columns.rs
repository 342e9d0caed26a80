//! The columns of Shopify's product CSV, under the names of its older and its newer exports.

use super::header::{Column, Header, Names};
use super::{ReadSettings, TagUse, UnreadableFile};

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
    pub(super) vendor: Option<Column>,
    pub(super) kind: Option<Column>,
    /// The place in Shopify's own taxonomy, as a path of names.
    pub(super) taxonomy: Option<Column>,
    /// Only where tags become categories.
    pub(super) tags: Option<Column>,
    pub(super) published: Option<Column>,
    pub(super) status: Option<Column>,
    pub(super) gift_card: Option<Column>,
    pub(super) sku: Option<Column>,
    pub(super) barcode: Option<Column>,
    pub(super) grams: Option<Column>,
    pub(super) compare_at: Option<Column>,
    pub(super) ships: Option<Column>,
    pub(super) tracker: Option<Column>,
    pub(super) quantity: Option<Column>,
    pub(super) oversell: Option<Column>,
    pub(super) image: Option<Column>,
    pub(super) image_position: Option<Column>,
    pub(super) variant_image: Option<Column>,
    /// Name and value of each of the three options.
    pub(super) options: Vec<(Column, Column)>,
}

impl ShopifyColumns {
    /// Finds them in a header that has the required ones.
    ///
    /// Columns that `settings` have no use for are not looked for, so that they count as left out.
    pub(super) fn new(header: &Header, settings: &ReadSettings) -> Result<Self, UnreadableFile> {
        let of_stock = |names: Names| if settings.stock_module.is_some() { header.find(names) } else { Ok(None) };
        let tags: Names = &["Tags"];
        // In grams the weight is there already; the rest is what every product has.
        header.find(&["Variant Weight Unit", "Weight unit for display"])?;
        header.usual(&["Variant Taxable", "Charge tax"], "true");
        header.usual(&["Variant Fulfillment Service", "Fulfillment service"], "manual");
        header.usual(&["Variant Inventory Policy", "Continue selling when out of stock"], "deny");
        let mut options = Vec::new();
        for number in 1..=3 {
            let name = header.find(&[&format!("Option{number} Name")])?;
            let value = header.find(&[&format!("Option{number} Value")])?;
            options.extend(name.zip(value));
        }
        Ok(Self {
            handle: header.required(HANDLE)?,
            title: header.required(TITLE)?,
            price: header.required(PRICE)?,
            body: header.find(&["Body (HTML)", "Description"])?,
            vendor: header.find(&["Vendor"])?,
            kind: header.find(&["Type", "Custom Product Type"])?,
            taxonomy: header.find(&["Product Category", "Standardized Product Type"])?,
            tags: if settings.tags == TagUse::Categories { header.find(tags)? } else { None },
            published: header.find(&["Published", "Published on online store"])?,
            status: header.find(&["Status"])?,
            gift_card: header.find(&["Gift Card"])?,
            sku: header.find(&["Variant SKU", "SKU"])?,
            barcode: header.find(&["Variant Barcode", "Barcode"])?,
            grams: header.find(&["Variant Grams", "Weight value (grams)"])?,
            compare_at: header.find(&["Variant Compare At Price", "Compare-at price"])?,
            ships: header.find(&["Variant Requires Shipping", "Requires shipping"])?,
            tracker: of_stock(&["Variant Inventory Tracker", "Inventory tracker"])?,
            quantity: of_stock(&["Variant Inventory Qty", "Inventory quantity"])?,
            oversell: of_stock(&["Variant Inventory Policy", "Continue selling when out of stock"])?,
            image: header.find(&["Image Src", "Product image URL"])?,
            image_position: header.find(&["Image Position"])?,
            variant_image: header.find(&["Variant Image", "Variant image URL"])?,
            options,
        })
    }

    /// The column that tells the category, for what is said about it.
    pub(super) fn category_column(&self) -> Option<&Column> {
        self.kind.as_ref().or(self.tags.as_ref()).or(self.taxonomy.as_ref())
    }
}

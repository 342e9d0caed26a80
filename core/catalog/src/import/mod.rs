//! Reading and writing catalog files: our own JSON Lines, and the product CSV of Shopify and WooCommerce.
//!
//! [`RecordReader`] turns a file into [`Record`]s, refusals with line and reason, and notices; it knows nothing of the
//! database, so whether a category exists or a new product lacks its name is for the caller to decide.
//! [`RecordWriter`] writes the format `stoa`, and reading what it wrote gives the same records. [`read_record`] holds
//! what comes some other way than in a file to the same rules.

mod amount;
mod categories;
mod cells;
mod format;
mod header;
mod html;
mod input;
mod json;
mod left_out;
mod outcome;
mod problems;
mod reader;
mod rows;
mod rules;
mod shopify;
mod shopify_columns;
mod shopify_product;
mod slugs;
mod stoa;
mod stoa_members;
mod stock;
mod table;
mod unreadable;
mod variant_facts;
mod variants;
mod woocommerce;
mod woocommerce_columns;
mod woocommerce_row;
mod woocommerce_sale;
mod woocommerce_variable;
mod writer;

#[cfg(test)]
mod tests;

pub use super::record::{
    CategoryRecord, ChoiceRecord, FactsRecord, Member, OptionRecord, OptionType, ProductRecord, Record,
};
pub use format::Format;
pub use input::MAX_LINE_BYTES;
pub use left_out::LeftOutColumn;
pub use outcome::{Notice, Outcome, Problem, ProblemLocation, ReadItem, Rejection};
pub use reader::{ReadSettings, RecordReader, TagUse};
pub use rules::{
    MAX_AMOUNT, MAX_BRAND, MAX_CAPABILITIES, MAX_CHOICE_VALUE, MAX_CHOICES, MAX_DESCRIPTION, MAX_GTIN, MAX_IMAGE,
    MAX_IMAGES, MAX_KEY, MAX_NAME, MAX_OPTIONS, MAX_SKU, MAX_SLUG, MAX_WEIGHT_GRAMS,
};
pub use slugs::slug_of;
pub use stoa::read_record;
pub use unreadable::UnreadableFile;
pub use writer::RecordWriter;

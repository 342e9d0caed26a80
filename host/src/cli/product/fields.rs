//! What the options of `stoa product create` and `set` say of a product.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use stoa_core::catalog::Member;
use stoa_core::catalog::write::Expected;
use stoa_core::money::MoneyFormatter;
use stoa_core::storage::MediaStore;

use super::photo::keep_photos;
use crate::cli::amount::TypedAmount;
use crate::cli::catalog_change::{CatalogAccess, RecordChange};
use crate::failure::Failure;

/// The capability of what is sent.
pub(super) const SHIPPABLE: &str = "shippable";

// No doc comment: clap would take it for the description of every command that this is flattened into.
#[derive(Debug, Args)]
pub(super) struct Fields {
    /// The price before a reduction, such as 59.00; customers see it while it is above the price.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    compare_at: Option<TypedAmount>,
    /// The second line.
    #[arg(long, value_name = "TEXT")]
    subtitle: Option<String>,
    /// The stock keeping unit.
    #[arg(long)]
    sku: Option<String>,
    /// Who makes it.
    #[arg(long)]
    brand: Option<String>,
    /// The global trade item number (GTIN, EAN, UPC, ISBN-13): 8, 12, 13 or 14 digits.
    #[arg(long)]
    gtin: Option<String>,
    /// The weight of one piece in grams.
    #[arg(long, value_name = "GRAMS", allow_negative_numbers = true, value_parser = number_or_blank)]
    weight_grams: Option<Value>,
    /// The description, as plain text.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The category's slug.
    #[arg(long, value_name = "SLUG")]
    category: Option<String>,
    /// The tax class, one of `tax.classes`; with any other, the standard rates hold.
    #[arg(long, value_name = "NAME")]
    tax_class: Option<String>,
    /// An image: an absolute URL, or a path below the media folder; repeat it for several, which replace all.
    #[arg(long, value_name = "IMAGE")]
    image: Vec<String>,
    /// An image on this machine, which is copied into the media folder and comes after every `--image`; may be repeated.
    #[arg(long, value_name = "FILE")]
    photo: Vec<PathBuf>,
    /// A capability, such as shippable; repeat it for several, which replace all.
    #[arg(long, value_name = "KEY")]
    capability: Vec<String>,
    /// It is sent to whoever buys it: checkout asks for an address and a shipping method. Short for the capability.
    #[arg(long)]
    shippable: bool,
}

impl Fields {
    /// The price before a reduction in minor units, if one is given; a blank one takes it away.
    pub(super) fn compare_at_amount(&self, money: &MoneyFormatter) -> Result<Member<i64>, Failure> {
        match &self.compare_at {
            None => Ok(Member::Absent),
            Some(given) if given.is_blank() => Ok(Member::Null),
            Some(given) => given.read("--compare-at", money).map(Member::Value),
        }
    }

    /// The capabilities that were given; `--shippable` alone adds to those that are stored.
    fn capabilities(&self, stored: &[String]) -> Vec<String> {
        let mut capabilities = self.capability.clone();
        if self.shippable {
            if capabilities.is_empty() {
                capabilities.extend_from_slice(stored);
            }
            capabilities.retain(|capability| !capability.trim().is_empty() && capability != SHIPPABLE);
            capabilities.push(String::from(SHIPPABLE));
        }
        capabilities
    }

    /// Adds what was given to a change of a product with these capabilities. Photos are copied once all else is known to be
    /// right.
    pub(super) async fn add_to<'a>(
        &'a self,
        change: RecordChange<'a>,
        access: &CatalogAccess,
        expected: Expected,
        stored: &[String],
    ) -> Result<RecordChange<'a>, Failure> {
        let compare_at = match self.compare_at_amount(&access.parts.money)? {
            Member::Absent => None,
            Member::Null => Some(Value::Null),
            Member::Value(amount) => Some(Value::from(amount)),
        };
        let change = change
            .say("compare_at_amount", "--compare-at", compare_at)
            .say("brand", "--brand", self.brand.as_deref())
            .say("gtin", "--gtin", self.gtin.as_deref())
            .say("weight_grams", "--weight-grams", self.weight_grams.clone())
            .say("subtitle", "--subtitle", self.subtitle.as_deref())
            .say("sku", "--sku", self.sku.as_deref())
            .say("description", "--description", self.description.as_deref())
            .say("category", "--category", self.category.as_deref())
            .say("tax_class", "--tax-class", self.tax_class.as_deref())
            .say_list("images", "--image", &self.image)
            .say_list("capabilities", "--capability", &self.capabilities(stored));
        if self.photo.is_empty() {
            return Ok(change);
        }
        change.check(access, expected).await?;
        let photos = keep_photos(&self.photo, change.slug(), &MediaStore::of(&access.config().media)).await?;
        let given = self.image.iter().filter(|image| !image.trim().is_empty()).cloned();
        Ok(change.say_list("images", "--image", &given.chain(photos).collect::<Vec<_>>()))
    }
}

/// A whole number; a blank text is null, which clears.
fn number_or_blank(given: &str) -> Result<Value, String> {
    match given.trim() {
        "" => Ok(Value::Null),
        given => given.parse::<i64>().map(Value::from).map_err(|_| String::from("must be a whole number")),
    }
}

//! Resources of the catalog as clients see them (S2.1, S2.2).

use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::module::Details;
use stoa_kernel::money::MoneyFormatter;

use super::record::{OptionRecord, OptionType};
use super::safety::ProductSafety;
use super::unit_price::ShownUnitPrice;
use super::write::Availability;

/// A price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Price {
    /// Minor units of the currency.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: &'static str,
    /// For people, as the shop's locale writes it; never calculate with it.
    pub formatted: String,
}

/// The category that a product stands in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProductCategory {
    /// The category's id.
    pub id: i64,
    /// The category's name.
    pub name: String,
    /// The category's slug.
    pub slug: String,
}

/// An active choice of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProductChoice {
    /// What is sent in `selections`.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// What it adds to the price in minor units; below 0 for what it takes off.
    pub price_adjustment_amount: i64,
    /// The same for people, as the shop's locale writes it; never calculate with it.
    pub price_adjustment_formatted: String,
}

/// An active option of a product. It describes what can be selected, not a final price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProductOption {
    /// The key in `selections`.
    pub key: String,
    /// What is shown.
    pub label: String,
    /// What kind of selection it takes.
    pub r#type: OptionType,
    /// Whether something must be selected.
    pub required: bool,
    /// The active choices; empty for types without choices.
    pub choices: Vec<ProductChoice>,
}

/// A product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Product")]
pub struct ProductResource {
    /// The product's id.
    pub id: i64,
    /// The name.
    pub name: String,
    /// The name in URLs.
    pub slug: String,
    /// A second line, null when not configured.
    pub subtitle: Option<String>,
    /// The stock keeping unit, null when not configured.
    pub sku: Option<String>,
    /// Plain text, null when not configured.
    pub description: Option<String>,
    /// The price.
    pub price: Price,
    /// The price before a reduction in minor units, null when the price is not reduced.
    pub compare_at_amount: Option<i64>,
    /// The lowest price of the 30 days before the present reduction in minor units, null without one.
    pub lowest_recent_amount: Option<i64>,
    /// What an amount of it costs that can be compared, null when not set.
    pub unit_price: Option<ShownUnitPrice>,
    /// Who makes it, null when not set.
    pub brand: Option<String>,
    /// The global trade item number (GTIN, EAN, UPC, ISBN-13) in digits, null when not set.
    pub gtin: Option<String>,
    /// The weight of one piece in grams, null when not set.
    pub weight_grams: Option<i64>,
    /// Who is responsible for it and what there is to be warned of, null when not set.
    pub safety: Option<ProductSafety>,
    /// The category, null when the product stands in none.
    pub category: Option<ProductCategory>,
    /// Absolute public URLs of images.
    pub images: Vec<String>,
    /// Capability keys.
    pub capabilities: Vec<String>,
    /// Active options with their active choices.
    pub options: Vec<ProductOption>,
    /// Whether it can be had now: the worst that a module says, null when none has anything to say.
    pub availability: Option<Availability>,
    /// What is bought, as the modules tell it.
    // The schema is described where it stands, so that clients find it right here.
    #[schemars(description = "")]
    pub details: Details,
    /// Whether the price may be another for another customer or at another time.
    #[serde(skip)]
    pub price_varies: bool,
}

/// A category one level below another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChildCategory {
    /// The category's id.
    pub id: i64,
    /// The category's name.
    pub name: String,
    /// The category's slug.
    pub slug: String,
    /// Active products that stand in this very category.
    pub products_count: u64,
}

/// A category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Category")]
pub struct CategoryResource {
    /// The category's id.
    pub id: i64,
    /// The name.
    pub name: String,
    /// The name in URLs.
    pub slug: String,
    /// The absolute public URL of its image, or null.
    pub image: Option<String>,
    /// Active products that stand in this very category.
    pub products_count: u64,
    /// Active categories one level below.
    pub children: Vec<ChildCategory>,
}

impl OptionRecord {
    /// The option as clients see it, or none when it is not offered.
    pub(super) fn shown(&self, money: &MoneyFormatter) -> Option<ProductOption> {
        self.active.then(|| ProductOption {
            key: self.key.clone(),
            label: self.label.clone(),
            r#type: self.kind,
            required: self.required,
            choices: self
                .choices
                .iter()
                .filter(|choice| choice.active)
                .map(|choice| ProductChoice {
                    value: choice.value.clone(),
                    label: choice.label.clone(),
                    price_adjustment_amount: choice.price_adjustment_amount,
                    price_adjustment_formatted: money.format(choice.price_adjustment_amount),
                })
                .collect(),
        })
    }
}

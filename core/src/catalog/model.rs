//! Resources of the catalog as clients see them, and options as they are stored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A price (S2.1).
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

/// What kind of selection an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OptionType {
    /// One choice from a list.
    Select,
    /// One choice, all shown.
    Radio,
    /// Any number of choices.
    Checkbox,
    /// Yes or no.
    Toggle,
    /// Free text.
    Text,
    /// A number.
    Number,
}

impl OptionType {
    /// All types, in the order of their declaration.
    pub const ALL: [Self; 6] =
        [Self::Select, Self::Radio, Self::Checkbox, Self::Toggle, Self::Text, Self::Number];

    /// The type as it is written in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Radio => "radio",
            Self::Checkbox => "checkbox",
            Self::Toggle => "toggle",
            Self::Text => "text",
            Self::Number => "number",
        }
    }

    /// Whether options of this type have choices.
    pub fn has_choices(self) -> bool {
        matches!(self, Self::Select | Self::Radio | Self::Checkbox)
    }
}

/// An active choice of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProductChoice {
    /// What is sent in `selections`.
    pub value: String,
    /// What is shown.
    pub label: String,
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

/// A product (S2.1).
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
    /// The category, null when the product stands in none.
    pub category: Option<ProductCategory>,
    /// Absolute public URLs of images.
    pub images: Vec<String>,
    /// Capability keys.
    pub capabilities: Vec<String>,
    /// Active options with their active choices.
    pub options: Vec<ProductOption>,
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

/// A category (S2.2).
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

/// A choice as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredChoice {
    /// What is sent in `selections`.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// Added to the product's price, in minor units.
    pub price_adjustment_amount: i64,
    /// Makes the choice a variant of its own for stock.
    pub sku: Option<String>,
    /// Whether it can be selected.
    pub active: bool,
}

/// An option as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredOption {
    /// The key in `selections`.
    pub key: String,
    /// What is shown.
    pub label: String,
    /// What kind of selection it takes.
    pub r#type: OptionType,
    /// Whether something must be selected.
    pub required: bool,
    /// Whether it is offered.
    pub active: bool,
    /// All choices.
    pub choices: Vec<StoredChoice>,
}

impl StoredOption {
    /// The option as clients see it, or none when it is not offered.
    pub fn shown(&self) -> Option<ProductOption> {
        self.active.then(|| ProductOption {
            key: self.key.clone(),
            label: self.label.clone(),
            r#type: self.r#type,
            required: self.required,
            choices: self
                .choices
                .iter()
                .filter(|choice| choice.active)
                .map(|choice| ProductChoice { value: choice.value.clone(), label: choice.label.clone() })
                .collect(),
        })
    }
}

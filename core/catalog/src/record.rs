//! The records that an import file holds, whatever its format (contract 4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

pub use super::facts::FactsRecord;

/// A member of a record that may be left out: absent members stay as they are, null clears (contract 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Member<T> {
    /// The file says nothing: what is stored stays, a new record gets the default.
    #[default]
    Absent,
    /// The file says null (or a blank string): what is stored is cleared.
    Null,
    /// The file gives a value, which replaces what is stored.
    Value(T),
}

impl<T> Member<T> {
    /// Whether the file says nothing about this member.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, if the file gives one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// A value for `Some`, null for `None`: for sources that always say what a member is.
    pub fn known(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }

    /// What is to be stored, given what is stored now.
    pub fn or_stored(self, stored: Option<T>) -> Option<T> {
        match self {
            Self::Absent => stored,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T: Serialize> Serialize for Member<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

/// One category or one product.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Record {
    /// A line `{"type": "category", …}`.
    Category(CategoryRecord),
    /// A line `{"type": "product", …}`.
    Product(Box<ProductRecord>),
}

impl Record {
    /// The slug, by which importing again finds the stored record.
    pub fn slug(&self) -> &str {
        match self {
            Self::Category(category) => &category.slug,
            Self::Product(product) => &product.slug,
        }
    }
}

/// A category (S2.2). A reader never gives `Null` for `name` and `active`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CategoryRecord {
    /// The key: unique among categories, never only digits.
    pub slug: String,
    /// Name as customers see it; required for a new category.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub name: Member<String>,
    /// Slug of the category above; null makes it a root.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub parent: Member<String>,
    /// Absolute URL, or path below the media folder.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub image: Member<String>,
    /// Whether the shop shows it.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub active: Member<bool>,
}

/// A product (S2.1). A reader never gives `Null` for `name`, `price_amount` and `active`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ProductRecord {
    /// The key: unique among products.
    pub slug: String,
    /// Name as customers see it; required for a new product.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub name: Member<String>,
    /// One line below the name.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub subtitle: Member<String>,
    /// Stock keeping unit of the product itself.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub sku: Member<String>,
    /// Plain text with line breaks.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub description: Member<String>,
    /// Price in minor units; required for a new product.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub price_amount: Member<i64>,
    /// What else is known of it.
    #[serde(flatten)]
    pub facts: FactsRecord,
    /// Name of a tax class of the configuration.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub tax_class: Member<String>,
    /// Slug of the product's category.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub category: Member<String>,
    /// Absolute URLs, or paths below the media folder.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub images: Member<Vec<String>>,
    /// Whether the shop shows it.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub active: Member<bool>,
    /// Capability keys.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub capabilities: Member<Vec<String>>,
    /// Options in the order customers see them.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub options: Member<Vec<OptionRecord>>,
    /// Settings by module key; each value is an object, or null to clear that module's settings.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub modules: Member<Map<String, Value>>,
}

/// What tells a record from another of its kind: a number made of everything that it says.
fn fingerprint(record: &impl Serialize) -> u64 {
    let text = serde_json::to_vec(record).expect("a record has a JSON form");
    Sha256::digest(&text).iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl ProductRecord {
    /// A number that is another for another record.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self)
    }
}

impl CategoryRecord {
    /// A number that is another for another record.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(self)
    }
}

/// An option of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionRecord {
    /// The key of the customer's selection, unique within the product.
    pub key: String,
    /// Label as customers see it.
    pub label: String,
    /// What a customer may enter.
    #[serde(rename = "type")]
    pub kind: OptionType,
    /// Whether a product cannot be added to the cart without it.
    pub required: bool,
    /// Whether it is offered.
    pub active: bool,
    /// What can be chosen; empty for the types without choices.
    pub choices: Vec<ChoiceRecord>,
}

impl OptionRecord {
    /// The least that any allowed selection of these options adds to the price, in minor units.
    ///
    /// With the product's price it tells whether some selection would cost less than nothing.
    pub fn lowest_adjustment(options: &[Self]) -> i64 {
        options.iter().filter(|option| option.active).map(Self::lowest).sum()
    }

    fn lowest(&self) -> i64 {
        let offered = self.choices.iter().filter(|choice| choice.active);
        let amounts = offered.map(|choice| choice.price_adjustment_amount);
        match self.kind {
            OptionType::Checkbox => amounts.filter(|amount| *amount < 0).sum(),
            _ if self.required => amounts.min().unwrap_or(0),
            _ => amounts.min().unwrap_or(0).min(0),
        }
    }
}

/// A choice of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceRecord {
    /// What the selection carries, unique within the option.
    pub value: String,
    /// Label as customers see it.
    pub label: String,
    /// Added to the product's price, in minor units; may be negative.
    pub price_adjustment_amount: i64,
    /// Stock keeping unit; a choice with one is a variant of its own for stock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sku: Option<String>,
    /// Whether it is offered.
    pub active: bool,
}

/// What a customer may enter for an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OptionType {
    /// One of the choices, from a list.
    Select,
    /// One of the choices, all in view.
    Radio,
    /// Any number of the choices.
    Checkbox,
    /// Yes or no.
    Toggle,
    /// A short text.
    Text,
    /// A number.
    Number,
}

impl OptionType {
    /// All types, in the order of the contract.
    pub const ALL: [Self; 6] = [Self::Select, Self::Radio, Self::Checkbox, Self::Toggle, Self::Text, Self::Number];

    /// The name in files and in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Radio => "radio",
            Self::Checkbox => "checkbox",
            Self::Toggle => "toggle",
            Self::Text => "text",
            Self::Number => "number",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether options of this type have choices.
    pub const fn has_choices(self) -> bool {
        matches!(self, Self::Select | Self::Radio | Self::Checkbox)
    }
}

//! What an import line says about a product under `modules.inventory`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use stoa_core::prelude::*;

/// The name of the module, of its settings, and of its capability.
pub(crate) const INVENTORY: &str = "inventory";

/// The most pieces of one SKU.
pub(crate) const MOST_PIECES: i64 = 1_000_000_000;

/// The longest SKU, in characters.
const LONGEST_SKU: usize = 255;

/// The settings of a product.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StockSettings {
    /// Pieces of each SKU that the product is sold by.
    quantity: Option<i64>,
    /// Whether more can be ordered than there is.
    backorder: Option<bool>,
    /// What differs for single variants.
    variants: Vec<VariantSettings>,
}

/// The settings of one variant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VariantSettings {
    /// The stock keeping unit.
    pub(crate) sku: String,
    /// Pieces.
    #[serde(default)]
    quantity: Option<i64>,
    /// Whether more can be ordered than there is.
    #[serde(default)]
    backorder: Option<bool>,
    /// Which selections make the variant, by option key, where no choice alone does.
    #[serde(default)]
    pub(crate) selections: BTreeMap<String, String>,
}

/// What the settings or capabilities of a product say about one SKU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Declared {
    /// Pieces, if they are told.
    pub(crate) quantity: Option<i64>,
    /// Whether more can be ordered than there is, if that is told.
    pub(crate) backorder: Option<bool>,
}

impl StockSettings {
    /// The settings as they are stored. They were checked when they were written; what a later program wrote and this one
    /// cannot read still means that the product is counted.
    pub(crate) fn read(stored: &Value) -> Self {
        Self::deserialize(stored).unwrap_or_default()
    }

    /// The variant that these selections make, if it is one of several selections together.
    pub(crate) fn variant(&self, selections: &Map<String, Value>) -> Option<&VariantSettings> {
        let made = |variant: &&VariantSettings| {
            let mut wanted = variant.selections.iter();
            !variant.selections.is_empty()
                && wanted.all(|(key, value)| selections.get(key).and_then(Value::as_str) == Some(value))
        };
        self.variants.iter().find(made)
    }

    /// The variants that several selections make together.
    pub(crate) fn combinations(&self) -> impl Iterator<Item = &VariantSettings> {
        self.variants.iter().filter(|variant| !variant.selections.is_empty())
    }

    fn declares(&self, sku: &str) -> Option<Declared> {
        let own = Declared { quantity: self.quantity, backorder: self.backorder };
        if let Some(variant) = self.variants.iter().find(|variant| variant.sku == sku) {
            return Some(Declared {
                quantity: variant.quantity.or(own.quantity),
                backorder: variant.backorder.or(own.backorder),
            });
        }
        // Settings of variants alone say nothing about the others.
        let is_general = own.quantity.is_some() || own.backorder.is_some() || self.variants.is_empty();
        is_general.then_some(own)
    }
}

/// What a product says about one of its SKUs; nothing where it is not counted. A product that lists the capability and says
/// nothing else is counted from nothing.
pub(crate) fn declared(settings: Option<&StockSettings>, has_capability: bool, sku: &str) -> Option<Declared> {
    let told = settings.and_then(|settings| settings.declares(sku));
    told.or_else(|| has_capability.then_some(Declared { quantity: None, backorder: None }))
}

impl ProductSettings for StockSettings {
    fn validate(&self) -> Result<(), String> {
        let quantities = self.variants.iter().map(|variant| variant.quantity).chain([self.quantity]);
        if quantities.flatten().any(|quantity| !(0..=MOST_PIECES).contains(&quantity)) {
            return Err(format!("`quantity` must be a number of pieces from 0 to {MOST_PIECES}"));
        }
        let (mut skus, mut made) = (BTreeSet::new(), BTreeSet::new());
        for variant in &self.variants {
            if let Err(reason) = check_sku(&variant.sku) {
                return Err(format!("`sku` of a variant {reason}"));
            }
            if variant.selections.is_empty() && !skus.insert(&variant.sku) {
                return Err(format!("`variants` has `{}` twice", variant.sku));
            }
            if !variant.selections.is_empty() && !made.insert(&variant.selections) {
                return Err(format!("`variants` has the selections of `{}` twice", variant.sku));
            }
        }
        Ok(())
    }

    fn form() -> Vec<SettingField> {
        vec![
            SettingField::new("quantity", "Pieces", SettingKind::Number)
                .hint("Counted anew from here whenever it is changed; empty leaves the count to the stock itself."),
            SettingField::new("backorder", "Sold beyond the stock", SettingKind::Flag),
            SettingField::new("variants", "Variants", SettingKind::Json)
                .hint("What differs for single variants: a list of objects with sku, quantity, backorder, selections."),
        ]
    }
}

/// Whether this can be a SKU; the reason follows its name.
pub(crate) fn check_sku(sku: &str) -> Result<(), String> {
    if sku.trim() != sku || sku.is_empty() || sku.chars().count() > LONGEST_SKU || sku.chars().any(char::is_control) {
        return Err(format!("must be a text of 1 to {LONGEST_SKU} characters, without blanks around it"));
    }
    Ok(())
}

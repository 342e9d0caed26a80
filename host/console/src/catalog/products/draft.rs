//! A product as it stands in the form: everything as text, so that what was typed can be shown again.

use std::collections::BTreeMap;

use stoa_kernel::console::StaffForm;

use super::options::{OptionRow, options_of};

/// The fields of a form whose names are members of a product's record, besides those that are lists.
const TEXTS: [&str; 13] = [
    "name",
    "subtitle",
    "description",
    "sku",
    "brand",
    "gtin",
    "price_amount",
    "compare_at_amount",
    "unit_price.amount",
    "unit_price.reference",
    "tax_class",
    "category",
    "weight_grams",
];

/// What is typed in the form of a product.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Draft {
    /// By the member's name, such as `price_amount`, `safety.manufacturer.name` or `modules.inventory.quantity`.
    pub(super) texts: BTreeMap<String, String>,
    pub(super) active: bool,
    pub(super) capabilities: Vec<String>,
    pub(super) images: Vec<ImageRow>,
    pub(super) options: Vec<OptionRow>,
}

/// A photo that is there already.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ImageRow {
    /// As it is stored.
    pub(super) path: String,
    /// Which one it is to be.
    pub(super) place: String,
    pub(super) is_removed: bool,
}

impl Draft {
    /// What a new product begins with.
    pub(super) fn new() -> Self {
        Self { active: true, capabilities: vec![String::from("shippable")], ..Self::default() }
    }

    /// What was typed. Rows that were left empty, or emptied, are none.
    pub(super) fn of_form(form: &StaffForm) -> Self {
        let is_text = |name: &str| {
            TEXTS.contains(&name) || name == "slug" || name.starts_with("safety.") || name.starts_with("modules.")
        };
        let texts = form.fields().filter(|(name, _)| is_text(name));
        let image = |at: usize| {
            let path = form.get(&format!("images[{at}].path"))?;
            Some(ImageRow {
                path: path.to_owned(),
                place: form.get(&format!("images[{at}].place")).unwrap_or_default().to_owned(),
                is_removed: form.get(&format!("images[{at}].remove")).is_some(),
            })
        };
        Self {
            texts: texts.map(|(name, text)| (name.to_owned(), text.trim().to_owned())).collect(),
            active: form.get("active").is_some(),
            capabilities: form.all("capabilities").map(str::to_owned).collect(),
            images: (0..).map_while(image).collect(),
            options: options_of(form),
        }
    }

    /// What is typed in a field.
    pub(super) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    pub(super) fn put(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.texts.insert(name.into(), text.into());
    }

    /// The photos that stay, in the order that their places say.
    pub(super) fn kept_images(&self) -> Vec<String> {
        let mut kept = self.images.iter().filter(|image| !image.is_removed).collect::<Vec<_>>();
        kept.sort_by_key(|image| image.place.parse::<i64>().unwrap_or(i64::MAX));
        kept.into_iter().map(|image| image.path.clone()).collect()
    }
}

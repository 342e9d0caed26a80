//! Who is responsible for a product, and what there is to be warned of (Regulation (EU) 2023/988, articles 16 and 19).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What customers must be told of a product's safety before they buy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProductSafety {
    /// Who makes it, null when not set.
    pub manufacturer: Option<SafetyContact>,
    /// Who answers for it in the Union when the manufacturer is elsewhere, null when not set.
    pub responsible_person: Option<SafetyContact>,
    /// Warnings and safety information, by language.
    pub warnings: BTreeMap<String, String>,
}

/// Whom authorities and customers can turn to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SafetyContact {
    /// The name or registered trade mark.
    pub name: String,
    /// The postal address.
    pub address: String,
    /// The e-mail address.
    pub email: String,
}

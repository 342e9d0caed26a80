//! What a module keeps about a product: the object under `modules.<name>` of an import line.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A module's settings of one product. Use `#[serde(deny_unknown_fields)]`.
pub trait ProductSettings: DeserializeOwned + Send + Sync + 'static {
    /// Checks what types cannot say. The text says what was expected.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Why settings of a product were refused; the text is for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsProblem(pub String);

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The settings of products of one module.
#[derive(Clone, Copy)]
pub(crate) struct SettingsKind {
    /// Refuses what the module cannot use.
    pub(crate) check: fn(&Value) -> Result<(), SettingsProblem>,
    /// The members that there are.
    pub(crate) fields: fn() -> &'static [&'static str],
}

pub(crate) fn check<T: ProductSettings>(value: &Value) -> Result<(), SettingsProblem> {
    let settings = T::deserialize(value).map_err(|error| SettingsProblem(error.to_string()))?;
    settings.validate().map_err(SettingsProblem)
}

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

    /// The fields of a form for them, in their order. Of what is not described here, a form asks for the JSON.
    fn form() -> Vec<SettingField> {
        Vec::new()
    }
}

/// A field of a form for a module's settings of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingField {
    /// The member, such as `quantity`, or one of a member, such as `shared_capacity.name`.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What there is to know before filling it in; empty where nothing is.
    pub hint: &'static str,
    /// What is put in.
    pub kind: SettingKind,
}

/// What is put into a field of a module's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingKind {
    /// A text of one line.
    Text,
    /// A whole number.
    Number,
    /// Yes, no, or what holds otherwise.
    Flag,
    /// One of these words.
    Choice(Vec<&'static str>),
    /// A moment with its offset from UTC, such as `2031-05-01T19:00:00+02:00`. The form takes it as [`moment`](crate::console::moment)
    /// reads it.
    Moment,
    /// JSON.
    Json,
}

impl SettingField {
    /// A field of this kind.
    pub const fn new(name: &'static str, label: &'static str, kind: SettingKind) -> Self {
        Self { name, label, hint: "", kind }
    }

    /// Says what there is to know before filling it in.
    #[must_use]
    pub const fn hint(mut self, hint: &'static str) -> Self {
        self.hint = hint;
        self
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
    /// The fields of a form.
    pub(crate) form: fn() -> Vec<SettingField>,
}

pub(crate) fn check<T: ProductSettings>(value: &Value) -> Result<(), SettingsProblem> {
    let settings = T::deserialize(value).map_err(|error| SettingsProblem(error.to_string()))?;
    settings.validate().map_err(SettingsProblem)
}

//! What the linked modules are to products: the capabilities that they give them, and what they keep about them.

use std::sync::Arc;

use serde_json::Value;

use super::description::ModuleDescription;
use super::product_settings::{SettingField, SettingsKind};
use super::registry::Registry;

/// What one module is to products.
#[derive(Clone)]
pub struct ProductModule {
    /// The module's name.
    pub name: &'static str,
    /// Whether it is on.
    pub enabled: bool,
    /// What it can do to products.
    pub capabilities: &'static [&'static str],
    settings: Option<SettingsKind>,
}

impl ProductModule {
    /// Whether it keeps anything about products.
    pub fn has_settings(&self) -> bool {
        self.settings.is_some()
    }

    /// The fields of a form for what it keeps about a product; none where it asks for JSON.
    pub fn form(&self) -> Vec<SettingField> {
        self.settings.map(|kind| (kind.form)()).unwrap_or_default()
    }
}

/// What all linked modules are to products, sorted by name.
#[derive(Clone)]
pub struct ProductModules {
    modules: Vec<ProductModule>,
    /// Capability keys that are available, sorted.
    capabilities: Arc<[&'static str]>,
}

impl ProductModules {
    pub(super) fn new(
        modules: &[ModuleDescription],
        settings: &[(&'static str, SettingsKind)],
        capabilities: Arc<[&'static str]>,
    ) -> Self {
        let of = |module: &ModuleDescription| {
            let name = module.entry.name;
            let kept = settings.iter().find(|(owner, _)| *owner == name);
            ProductModule {
                name,
                enabled: module.enabled,
                capabilities: module.entry.capabilities,
                settings: kept.map(|(_, kind)| *kind),
            }
        };
        Self { modules: modules.iter().map(of).collect(), capabilities }
    }

    /// All linked modules, on or off.
    pub fn all(&self) -> &[ProductModule] {
        &self.modules
    }

    /// Capability keys that are available, sorted.
    pub fn capabilities(&self) -> &[&'static str] {
        &self.capabilities
    }

    /// Whether a module of this name is linked, on or off.
    pub fn is_linked(&self, module: &str) -> bool {
        self.find(module).is_some()
    }

    /// Checks a product's settings of a linked module.
    pub fn check_settings(&self, module: &str, settings: &Value) -> Result<(), String> {
        match self.find(module).and_then(|known| known.settings) {
            Some(kind) => (kind.check)(settings).map_err(|problem| problem.0),
            None => Err(format!("the module `{module}` keeps no settings of products")),
        }
    }

    pub(super) fn fields(&self, module: &str) -> &'static [&'static str] {
        self.find(module).and_then(|known| known.settings).map_or(&[], |kind| (kind.fields)())
    }

    fn find(&self, module: &str) -> Option<&ProductModule> {
        self.modules.iter().find(|known| known.name == module)
    }
}

impl AsRef<Self> for ProductModules {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Registry {
    /// Whether a module of this name is linked, enabled or not.
    pub fn is_linked(&self, module: &str) -> bool {
        self.products.is_linked(module)
    }

    /// Checks a product's settings of a linked module; `Ok` for one that declares none only when
    /// nothing is given.
    pub fn check_settings(&self, module: &str, settings: &serde_json::Value) -> Result<(), String> {
        self.products.check_settings(module, settings)
    }

    /// The members of what a module keeps about a product; none for a module that keeps nothing.
    pub fn product_settings(&self, module: &str) -> &'static [&'static str] {
        self.products.fields(module)
    }
}

impl AsRef<ProductModules> for Registry {
    fn as_ref(&self) -> &ProductModules {
        &self.products
    }
}

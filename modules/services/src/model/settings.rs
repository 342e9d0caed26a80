//! What an import line says about a product under `modules.services`.

use serde_json::Value;
use stoa_core::orders::OrderLine;
use stoa_core::prelude::*;

use crate::provider::{MANUAL, known_names};

/// The capability of products that are provisioned (contract 4).
pub(crate) const CAPABILITY: &str = "provisionable";

/// Most characters of a plan's name.
const LONGEST_PLAN: usize = 100;

/// A product's settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceSettings {
    /// Who provides it; the operator by hand unless something else is said.
    pub(crate) provider: Option<String>,
    /// What the provider is asked for; the product's slug unless something else is said.
    pub(crate) plan: Option<String>,
}

impl ProductSettings for ServiceSettings {
    fn validate(&self) -> Result<(), String> {
        if let Some(provider) = &self.provider {
            let known = known_names();
            if !known.contains(&provider.as_str()) {
                return Err(format!("`provider` must be one of {}", known.join(", ")));
            }
        }
        let is_plan = |plan: &String| {
            !plan.trim().is_empty() && plan.chars().count() <= LONGEST_PLAN && !plan.chars().any(char::is_control)
        };
        if !self.plan.as_ref().is_none_or(is_plan) {
            return Err(format!("`plan` must be a name of 1 to {LONGEST_PLAN} characters"));
        }
        Ok(())
    }

    fn form() -> Vec<SettingField> {
        let provider = SettingKind::Choice(known_names());
        vec![
            SettingField::new("provider", "Provider", provider),
            SettingField::new("plan", "Plan", SettingKind::Text)
                .hint("What the provider is asked for; the slug if empty."),
        ]
    }
}

/// What is to be provided of a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SoldPlan {
    /// Who provides it.
    pub(crate) provider: String,
    /// What the provider is asked for.
    pub(crate) plan: String,
}

impl SoldPlan {
    /// What is to be provided for a line as it was sold; none when the product is no service.
    pub(crate) fn of(line: &OrderLine) -> Option<Self> {
        line.has(CAPABILITY).then(|| Self::by(line.settings("services"), &line.slug))
    }

    /// What is to be provided for a product; none when it is no service.
    pub(crate) fn of_product(product: &ShownProduct<'_>) -> Option<Self> {
        product.has(CAPABILITY).then(|| Self::by(product.settings("services"), product.slug))
    }

    fn by(settings: Option<&Value>, slug: &str) -> Self {
        // What an import lets through can be read; without settings a person looks after it.
        let settings = settings.and_then(|value| ServiceSettings::deserialize(value).ok());
        let settings = settings.unwrap_or(ServiceSettings { provider: None, plan: None });
        Self {
            provider: settings.provider.unwrap_or_else(|| MANUAL.to_owned()),
            plan: settings.plan.unwrap_or_else(|| slug.to_owned()),
        }
    }
}

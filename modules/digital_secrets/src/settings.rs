//! What is said of a product under `modules.digital_secrets`, and what a line of an order asks for.

use std::collections::BTreeMap;

use serde_json::from_value;
use stoa_core::orders::OrderLine;
use stoa_core::prelude::*;

use crate::pattern::Pattern;

/// The capability of products that are delivered as secrets (contract 4).
pub(crate) const CAPABILITY: &str = "digital_secret";

/// The module's key, under which orders keep the settings of their products.
pub(crate) const MODULE: &str = "digital_secrets";

/// The longest name of a pool, in characters.
const LONGEST_POOL: usize = 100;

/// What an import line says about a product under `modules.digital_secrets`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SecretSettings {
    /// The pool that values come from; none is the product's slug.
    pub(crate) pool: Option<String>,
    /// What values are generated from; none takes those that were added to the pool.
    pub(crate) pattern: Option<String>,
    /// Whether the product is sold although its pool is empty; none is what the module's settings say.
    pub(crate) backorder: Option<bool>,
    /// The most units that one customer can have; none is any number.
    pub(crate) max_per_customer: Option<i64>,
}

impl ProductSettings for SecretSettings {
    fn validate(&self) -> Result<(), String> {
        if let Some(pool) = &self.pool
            && !is_pool_name(pool)
        {
            return Err(format!(
                "`pool` must be a name of 1 to {LONGEST_POOL} characters without white space at its ends"
            ));
        }
        if let Some(pattern) = &self.pattern {
            Pattern::parse(pattern).map_err(|problem| format!("`pattern` cannot be used: {problem}"))?;
        }
        if self.max_per_customer.is_some_and(|most| most < 1) {
            return Err(String::from("`max_per_customer` must be at least 1; leave it out where there is no limit"));
        }
        Ok(())
    }

    fn form() -> Vec<SettingField> {
        vec![
            SettingField::new("pool", "Pool", SettingKind::Text).hint("Where values come from; the slug if empty."),
            SettingField::new("pattern", "Pattern", SettingKind::Text)
                .hint("What values are generated from; empty takes those of the pool."),
            SettingField::new("backorder", "Sold while the pool is empty", SettingKind::Flag),
            SettingField::new("max_per_customer", "Most for one customer", SettingKind::Number),
        ]
    }
}

impl SecretSettings {
    /// The pool of a product with this slug.
    pub(crate) fn pool_of<'a>(&'a self, slug: &'a str) -> &'a str {
        self.pool.as_deref().unwrap_or(slug)
    }
}

/// Whether this can be the name of a pool.
pub(crate) fn is_pool_name(name: &str) -> bool {
    let length = name.chars().count();
    (1..=LONGEST_POOL).contains(&length) && name.trim() == name && !name.chars().any(char::is_control)
}

/// What a line of an order asks for, by the settings that the order keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedValues {
    /// None before the order is written.
    pub(crate) order_line_id: Option<i64>,
    pub(crate) product_id: i64,
    pub(crate) label: String,
    pub(crate) quantity: i64,
    pub(crate) pool: String,
    pub(crate) pattern: Option<String>,
    pub(crate) backorder: bool,
    pub(crate) max_per_customer: Option<i64>,
}

impl WantedValues {
    /// Units that must lie in the pool now.
    pub(crate) fn must_be_there(&self) -> i64 {
        if self.pattern.is_none() && !self.backorder { self.quantity } else { 0 }
    }
}

/// What the lines of an order ask for. `backorder` is for products that do not say whether they wait.
pub(crate) fn wanted(lines: &[OrderLine], backorder: bool) -> Result<Vec<WantedValues>, ListenerError> {
    let ours = lines.iter().filter(|line| line.has(CAPABILITY));
    ours.map(|line| {
        let settings = match line.settings(MODULE) {
            Some(settings) => from_value::<SecretSettings>(settings.clone()).map_err(|error| {
                ListenerError::Failed(format!("the settings of product {} cannot be read: {error}", line.slug))
            })?,
            None => SecretSettings::default(),
        };
        Ok(WantedValues {
            order_line_id: line.order_line_id,
            product_id: line.product_id,
            label: line.label.clone(),
            quantity: line.quantity,
            pool: settings.pool_of(&line.slug).to_owned(),
            pattern: settings.pattern,
            backorder: settings.backorder.unwrap_or(backorder),
            max_per_customer: settings.max_per_customer,
        })
    })
    .collect()
}

/// What is asked for together, by pool: every pool once, in the order in which pools are locked.
pub(crate) fn by_pool(wanted: &[WantedValues]) -> BTreeMap<&str, Vec<&WantedValues>> {
    let mut pools = BTreeMap::<&str, Vec<&WantedValues>>::new();
    for line in wanted {
        pools.entry(&line.pool).or_default().push(line);
    }
    pools
}

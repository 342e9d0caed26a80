//! What others take part in when products are written.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::{Event, ListenerError, TransactionEvent};

use super::products::ProductState;
use super::{queries, wanted};
use crate::record::OptionRecord;

/// Products are being written, by an import or by a command: new ones, and those in which something changes. Announced
/// inside the transaction, which holds the catalog's lock, once for each batch.
///
/// A listener cannot refuse: what may stand in a module's settings is checked before by
/// [`ProductSettings::validate`](stoa_kernel::module::ProductSettings::validate).
#[derive(Debug, Clone, PartialEq)]
pub struct ProductsSaving {
    /// The catalog's version from now on, which the products keep as theirs.
    pub version: i64,
    /// The products, sorted by slug.
    pub products: Vec<SavedProduct>,
}

/// A product as it is from now on.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedProduct {
    /// The product.
    pub product_id: i64,
    /// The product's name in URLs.
    pub slug: String,
    /// The product's stock keeping unit.
    pub sku: Option<String>,
    /// Capability keys.
    pub capabilities: Vec<String>,
    /// All options, inactive ones too.
    pub options: Vec<OptionRecord>,
    /// What the modules keep about the product, by module.
    pub module_settings: BTreeMap<String, Value>,
}

impl SavedProduct {
    /// What a module keeps about the product.
    pub fn settings(&self, module: &str) -> Option<&Value> {
        self.module_settings.get(module)
    }

    /// Whether the product has this capability.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}

impl Event for ProductsSaving {
    const NAME: &'static str = "ProductsSaving";
}

impl TransactionEvent for ProductsSaving {}

/// Why a batch was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteCatalogError {
    /// A module's listener failed.
    #[error("a module could not take part")]
    Listener(#[source] ListenerError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Tells the listeners, if there are any: nobody else needs the ids.
pub(super) async fn announce_saving(
    tx: &mut Tx,
    version: i64,
    written: &[&ProductState],
) -> Result<(), WriteCatalogError> {
    if !tx.is_heard::<ProductsSaving>() {
        return Ok(());
    }
    let slugs = wanted(written.iter().map(|product| &product.slug));
    let ids = tx.run(queries::IDS).bind(slugs).all::<(String, i64)>().await?.into_iter().collect::<HashMap<_, _>>();
    let saved = |product: &&ProductState| {
        Some(SavedProduct {
            product_id: *ids.get(&product.slug)?,
            slug: product.slug.clone(),
            sku: product.sku.clone(),
            capabilities: product.capabilities.clone(),
            options: product.options.clone(),
            module_settings: product.settings.clone(),
        })
    };
    let mut products = written.iter().filter_map(saved).collect::<Vec<_>>();
    products.sort_by(|one, other| one.slug.cmp(&other.slug));
    tx.announce(&ProductsSaving { version, products }).await.map_err(|error| match error {
        ListenerError::Db(error) => WriteCatalogError::Db(error),
        other => WriteCatalogError::Listener(other),
    })
}

//! `[catalog]`: how the catalog is served.

use serde::Deserialize;

use super::value::within;

/// Settings of the catalog.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogConfig {
    /// Memory for the JSON of products and lists, in MiB; 0 keeps none.
    #[serde(deserialize_with = "within::<_, _, 0, 1_048_576>")]
    pub cache_megabytes: u64,
}

//! The catalog: products, categories and search (S2.1, S2.2, S4.2).
//!
//! Reads outnumber writes by thousands, so each instance keeps in memory what every read needs: the
//! order of the listing, an index of its texts, the JSON of products, and finished lists. All of them
//! follow the catalog's version in the database, which every write raises in its own transaction.

mod answers;
mod browse;
mod details;
mod doubts;
mod examples;
mod export;
mod facts;
pub mod file;
pub mod images;
pub mod import;
pub mod imports;
mod index;
mod model;
mod oversight;
mod photos;
mod price_history;
mod prices;
mod product_cache;
mod purge;
mod queries;
mod record;
mod refresh;
mod render;
mod routes;
mod safety;
mod search;
mod sharing;
mod state;
mod unit_price;
pub mod write;

pub use details::{
    CategoryDetails, ProductDetails, category_details, category_slugs, find_product_id, no_such_product,
    product_details, product_details_after, product_slugs,
};
pub use doubts::{Doubt, DoubtKind, doubts, is_missing_image};
pub use export::{Exported, export_categories, export_product, export_products};
pub use facts::{FactsRecord, ProductFacts};
pub use model::{
    CategoryResource, ChildCategory, Price, ProductCategory, ProductChoice, ProductOption, ProductResource,
};
pub use photos::Photo;
pub use record::{CategoryRecord, ChoiceRecord, Member, OptionRecord, OptionType, ProductRecord, Record};
pub use refresh::CatalogError;
pub use safety::{ProductSafety, SafetyContact};
pub use search::{ProductListed, ProductSearch, count_products, search_products};
pub use state::{Catalog, Frame};
pub use unit_price::{ShownUnitPrice, StatedUnitPrice, UnitPriceRecord};
pub use write::{Availability, AvailabilityChanged, availability_of, details_changed, lock_catalog, set_availability};

pub use render::{image_url, path_segment};

use std::sync::Arc;

use stoa_kernel::module::{ModuleContext, RegisterError};

/// The routes of the catalog, and what is looked at.
pub fn register(cx: &mut ModuleContext<'_>, catalog: &Arc<Catalog>) -> Result<(), RegisterError> {
    oversight::register(cx);
    imports::register(cx);
    purge::register(cx, &catalog.purge_targets);
    for (name, opens) in CONSOLE_ABILITIES {
        cx.console_ability(name, opens);
    }
    cx.routes(Arc::clone(catalog), routes::catalog_routes())
}

/// What can be done in the console about what is here.
const CONSOLE_ABILITIES: [(&str, &str); 3] = [
    ("products.view", "see products and categories, those that are off included"),
    ("products.edit", "add, change and delete products and categories"),
    ("products.import", "import products"),
];

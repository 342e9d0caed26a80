//! Writing the catalog: records are laid over what is stored, checked, and written in batches.
//!
//! Import and the operator's commands write through here alone. Each batch is one transaction that
//! first raises the catalog's version: writers queue at that row, so none overwrites what another
//! has just read, and every changed product carries the version it changed in.

mod audit;
mod availability;
mod categories;
mod changed;
mod events;
mod lock;
mod products;
mod queries;
mod remove;
mod stored;
mod writer;

pub use availability::{Availability, AvailabilityChanged, availability_of, set_availability};
pub use categories::CategoryState;
pub(super) use categories::stored_categories;
pub(crate) use changed::CatalogChanged;
pub use events::{ProductsSaving, SavedProduct, WriteCatalogError};
pub use lock::{details_changed, lock_catalog};
pub use products::ProductState;
pub use remove::{ProductDeleting, RemoveCategoryError, RemoveProductError, remove_category, remove_product};
pub use writer::{CatalogWriter, Change, Expected, Mode, RecordProblem};

use stored::wanted;

//! What a transaction changes of what is shown, for whoever keeps it elsewhere.

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::{Event, ListenerError, TransactionEvent};

/// What of the catalog is shown otherwise from now on. Announced inside the transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CatalogChanged {
    /// Perhaps everything: a category, or what a module says.
    Everything,
    /// These products, by slug, and the lists that they stand in; also those of categories that one has left.
    Products {
        /// The products, which are there.
        slugs: Vec<String>,
        /// Slugs of categories.
        left: Vec<String>,
    },
    /// Whether these products can be had; they stand where they stood.
    Availability(Vec<i64>),
}

impl Event for CatalogChanged {
    const NAME: &'static str = "CatalogChanged";
}

impl TransactionEvent for CatalogChanged {}

/// Tells whoever listens.
pub(super) async fn announce_changed(tx: &mut Tx, changed: impl FnOnce() -> CatalogChanged) -> Result<(), DbError> {
    if !tx.is_heard::<CatalogChanged>() {
        return Ok(());
    }
    tx.announce(&changed()).await.map_err(|error| match error {
        ListenerError::Db(error) => error,
        other => sqlx::Error::Protocol(other.to_string()).into(),
    })
}

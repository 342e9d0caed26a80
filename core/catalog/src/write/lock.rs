//! The catalog's row in the database, which all who change the catalog wait for, and which says that something has changed.

use stoa_kernel::db::{DbError, Tx};

use super::changed::{CatalogChanged, announce_changed};
use super::queries;

/// Makes whoever changes the catalog wait until this transaction ends, and waits for them.
///
/// Call it before reading what [`set_availability`](super::set_availability) is to be told, so that of two who tell about the same product the later
/// one has read later. It comes before all other locks, except in a listener of
/// [`ProductsSaving`](super::ProductsSaving), where it is held already.
pub async fn lock_catalog(tx: &mut Tx) -> Result<(), DbError> {
    tx.run(queries::LOCK).execute().await.map(drop)
}

/// Has the catalog read anew what modules say about products ([`TellDetails`](stoa_kernel::module::TellDetails)), after this transaction.
/// Call it before writing what they say otherwise: it waits as [`lock_catalog`] does.
pub async fn details_changed(tx: &mut Tx) -> Result<(), DbError> {
    tx.run(queries::RAISE_ANSWERS_VERSION).execute().await?;
    announce_changed(tx, || CatalogChanged::Everything).await
}

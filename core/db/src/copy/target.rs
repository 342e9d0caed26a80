//! The database that is copied into: it must be empty, and gets the same tables as the source.

use super::CopyError;
use crate::{Database, DbError, MigrationSet};

/// Facts about an installation, which may stand in a database that was only migrated; the source's replace them.
const FACTS: &str = "installation";

/// Refuses a target that holds rows, or tables of something else; then applies the migrations to it.
pub(super) async fn prepare(target: &Database, sets: &[MigrationSet]) -> Result<(), CopyError> {
    let (is_shop, counts) = {
        let mut snapshot = target.snapshot().await?;
        let is_shop = snapshot.tables.iter().any(|table| table.bookkeeping_of() == Some("core"));
        (is_shop, snapshot.counts().await?)
    };
    if !is_shop && !counts.is_empty() {
        return Err(CopyError::ForeignTarget(counts.into_iter().map(|(table, _)| table).collect()));
    }
    let fresh = fresh_counts(sets).await?;
    let is_filled = |(table, rows): &(String, u64)| {
        let seeded = fresh.iter().find(|(name, _)| name == table).map_or(0, |(_, rows)| *rows);
        *rows > seeded && table != FACTS
    };
    let filled = counts.into_iter().filter(is_filled).map(|(table, _)| table).collect::<Vec<_>>();
    if !filled.is_empty() {
        return Err(CopyError::NotEmpty(filled));
    }
    Ok(target.migrate(sets).await?)
}

/// How many rows the migrations themselves put into their tables, which no empty shop is without.
///
/// The names are those of all tables that the migrations make, on either database.
pub async fn fresh_counts(sets: &[MigrationSet]) -> Result<Vec<(String, u64)>, DbError> {
    let fresh = Database::in_memory().await?;
    fresh.migrate(sets).await?;
    let counts = fresh.snapshot().await?.counts().await;
    fresh.close().await;
    counts
}

//! The copy itself: everything in one transaction of the target, counted and compared before it is kept.

use super::connection::Connection;
use super::plan::TablePlan;
use super::schema::{self, Table};
use super::snapshot::AppliedSet;
use super::{CopyError, Snapshot, TableDigest, counters, order, read, target, text, write};
use crate::pool::Pools;
use crate::{Backend, Database, DbError, MigrationSet, MigrationState};

/// What a copy is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyStep<'a> {
    /// It begins to copy a table with this many rows.
    Table {
        /// The table.
        name: &'a str,
        /// Its rows.
        rows: u64,
    },
    /// It has copied so many more rows of that table.
    Rows(u64),
    /// It reads the copied table again to compare it.
    Comparing,
}

/// What was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyReport {
    /// The tables in the order in which they were filled, alike in source and target.
    pub tables: Vec<TableDigest>,
    /// Tables of the source that belong to no migration, such as those made by hand. They were not copied.
    pub left_out: Vec<String>,
}

/// Copies all rows of a migrated database into an empty one, which is migrated first.
///
/// `active` are the migrations of core and the enabled modules, `dormant` those of modules that are switched off, whose
/// tables are copied where the source has them. The source may be written to meanwhile: one moment of it is copied. When
/// anything fails, the target is left empty.
pub async fn copy_database(
    source: &Database,
    target: &Database,
    active: &[MigrationSet],
    dormant: &[MigrationSet],
    observe: &mut dyn FnMut(CopyStep<'_>),
) -> Result<CopyReport, CopyError> {
    let mut source = source.snapshot().await?;
    let sets = applied_sets(&mut source, active, dormant).await?;
    target::prepare(target, &sets).await?;
    let mut connection = target.begin_copy().await?;
    let copied = copy(&mut source, &mut connection, target.backend(), observe).await?;
    match connection {
        Connection::Sqlite(tx) => tx.commit().await?,
        Connection::Postgres(tx) => tx.commit().await?,
    }
    Ok(copied)
}

impl Database {
    async fn begin_copy(&self) -> Result<Connection, DbError> {
        Ok(match &*self.pools {
            Pools::Sqlite { write, .. } => Connection::Sqlite(write.begin_with("BEGIN IMMEDIATE").await?),
            Pools::Postgres(postgres) => Connection::Postgres(postgres.primary.current().pool.begin().await?),
        })
    }
}

/// The migrations that the source has: those of core and enabled modules, and of modules that were enabled once.
async fn applied_sets(
    source: &mut Snapshot,
    active: &[MigrationSet],
    dormant: &[MigrationSet],
) -> Result<Vec<MigrationSet>, CopyError> {
    let backend = source.backend();
    let applied = source.applied().await?;
    let ran = applied.into_iter().filter(|set| !set.migrations.is_empty()).collect::<Vec<_>>();
    let is_linked = |ran: &AppliedSet| active.iter().chain(dormant).any(|set| set.name() == ran.set);
    let unknown = ran.iter().filter(|set| !is_linked(set)).map(|set| set.set.clone()).collect::<Vec<_>>();
    if !unknown.is_empty() {
        return Err(CopyError::UnknownModules(unknown));
    }
    let mut sets = active.to_vec();
    for set in dormant {
        let Some(ran) = ran.iter().find(|ran| ran.set == set.name()) else { continue };
        let status = set.status(backend, &ran.migrations);
        if status.iter().any(|migration| migration.state != MigrationState::Applied) {
            return Err(CopyError::OutdatedModule(set.name()));
        }
        sets.push(set.clone());
    }
    Ok(sets)
}

async fn copy(
    source: &mut Snapshot,
    target: &mut Connection,
    target_backend: Backend,
    observe: &mut dyn FnMut(CopyStep<'_>),
) -> Result<CopyReport, CopyError> {
    let is_kept = |table: &Table| table.bookkeeping_of().is_none();
    let tables = schema::tables(target).await?.into_iter().filter(is_kept).collect::<Vec<_>>();
    let tables = order::sort(tables);
    let early = order::early(&tables);
    order::defer(target, &early).await?;
    for table in tables.iter().rev() {
        clear(target, &table.name).await?;
    }
    let source_tables = source.tables.clone();
    let source_backend = source.backend();
    let mut counted = Vec::new();
    let mut report = CopyReport { tables: Vec::new(), left_out: left_out(&source_tables, &tables) };
    for table in &tables {
        let Some(from) = source_tables.iter().find(|from| from.name == table.name) else {
            let difference = String::from("the source has no such table");
            return Err(CopyError::Columns { table: table.name.clone(), difference });
        };
        let plan = TablePlan::between((from, source_backend), (table, target_backend))?;
        report.tables.push(copy_table(source, target, &plan, observe).await?);
        if let Some(column) = &table.counter {
            counted.push((&table.name, column, counters::last(&mut source.connection, from, column).await?));
        }
    }
    order::check(target, &early).await?;
    // PostgreSQL alters no table whose rows are still to be checked.
    for (table, column, last) in counted {
        counters::go_on(target, table, column, last).await?;
    }
    Ok(report)
}

/// Copies a table, and reads it back.
async fn copy_table(
    source: &mut Snapshot,
    target: &mut Connection,
    plan: &TablePlan,
    observe: &mut dyn FnMut(CopyStep<'_>),
) -> Result<TableDigest, CopyError> {
    let rows = read::count(&mut source.connection, &plan.name).await?;
    observe(CopyStep::Table { name: &plan.name, rows });
    let original = read::rows(&mut source.connection, plan, async |rows| {
        let copied = u64::try_from(rows.len()).unwrap_or_default();
        let written = write::insert(target, plan, rows).await;
        written.map_err(|error| CopyError::Write(plan.name.clone(), error.into()))?;
        observe(CopyStep::Rows(copied));
        Ok(())
    });
    let original = original.await?;
    observe(CopyStep::Comparing);
    let copy = read::digest(target, plan).await?;
    if copy != original {
        let (original, copy) = (original.to_string(), copy.to_string());
        return Err(CopyError::Different { table: plan.name.clone(), original, copy });
    }
    Ok(copy)
}

/// Removes what the migrations have put into a table.
async fn clear(target: &mut Connection, table: &str) -> Result<(), sqlx::Error> {
    match target {
        Connection::Sqlite(tx) => sqlx::query(text::delete(table)).execute(&mut **tx).await.map(drop),
        Connection::Postgres(tx) => sqlx::query(text::delete(table)).execute(&mut **tx).await.map(drop),
    }
}

fn left_out(source: &[Table], copied: &[Table]) -> Vec<String> {
    let is_copied = |table: &Table| copied.iter().any(|other| other.name == table.name);
    let left = source.iter().filter(|table| table.bookkeeping_of().is_none() && !is_copied(table));
    left.map(|table| table.name.clone()).collect()
}

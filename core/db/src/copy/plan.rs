//! What is read from and written to one table.

use super::CopyError;
use super::kind::Kind;
use super::schema::{Column, Table};
use crate::Backend;

/// One table with its columns, alike for source and target.
pub(super) struct TablePlan {
    pub(super) name: String,
    /// In the order of their names, so that both databases give the same digest.
    pub(super) columns: Vec<ColumnPlan>,
}

/// One column.
pub(super) struct ColumnPlan {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The type of the column in the target, as it is written in SQL.
    pub(super) target_type: String,
}

impl TablePlan {
    /// A plan for reading a table only.
    pub(super) fn reading(table: &Table, backend: Backend) -> Result<Self, CopyError> {
        Self::between((table, backend), (table, backend))
    }

    /// A plan for copying a table, which must have the same columns on both sides.
    pub(super) fn between(source: (&Table, Backend), target: (&Table, Backend)) -> Result<Self, CopyError> {
        let names = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        let (before, after) = (names(source.0), names(target.0));
        if before != after {
            let missing =
                before.iter().filter(|name| !after.contains(name)).map(|name| format!("only the source has `{name}`"));
            let added =
                after.iter().filter(|name| !before.contains(name)).map(|name| format!("only the target has `{name}`"));
            let difference = missing.chain(added).collect::<Vec<_>>().join(", ");
            return Err(CopyError::Columns { table: source.0.name.clone(), difference });
        }
        let pairs = source.0.columns.iter().zip(&target.0.columns);
        let columns = pairs.map(|(from, to)| {
            let (declaring, backend) = if source.1 == Backend::Postgres { (from, source.1) } else { (to, target.1) };
            let kind = kind(declaring, backend).ok_or_else(|| CopyError::Type {
                table: source.0.name.clone(),
                column: from.name.clone(),
                declared: declaring.declared.clone(),
            })?;
            Ok(ColumnPlan { name: from.name.clone(), kind, target_type: to.declared.clone() })
        });
        Ok(Self { name: source.0.name.clone(), columns: columns.collect::<Result<_, CopyError>>()? })
    }
}

fn kind(column: &Column, backend: Backend) -> Option<Kind> {
    match backend {
        Backend::Sqlite => Kind::of_sqlite(&column.type_name),
        Backend::Postgres => Kind::of_postgres(&column.type_name),
    }
}

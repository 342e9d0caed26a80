//! Statements with names from the database's own catalog.
//!
//! Every name is quoted, a quote in it doubled, as both databases want it; so no name can end its quotes and become a
//! statement. Nothing but names and numbers is put into a text. That is what the `AssertSqlSafe` here asserts.

use sqlx::AssertSqlSafe;

use super::plan::TablePlan;
use crate::Backend;

/// A statement made of quoted names.
pub(super) type Statement = AssertSqlSafe<String>;

/// A name as an identifier of SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn list<T>(items: impl IntoIterator<Item = T>, text: impl FnMut(T) -> String) -> String {
    items.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// How many rows a table has.
pub(super) fn count(table: &str) -> Statement {
    AssertSqlSafe(format!("SELECT COUNT(*) FROM {}", quoted(table)))
}

/// All rows of a table, the columns in the plan's order, as the types that their kinds are read as.
pub(super) fn select(plan: &TablePlan, backend: Backend) -> Statement {
    let columns = list(&plan.columns, |column| match (backend, column.kind.read_as()) {
        (Backend::Postgres, Some(read_as)) => format!("CAST({} AS {read_as})", quoted(&column.name)),
        (Backend::Postgres, None) | (Backend::Sqlite, _) => quoted(&column.name),
    });
    AssertSqlSafe(format!("SELECT {columns} FROM {}", quoted(&plan.name)))
}

/// Inserts any number of rows, given as one array for each column.
pub(super) fn insert_arrays(plan: &TablePlan) -> Statement {
    let columns = list(&plan.columns, |column| quoted(&column.name));
    let values = list(&plan.columns, |column| format!("CAST({} AS {})", quoted(&column.name), column.target_type));
    let arrays = list(plan.columns.iter().enumerate(), |(index, column)| {
        format!("CAST(${} AS {}[])", index + 1, column.kind.written_as())
    });
    // Without OVERRIDING, ids could not be given for columns that are GENERATED ALWAYS.
    AssertSqlSafe(format!(
        "INSERT INTO {} ({columns}) OVERRIDING SYSTEM VALUE SELECT {values} FROM UNNEST({arrays}) AS rows ({columns})",
        quoted(&plan.name)
    ))
}

/// Inserts this many rows, given value by value.
pub(super) fn insert_values(plan: &TablePlan, rows: usize) -> Statement {
    let row = format!("({})", list(&plan.columns, |_| String::from("?")));
    let rows = list(0..rows, |_| row.clone());
    AssertSqlSafe(format!(
        "INSERT INTO {} ({}) VALUES {rows}",
        quoted(&plan.name),
        list(&plan.columns, |column| quoted(&column.name))
    ))
}

/// Removes all rows of a table.
pub(super) fn delete(table: &str) -> Statement {
    AssertSqlSafe(format!("DELETE FROM {}", quoted(table)))
}

/// The largest value of a column of whole numbers, or 0.
pub(super) fn largest(table: &str, column: &str) -> Statement {
    AssertSqlSafe(format!("SELECT COALESCE(MAX({}), 0) FROM {}", quoted(column), quoted(table)))
}

/// Where PostgreSQL's sequence of an identity column stands: its last value, and whether that was given out.
pub(super) fn sequence(name: &QuotedSequence) -> Statement {
    AssertSqlSafe(format!("SELECT last_value, is_called FROM {}", name.0))
}

/// The name of a sequence as PostgreSQL's `pg_get_serial_sequence` gives it: with its schema, and quoted.
pub(super) struct QuotedSequence(pub(super) String);

/// Lets an identity column go on from here. Unlike `setval`, this is undone with its transaction.
pub(super) fn restart(table: &str, column: &str, next: i64) -> Statement {
    AssertSqlSafe(format!("ALTER TABLE {} ALTER COLUMN {} RESTART WITH {next}", quoted(table), quoted(column)))
}

/// Lets a reference be checked at the end of the transaction.
pub(super) fn defer(table: &str, constraint: &str) -> Statement {
    let (table, constraint) = (quoted(table), quoted(constraint));
    AssertSqlSafe(format!("ALTER TABLE {table} ALTER CONSTRAINT {constraint} DEFERRABLE INITIALLY DEFERRED"))
}

/// Lets a reference be checked with every statement again.
pub(super) fn undefer(table: &str, constraint: &str) -> Statement {
    let (table, constraint) = (quoted(table), quoted(constraint));
    AssertSqlSafe(format!("ALTER TABLE {table} ALTER CONSTRAINT {constraint} NOT DEFERRABLE"))
}

/// What a set's bookkeeping says has run.
pub(super) fn applied(bookkeeping: &str) -> Statement {
    AssertSqlSafe(format!("SELECT version, checksum FROM {} ORDER BY version", quoted(bookkeeping)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_a_name_cannot_end_it() {
        assert_eq!(quoted("order"), "\"order\"");
        assert_eq!(quoted("a\"; DROP TABLE users; --"), "\"a\"\"; DROP TABLE users; --\"");
    }
}

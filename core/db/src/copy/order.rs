//! The order in which tables are filled, so that what a row refers to is there before it.

use std::collections::BTreeSet;

use super::connection::Connection;
use super::schema::Table;
use super::text;

/// Sorts tables so that each comes after those it refers to, as far as they do not refer to each other in a circle.
pub(super) fn sort(mut tables: Vec<Table>) -> Vec<Table> {
    let names = tables.iter().map(|table| table.name.clone()).collect::<BTreeSet<_>>();
    let mut done = BTreeSet::new();
    let mut sorted = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waits = |table: &Table| {
            let mut parents = table.references.iter().map(|reference| &reference.parent);
            parents.any(|parent| *parent != table.name && names.contains(parent) && !done.contains(parent))
        };
        // In a circle, somebody has to begin.
        let next = tables.iter().position(|table| !waits(table)).unwrap_or(0);
        let table = tables.remove(next);
        done.insert(table.name.clone());
        sorted.push(table);
    }
    sorted
}

/// References that rows may come before: those within a table, and those that close a circle. Each is the table's
/// name with the constraint's.
pub(super) fn early(sorted: &[Table]) -> Vec<(String, String)> {
    let mut done = BTreeSet::new();
    let mut early = Vec::new();
    for table in sorted {
        for reference in table.references.iter().filter(|reference| !done.contains(&reference.parent)) {
            if !reference.deferrable {
                early.push((table.name.clone(), reference.name.clone()));
            }
        }
        done.insert(table.name.clone());
    }
    early
}

/// Lets references be checked at the end of the transaction: all of them on SQLite, `early` ones on PostgreSQL.
pub(super) async fn defer(connection: &mut Connection, early: &[(String, String)]) -> Result<(), sqlx::Error> {
    match connection {
        Connection::Sqlite(tx) => {
            sqlx::query("PRAGMA defer_foreign_keys = ON").execute(&mut **tx).await?;
        }
        Connection::Postgres(tx) => {
            for (table, constraint) in early {
                sqlx::query(text::defer(table, constraint)).execute(&mut **tx).await?;
            }
            sqlx::query("SET CONSTRAINTS ALL DEFERRED").execute(&mut **tx).await?;
        }
    }
    Ok(())
}

/// Checks all references now, and undoes [`defer`]. SQLite does both when the transaction ends.
pub(super) async fn check(connection: &mut Connection, early: &[(String, String)]) -> Result<(), sqlx::Error> {
    if let Connection::Postgres(tx) = connection {
        sqlx::query("SET CONSTRAINTS ALL IMMEDIATE").execute(&mut **tx).await?;
        for (table, constraint) in early {
            sqlx::query(text::undefer(table, constraint)).execute(&mut **tx).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::schema::Reference;

    fn table(name: &str, parents: &[&str]) -> Table {
        let references = parents.iter().map(|parent| Reference::for_test(name, parent)).collect();
        Table { name: name.to_owned(), columns: Vec::new(), counter: None, references }
    }

    fn names(tables: &[Table]) -> Vec<&str> {
        tables.iter().map(|table| table.name.as_str()).collect()
    }

    #[test]
    fn parents_come_first() {
        let tables = vec![table("a_tokens", &["customers"]), table("customers", &["users"]), table("users", &[])];
        let sorted = sort(tables);
        assert_eq!(names(&sorted), ["users", "customers", "a_tokens"]);
        assert_eq!(early(&sorted), []);
    }

    #[test]
    fn a_reference_within_a_table_is_early() {
        let sorted = sort(vec![table("categories", &["categories"]), table("products", &["categories"])]);
        assert_eq!(names(&sorted), ["categories", "products"]);
        assert_eq!(early(&sorted), [("categories".to_owned(), "categories_to_categories".to_owned())]);
    }

    #[test]
    fn a_circle_is_broken_by_an_early_reference() {
        let sorted = sort(vec![table("a", &["b"]), table("b", &["c"]), table("c", &["a"]), table("d", &["a"])]);
        assert_eq!(sorted.len(), 4);
        assert_eq!(early(&sorted).len(), 1);
    }
}

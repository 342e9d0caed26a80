//! Statements on the new databases of an examination. They are no part of the catalogue: no shop runs them.

use stoa_kernel::db::Sql;

use super::sample_rows::SampleRow;

/// Columns that say whose a row is, and the tables that they refer to.
pub(super) const OWNERS: [(&str, &str); 4] =
    [("customer_id", "customers"), ("user_id", "users"), ("order_id", "orders"), ("order_line_id", "order_lines")];

pub(super) const TABLES: Sql = on_sqlite(
    "SELECT name, COALESCE(sql, '') FROM sqlite_master
     WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_migrations%' ESCAPE '\\'
     ORDER BY name",
);

/// A row needs a value for a key, and for what must not be null and has no default.
pub(super) const COLUMNS: Sql = on_sqlite(
    "SELECT name, UPPER(type) AS kind, CAST(pk > 0 OR (\"notnull\" = 1 AND dflt_value IS NULL) AS INTEGER) AS required
     FROM pragma_table_info($1)",
);

pub(super) const PARENTS: Sql =
    on_sqlite("SELECT \"from\" AS \"column\", \"table\" FROM pragma_foreign_key_list($1) ORDER BY id, seq");

/// The columns of a table on PostgreSQL, and their types as migrations say them.
pub(super) const POSTGRES_COLUMNS: Sql = on_postgres(
    "SELECT column_name::text, data_type || CASE WHEN collation_name = 'C' THEN ' COLLATE \"C\"' ELSE '' END
     FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position",
);

/// Puts a row into a table.
pub(super) fn insert(row: &SampleRow) -> Sql {
    let columns = row.values.iter().map(|(column, _)| format!("\"{column}\"")).collect::<Vec<_>>().join(", ");
    let values = row.values.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ");
    // A few statements in the life of a program that then ends, or of a test.
    on_sqlite(String::leak(format!("INSERT OR IGNORE INTO \"{}\" ({columns}) VALUES ({values})", row.table)))
}

const fn on_postgres(text: &'static str) -> Sql {
    on_sqlite(text)
}

const fn on_sqlite(text: &'static str) -> Sql {
    Sql::new(text, text, file!(), line!())
}

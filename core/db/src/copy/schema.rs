//! The tables of a database, as its own catalog describes them.

use sqlx::Transaction;
use sqlx_postgres::Postgres;
use sqlx_sqlite::Sqlite;

use super::connection::Connection;
use crate::migrate::set_of;

/// A table that holds rows of the shop, or the bookkeeping of migrations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    /// The columns that hold values of their own, in the order of their names.
    pub(super) columns: Vec<Column>,
    /// The column that numbers the rows by itself.
    pub(super) counter: Option<String>,
    pub(super) references: Vec<Reference>,
}

/// A column that is stored, not computed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Column {
    #[sqlx(rename = "table_name")]
    table: String,
    #[sqlx(rename = "column_name")]
    pub(super) name: String,
    /// The name of the type, without what makes it narrower.
    pub(super) type_name: String,
    /// The type as it is written in SQL.
    pub(super) declared: String,
    counts: bool,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Reference {
    #[sqlx(rename = "table_name")]
    table: String,
    /// The table that is referred to.
    pub(super) parent: String,
    /// The constraint's name; SQLite has none.
    pub(super) name: String,
    /// Whether it can be checked at the end of a transaction.
    pub(super) deferrable: bool,
}

// A column of SQLite is stored when it is not hidden: 0, against 1 to 3 for those of virtual tables and computed ones.
// `pragma_table_list` tells tables from views, virtual tables and what lies under these.
const SQLITE_COLUMNS: &str = "SELECT t.name AS table_name, c.name AS column_name, c.type AS type_name,
            c.type AS declared,
            CAST(c.pk = 1 AND UPPER(c.type) = 'INTEGER' AND UPPER(m.sql) LIKE '%AUTOINCREMENT%' AS BOOLEAN) AS counts
     FROM pragma_table_list t
     JOIN sqlite_master m ON m.type = 'table' AND m.name = t.name
     JOIN pragma_table_xinfo(t.name) c ON c.hidden = 0
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     ORDER BY t.name, c.name";

const SQLITE_REFERENCES: &str = "SELECT t.name AS table_name, r.\"table\" AS parent, '' AS name,
            CAST(TRUE AS BOOLEAN) AS \"deferrable\"
     FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) r
     WHERE t.schema = 'main' AND t.type = 'table'
     ORDER BY t.name, r.id";

const POSTGRES_COLUMNS: &str = "SELECT t.relname::text AS table_name, c.attname::text AS column_name,
            y.typname::text AS type_name, format_type(c.atttypid, c.atttypmod) AS declared,
            c.attidentity <> '' AS counts
     FROM pg_class t
     JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped AND c.attgenerated = ''
     JOIN pg_type y ON y.oid = c.atttypid
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
     ORDER BY t.relname::text COLLATE \"C\", c.attname::text COLLATE \"C\"";

const POSTGRES_REFERENCES: &str = "SELECT t.relname::text AS table_name, p.relname::text AS parent,
            r.conname::text AS name, r.condeferrable AS \"deferrable\"
     FROM pg_constraint r
     JOIN pg_class t ON t.oid = r.conrelid
     JOIN pg_class p ON p.oid = r.confrelid
     WHERE r.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
     ORDER BY t.relname::text COLLATE \"C\", r.conname::text COLLATE \"C\"";

/// All tables in the order of their names.
pub(super) async fn tables(connection: &mut Connection) -> Result<Vec<Table>, sqlx::Error> {
    let (columns, references) = match connection {
        Connection::Sqlite(tx) => sqlite(tx).await?,
        Connection::Postgres(tx) => postgres(tx).await?,
    };
    let mut tables = Vec::<Table>::new();
    for column in columns {
        if tables.last().is_none_or(|table| table.name != column.table) {
            let own = references.iter().filter(|reference| reference.table == column.table);
            tables.push(Table {
                name: column.table.clone(),
                columns: Vec::new(),
                counter: None,
                references: own.cloned().collect(),
            });
        }
        let table = tables.last_mut().expect("one was pushed");
        if column.counts {
            table.counter = Some(column.name.clone());
        }
        table.columns.push(column);
    }
    Ok(tables)
}

async fn sqlite(tx: &mut Transaction<'static, Sqlite>) -> Result<(Vec<Column>, Vec<Reference>), sqlx::Error> {
    let columns = sqlx::query_as(SQLITE_COLUMNS).fetch_all(&mut **tx).await?;
    Ok((columns, sqlx::query_as(SQLITE_REFERENCES).fetch_all(&mut **tx).await?))
}

async fn postgres(tx: &mut Transaction<'static, Postgres>) -> Result<(Vec<Column>, Vec<Reference>), sqlx::Error> {
    let columns = sqlx::query_as(POSTGRES_COLUMNS).fetch_all(&mut **tx).await?;
    Ok((columns, sqlx::query_as(POSTGRES_REFERENCES).fetch_all(&mut **tx).await?))
}

impl Table {
    /// The migration set whose bookkeeping this table is.
    pub(super) fn bookkeeping_of(&self) -> Option<&str> {
        set_of(&self.name)
    }
}

#[cfg(test)]
impl Reference {
    pub(super) fn for_test(table: &str, parent: &str) -> Self {
        let name = format!("{table}_to_{parent}");
        Self { table: table.to_owned(), parent: parent.to_owned(), name, deferrable: false }
    }
}

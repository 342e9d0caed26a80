//! Which columns refer to a table, by what each database says of itself.

use crate::Sql;

/// A column that refers to another table.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Reference {
    /// The table whose column it is, quoted as statements need it.
    pub table: String,
    /// The column, quoted as well.
    pub column: String,
}

const SQLITE: &str = r#"SELECT '"' || replace(t.name, '"', '""') || '"' AS "table",
            '"' || replace(r."from", '"', '""') || '"' AS "column"
     FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) r
     WHERE t.schema = 'main' AND t.type = 'table' AND r."table" = $1 AND r.on_delete <> 'CASCADE'
     ORDER BY 1, 2"#;

const POSTGRES: &str = r#"SELECT r.conrelid::regclass::text AS "table", quote_ident(c.attname) AS "column"
     FROM pg_constraint r JOIN pg_attribute c ON c.attrelid = r.conrelid AND c.attnum = r.conkey[1]
     WHERE r.contype = 'f' AND r.confrelid = to_regclass($1) AND r.confdeltype <> 'c'
     ORDER BY 1, 2"#;

/// What refers to rows of the table `$1` and is not deleted with them.
pub const REFERENCES_TO: Sql = Sql::new(SQLITE, POSTGRES, file!(), line!());

//! Why a database could not be copied.

use crate::DbError;

/// Why a database could not be copied; the text is for operators.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The target holds rows already.
    #[error("the target is not empty: it holds rows in {}; copy into a new database", .0.join(", "))]
    NotEmpty(Vec<String>),
    /// The target belongs to something else.
    #[error("the target holds tables that are not a shop's ({}); copy into a database of its own", .0.join(", "))]
    ForeignTarget(Vec<String>),
    /// The source holds tables of modules that the program does not link.
    #[error(
        "the database holds tables of modules that this program does not contain ({}), which would be left behind; \
         use a program with these modules",
        .0.join(", ")
    )]
    UnknownModules(Vec<String>),
    /// The tables of a module that is switched off are not up to date.
    #[error(
        "the module `{0}` is switched off and its tables are out of date; enable it, run `stoa migrate`, copy again"
    )]
    OutdatedModule(&'static str),
    /// Source and target are not made by the same migrations.
    #[error("the tables `{table}` of source and target differ in their columns: {difference}")]
    Columns {
        /// The table.
        table: String,
        /// The columns that only one of them has.
        difference: String,
    },
    /// A column has a type that has no counterpart.
    #[error("the column {table}.{column} has the type {declared}, which cannot be copied")]
    Type {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        declared: String,
    },
    /// A value is not what its column's type says, which SQLite allows.
    #[error("a value in {table}.{column} cannot be copied: {reason}")]
    Value {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// What is wrong with it, without the value.
        reason: String,
    },
    /// Rows could not be written.
    #[error("rows of `{0}` cannot be written")]
    Write(String, #[source] DbError),
    /// What arrived is not what was sent.
    #[error("the copy of `{table}` differs from the original ({original} and {copy}); nothing was kept")]
    Different {
        /// The table.
        table: String,
        /// What was read from the source.
        original: String,
        /// What was read back from the target.
        copy: String,
    },
    /// One of the databases failed.
    #[error(transparent)]
    Database(#[from] DbError),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

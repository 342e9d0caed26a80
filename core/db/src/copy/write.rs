//! Writing rows into a table.

use sqlx::error::BoxDynError;
use sqlx::{Arguments, Transaction};
use sqlx_postgres::{PgArguments, Postgres};
use sqlx_sqlite::{Sqlite, SqliteArguments};

use super::connection::Connection;
use super::kind::Kind;
use super::plan::TablePlan;
use super::read::Row;
use super::text;
use super::value::Value;

/// The most values that one statement of SQLite takes.
const SQLITE_VALUES: usize = 32_766;

/// Inserts rows, whose values are in the plan's order.
pub(super) async fn insert(connection: &mut Connection, plan: &TablePlan, rows: Vec<Row>) -> Result<(), sqlx::Error> {
    match connection {
        Connection::Sqlite(tx) => insert_sqlite(tx, plan, rows).await,
        Connection::Postgres(tx) => insert_postgres(tx, plan, rows).await,
    }
}

async fn insert_sqlite(
    tx: &mut Transaction<'static, Sqlite>,
    plan: &TablePlan,
    mut rows: Vec<Row>,
) -> Result<(), sqlx::Error> {
    let most = (SQLITE_VALUES / plan.columns.len()).max(1);
    while !rows.is_empty() {
        let rest = rows.split_off(rows.len().min(most));
        let mut arguments = SqliteArguments::default();
        let statement = text::insert_values(plan, rows.len());
        for value in rows.into_iter().flatten() {
            value.bind(&mut arguments).map_err(sqlx::Error::Encode)?;
        }
        sqlx::query_with(statement, arguments).execute(&mut **tx).await?;
        rows = rest;
    }
    Ok(())
}

async fn insert_postgres(
    tx: &mut Transaction<'static, Postgres>,
    plan: &TablePlan,
    rows: Vec<Row>,
) -> Result<(), sqlx::Error> {
    let mut columns = plan.columns.iter().map(|_| Vec::with_capacity(rows.len())).collect::<Vec<_>>();
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let mut arguments = PgArguments::default();
    for (values, column) in columns.into_iter().zip(&plan.columns) {
        bind_array(&mut arguments, values, column.kind).map_err(sqlx::Error::Encode)?;
    }
    sqlx::query_with(text::insert_arrays(plan), arguments).execute(&mut **tx).await?;
    Ok(())
}

/// Binds the values of one column, all of its kind or null, as an array.
fn bind_array(arguments: &mut PgArguments, values: Vec<Value>, kind: Kind) -> Result<(), BoxDynError> {
    macro_rules! array {
        ($($variant:ident)|+) => {
            arguments.add(values.into_iter().map(|value| match value {
                $(Value::$variant(value) => Some(value),)+
                _ => None,
            }).collect::<Vec<_>>())
        };
    }
    match kind {
        Kind::Integer => array!(Integer),
        Kind::Real => array!(Real),
        Kind::Boolean => array!(Boolean),
        Kind::Text | Kind::Json => array!(Text | Json),
        Kind::Bytes => array!(Bytes),
        Kind::Time => array!(Time),
        Kind::Date => array!(Date),
        Kind::Uuid => array!(Uuid),
    }
}

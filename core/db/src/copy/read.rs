//! Reading a table row by row.

use futures_util::TryStreamExt;
use futures_util::stream::Stream;

use super::CopyError;
use super::connection::Connection;
use super::digest::{Sum, TableDigest};
use super::plan::{ColumnPlan, TablePlan};
use super::text;
use super::value::Value;
use crate::Backend;

/// The values of a row, in the plan's order.
pub(super) type Row = Vec<Value>;

/// Rows that are handed over at once: enough to make the way to the database cheap, few enough for memory.
const BATCH: usize = 256;

/// Reads all rows of a table, hands them to `sink` in batches, and returns their digest.
pub(super) async fn rows(
    connection: &mut Connection,
    plan: &TablePlan,
    sink: impl AsyncFnMut(Vec<Row>) -> Result<(), CopyError>,
) -> Result<TableDigest, CopyError> {
    match connection {
        Connection::Sqlite(tx) => {
            let found = sqlx::query(text::select(plan, Backend::Sqlite)).fetch(&mut **tx).map_err(CopyError::from);
            let found =
                found.and_then(async |row| decode(plan, |index, column| Value::of_sqlite(&row, index, column.kind)));
            batches(plan, found, sink).await
        }
        Connection::Postgres(tx) => {
            let found = sqlx::query(text::select(plan, Backend::Postgres)).fetch(&mut **tx).map_err(CopyError::from);
            let found =
                found.and_then(async |row| decode(plan, |index, column| Value::of_postgres(&row, index, column.kind)));
            batches(plan, found, sink).await
        }
    }
}

/// The digest of a table's rows.
pub(super) async fn digest(connection: &mut Connection, plan: &TablePlan) -> Result<TableDigest, CopyError> {
    rows(connection, plan, async |_| Ok(())).await
}

/// How many rows a table has.
pub(super) async fn count(connection: &mut Connection, table: &str) -> Result<u64, sqlx::Error> {
    let count: i64 = match connection {
        Connection::Sqlite(tx) => sqlx::query_scalar(text::count(table)).fetch_one(&mut **tx).await?,
        Connection::Postgres(tx) => sqlx::query_scalar(text::count(table)).fetch_one(&mut **tx).await?,
    };
    Ok(u64::try_from(count).unwrap_or_default())
}

fn decode(
    plan: &TablePlan,
    mut value: impl FnMut(usize, &ColumnPlan) -> Result<Value, sqlx::Error>,
) -> Result<Row, CopyError> {
    let values = plan.columns.iter().enumerate().map(|(index, column)| {
        value(index, column).map_err(|error| CopyError::Value {
            table: plan.name.clone(),
            column: column.name.clone(),
            reason: error.to_string(),
        })
    });
    values.collect()
}

async fn batches(
    plan: &TablePlan,
    rows: impl Stream<Item = Result<Row, CopyError>>,
    mut sink: impl AsyncFnMut(Vec<Row>) -> Result<(), CopyError>,
) -> Result<TableDigest, CopyError> {
    let mut rows = std::pin::pin!(rows);
    let mut sum = Sum::default();
    let mut batch = Vec::new();
    while let Some(row) = rows.try_next().await? {
        sum.add(plan, &row)?;
        batch.push(row);
        if batch.len() == BATCH {
            sink(std::mem::take(&mut batch)).await?;
        }
    }
    if !batch.is_empty() {
        sink(batch).await?;
    }
    Ok(sum.finish(&plan.name))
}

//! Where the numbering of rows goes on, so that no id is ever given twice.

use super::connection::Connection;
use super::schema::Table;
use super::text::{self, QuotedSequence};

/// The last id that a table has given out, also to rows that are gone; 0 when there was none.
pub(super) async fn last(connection: &mut Connection, table: &Table, column: &str) -> Result<i64, sqlx::Error> {
    let (given, largest) = match connection {
        Connection::Sqlite(tx) => {
            let given = if table.counter.is_some() {
                let find = "SELECT seq FROM sqlite_sequence WHERE name = $1";
                sqlx::query_scalar(find).bind(&table.name).fetch_optional(&mut **tx).await?.unwrap_or(0)
            } else {
                0
            };
            (given, sqlx::query_scalar(text::largest(&table.name, column)).fetch_one(&mut **tx).await?)
        }
        Connection::Postgres(tx) => {
            let find = "SELECT pg_get_serial_sequence($1, $2)";
            let find = sqlx::query_scalar(find).bind(text::quoted(&table.name)).bind(column);
            let given = match find.fetch_one(&mut **tx).await? {
                None => 0,
                Some(name) => {
                    let state = sqlx::query_as(text::sequence(&QuotedSequence(name)));
                    let (value, used): (i64, bool) = state.fetch_one(&mut **tx).await?;
                    if used { value } else { value - 1 }
                }
            };
            let largest = text::largest(&table.name, column);
            let largest = sqlx::query_scalar::<_, i64>(largest).fetch_one(&mut **tx).await?;
            (given, largest)
        }
    };
    Ok(given.max(largest))
}

/// Lets the numbering of a table go on after `last`.
pub(super) async fn go_on(
    connection: &mut Connection,
    table: &str,
    column: &str,
    last: i64,
) -> Result<(), sqlx::Error> {
    match connection {
        Connection::Sqlite(tx) => {
            // The table has no key, so there is nothing to be updated by.
            sqlx::query("DELETE FROM sqlite_sequence WHERE name = $1").bind(table).execute(&mut **tx).await?;
            let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)";
            sqlx::query(insert).bind(table).bind(last).execute(&mut **tx).await?;
        }
        Connection::Postgres(tx) => {
            sqlx::query(text::restart(table, column, last + 1)).execute(&mut **tx).await?;
        }
    }
    Ok(())
}

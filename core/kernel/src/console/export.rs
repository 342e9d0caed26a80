//! A list as a file for spreadsheets.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;

use super::{List, ListQuery};
use crate::http::error::ApiError;
use crate::http::file::{attachment, private_file};

/// Rows that are read at once.
const PER_READ: i64 = 1000;

/// All rows for a spreadsheet, read a thousand at a time while they are sent.
pub(super) fn exported<T, F, E>(
    list: List<T>,
    query: &ListQuery,
    load: impl Fn(Option<String>, i64) -> F + Send + Sync + 'static,
) -> Response
where
    T: Send + 'static,
    F: Future<Output = Result<Vec<T>, E>> + Send + 'static,
    E: Into<ApiError>,
{
    let money = Arc::clone(&query.money);
    let name = query.asked.address.path.rsplit('/').next().unwrap_or("list").to_owned();
    let heading = csv_row(list.columns.iter().map(|(column, _)| column.title.to_owned()));
    let begin = (Some(None), Some(heading));
    let parts = stream::unfold((list, load, begin), move |(list, load, (after, heading))| {
        let money = Arc::clone(&money);
        async move {
            let after = after?;
            let rows = match load(after, PER_READ).await {
                Ok(rows) => rows,
                Err(error) => return Some((Err(export_failed(&error.into())), (list, load, (None, None)))),
            };
            let mut text = heading.unwrap_or_default();
            for row in &rows {
                let cells = list.columns.iter().map(|(_, write)| write(row).exported(&money));
                text.extend(csv_row(cells));
            }
            let is_last = rows.len() < usize::try_from(PER_READ).unwrap_or(usize::MAX);
            let next = rows.last().filter(|_| !is_last).map(|last| Some(list.place(last).written));
            Some((Ok(Bytes::from(text)), (list, load, (next, None))))
        }
    });
    private_file("text/csv; charset=utf-8", attachment(&format!("{name}.csv")), Body::from_stream(parts))
}

/// A line of a file of comma-separated values (RFC 4180).
fn csv_row(cells: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    // Writing into memory cannot fail.
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

/// Has the download break off, so that nobody takes half a list for the whole.
fn export_failed(error: &ApiError) -> std::io::Error {
    tracing::error!(
        error = error.cause().map(|cause| cause as &dyn std::error::Error),
        "a list was not exported whole"
    );
    std::io::Error::other("the list was not exported whole")
}

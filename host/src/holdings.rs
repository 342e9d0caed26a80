//! What a database holds that is somebody's.

use stoa_core::db::DbError;
use stoa_core::db::copy::Snapshot;

/// A shop with a row in one of these is somebody's.
const VALUABLE: [&str; 3] = ["products", "customers", "orders"];

/// What a shop holds that would be lost or mixed up, such as `products: 12`; nothing when it is empty.
pub(crate) async fn holdings(snapshot: &mut Snapshot) -> Result<Option<String>, DbError> {
    let counts = snapshot.counts().await?;
    let filled = counts.iter().filter(|(table, rows)| *rows > 0 && VALUABLE.contains(&table.as_str()));
    let filled = filled.map(|(table, rows)| format!("{table}: {rows}")).collect::<Vec<_>>();
    Ok((!filled.is_empty()).then(|| filled.join(", ")))
}

//! What was sold with an order, as it was then: for those who grant it.

use stoa_kernel::db::{Db, DbError, Tx};

use super::events::OrderLine;
use super::queries;

/// The lines of an order as they were sold, in their order, each with the id of its item. None of an unknown order.
pub async fn sold_lines(db: &Db, order_id: i64) -> Result<Vec<OrderLine>, DbError> {
    db.read(queries::SOLD_LINES).bind(order_id).all().await
}

/// The lines of a paid order with this capability whose goods the buyer has now: digital goods may be held until nobody can withdraw any more.
pub async fn delivered_lines(db: &Db, order_id: i64, capability: &str) -> Result<Vec<OrderLine>, DbError> {
    let lines = db.read(queries::DELIVERED_LINES).bind(order_id).all::<OrderLine>().await?;
    Ok(lines.into_iter().filter(|line| line.has(capability)).collect())
}

/// [`sold_lines`] inside a transaction.
pub async fn sold_lines_in(tx: &mut Tx, order_id: i64) -> Result<Vec<OrderLine>, DbError> {
    tx.run(queries::SOLD_LINES).bind(order_id).all().await
}

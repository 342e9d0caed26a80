//! What was sold with an order, as it was then: for those who grant it.

use serde_json::{Map, Value};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError, Tx};

use super::events::OrderLine;
use super::queries;

#[derive(sqlx::FromRow)]
struct SoldRow {
    id: i64,
    product_id: i64,
    slug: String,
    sku: Option<String>,
    label: String,
    quantity: i64,
    unit_amount: i64,
    selections: Json<Map<String, Value>>,
    choice_skus: Json<Vec<String>>,
    capabilities: Json<Vec<String>>,
    module_settings: Json<Map<String, Value>>,
}

impl From<SoldRow> for OrderLine {
    fn from(row: SoldRow) -> Self {
        Self {
            order_line_id: Some(row.id),
            product_id: row.product_id,
            slug: row.slug,
            sku: row.sku,
            label: row.label,
            quantity: row.quantity,
            unit_amount: row.unit_amount,
            list_amount: None,
            selections: row.selections.0,
            choice_skus: row.choice_skus.0,
            capabilities: row.capabilities.0,
            module_settings: row.module_settings.0,
        }
    }
}

/// The lines of an order as they were sold, in their order, each with the id of its item. None of an unknown order.
pub async fn sold_lines(db: &Db, order_id: i64) -> Result<Vec<OrderLine>, DbError> {
    let rows = db.read(queries::SOLD_LINES).bind(order_id).all::<SoldRow>().await?;
    Ok(rows.into_iter().map(OrderLine::from).collect())
}

/// The lines of a paid order with this capability whose goods the buyer has now: digital goods may be held until nobody can withdraw any more.
pub async fn delivered_lines(db: &Db, order_id: i64, capability: &str) -> Result<Vec<OrderLine>, DbError> {
    let rows = db.read(queries::DELIVERED_LINES).bind(order_id).all::<SoldRow>().await?;
    Ok(rows.into_iter().map(OrderLine::from).filter(|line| line.has(capability)).collect())
}

/// [`sold_lines`] inside a transaction.
pub async fn sold_lines_in(tx: &mut Tx, order_id: i64) -> Result<Vec<OrderLine>, DbError> {
    let rows = tx.run(queries::SOLD_LINES).bind(order_id).all::<SoldRow>().await?;
    Ok(rows.into_iter().map(OrderLine::from).collect())
}

//! Reading what decides about withdrawing from orders: two statements, whatever their number.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use stoa_kernel::config::{Config, ConsumerRights};
use stoa_kernel::db::{Db, DbError, Reader};

use super::queries;
use super::rights::{ItemFacts, OrderFacts, UnitFacts};
use super::status::WithdrawalRule;
use crate::orders::{FulfillmentStatus, OrderResource, OrderStatus};

#[derive(sqlx::FromRow)]
struct LineRow {
    id: i64,
    order_id: i64,
    customer_id: i64,
    #[sqlx(try_from = "String")]
    status: OrderStatus,
    created_at: DateTime<Utc>,
    #[sqlx(try_from = "String")]
    fulfillment_status: FulfillmentStatus,
    last_shipped_at: Option<DateTime<Utc>>,
    label: String,
    quantity: i64,
    shippable: bool,
    refunded_quantity: i64,
    withdrawal_rule: Option<String>,
}

#[derive(sqlx::FromRow)]
struct UnitRow {
    order_line_id: i64,
    unit: i64,
    fate: String,
}

/// Whether the shop has a function to withdraw.
pub(crate) fn is_on(config: &Config) -> bool {
    config.shop.consumer_rights == ConsumerRights::Eu
}

/// Says of each of these orders what its customer may withdraw from, where the shop has a function for it.
pub async fn tell_rights<'a>(
    db: &Db,
    config: &Config,
    orders: impl IntoIterator<Item = &'a mut OrderResource>,
) -> Result<(), DbError> {
    if is_on(config) { tell_rights_of(db, orders).await } else { Ok(()) }
}

/// The same in a shop that has a function for it.
pub(crate) async fn tell_rights_of<'a>(
    db: &Db,
    orders: impl IntoIterator<Item = &'a mut OrderResource>,
) -> Result<(), DbError> {
    let mut orders = orders.into_iter().collect::<Vec<_>>();
    if orders.is_empty() {
        return Ok(());
    }
    let ids = orders.iter().map(|order| order.id).collect::<Vec<_>>();
    let mut facts = read(&mut Reader::from(db), &ids).await?;
    for order in &mut orders {
        order.withdrawal = facts.remove(&order.id).map(|facts| facts.shown(db.now()));
    }
    Ok(())
}

/// What decides, by the order's id. An order without products is not among them.
pub(super) async fn read(reader: &mut Reader<'_>, order_ids: &[i64]) -> Result<HashMap<i64, OrderFacts>, DbError> {
    let items = reader.read(queries::ITEMS).bind_ids(order_ids.iter().copied()).all::<LineRow>().await?;
    let mut units = HashMap::<i64, UnitFacts>::new();
    for row in reader.read(queries::UNITS).bind_ids(order_ids.iter().copied()).all::<UnitRow>().await? {
        let of_item = units.entry(row.order_line_id).or_default();
        match row.fate.as_str() {
            "refunded" => of_item.refunded.insert(row.unit),
            "withdrawn" => of_item.withdrawn.insert(row.unit),
            "delivered" => of_item.delivered.insert(row.unit),
            _ => of_item.used.insert(row.unit),
        };
    }
    let mut orders = HashMap::<i64, OrderFacts>::new();
    for row in items {
        let rule = row.withdrawal_rule.map(WithdrawalRule::try_from).transpose();
        let rule = rule.map_err(|problem| sqlx::Error::Decode(problem.into()))?;
        let is_sent = row.fulfillment_status == FulfillmentStatus::Fulfilled;
        let order = orders.entry(row.order_id).or_insert_with(|| OrderFacts {
            customer_id: row.customer_id,
            status: row.status,
            created_at: row.created_at,
            sent_at: row.last_shipped_at.filter(|_| is_sent),
            items: Vec::new(),
        });
        order.items.push(ItemFacts {
            id: row.id,
            label: row.label,
            quantity: row.quantity,
            shippable: row.shippable,
            refunded_quantity: row.refunded_quantity,
            rule,
            units: units.remove(&row.id).unwrap_or_default(),
        });
    }
    Ok(orders)
}

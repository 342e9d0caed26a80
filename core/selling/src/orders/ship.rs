//! Sending what was ordered, in one shipment or several (contract 2.3).

use serde_json::json;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::record_number::OrderNumber;
use stoa_notices::webhooks::{self, ShippedUnits, WebhookEvent};

use super::change::{LockedOrder, lock_order};
use super::events::{OrderShipped, ShippedLine};
use super::history::{Actor, record};
use super::queries;
use super::status::OrderStatus;

/// Longest tracking number, in characters.
pub const MAX_TRACKING: usize = 255;

/// Units of an item that are to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipmentLine {
    /// The order line.
    pub item_id: i64,
    /// Units, at least one.
    pub quantity: i64,
}

/// Why nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum ShipOrderError {
    /// There is no such order.
    #[error("there is no order {0}")]
    NotFound(OrderNumber),
    /// It is not paid yet: the goods leave the house against money.
    #[error("order {0} is not paid")]
    NotPaid(OrderNumber),
    /// It was cancelled.
    #[error("order {0} is cancelled")]
    Cancelled(OrderNumber),
    /// Nothing of the order is sent by parcel, or all that is was sent or refunded.
    #[error("nothing of order {0} remains to be shipped")]
    NothingRemains(OrderNumber),
    /// The item belongs to another order, or to none.
    #[error("order {number} has no item {item_id}; its items are {known}")]
    UnknownItem {
        /// The order.
        number: OrderNumber,
        /// What was named.
        item_id: i64,
        /// The items that it has.
        known: String,
    },
    /// The item is nothing that is sent by parcel.
    #[error("item {item_id}, {label}, is not shippable")]
    NotShippable {
        /// The item.
        item_id: i64,
        /// The product's name.
        label: String,
    },
    /// Fewer units remain: sent and refunded ones do not count.
    #[error("{asked} of item {item_id}, {label}, cannot be shipped: {remaining} remain")]
    TooMany {
        /// The item.
        item_id: i64,
        /// The product's name.
        label: String,
        /// Units that were to be sent.
        asked: i64,
        /// Units that may still be sent.
        remaining: i64,
    },
    /// A quantity is below one.
    #[error("the quantity of item {0} must be at least 1")]
    NoUnits(i64),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// An item as shipping sees it.
#[derive(sqlx::FromRow)]
struct LineToShip {
    id: i64,
    product_id: i64,
    label: String,
    shippable: bool,
    remaining: i64,
}

/// Records that units of a paid order were handed to a carrier, and returns the shipment's id.
///
/// Without lines everything that remains is sent. Several lines of the same item add up. Units that were refunded are
/// never sent, so what was shipped is at most what was ordered minus what was refunded.
pub async fn ship_order(
    db: &Db,
    number: OrderNumber,
    lines: &[ShipmentLine],
    tracking: Option<&str>,
) -> Result<i64, ShipOrderError> {
    ship_order_with(db, number, lines, Carriage { tracking, carrier: None }).await
}

/// How a shipment is carried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Carriage<'a> {
    /// The carrier's number.
    pub tracking: Option<&'a str>,
    /// The id of the carrier in the configuration.
    pub carrier: Option<&'a str>,
}

/// The shipments of an order that name a carrier, each with the carrier's id in the configuration. The API's shipments do not have it.
pub async fn carriers_of_shipments(db: &Db, order_id: i64) -> Result<Vec<(i64, String)>, DbError> {
    db.read(queries::LIST_CARRIERS).bind(order_id).all().await
}

/// The same with a carrier.
pub async fn ship_order_with(
    db: &Db,
    number: OrderNumber,
    lines: &[ShipmentLine],
    carriage: Carriage<'_>,
) -> Result<i64, ShipOrderError> {
    db.write(async |tx| ship(tx, number, lines, carriage).await).await
}

async fn ship(
    tx: &mut Tx,
    number: OrderNumber,
    lines: &[ShipmentLine],
    carriage: Carriage<'_>,
) -> Result<i64, ShipOrderError> {
    let order = lock_order(tx, number.id()).await?.ok_or(ShipOrderError::NotFound(number))?;
    match order.status {
        OrderStatus::Paid => {}
        OrderStatus::Pending => return Err(ShipOrderError::NotPaid(number)),
        OrderStatus::Cancelled => return Err(ShipOrderError::Cancelled(number)),
    }
    let items = tx.run(queries::ITEMS_TO_SHIP).bind(order.id).all::<LineToShip>().await?;
    let chosen = choose(number, &items, lines)?;
    let now = tx.now();
    let insert = tx.run(queries::INSERT_SHIPMENT).bind(order.id).bind(carriage.tracking).bind(carriage.carrier);
    let shipment_id = insert.bind(now).scalar::<i64>().await?;
    for (item, quantity) in &chosen {
        count_shipped(tx, item, *quantity).await?;
        let insert = tx.run(queries::INSERT_SHIPMENT_ITEM).bind(shipment_id).bind(item.id);
        insert.bind(*quantity).execute().await?;
    }
    refresh_fulfillment(tx, order.id).await?;
    let sent = chosen.iter().map(|(item, quantity)| json!({"item": item.id, "quantity": quantity})).collect::<Vec<_>>();
    let before = json!({"fulfillment_status": order.fulfillment_status});
    let after =
        json!({"shipment": shipment_id, "items": sent, "tracking": carriage.tracking, "carrier": carriage.carrier});
    tx.audit("orders.ship", Subject::order(order.id), before, after).await?;
    emit_shipped(tx, &order, shipment_id, carriage, &chosen).await?;
    Ok(shipment_id)
}

/// What is sent: everything that remains, or what the lines name.
fn choose<'a>(
    number: OrderNumber,
    items: &'a [LineToShip],
    lines: &[ShipmentLine],
) -> Result<Vec<(&'a LineToShip, i64)>, ShipOrderError> {
    if lines.is_empty() {
        let rest = items.iter().filter(|item| item.shippable && item.remaining > 0);
        let rest = rest.map(|item| (item, item.remaining)).collect::<Vec<_>>();
        return if rest.is_empty() { Err(ShipOrderError::NothingRemains(number)) } else { Ok(rest) };
    }
    let mut chosen = Vec::<(&LineToShip, i64)>::new();
    for line in lines {
        let item_id = line.item_id;
        if line.quantity < 1 {
            return Err(ShipOrderError::NoUnits(item_id));
        }
        let Some(item) = items.iter().find(|item| item.id == item_id) else {
            let known = items.iter().map(|item| item.id.to_string()).collect::<Vec<_>>().join(", ");
            return Err(ShipOrderError::UnknownItem { number, item_id, known });
        };
        if !item.shippable {
            return Err(ShipOrderError::NotShippable { item_id, label: item.label.clone() });
        }
        match chosen.iter_mut().find(|(other, _)| other.id == item_id) {
            Some((_, quantity)) => *quantity = quantity.saturating_add(line.quantity),
            None => chosen.push((item, line.quantity)),
        }
    }
    match chosen.iter().find(|(item, quantity)| *quantity > item.remaining) {
        Some((item, quantity)) => Err(too_many(item, *quantity)),
        None => Ok(chosen),
    }
}

/// Counts units of an item as sent. The condition stands in the statement: whatever else changes the item meanwhile, no
/// unit leaves twice.
async fn count_shipped(tx: &mut Tx, item: &LineToShip, quantity: i64) -> Result<(), ShipOrderError> {
    let taken = tx.run(queries::SHIP_ITEM).bind(item.id).bind(quantity).execute().await?;
    if taken == 1 { Ok(()) } else { Err(too_many(item, quantity)) }
}

fn too_many(item: &LineToShip, asked: i64) -> ShipOrderError {
    ShipOrderError::TooMany { item_id: item.id, label: item.label.clone(), asked, remaining: item.remaining }
}

/// Computes anew how much of an order was sent; for whoever has changed what was sent, or what is to be sent.
pub(crate) async fn refresh_fulfillment(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::REFRESH_FULFILLMENT).bind(order_id).bind(now).execute().await?;
    Ok(())
}

async fn emit_shipped(
    tx: &mut Tx,
    order: &LockedOrder,
    shipment_id: i64,
    carriage: Carriage<'_>,
    chosen: &[(&LineToShip, i64)],
) -> Result<(), DbError> {
    let units = chosen.iter().map(|(item, quantity)| format!("{quantity} x {}", item.label));
    let tracking = carriage.tracking;
    let carrier = carriage.carrier.map(|carrier| format!("carrier {carrier}"));
    let detail = carrier.into_iter().chain(tracking.map(|tracking| format!("tracking {tracking}"))).chain(units);
    let detail = detail.collect::<Vec<_>>().join(", ");
    record(tx, order.id, "shipped", Actor::Operator, Some(&detail)).await?;
    let lines = chosen.iter().map(|(item, quantity)| ShippedLine {
        order_line_id: item.id,
        product_id: item.product_id,
        quantity: *quantity,
    });
    let units = chosen.iter().map(|(item, quantity)| ShippedUnits {
        item_id: item.id,
        product_id: item.product_id,
        quantity: *quantity,
    });
    let told = WebhookEvent::OrderShipped {
        order_id: order.id,
        order_number: order.number().to_string(),
        shipment_id,
        tracking: tracking.map(str::to_owned),
        items: units.collect(),
    };
    webhooks::queue(tx, &told).await?;
    tx.emit(&OrderShipped {
        order_id: order.id,
        customer_id: order.customer_id,
        shipment_id,
        tracking: tracking.map(str::to_owned),
        carrier: carriage.carrier.map(str::to_owned),
        lines: lines.collect(),
    })
    .await
}

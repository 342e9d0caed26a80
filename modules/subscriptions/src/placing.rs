//! Orders with subscriptions in them: one pending subscription for each unit, gone again when the order is cancelled.

use serde_json::{Value, json};
use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderLine, OrderPlacing, OrderPreflight};
use stoa_core::payments::save_method_of;
use stoa_core::prelude::*;

use crate::model::EndReason;
use crate::plan::Plan;
use crate::tasks::look_now;
use crate::{CAPABILITY, MODULE, queries};

/// The plan of a line that is subscribed to, none of one that is not; a product without a usable plan cannot be sold.
fn plan_of(line: &OrderLine) -> Result<Option<Plan>, Veto> {
    if !line.has(CAPABILITY) {
        return Ok(None);
    }
    line.settings(MODULE).and_then(Plan::of).map(Some).ok_or_else(|| Veto {
        field: String::from("cart"),
        message: text!("subscriptions-plan-missing"),
        reason: Some("subscription_plan_missing"),
    })
}

/// Tells early that a product has no plan.
pub(crate) struct CheckPlans;

impl Preflight<OrderPreflight> for CheckPlans {
    async fn preflight(&self, event: &mut OrderPreflight, _db: &Db) -> Result<(), ListenerError> {
        event.checks.extend(event.lines.iter().filter_map(|line| plan_of(line).err()));
        Ok(())
    }
}

/// Writes a pending subscription for each unit.
pub(crate) struct Subscribe;

impl InTransaction<OrderPlacing> for Subscribe {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let mut units = Vec::new();
        for line in &event.lines {
            if let Some(plan) = plan_of(line)? {
                units.extend((1..=line.quantity).map(|unit| pending(line, plan, unit)));
            }
        }
        let Some(order) = event.order.as_ref().filter(|_| !units.is_empty()) else { return Ok(()) };
        let now = tx.now();
        let insert = tx.run(queries::INSERT).bind(order.customer_id).bind(order.id).bind(order.currency.code());
        insert.bind(now).bind(Value::Array(units).to_string()).execute().await?;
        save_method_of(tx, order.id).await?;
        Ok(())
    }
}

/// What each renewal will cost is agreed on here: what the catalog asks, also when the first period costs nothing.
fn pending(line: &OrderLine, plan: Plan, unit: i64) -> Value {
    let price_amount =
        if plan.trial_days > 0 { line.list_amount.unwrap_or(line.unit_amount) } else { line.unit_amount };
    json!({
        "order_line_id": line.order_line_id,
        "unit": unit,
        "product_id": line.product_id,
        "product_slug": line.slug,
        "product_name": line.label,
        "interval": plan.interval.as_str(),
        "interval_count": plan.interval_count,
        "trial_days": plan.trial_days,
        "price_amount": price_amount,
    })
}

/// Takes notice of cancelled orders: those of pending subscriptions, and those of renewals.
pub(crate) struct Forgo;

impl InTransaction<OrderCancelling> for Forgo {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        forgo(tx, event.order_id).await?;
        Ok(())
    }
}

/// The same once more, should the module's tables not have been there.
impl AfterCommit<OrderCancelled> for Forgo {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderCancelled, db: &Db) -> Result<(), ListenerError> {
        db.write(async |tx| forgo(tx, event.order_id).await).await?;
        Ok(())
    }
}

async fn forgo(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    let reason = EndReason::OrderCancelled;
    let pending = tx.run(queries::CANCEL_PENDING).bind(order_id).bind(now);
    pending.bind(reason.status().as_str()).bind(reason.as_str()).execute().await?;
    for id in tx.run(queries::CANCEL_RENEWED).bind(order_id).bind(now).scalars::<i64>().await? {
        look_now(tx, id).await?;
    }
    tx.run(queries::VOID).bind(order_id).execute().await?;
    Ok(())
}

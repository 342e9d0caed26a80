//! Room is looked for before an order, taken with it, and given back when it is cancelled: nobody pays for what cannot be
//! provided.

use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderLine, OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;

use super::{PlanRow, Room, change, end_reservations, queries, reserve_room, units_of};
use crate::config::Config;
use crate::model::{CAPABILITY, SoldPlan};
use crate::provider::{ProviderKind, Providers};

/// Tells early what stands in the way of an order.
pub(crate) struct CheckCapacity {
    pub(crate) config: Config,
    pub(crate) providers: Providers,
}

impl Preflight<OrderPreflight> for CheckCapacity {
    async fn preflight(&self, event: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        let units = units_of(&event.lines);
        if units.is_empty() {
            return Ok(());
        }
        event.checks.extend(event.lines.iter().filter_map(|line| refusal(&self.providers, line)));
        let plans = db.read(queries::LIST_PLANS).all::<PlanRow>().await?;
        for (sold, wanted) in &units {
            let known = plans.iter().find(|row| row.provider == sold.provider && row.plan == sold.plan);
            let configured = self.config.capacity(&sold.plan);
            let left = known.map_or(configured, |row| row.left(configured));
            if let Some(left) = left.filter(|left| wanted > left) {
                event.checks.push(sold_out(&event.lines, sold, left));
            }
        }
        Ok(())
    }
}

/// Takes the room that an order asks for.
pub(crate) struct ReserveCapacity {
    pub(crate) config: Config,
    pub(crate) providers: Providers,
}

impl InTransaction<OrderPlacing> for ReserveCapacity {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        if let Some(veto) = event.lines.iter().find_map(|line| refusal(&self.providers, line)) {
            return Err(veto.into());
        }
        for (sold, units) in &units_of(&event.lines) {
            let room = reserve_room(tx, sold, *units, self.config.capacity(&sold.plan)).await?;
            if let Room::TooLittle { left } = room {
                return Err(sold_out(&event.lines, sold, left).into());
            }
        }
        let Some(order) = &event.order else { return Ok(()) };
        let now = tx.now();
        for line in &event.lines {
            let (Some(sold), Some(item)) = (SoldPlan::of(line), line.order_line_id) else { continue };
            let reserve = tx.run(queries::RESERVE).bind(item).bind(order.id).bind(sold.provider).bind(sold.plan);
            reserve.bind(line.quantity).bind(now).execute().await?;
        }
        Ok(())
    }
}

/// Gives back what a cancelled order had reserved, also while the module is off.
pub(crate) struct ReleaseCapacity;

impl InTransaction<OrderCancelling> for ReleaseCapacity {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(release(tx, event.order_id).await?)
    }
}

/// Once more, for what was missed; it finds nothing where it was not.
impl AfterCommit<OrderCancelled> for ReleaseCapacity {
    type Uses = Db;

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderCancelled, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| release(tx, event.order_id).await).await?)
    }
}

async fn release(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let mut units = end_reservations(tx, order_id).await?;
    for units in units.values_mut() {
        *units = -*units;
    }
    change(tx, &units).await
}

/// Why a line cannot be provided at all.
fn refusal(providers: &Providers, line: &OrderLine) -> Option<Veto> {
    let sold = SoldPlan::of(line)?;
    let (message, reason) = match providers.find(&sold.provider) {
        ProviderKind::ByHand => return None,
        ProviderKind::Remote(provider) => {
            (provider.check(&sold.plan, &line.selections).err()?, "service_configuration")
        }
        ProviderKind::Missing(reason) => {
            tracing::error!(product = line.slug, reason, "a service cannot be sold");
            let message = text!("services-provider-missing");
            (message, "provider_unavailable")
        }
    };
    Some(Veto { field: String::from("cart"), message, reason: Some(reason) })
}

fn sold_out(lines: &[OrderLine], sold: &SoldPlan, left: i64) -> Veto {
    let line = lines.iter().find(|line| SoldPlan::of(line).as_ref() == Some(sold));
    let product = line.map_or(sold.plan.as_str(), |line| line.label.as_str());
    let message = text!("services-sold-out", left = left, product = product);
    Veto { field: String::from("cart"), message, reason: Some("capacity_exhausted") }
}

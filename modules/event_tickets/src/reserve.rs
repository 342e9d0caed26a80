//! Reserving places while an order is placed, and giving them back.
//!
//! Rows are locked in one sequence everywhere, so that no two transactions wait for one another: types by product,
//! then shared capacities by id, then tickets by seat.

use std::collections::BTreeMap;

use serde_json::json;
use stoa_core::orders::OrderLine;
use stoa_core::prelude::*;

use crate::offers::{self, Offer};
use crate::queries;
use crate::refusal::Refusal;
use crate::wishes::{Wish, wishes};

/// Whose tickets they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder {
    pub(crate) order_id: i64,
    pub(crate) customer_id: i64,
}

/// Whether the time of the sale matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SaleTime {
    /// It is being bought.
    Checked,
    /// It was bought before.
    Past,
}

/// Reserves a place for each unit of these lines, or refuses all of them.
pub(crate) async fn reserve(
    tx: &mut Tx,
    holder: Holder,
    lines: &[OrderLine],
    most: u32,
    time: SaleTime,
) -> Result<(), ListenerError> {
    let wishes = wishes(lines).map_err(|(refusal, line)| refusal.veto(&line.label))?;
    if wishes.is_empty() {
        return Ok(());
    }
    let mut offers = BTreeMap::<i64, (Offer, &OrderLine, i64)>::new();
    for wish in &wishes {
        let line = wish.line;
        if let Some((_, _, sum)) = offers.get_mut(&line.product_id) {
            *sum += line.quantity;
            continue;
        }
        let offer = offers::ensure(tx, line.product_id, &wish.settings).await?;
        offers.insert(line.product_id, (offer, line, line.quantity));
    }
    if time == SaleTime::Checked {
        for (offer, line, sum) in offers.values() {
            if let Some(refusal) = offer.window().refusal(tx.now()).or_else(|| too_many(*sum, most)) {
                return Err(refusal.veto(&line.label).into());
            }
        }
    }
    reserve_places(tx, &offers).await?;
    write_units(tx, holder, &wishes, &offers).await
}

/// The refusal of more tickets than an order may have; 0 is as many as there are.
pub(crate) fn too_many(sum: i64, most: u32) -> Option<Refusal> {
    (most > 0 && sum > i64::from(most)).then_some(Refusal::TooMany(most))
}

async fn reserve_places(tx: &mut Tx, offers: &BTreeMap<i64, (Offer, &OrderLine, i64)>) -> Result<(), ListenerError> {
    let mut quotas = BTreeMap::<i64, (i64, Vec<&OrderLine>)>::new();
    for (offer, line, sum) in offers.values() {
        if tx.run(queries::TAKE_OF_TYPE).bind(offer.type_id).bind(*sum).execute().await? == 0 {
            let left = tx.run(queries::LEFT_OF_TYPE).bind(offer.type_id).scalar::<i64>().await?;
            return Err(Refusal::SoldOut { left }.veto(&line.label).into());
        }
        if let Some(quota) = offer.quota_id {
            let (wanted, of) = quotas.entry(quota).or_default();
            *wanted += sum;
            of.push(line);
        }
    }
    for (quota, (sum, of)) in quotas {
        if tx.run(queries::TAKE_OF_QUOTA).bind(quota).bind(sum).execute().await? == 0 {
            let left = tx.run(queries::LEFT_OF_QUOTA).bind(quota).scalar::<i64>().await?;
            let refusal = if of.len() == 1 { Refusal::SoldOut { left } } else { Refusal::TooFewTogether { left } };
            return Err(refusal.veto(&of[0].label).into());
        }
    }
    Ok(())
}

async fn write_units(
    tx: &mut Tx,
    holder: Holder,
    wishes: &[Wish<'_>],
    offers: &BTreeMap<i64, (Offer, &OrderLine, i64)>,
) -> Result<(), ListenerError> {
    let mut rows = Vec::new();
    for wish in wishes {
        let Some((offer, ..)) = offers.get(&wish.line.product_id) else { continue };
        for unit in &wish.units {
            let row = json!({
                "type_id": offer.type_id, "event_id": offer.event_id, "order_line_id": wish.line.order_line_id,
                "unit": unit.ordinal, "holder": unit.holder, "seat": unit.seat, "seat_key": unit.seat_key(),
            });
            rows.push(((offer.event_id, unit.seat_key()), row));
        }
    }
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let wanted = rows.len() as u64;
    let rows = rows.into_iter().map(|(_, row)| row).collect::<serde_json::Value>().to_string();
    let now = tx.now();
    let insert = tx.run(queries::RESERVE).bind(rows).bind(holder.order_id).bind(holder.customer_id).bind(now);
    if insert.execute().await? == wanted {
        return Ok(());
    }
    let label = wishes.iter().find(|wish| wish.units.iter().any(|unit| unit.seat.is_some()));
    let label = label.map_or("", |wish| wish.line.label.as_str());
    Err(Refusal::SeatTaken.veto(label).into())
}

/// Gives back what an order has reserved and not been issued. Once more does nothing.
pub(crate) async fn release(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    lock(tx, order_id).await?;
    let released = tx.run(queries::RELEASE).bind(order_id).scalars::<i64>().await?;
    recount_free_places(tx, &released).await
}

/// Locks the capacities that an order has taken of, before its tickets are changed.
pub(crate) async fn lock(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let types = tx.run(queries::LIST_TYPES_OF_ORDER).bind(order_id).all::<(i64, i64, Option<i64>)>().await?;
    let mut quotas = types.iter().filter_map(|(_, _, quota)| *quota).collect::<Vec<_>>();
    for (_, type_id, _) in types {
        tx.run(queries::LOCK_TYPE).bind(type_id).execute().await?;
    }
    quotas.sort_unstable();
    quotas.dedup();
    for quota in quotas {
        tx.run(queries::LOCK_QUOTA).bind(quota).execute().await?;
    }
    Ok(())
}

/// Makes the places of tickets free again, given the type of each.
pub(crate) async fn recount_free_places(tx: &mut Tx, types: &[i64]) -> Result<(), DbError> {
    let mut counts = BTreeMap::<i64, i64>::new();
    for type_id in types {
        *counts.entry(*type_id).or_default() += 1;
    }
    let mut quotas = BTreeMap::<i64, i64>::new();
    for (type_id, count) in counts {
        let quota = tx.run(queries::GIVE_BACK_TO_TYPE).bind(type_id).bind(count).scalar::<Option<i64>>().await?;
        if let Some(quota) = quota {
            *quotas.entry(quota).or_default() += count;
        }
    }
    for (quota, count) in quotas {
        tx.run(queries::GIVE_BACK_TO_QUOTA).bind(quota).bind(count).execute().await?;
    }
    Ok(())
}

//! What happens with an order: places are reserved, tickets issued, released and made void.

use std::collections::{BTreeMap, HashSet};

use serde_json::json;
use stoa_core::encryption::Cipher;
use stoa_core::orders::{
    OrderCancelled, OrderCancelling, OrderLine, OrderPaid, OrderPlacing, OrderPreflight, customer_of_order,
    sold_lines_in,
};
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::refunds::RefundRecorded;

use crate::codes::{TICKET, TicketCode, sign};
use crate::config::Config;
use crate::keys::{self, Signer};
use crate::model::number;
use crate::offers::{self, Offer};
use crate::queries;
use crate::refusal::Refusal;
use crate::reserve::{Holder, SaleTime, lock, recount_free_places, release, reserve, too_many};
use crate::wishes::{CAPABILITY, Wish, wishes};

/// Characters of a token: 190 bits that nobody guesses.
const TOKEN: usize = 32;

/// Tells customers early what the placing of the order would refuse.
pub(crate) struct Foresee {
    pub(crate) config: Config,
}

impl Preflight<OrderPreflight> for Foresee {
    async fn preflight(&self, event: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        let vetoes = match wishes(&event.lines) {
            Err((refusal, line)) => vec![refusal.veto(&line.label)],
            Ok(wishes) => foresee(&wishes, self.config.max_per_order, db).await?,
        };
        event.checks.extend(vetoes);
        Ok(())
    }
}

/// What stands in the way of each product's wishes.
async fn foresee(wishes: &[Wish<'_>], most: u32, db: &Db) -> Result<Vec<Veto>, DbError> {
    let mut by_product = BTreeMap::<i64, Vec<&Wish<'_>>>::new();
    for wish in wishes {
        by_product.entry(wish.line.product_id).or_default().push(wish);
    }
    let mut vetoes = Vec::new();
    for (product_id, wishes) in by_product {
        let first = wishes[0];
        let sum = wishes.iter().map(|wish| wish.line.quantity).sum::<i64>();
        let offer = offers::find(db, product_id, &first.settings).await?;
        let window = offer.as_ref().map_or_else(|| first.settings.window(), Offer::window);
        let left = offer.as_ref().map_or(first.settings.capacity, |offer| offer.places.left());
        let mut refusal = window.refusal(db.now()).or_else(|| too_many(sum, most));
        if refusal.is_none() && sum > left {
            refusal = Some(Refusal::SoldOut { left });
        }
        if refusal.is_none()
            && let Some(offer) = offer
        {
            refusal = seats_taken(&wishes, offer.event_id, db).await?;
        }
        vetoes.extend(refusal.map(|refusal| refusal.veto(&first.line.label)));
    }
    Ok(vetoes)
}

async fn seats_taken(wishes: &[&Wish<'_>], event_id: i64, db: &Db) -> Result<Option<Refusal>, DbError> {
    let units = wishes.iter().flat_map(|wish| &wish.units);
    let seats = units.filter_map(|unit| Some(json!({"seat_key": unit.seat_key()?}))).collect::<Vec<_>>();
    if seats.is_empty() {
        return Ok(None);
    }
    let seats = serde_json::Value::from(seats).to_string();
    let taken = db.read(queries::COUNT_TAKEN_SEATS).bind(event_id).bind(seats).scalar::<i64>().await?;
    Ok((taken > 0).then_some(Refusal::SeatTaken))
}

/// Reserves a place for each unit.
pub(crate) struct Reserve {
    pub(crate) config: Config,
}

impl InTransaction<OrderPlacing> for Reserve {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        // Only tried out: nothing is promised to anybody.
        let Some(order) = &event.order else { return Ok(()) };
        let holder = Holder { order_id: order.id, customer_id: order.customer_id };
        reserve(tx, holder, &event.lines, self.config.max_per_order, SaleTime::Checked).await
    }
}

/// Gives back what was reserved.
pub(crate) struct Release;

impl InTransaction<OrderCancelling> for Release {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(release(tx, event.order_id).await?)
    }
}

/// The same once more after the commit; usually there is nothing left to do.
impl AfterCommit<OrderCancelled> for Release {
    type Uses = Db;

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderCancelled, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| release(tx, event.order_id).await).await?)
    }
}

/// Issues a ticket for each unit.
pub(crate) struct Issue;

#[derive(sqlx::FromRow)]
struct Reserved {
    id: i64,
    event_slug: String,
    seat: Option<String>,
}

impl AfterCommit<OrderPaid> for Issue {
    type Uses = (Db, Cipher, Random);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn after_commit(&self, event: &OrderPaid, (db, cipher, random): &Self::Uses) -> Result<(), ListenerError> {
        let lines = stoa_core::orders::sold_lines(db, event.order_id).await?;
        if !lines.iter().any(|line| line.has(CAPABILITY)) {
            return Ok(());
        }
        let signer = keys::active(db, cipher, random).await?;
        db.write(async |tx| -> Result<(), ListenerError> {
            reserve_late(tx, event.order_id).await?;
            let reserved = tx.run(queries::LIST_RESERVED).bind(event.order_id).all::<Reserved>().await?;
            let made = reserved.iter().map(|ticket| made(ticket, &signer, random));
            let made = made.collect::<serde_json::Value>().to_string();
            let now = tx.now();
            tx.run(queries::ISSUE).bind(made).bind(signer.key_id.as_str()).bind(now).execute().await?;
            Ok(())
        })
        .await
    }
}

fn made(ticket: &Reserved, signer: &Signer, random: &Random) -> serde_json::Value {
    let code = TicketCode {
        key_id: signer.key_id.clone(),
        number: number(ticket.id),
        token: random.alphanumeric(TOKEN),
        event: ticket.event_slug.clone(),
        seat: ticket.seat.clone(),
    };
    json!({"id": ticket.id, "token": code.token, "qr": sign(signer, TICKET, &code)})
}

/// Reserves for items that have no reservation, whatever has become of it. If that fails, the operator is told.
async fn reserve_late(tx: &mut Tx, order_id: i64) -> Result<(), ListenerError> {
    let reserved = tx.run(queries::LIST_RESERVED_ITEMS).bind(order_id).scalars::<i64>().await?;
    let reserved = reserved.into_iter().collect::<HashSet<_>>();
    let is_missing =
        |line: &OrderLine| line.has(CAPABILITY) && line.order_line_id.is_some_and(|item| !reserved.contains(&item));
    let lines = sold_lines_in(tx, order_id).await?;
    let lines = lines.into_iter().filter(is_missing).collect::<Vec<_>>();
    if lines.is_empty() {
        return Ok(());
    }
    let Some(customer_id) = customer_of_order(tx, order_id).await? else { return Ok(()) };
    let holder = Holder { order_id, customer_id };
    reserve(tx, holder, &lines, 0, SaleTime::Past).await.map_err(|error| match error {
        ListenerError::Veto(veto) => {
            let reason = veto.reason.unwrap_or("refused");
            ListenerError::Failed(format!(
                "order {order_id} is paid, had no tickets reserved, and none can be had: {reason}; raise the capacity with \
                 `stoa event-tickets type set`, then `stoa events retry`"
            ))
        }
        ListenerError::Db(_) | ListenerError::Failed(_) => error,
    })
}

/// Makes the tickets of refunded units void, and frees their places and seats, unless somebody came in with them.
pub(crate) struct Void;

impl AfterCommit<RefundRecorded> for Void {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        if event.units.is_empty() {
            return Ok(());
        }
        let voided = db.write(async |tx| -> Result<(), DbError> {
            lock(tx, event.order_id).await?;
            let now = tx.now();
            let mut voided = Vec::new();
            for units in &event.units {
                for ordinal in &units.ordinals {
                    let void = tx.run(queries::VOID_UNIT).bind(units.order_line_id).bind(*ordinal).bind(now);
                    voided.extend(void.optional_scalar::<Option<i64>>().await?.flatten());
                }
            }
            recount_free_places(tx, &voided).await
        });
        Ok(voided.await?)
    }
}

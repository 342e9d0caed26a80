//! What changes points. Whoever changes an account has locked it; each change has its entry.

use serde_json::json;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::Account;
use crate::queries;

/// The most points that a correction adds or takes.
pub(crate) const MOST: i64 = 1_000_000_000;

/// Longest reason of a correction, in characters.
pub(crate) const MAX_REASON: usize = 200;

/// Why points change.
#[derive(Debug, Clone, Copy)]
struct Change<'a> {
    customer_id: i64,
    order_id: Option<i64>,
    kind: &'static str,
    reason: Option<&'a str>,
}

impl Change<'_> {
    async fn note(self, tx: &mut Tx, points: i64) -> Result<(), DbError> {
        let now = tx.now();
        let note = tx.run(queries::NOTE).bind(self.customer_id).bind(self.order_id).bind(self.kind);
        note.bind(points).bind(self.reason).bind(now).execute().await.map(drop)
    }

    async fn add(self, tx: &mut Tx, points: i64) -> Result<(), DbError> {
        tx.run(queries::ADD).bind(self.customer_id).bind(points).execute().await?;
        self.note(tx, points).await
    }
}

/// Brings the points of an order to what was paid for it and has not gone back. Done twice, it changes nothing.
pub(crate) async fn settle(tx: &mut Tx, config: Config, order_id: i64) -> Result<(), DbError> {
    let Some(customer_id) = locked_buyer(tx, order_id).await? else { return Ok(()) };
    let paid = tx.run(queries::FIND_PAID).bind(order_id).optional::<(i64, i64)>().await?;
    let Some((paid, refunded)) = paid else { return Ok(()) };
    let earned = tx.run(queries::SUM_EARNED).bind(order_id).scalar::<i64>().await?;
    let points = (paid - refunded) / config.amount_per_point - earned;
    if points != 0 {
        let kind = if points > 0 { "earned" } else { "taken_back" };
        Change { customer_id, order_id: Some(order_id), kind, reason: None }.add(tx, points).await?;
    }
    if refunded >= paid { give_back_to(tx, customer_id, order_id).await } else { Ok(()) }
}

/// Gives back what was redeemed with an order. Done twice, it changes nothing.
pub(crate) async fn give_back(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    match locked_buyer(tx, order_id).await? {
        Some(customer_id) => give_back_to(tx, customer_id, order_id).await,
        None => Ok(()),
    }
}

async fn give_back_to(tx: &mut Tx, customer_id: i64, order_id: i64) -> Result<(), DbError> {
    let redeemed = tx.run(queries::SUM_REDEEMED).bind(order_id).scalar::<i64>().await?;
    if redeemed == 0 {
        return Ok(());
    }
    Change { customer_id, order_id: Some(order_id), kind: "given_back", reason: None }.add(tx, -redeemed).await
}

/// Whose an order is, with their account locked; nobody for those who were erased.
async fn locked_buyer(tx: &mut Tx, order_id: i64) -> Result<Option<i64>, DbError> {
    let buyer = tx.run(queries::FIND_BUYER).bind(order_id).optional_scalar::<i64>().await?;
    if let Some(customer_id) = buyer {
        tx.run(queries::LOCK).bind(customer_id).execute().await?;
    }
    Ok(buyer)
}

/// Redeems points with an order; false where there are fewer.
pub(crate) async fn redeem(tx: &mut Tx, customer_id: i64, order_id: i64, points: i64) -> Result<bool, DbError> {
    if tx.run(queries::TAKE).bind(customer_id).bind(points).execute().await? == 0 {
        return Ok(false);
    }
    Change { customer_id, order_id: Some(order_id), kind: "redeemed", reason: None }.note(tx, -points).await?;
    Ok(true)
}

/// Adds points by hand, or takes some; gives back how many there are then, and nothing where there is no such customer. The command
/// line and the console do it by this.
pub(crate) async fn correct(db: &Db, customer_id: i64, points: i64, reason: &str) -> Result<Option<i64>, DbError> {
    db.write(async |tx| {
        if tx.run(queries::FIND_CUSTOMER).bind(customer_id).optional_scalar::<i64>().await?.is_none() {
            return Ok(None);
        }
        tx.run(queries::LOCK).bind(customer_id).execute().await?;
        let before = tx.run(queries::FIND_ACCOUNT).bind(customer_id).one::<Account>().await?.points;
        Change { customer_id, order_id: None, kind: "corrected", reason: Some(reason) }.add(tx, points).await?;
        let after = before + points;
        let told = json!({"points": after, "reason": reason});
        let subject = Subject::new("customer", customer_id);
        tx.audit_operator("loyalty.correct", subject, json!({"points": before}), told).await?;
        Ok(Some(after))
    })
    .await
}

//! Customers who leave, or ask: their subscriptions end at once, and are told.

use serde_json::json;
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::model::{EndReason, Subscription};
use crate::resource::periods_of;
use crate::{lifecycle, queries};

/// Ends the subscriptions of whoever is anonymized. What was bought and paid stays in the books.
pub(crate) struct EndOfCustomer;

impl InTransaction<CustomerAnonymizing> for EndOfCustomer {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(end_all(tx, event.customer_id).await?)
    }
}

/// The same for those who were anonymized while the module was off.
impl AfterCommit<CustomerAnonymized> for EndOfCustomer {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| end_all(tx, event.customer_id).await).await?)
    }
}

async fn end_all(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    for id in tx.run(queries::LIVE_OF_CUSTOMER).bind(customer_id).scalars::<i64>().await? {
        if let Some(subscription) = lifecycle::lock(tx, id).await? {
            lifecycle::end(tx, &subscription, EndReason::Erased).await?;
        }
    }
    Ok(())
}

/// Adds the subscriptions with their periods to what a customer is told about themselves.
pub(crate) struct ExportSubscriptions;

impl Preflight<CustomerExporting> for ExportSubscriptions {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let mut told = Vec::new();
        for own in db.read(queries::ALL_OF_CUSTOMER).bind(event.customer_id).all::<Subscription>().await? {
            told.push(json!({
                "number": own.number().to_string(),
                "status": own.status,
                "product": own.product_name,
                "interval": own.interval,
                "interval_count": own.interval_count,
                "price_amount": own.price_amount,
                "currency": own.currency,
                "order_id": own.order_id,
                "started_at": own.started_at,
                "ended_at": own.ended_at,
                "periods": periods_of(db, own.id).await?,
            }));
        }
        event.add(crate::MODULE, &told)
    }
}

//! Customers who leave, or ask: their subscriptions end at once, and are told.

use serde_json::json;
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::payments::Payments;
use stoa_core::prelude::*;

use crate::model::{EndReason, Subscription};
use crate::resource::periods_of;
use crate::withdrawing::cancel_withdrawn;
use crate::{lifecycle, queries};

/// Ends the subscriptions of whoever is anonymized. What was bought and paid stays in the books.
pub(crate) struct EndOfCustomer;

impl InTransaction<CustomerAnonymizing> for EndOfCustomer {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        // The orders of open renewals are cancelled by the job: providers may have to be asked.
        end_all(tx, event.customer_id).await?;
        Ok(())
    }
}

/// The same for those who were anonymized while the module was off, and the orders of open renewals at once.
impl AfterCommit<CustomerAnonymized> for EndOfCustomer {
    type Uses = Payments;

    async fn after_commit(&self, event: &CustomerAnonymized, payments: &Payments) -> Result<(), ListenerError> {
        let withdrawn = payments.db.write(async |tx| end_all(tx, event.customer_id).await).await?;
        cancel_withdrawn(payments, withdrawn).await;
        Ok(())
    }
}

async fn end_all(tx: &mut Tx, customer_id: i64) -> Result<Vec<i64>, DbError> {
    let mut withdrawn = Vec::new();
    for id in tx.run(queries::LIVE_OF_CUSTOMER).bind(customer_id).scalars::<i64>().await? {
        if let Some(subscription) = lifecycle::lock(tx, id).await? {
            withdrawn.extend(lifecycle::end(tx, &subscription, EndReason::Erased).await?);
        }
    }
    Ok(withdrawn)
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

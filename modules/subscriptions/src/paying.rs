//! Orders that are paid: what was bought begins, and what was renewed goes on.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use stoa_core::encryption::Cipher;
use stoa_core::gateways::GatewayTable;
use stoa_core::orders::OrderPaid;
use stoa_core::payments::{KeepMethodError, keep_method};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::Status;
use crate::tasks::look_now;
use crate::{lifecycle, queries};

/// Begins or goes on with the subscriptions that an order pays. Called twice, it changes nothing the second time.
pub(crate) struct Proceed {
    pub(crate) config: Config,
}

impl AfterCommit<OrderPaid> for Proceed {
    type Uses = (Db, Cipher, Arc<GatewayTable>);

    async fn after_commit(&self, event: &OrderPaid, (db, cipher, gateways): &Self::Uses) -> Result<(), ListenerError> {
        let is_ours = db
            .write(async |tx| -> Result<bool, ListenerError> {
                self.begin(tx, event.order_id).await?;
                self.renew(tx, event.order_id).await?;
                Ok(tx.run(queries::COUNT_PAID_WITH).bind(event.order_id).scalar::<i64>().await? > 0)
            })
            .await?;
        if is_ours { store_method(db, cipher, gateways, event.order_id).await } else { Ok(()) }
    }
}

impl Proceed {
    /// Begins what was bought with this order.
    async fn begin(&self, tx: &mut Tx, order_id: i64) -> Result<(), ListenerError> {
        let pending = tx.run(queries::PENDING_OF_ORDER).bind(order_id).scalars::<i64>().await?;
        let Some(paid_at) = paid_at(tx, order_id).await?.filter(|_| !pending.is_empty()) else { return Ok(()) };
        for id in pending {
            let subscription = lifecycle::lock(tx, id).await?;
            if let Some(subscription) = subscription.filter(|subscription| subscription.status == Status::Pending) {
                lifecycle::start(tx, &self.config, &subscription, paid_at).await?;
            }
        }
        Ok(())
    }

    /// Goes on with what this order renews.
    async fn renew(&self, tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
        let renewed = tx.run(queries::FIND_RENEWAL).bind(order_id).optional_scalar::<i64>().await?;
        let Some(subscription_id) = renewed else { return Ok(()) };
        let subscription = lifecycle::lock(tx, subscription_id).await?;
        if subscription.is_some_and(|subscription| subscription.status.is_live()) {
            tx.run(queries::REOPEN).bind(order_id).execute().await?;
            lifecycle::lock_settled(tx, &self.config, subscription_id).await?;
            look_now(tx, subscription_id).await?;
        } else {
            tracing::error!(order.id = order_id, "a renewal was paid although its subscription is over: refund it");
        }
        Ok(())
    }
}

async fn paid_at(tx: &mut Tx, order_id: i64) -> Result<Option<DateTime<Utc>>, DbError> {
    tx.run(queries::PAID_AT).bind(order_id).optional_scalar().await
}

/// Remembers what the customer has paid with, for the next time. A provider that says no leaves them to pay themselves.
async fn store_method(db: &Db, cipher: &Cipher, gateways: &GatewayTable, order_id: i64) -> Result<(), ListenerError> {
    match keep_method(db, cipher, gateways, order_id).await {
        Ok(_) => Ok(()),
        Err(KeepMethodError::Gateway(GatewayError::Refused(words))) => {
            tracing::warn!(order.id = order_id, error = words, "a payment method could not be saved");
            Ok(())
        }
        Err(KeepMethodError::Gateway(error @ GatewayError::Unknown(_))) => {
            Err(ListenerError::Failed(error.to_string()))
        }
        Err(KeepMethodError::Db(error)) => Err(error.into()),
    }
}

//! Sending again: the same delivery with the same body, its attempts counted anew (contract 3).

use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError};

use super::listing::{DeliveryFilter, DeliveryState, find_delivery};
use super::queries;
use crate::webhooks::sender::DeliverWebhook;

/// What became of the wish to send a delivery again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retried {
    /// It is due at once.
    Queued,
    /// There is none of this id.
    Unknown,
    /// It is being sent at this moment.
    InFlight,
    /// Its endpoint is disabled or removed.
    EndpointOff,
}

/// Has one delivery sent again, whatever state it is in.
pub async fn retry_delivery(db: &Db, delivery_id: &str) -> Result<Retried, DbError> {
    let Some(delivery) = find_delivery(db, delivery_id).await? else { return Ok(Retried::Unknown) };
    if retry(db, None, &DeliveryFilter::default(), Some(&delivery.delivery_id)).await? == 1 {
        return Ok(Retried::Queued);
    }
    let now = find_delivery(db, delivery_id).await?;
    Ok(if now.is_some_and(|delivery| delivery.is_in_flight) { Retried::InFlight } else { Retried::EndpointOff })
}

/// Has all deliveries in a state sent again that fit the rest of the filter, and returns how many. Those that are being
/// sent, and those to endpoints that are off, stay as they are.
pub async fn retry_deliveries(db: &Db, state: DeliveryState, filter: &DeliveryFilter) -> Result<u64, DbError> {
    retry(db, Some(state), filter, None).await
}

async fn retry(
    db: &Db,
    state: Option<DeliveryState>,
    filter: &DeliveryFilter,
    delivery_id: Option<&str>,
) -> Result<u64, DbError> {
    db.write(async |tx| {
        let list = tx.run(queries::LIST_TO_RETRY).bind(state.map(DeliveryState::as_str)).bind(filter.endpoint_id);
        let list = list.bind(filter.event.as_deref()).bind(filter.since()).bind(filter.until()).bind(delivery_id);
        let mut retried = 0;
        for delivery in list.all::<DeliverWebhook>().await? {
            if tx.enqueue_anew(&delivery).await? {
                retried += tx.run(queries::RETRY).bind(delivery.delivery).execute().await?;
            }
        }
        if retried > 0 {
            let subject = match (delivery_id, filter.endpoint_id) {
                (Some(delivery), _) => Subject::new("delivery", delivery),
                (None, Some(endpoint)) => Subject::new("webhook", endpoint),
                (None, None) => Subject::new("webhook", "*"),
            };
            let after = json!({"state": state.map(DeliveryState::as_str), "deliveries": retried});
            tx.audit_operator("webhooks.retry", subject, Value::Null, after).await?;
        }
        Ok(retried)
    })
    .await
}

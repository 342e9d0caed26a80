//! Writing deliveries down, to be sent once their transaction has committed.

use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

use stoa_kernel::config::EndpointKind;
use stoa_kernel::db::{DbError, Tx};

use super::envelope::Envelopes;
use super::event::WebhookEvent;
use super::sender::DeliverWebhook;
use super::{chat, queries};

/// The subscription to all events.
pub(super) const EVERYTHING: &str = "*";

#[derive(Deserialize)]
struct Subscriber {
    id: i64,
    kind: EndpointKind,
    events: Vec<String>,
    locale: String,
}

impl Subscriber {
    fn wants(&self, event: &str) -> bool {
        self.events.iter().any(|own| own == EVERYTHING || own == event)
    }
}

#[derive(Serialize)]
struct NewDelivery {
    delivery_id: Uuid,
    endpoint_id: i64,
    /// Of an envelope, whose other parts go with the statement.
    payload_id: Option<Uuid>,
    /// Of anything else.
    body: Option<String>,
}

impl NewDelivery {
    fn of(tx: &Tx, subscriber: &Subscriber, event: &WebhookEvent) -> Self {
        let (payload_id, body) = match subscriber.kind {
            EndpointKind::Http => (Some(tx.uuid()), None),
            EndpointKind::Chat => (None, Some(chat::body(event, tx.texts(), &subscriber.locale, tx.now()))),
        };
        Self { delivery_id: tx.ordered_uuid(), endpoint_id: subscriber.id, payload_id, body }
    }
}

/// Writes one delivery for each active endpoint that subscribes to the event (S6.2), its body fixed from here on. The
/// commit has them sent, in the order of the commits for each endpoint; a rollback removes them.
pub async fn queue(tx: &mut Tx, event: &WebhookEvent) -> Result<(), DbError> {
    queue_all(tx, std::slice::from_ref(event)).await
}

/// The same for several events, in their order, with one look at who subscribes.
pub async fn queue_all(tx: &mut Tx, events: &[WebhookEvent]) -> Result<(), DbError> {
    let Json(endpoints) = tx.run(queries::ACTIVE_ENDPOINTS).scalar::<Json<Vec<Subscriber>>>().await?;
    for event in events {
        let subscribers = endpoints.iter().filter(|endpoint| endpoint.wants(event.name())).collect::<Vec<_>>();
        if !subscribers.is_empty() {
            insert_deliveries(tx, &subscribers, event).await?;
        }
    }
    Ok(())
}

async fn insert_deliveries(tx: &mut Tx, subscribers: &[&Subscriber], event: &WebhookEvent) -> Result<(), DbError> {
    let (now, name) = (tx.now(), event.name());
    let envelopes = Envelopes::about(name, event, now);
    let new = subscribers.iter().map(|subscriber| NewDelivery::of(tx, subscriber, event)).collect::<Vec<_>>();
    let new = serde_json::to_string(&new).map_err(|error| sqlx::Error::Encode(error.into()))?;
    let insert = tx.run(queries::INSERT_DELIVERIES).bind(new).bind(name).bind(now);
    let insert = insert.bind(Envelopes::BEFORE_ID).bind(envelopes.after_id());
    let written = insert.all::<DeliverWebhook>().await?;
    written.iter().try_for_each(|delivery| tx.enqueue(delivery))
}

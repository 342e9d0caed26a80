//! Writing deliveries down, to be sent once their transaction has committed.

use serde_json::{Value, json};
use sqlx::types::Json;

use super::event::WebhookEvent;
use super::kind::EndpointKind;
use super::{chat, envelope, queries};
use crate::db::{DbError, Tx};

/// The subscription to all events.
pub(super) const EVERYTHING: &str = "*";

#[derive(sqlx::FromRow)]
struct Subscriber {
    id: i64,
    #[sqlx(try_from = "String")]
    kind: EndpointKind,
    events: Json<Vec<String>>,
    locale: String,
}

/// Writes one delivery for each active endpoint that subscribes to the event (S6.2), its body fixed from here on. The
/// commit has them sent, a rollback removes them.
///
/// Call it after the change itself, close to the end of the transaction: deliveries to an endpoint start in the order in
/// which they were queued.
pub(crate) async fn queue(tx: &mut Tx, event: &WebhookEvent) -> Result<(), DbError> {
    let now = tx.now();
    let subscribers = tx.run(queries::ACTIVE_ENDPOINTS).all::<Subscriber>().await?;
    let name = event.name();
    let wanted =
        subscribers.iter().filter(|subscriber| subscriber.events.iter().any(|own| own == EVERYTHING || own == name));
    let rows = wanted
        .map(|subscriber| {
            let body = match subscriber.kind {
                EndpointKind::Http => envelope::body(tx.uuid(), event, now),
                EndpointKind::Chat => chat::body(event, &subscriber.locale, now),
            };
            json!({"delivery_id": tx.uuid(), "endpoint_id": subscriber.id, "body": body})
        })
        .collect::<Vec<_>>();
    if rows.is_empty() {
        return Ok(());
    }
    let insert = tx.run(queries::INSERT_DELIVERIES).bind(Value::Array(rows).to_string());
    insert.bind(name).bind(now).execute().await?;
    tx.wake_runner();
    Ok(())
}

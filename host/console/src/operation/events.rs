//! `/console/events`: events that listeners have not taken yet.

use serde::Deserialize;
use stoa_core::db::{Db, ListDb};
use stoa_core::events::{DeliveryState, EventDelivery};
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Rules, field};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, Refused, RowAct, form};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// `GET /console/events`.
pub(super) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let state = query.get("state").and_then(|word| DeliveryState::try_from(word.to_owned()).ok());
    let counted = EventDelivery::count(&db, state).await?;
    let list = List::new("Events", |delivery: &EventDelivery| delivery.id)
        .about("What listeners have not been told yet. What was given up is tried again only if you say so.")
        .choice("state", "State", ["pending", "failed"])
        .empty("Nothing waits: all listeners know what has happened.")
        .column("Event", |delivery| Cell::from(&delivery.event).over(delivery.listener.as_str()))
        .column("State", |delivery| Cell::state(delivery.state.as_str()))
        .number("Attempts", |delivery| delivery.attempts)
        .column("Happened", |delivery| delivery.created_at)
        .column("Due", |delivery| delivery.next_attempt_at)
        .column("Problem", |delivery| delivery.last_error.clone().map(Cell::Code))
        .act("events.retry", |delivery| {
            let has_failed = delivery.state == DeliveryState::Failed;
            has_failed.then(|| RowAct::send("Retry", "/events/retry", [("id", delivery.id.to_string())]))
        });
    list.show(query, counted, move |before_id, limit| {
        let db = db.clone();
        async move { EventDelivery::page(&db, state, before_id, limit).await }
    })
    .await
}

#[derive(Deserialize)]
struct Retry {
    id: i64,
}

impl Input for Retry {
    const NAME: &'static str = "ConsoleEventRetry";

    fn rules() -> Rules {
        Rules::new([field("id").label("Event").integer(1, i64::MAX).required()])
    }
}

/// `GET` and `POST /console/events/retry`.
pub(super) fn forms() -> Vec<Routes<ConsoleState>> {
    let retry = form("console.events.retry", "Retry", "events.retry", |new: Retry, db: Db| async move {
        if EventDelivery::retry(&db, new.id).await? {
            Ok(format!("Event {} is tried again.", new.id).into())
        } else {
            Err(Refused::because(&format!("there is no event {} that was given up", new.id)))
        }
    });
    vec![retry.routes("/events/retry", "/events")]
}

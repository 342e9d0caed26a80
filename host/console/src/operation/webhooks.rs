//! `/console/webhooks`: where events are sent to, and what became of them.

use std::sync::Arc;

use serde::Deserialize;
use stoa_core::clock::Clock;
use stoa_core::config::Config;
use stoa_core::db::{Db, ListDb};
use stoa_core::encryption::Cipher;
use stoa_core::from_shop;
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Rules, field};
use stoa_core::i18n::Texts;
use stoa_core::random::Random;
use stoa_core::webhooks::{
    ChangeError, Delivery, DeliveryFilter, DeliveryState, Endpoint, Outcome, Retried, Sender, count_deliveries,
    list_deliveries, list_endpoints, remove_endpoint, retry_delivery, send_test, set_endpoint_enabled,
};
use stoa_kernel::console::{Cell, ConsoleAnswer, ConsoleForm, List, ListQuery, Refused, RowAct, Told, form};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

const PAGE: &str = "/webhooks";
const DELIVERIES: &str = "/webhooks/deliveries";

/// `GET /console/webhooks`.
pub(super) async fn endpoints(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let rows = list_endpoints(&db).await?;
    let send = |label, path: &str, endpoint: &Endpoint| RowAct::send(label, path, [("id", endpoint.id.to_string())]);
    let list = List::new("Webhooks", |endpoint: &Endpoint| endpoint.id)
        .about("Programs that are told of events. On the command line, stoa webhook add adds one and shows its secret.")
        .button("webhooks.view", "Deliveries", DELIVERIES)
        .empty("Nobody is told of events yet.")
        .column("Endpoint", |endpoint| {
            Cell::link(&endpoint.url, format!("{DELIVERIES}?endpoint={}", endpoint.id)).over(endpoint.name.as_deref())
        })
        .column("State", |endpoint| match (endpoint.enabled, endpoint.consecutive_failures) {
            (false, _) => Cell::state("off"),
            (true, 0) => Cell::state("on"),
            (true, _) => Cell::state("failed"),
        })
        .column("Events", |endpoint| endpoint.events.join(", "))
        .number("Failures in a row", |endpoint| endpoint.consecutive_failures)
        .column("Last success", |endpoint| endpoint.last_success_at)
        .column("Problem", |endpoint| endpoint.last_error.clone().map(Cell::Code))
        .act("webhooks.edit", move |endpoint| Some(send("Send test", "/webhooks/test", endpoint)))
        .act("webhooks.edit", move |endpoint| {
            Some(if endpoint.enabled {
                send("Disable", "/webhooks/disable", endpoint)
            } else {
                send("Enable", "/webhooks/enable", endpoint)
            })
        })
        .act("webhooks.edit", |endpoint| {
            let id = endpoint.id.to_string();
            Some(RowAct::fill("Delete", "/webhooks/delete", [("id", id.as_str())]))
        });
    list.show_all(query, rows).await
}

/// `GET /console/webhooks/deliveries`.
pub(super) async fn deliveries(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let filter = DeliveryFilter {
        state: query.get("state").and_then(|word| DeliveryState::try_from(word.to_owned()).ok()),
        endpoint_id: query.parsed("endpoint"),
        event: query.get("event").map(str::to_owned),
        since: query.from_day("from"),
        until: query.until_day("to"),
        before_id: None,
    };
    let counted = count_deliveries(&db, &filter).await?;
    let list = List::new("Deliveries", |delivery: &Delivery| delivery.row_id)
        .about("What was sent to endpoints, the newest first.")
        .choice("state", "State", DeliveryState::ALL.map(DeliveryState::as_str))
        .text("event", "Event", "order.paid")
        .text("endpoint", "Endpoint", "1")
        .day("from", "From")
        .day("to", "To")
        .empty("Nothing was sent yet.")
        .column("Event", |delivery| Cell::from(&delivery.event).over(Cell::Code(delivery.delivery_id.clone())))
        .number("Endpoint", |delivery| delivery.endpoint_id)
        .column("State", |delivery| Cell::state(delivery.state.as_str()))
        .number("Attempts", |delivery| delivery.attempts)
        .column("Happened", |delivery| delivery.created_at)
        .column("Next attempt", |delivery| delivery.next_attempt_at)
        .number("Answer", |delivery| delivery.response_status)
        .column("Problem", |delivery| delivery.last_error.clone().map(Cell::Code))
        .act("webhooks.retry", |delivery| {
            Some(RowAct::send("Retry", "/webhooks/retry", [("delivery", delivery.delivery_id.clone())]))
        });
    list.show(query, counted, move |before_id, limit| {
        let (db, filter) = (db.clone(), DeliveryFilter { before_id, ..filter.clone() });
        async move { list_deliveries(&db, &filter, limit).await }
    })
    .await
}

#[derive(Deserialize)]
struct Named {
    id: i64,
}

impl Input for Named {
    const NAME: &'static str = "ConsoleWebhook";

    fn rules() -> Rules {
        Rules::new([field("id").label("Endpoint").integer(1, i64::MAX).required()])
    }
}

#[derive(Deserialize)]
struct Again {
    delivery: String,
}

impl Input for Again {
    const NAME: &'static str = "ConsoleWebhookRetry";

    fn rules() -> Rules {
        Rules::new([field("delivery").required()])
    }
}

from_shop! {
    /// What a test is sent with.
    struct Sending {
        db: Db,
        clock: Clock,
        random: Random,
        cipher: Cipher,
        config: Arc<Config>,
        texts: Texts,
    }
}

/// What can be done with endpoints and deliveries.
pub(super) fn forms(sender: &Sender) -> Vec<Routes<ConsoleState>> {
    let enable = form("console.webhooks.enable", "Enable", "webhooks.edit", |new: Named, db: Db| switch(db, new, true));
    let disable =
        form("console.webhooks.disable", "Disable", "webhooks.edit", |new: Named, db: Db| switch(db, new, false));
    let delete = form("console.webhooks.delete", "Delete", "webhooks.edit", |new: Named, db: Db| async move {
        let gone = remove_endpoint(&db, new.id).await.map_err(refused)?;
        Ok(format!("{} is told of nothing any more.", gone.url).into())
    });
    let retry = form("console.webhooks.retry", "Retry", "webhooks.retry", retry);
    let delete = delete.about("Nothing is sent there any more. What was sent stays listed for a while.");
    vec![
        enable.routes("/webhooks/enable", PAGE),
        disable.routes("/webhooks/disable", PAGE),
        delete.routes("/webhooks/delete", PAGE),
        retry.routes("/webhooks/retry", DELIVERIES),
        test(sender).routes("/webhooks/test", PAGE),
    ]
}

async fn switch(db: Db, new: Named, enabled: bool) -> Result<Told, Refused> {
    let endpoint = set_endpoint_enabled(&db, new.id, enabled).await.map_err(refused)?;
    Ok(format!("{} is {} now.", endpoint.url, if enabled { "on" } else { "off" }).into())
}

async fn retry(again: Again, db: Db) -> Result<Told, Refused> {
    match retry_delivery(&db, &again.delivery).await? {
        Retried::Queued => Ok("The delivery is sent again.".into()),
        Retried::Unknown => Err(Refused::field("delivery", &"there is no such delivery")),
        Retried::InFlight => Err(Refused::because(&"it is being sent at this moment")),
        Retried::EndpointOff => Err(Refused::because(&"its endpoint is off or was removed")),
    }
}

fn test(sender: &Sender) -> ConsoleForm {
    let sender = sender.clone();
    form("console.webhooks.test", "Send test", "webhooks.edit", move |new: Named, uses: Sending| {
        let sender = sender.clone();
        async move {
            let Sending { db, clock, random, cipher, config, texts } = &uses;
            let sent = send_test(db, clock, random, cipher, (config, texts), &sender, new.id).await.map_err(refused)?;
            let took = sent.duration.as_millis();
            Ok(match sent.outcome {
                Outcome::Delivered { status } => format!("It was answered {status} after {took} ms.").into(),
                Outcome::Retryable { error, .. } | Outcome::Final { error, .. } => {
                    Told::sentence(&format!("the test was not taken: {error} (after {took} ms)")).bad()
                }
            })
        }
    })
}

fn refused(error: ChangeError) -> Refused {
    match error {
        ChangeError::Db(error) => error.into(),
        other => Refused::because(&other),
    }
}

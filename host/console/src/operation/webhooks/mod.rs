//! `/console/webhooks`: where events are sent to, and what became of them.

mod acts;
pub(super) mod delivery;
mod endpoint_forms;

use std::collections::BTreeMap;

use stoa_core::db::Db;
use stoa_core::webhooks::{
    Delivery, DeliveryFilter, DeliveryState, Endpoint, Sender, count_deliveries, list_deliveries, list_endpoints,
};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, RowAct};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

const PAGE: &str = "/webhooks";
const DELIVERIES: &str = "/webhooks/deliveries";

/// `GET /console/webhooks`.
pub(super) async fn endpoints(db: Db, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let rows = list_endpoints(&db).await?;
    let send = |label, path: &str, endpoint: &Endpoint| RowAct::send(label, path, [("id", endpoint.id.to_string())]);
    let list = List::new("Webhooks", |endpoint: &Endpoint| endpoint.id)
        .about("Programs and chats that are told of events.")
        .button("webhooks.edit", "Add endpoint", "/webhooks/add")
        .way("webhooks.view", "Deliveries", DELIVERIES)
        .empty("There are no endpoints yet. Add one, and it is told what happens in the shop.")
        .column("Endpoint", |endpoint| {
            let configured = endpoint.name.as_ref().map(|name| format!("{name}, from the configuration"));
            Cell::link(&endpoint.url, format!("{DELIVERIES}?endpoint={}", endpoint.id)).over(configured)
        })
        .column("State", |endpoint| match (endpoint.enabled, endpoint.consecutive_failures) {
            (false, _) => Cell::state("off"),
            (true, 0) => Cell::state("on"),
            (true, _) => Cell::state("failing"),
        })
        .column("Events", |endpoint| endpoint.events.join(", "))
        .number("Failures in a row", |endpoint| endpoint.consecutive_failures)
        .column("Last success", |endpoint| endpoint.last_success_at)
        .column("Problem", |endpoint| endpoint.last_error.clone().map(Cell::Code))
        .act("webhooks.edit", move |endpoint| Some(send("Send test", "/webhooks/test", endpoint)))
        .act("webhooks.edit", move |endpoint| {
            let (label, path) =
                if endpoint.enabled { ("Disable", "/webhooks/disable") } else { ("Enable", "/webhooks/enable") };
            endpoint.name.is_none().then(|| send(label, path, endpoint))
        })
        .act("webhooks.edit", |endpoint| of_own(endpoint, "Change", "/webhooks/set"))
        .act("webhooks.edit", |endpoint| of_own(endpoint, "Rotate secret", "/webhooks/rotate-secret"))
        .act("webhooks.edit", |endpoint| of_own(endpoint, "Delete", "/webhooks/delete"));
    list.show_all(query, rows).await
}

/// A form for an endpoint that the configuration does not list: what it lists is changed there.
fn of_own(endpoint: &Endpoint, label: &'static str, path: &str) -> Option<RowAct> {
    let id = endpoint.id.to_string();
    endpoint.name.is_none().then(|| RowAct::fill(label, path, [("id", id.as_str())]))
}

/// `GET /console/webhooks/deliveries`.
pub(super) async fn deliveries(db: Db, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let filter = DeliveryFilter {
        state: query.get("state").and_then(|word| DeliveryState::try_from(word.to_owned()).ok()),
        endpoint_id: query.parsed("endpoint"),
        event: query.get("event").map(str::to_owned),
        since: query.from_day("from"),
        until: query.until_day("to"),
        before_id: None,
    };
    let counted = count_deliveries(&db, &filter).await?;
    let urls = list_endpoints(&db).await?.into_iter().map(|endpoint| (endpoint.id, endpoint.url));
    let urls = urls.collect::<BTreeMap<_, _>>();
    let mut known = urls.iter().map(|(id, url)| (id.to_string(), url.clone())).collect::<Vec<_>>();
    if let Some(id) = filter.endpoint_id.filter(|id| !urls.contains_key(id)) {
        known.push((id.to_string(), removed(id)));
    }
    let list = List::new("Deliveries", |delivery: &Delivery| delivery.row_id)
        .about("What was sent to endpoints, the newest first.")
        .choice("state", "State", DeliveryState::ALL.map(DeliveryState::as_str))
        .text("event", "Event", "order.paid")
        .named_choice("endpoint", "Endpoint", known)
        .day("from", "From")
        .day("to", "To")
        .button("webhooks.retry", "Retry all of a state", "/webhooks/retry-all")
        .way("webhooks.view", "Endpoints", PAGE)
        .empty("Nothing was sent yet. Deliveries appear here as soon as an endpoint is told of something.")
        .column("Event", |delivery| {
            Cell::link(&delivery.event, format!("{DELIVERIES}/{}", delivery.delivery_id))
                .over(Cell::Code(delivery.delivery_id.clone()))
        })
        .column("Endpoint", move |delivery| {
            let id = delivery.endpoint_id;
            urls.get(&id).cloned().unwrap_or_else(|| removed(id))
        })
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

/// What an endpoint is called that is not there any more.
fn removed(id: i64) -> String {
    format!("endpoint {id}, removed")
}

/// What can be done with endpoints and deliveries.
pub(super) fn forms(sender: &Sender) -> Vec<Routes<ConsoleState>> {
    endpoint_forms::forms(sender).into_iter().chain(acts::forms(sender)).collect()
}

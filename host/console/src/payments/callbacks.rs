//! What providers have told by themselves, and looking at it again.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::gateways::GatewayTable;
use stoa_core::orders::OrderNumber;
use stoa_core::payments::{
    CallbackRecord, CallbackSearch, CallbackState, Payments, RetryCallbackError, count_callbacks, find_callback,
    notification_of, retry_callback, search_callbacks,
};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::page::{ConsoleState, Frame};
use crate::show::{Badge, Time};

/// Callbacks as lists show them.
pub(super) fn callbacks(title: &str) -> List<CallbackRecord> {
    List::new(title, |callback: &CallbackRecord| callback.id)
        .column("Callback", |callback| {
            let path = format!("/payments/callbacks/{}", callback.id);
            Cell::link(callback.id.to_string(), path).over(callback.event_type.as_str())
        })
        .column("Came", |callback| callback.received_at)
        .column("Gateway", |callback| Cell::from(&callback.gateway))
        .column("State", |callback| Cell::state(callback.state.as_str()))
        .column("Order", |callback| {
            let number = callback.order_id.map(|id| OrderNumber::of(id).to_string());
            number.map(|number| Cell::link(&number, format!("/payments/{number}")))
        })
        .column("Reason", |callback| callback.reason.clone())
}

/// `GET /console/payments/callbacks`.
pub(super) async fn show(
    Uses((db, gateways)): Uses<(Db, Arc<GatewayTable>)>,
    query: ListQuery,
) -> ApiResult<ConsoleAnswer> {
    let search = CallbackSearch {
        state: query.get("state").and_then(|state| CallbackState::try_from(state.to_owned()).ok()),
        gateway: query.get("gateway").map(str::to_owned),
        ..CallbackSearch::default()
    };
    let counted = count_callbacks(&db, &search).await?;
    let list = callbacks("Callbacks")
        .about("What payment providers have told by themselves. Those that are unmatched or flagged need somebody.")
        .way("payments.view", "Payments", "/payments")
        .choice("state", "State", CallbackState::ALL.iter().map(|state| state.as_str()))
        .choice("gateway", "Gateway", gateways.ids())
        .empty("No provider has called back yet.");
    list.show(query, counted, move |after, limit| {
        let (db, search) = (db.clone(), CallbackSearch { after, limit, ..search.clone() });
        async move { search_callbacks(&db, &search).await }
    })
    .await
}

#[derive(Template)]
#[template(path = "callback.html")]
struct Page {
    layout: Layout,
    path: String,
    id: i64,
    state: Badge,
    facts: Vec<(&'static str, String)>,
    times: Vec<(&'static str, Time)>,
    said: String,
    may_retry: bool,
    problem: Option<String>,
}

/// `GET /console/payments/callbacks/{id}`.
pub(super) async fn show_one(frame: Frame, db: Db, Id(id): Id) -> ApiResult<PageResponse> {
    shown(&frame, &db, id, None).await
}

async fn shown(frame: &Frame, db: &Db, id: i64, problem: Option<String>) -> ApiResult<PageResponse> {
    let callback = find_callback(db, id).await?.ok_or_else(ApiError::not_found)?;
    let said = notification_of(db, id).await?;
    let said = said.map(|said| serde_json::to_string_pretty(&said)).transpose().map_err(ApiError::internal)?;
    let facts = [
        ("Gateway", Some(callback.gateway.clone())),
        ("Type", Some(callback.event_type.clone())),
        ("Event", Some(callback.event_id.clone())),
        ("Order", callback.order_id.map(|id| OrderNumber::of(id).to_string())),
        ("Attempt", callback.attempt_id.map(|id| id.to_string())),
        ("Because", callback.reason.clone()),
        ("Looked at again", (callback.tries > 0).then(|| format!("{} times", callback.tries))),
    ];
    let times =
        [("Came", Some(callback.received_at)), ("Done", callback.processed_at), ("Next look", callback.next_try_at)];
    let is_open = matches!(callback.state, CallbackState::Pending | CallbackState::Unmatched | CallbackState::Flagged);
    let page = Page {
        layout: frame.layout(format!("Callback {id}"), "payments"),
        path: frame.path(&format!("/payments/callbacks/{id}")),
        id,
        state: Badge::of(callback.state.as_str()),
        facts: facts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        times: times.into_iter().filter_map(|(name, time)| Some((name, Time::of(time?)))).collect(),
        said: said.unwrap_or_default(),
        may_retry: is_open && frame.staff.may("payments.retry"),
        problem,
    };
    frame.show_as(if page.problem.is_some() { StatusCode::CONFLICT } else { StatusCode::OK }, &page)
}

/// `POST /console/payments/callbacks/{id}`: looks at it again.
pub(super) async fn retry(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(payments): Uses<Payments>,
    Id(id): Id,
) -> ApiResult<PageResponse> {
    match retry_callback(&state.config, &payments, id).await {
        Ok(callback) => {
            let reason = callback.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
            let told = format!("The callback is {}{reason}.", callback.state.as_str());
            Ok(frame.done(&format!("/payments/callbacks/{id}"), &told))
        }
        Err(RetryCallbackError::NotFound(_)) => Err(ApiError::not_found()),
        Err(RetryCallbackError::Db(error)) => Err(error.into()),
        Err(RetryCallbackError::Refund(error)) => Err(ApiError::internal(error)),
        Err(refused) => shown(&frame, &payments.db, id, Some(sentence(&refused.to_string()))).await,
    }
}

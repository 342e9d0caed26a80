//! `/console/webhooks/deliveries/{delivery}`: one delivery, with each attempt and what is sent.

use askama::Template;
use serde_json::Value;
use stoa_core::db::Db;
use stoa_core::webhooks::{Delivery, RecordedAttempt, attempts_of, find_delivery, list_endpoints};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Name;
use stoa_pages::answer::PageResponse;

use super::removed;
use crate::layout::Layout;
use crate::page::Frame;
use crate::show::{Badge, Time};

#[derive(Template)]
#[template(path = "delivery.html")]
struct Page {
    layout: Layout,
    delivery: Delivery,
    endpoint: String,
    state: Badge,
    happened: Time,
    next: Option<Time>,
    attempts: Vec<(RecordedAttempt, Time)>,
    body: String,
    may_retry: bool,
}

/// `GET /console/webhooks/deliveries/{delivery}`.
pub(in crate::operation) async fn one(frame: Frame, db: Db, Name(id): Name) -> ApiResult<PageResponse> {
    let delivery = find_delivery(&db, &id).await?.ok_or_else(ApiError::not_found)?;
    let endpoint = list_endpoints(&db).await?.into_iter().find(|endpoint| endpoint.id == delivery.endpoint_id);
    let attempts = attempts_of(&db, &delivery).await?.into_iter();
    let page = Page {
        layout: frame.layout(delivery.event.as_str(), "webhooks"),
        endpoint: endpoint.map_or_else(|| removed(delivery.endpoint_id), |endpoint| endpoint.url),
        state: Badge::of(delivery.state.as_str()),
        happened: Time::of(delivery.created_at),
        next: delivery.next_attempt_at.map(Time::of),
        attempts: attempts.map(|attempt| (attempt.clone(), Time::of(attempt.ended_at))).collect(),
        body: indented(&delivery.body),
        may_retry: frame.staff.may("webhooks.retry"),
        delivery,
    };
    frame.show(&page)
}

/// What is sent, as people read it: JSON in lines, and everything else as it is.
fn indented(body: &str) -> String {
    let parsed = serde_json::from_str::<Value>(body).and_then(|value| serde_json::to_string_pretty(&value));
    parsed.unwrap_or_else(|_| body.to_owned())
}

//! Health checks for load balancers and containers.

use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use stoa_kernel::db::MigrationState;

use super::SiteState;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /health/live`: the process answers.
pub(super) async fn live() -> Response {
    answer(StatusCode::OK, "ok")
}

/// `GET /health/ready`: the database answers, has all migrations and takes writes, and the instance is not about to stop.
pub(super) async fn ready(State(state): State<SiteState>) -> Response {
    if state.leaving.is_cancelled() {
        return answer(StatusCode::SERVICE_UNAVAILABLE, "stopping");
    }
    let db = &state.parts.db;
    if db.ping(PATIENCE).await.is_err() {
        return answer(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer");
    }
    match db.migration_status(&state.migrations).await {
        Ok(found) if found.iter().all(|migration| migration.state == MigrationState::Applied) => {
            if state.write_probe.succeeds(&state.parts.db, &state.parts.clock, &state.parts.config).await {
                answer(StatusCode::OK, "ok")
            } else {
                answer(StatusCode::SERVICE_UNAVAILABLE, "the database takes no writes")
            }
        }
        Ok(_) => answer(StatusCode::SERVICE_UNAVAILABLE, "migrations are pending"),
        Err(_) => answer(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer"),
    }
}

fn answer(status: StatusCode, text: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, json!({"status": text}).to_string()).into_response()
}

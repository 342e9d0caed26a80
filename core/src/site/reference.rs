//! `GET /development/api`: the API reference.

use axum::Router;

use super::SiteState;
use crate::services::Services;

/// The routes of the page and its assets.
pub(super) fn routes(_services: &Services) -> Router<SiteState> {
    Router::new()
}

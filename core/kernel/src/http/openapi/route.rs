//! `GET /openapi.json`.

use std::sync::{Arc, OnceLock};

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, header};
use serde_json::json;

use crate::auth::LimitClass;
use crate::core_routes::CoreRoutes;
use crate::http::error::{ApiError, ApiResult};
use crate::http::shape::DescribesAnswer;
use crate::http::table::{AnswerShape, Operation, Routes, routes};

/// The document itself, as one of the routes.
pub fn document_routes() -> Routes<Arc<OnceLock<Bytes>>> {
    routes()
        .get("openapi.show", "/openapi.json", serve)
        .summary("Read this document")
        .description("It lists what this shop has switched on, and is the same until the shop is started anew.")
        .public(LimitClass::Catalog)
}

/// The document's bytes, made once at the start.
struct Document(Bytes);

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], self.0).into_response()
    }
}

impl DescribesAnswer for Document {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape {
            status: 200,
            description: "The OpenAPI 3.0.3 document",
            schema: |_| json!({"type": "object"}),
        });
    }
}

async fn serve(State(document): State<Arc<OnceLock<Bytes>>>) -> ApiResult<Document> {
    let bytes = document.get().cloned();
    bytes.map(Document).ok_or_else(|| ApiError::unavailable("the document is not made yet"))
}

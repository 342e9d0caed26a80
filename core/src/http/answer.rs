//! The forms of successful answers.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use super::error::ApiResult;
use super::shape::Answers;
use super::table::{AnswerShape, Operation};
use crate::auth::Standing;

fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            let content_type = HeaderValue::from_static("application/json");
            (status, [(header::CONTENT_TYPE, content_type)], bytes).into_response()
        }
        Err(error) => super::error::ApiError::internal(error).into_response(),
    }
}

/// The schema of `T` as a reference into `#/components/schemas`.
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

/// One thing under `data`.
#[derive(Debug, Clone)]
pub struct Data<T>(pub T);

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Envelope<'a, T> {
            data: &'a T,
        }
        json_response(StatusCode::OK, &Envelope { data: &self.0 })
    }
}

impl<T: JsonSchema> Answers for Data<T> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape {
            status: 200,
            description: "Success",
            schema: |generator| data_envelope(&schema_of::<T>(generator)),
        });
    }
}

/// The schema of an object with `data`.
pub fn data_envelope(data: &Value) -> Value {
    json!({"type": "object", "required": ["data"], "properties": {"data": data}})
}

/// A new thing, not wrapped, with status 201.
#[derive(Debug, Clone)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        json_response(StatusCode::CREATED, &self.0)
    }
}

impl<T: JsonSchema> Answers for Created<T> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 201, description: "Created", schema: schema_of::<T> });
    }
}

/// `{"ok": true}`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "Ok")]
pub struct Done {
    ok: bool,
}

impl Done {
    /// The one value there is.
    pub fn new() -> Self {
        Self { ok: true }
    }
}

impl Default for Done {
    fn default() -> Self {
        Self::new()
    }
}

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        json_response(StatusCode::OK, &self)
    }
}

impl Answers for Done {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: "Done", schema: schema_of::<Self> });
    }
}

/// An answer of a handler that has counted the request itself, with the headers of that limit (contract 2).
#[derive(Debug, Clone)]
pub(crate) struct Counted<T> {
    pub(crate) standing: Option<Standing>,
    pub(crate) answer: T,
}

impl<T: IntoResponse> IntoResponse for Counted<T> {
    fn into_response(self) -> Response {
        let mut response = self.answer.into_response();
        // A refusal by another limit brings that one's headers.
        if let Some(standing) = self.standing.filter(|_| response.status() != StatusCode::TOO_MANY_REQUESTS) {
            standing.write_headers(response.headers_mut());
        }
        response
    }
}

impl<T: Answers> Answers for Counted<T> {
    fn answers(operation: &mut Operation) {
        T::answers(operation);
    }
}

impl<T: Answers> Answers for ApiResult<T> {
    fn answers(operation: &mut Operation) {
        T::answers(operation);
    }
}

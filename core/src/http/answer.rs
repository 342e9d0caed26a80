//! The forms of successful answers.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::error::ApiResult;
use super::shape::Answers;
use super::table::{AnswerShape, Operation};
use crate::auth::Standing;

pub(crate) fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
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

impl<T: Serialize> Serialize for Data<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut envelope = serializer.serialize_struct("Data", 1)?;
        envelope.serialize_field("data", &self.0)?;
        envelope.end()
    }
}

impl<T: JsonSchema> JsonSchema for Data<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}Data", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Schema::try_from(data_envelope(&schema_of::<T>(generator))).expect("the schema of an object is an object")
    }
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        json_response(StatusCode::OK, &self)
    }
}

impl<T: JsonSchema> Answers for Data<T> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: "Success", schema: schema_of::<Self> });
    }
}

/// The schema of an object with `data`.
pub fn data_envelope(data: &Value) -> Value {
    json!({"type": "object", "required": ["data"], "properties": {"data": data}})
}

/// A new thing with status 201, not wrapped; `Created<Data<T>>` puts it under `data`.
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

/// Success without a body: status 204.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoContent;

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl Answers for NoContent {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 204, description: "Done", schema: |_| Value::Null });
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

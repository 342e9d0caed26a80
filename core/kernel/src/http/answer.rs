//! The forms of successful answers.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::error::ApiResult;
use super::shape::DescribesAnswer;
use super::table::{AnswerShape, Operation};
use crate::auth::LimitState;

/// An answer with a JSON body.
pub fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            let content_type = HeaderValue::from_static("application/json");
            (status, [(header::CONTENT_TYPE, content_type)], bytes).into_response()
        }
        Err(error) => super::error::ApiError::internal(error).into_response(),
    }
}

/// Sends a browser on to another page, to be read by `GET` (303).
pub fn see_other(location: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    // What cannot stand in a header leads home.
    let location = HeaderValue::from_str(location).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, location);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// An answer outside of the API, such as a page, of which the API's document says nothing.
#[derive(Debug)]
pub struct PageResponse(pub Response);

impl IntoResponse for PageResponse {
    fn into_response(self) -> Response {
        self.0
    }
}

impl DescribesAnswer for PageResponse {
    fn answers(_: &mut Operation) {}
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

/// Named after the thing: `OrderData`, and for several of them `OrderList`.
impl<T: JsonSchema> JsonSchema for Data<T> {
    fn schema_name() -> Cow<'static, str> {
        let thing = T::schema_name();
        match thing.strip_prefix("Array_of_") {
            Some(one) => format!("{one}List").into(),
            None => format!("{thing}Data").into(),
        }
    }

    fn schema_id() -> Cow<'static, str> {
        format!("data of {}", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "required": ["data"], "properties": {"data": schema_of::<T>(generator)}})
    }
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        json_response(StatusCode::OK, &self)
    }
}

impl<T: JsonSchema> DescribesAnswer for Data<T> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: "Success", schema: schema_of::<Self> });
    }
}

/// A new thing with status 201, not wrapped; `Created<Data<T>>` puts it under `data`.
#[derive(Debug, Clone)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        json_response(StatusCode::CREATED, &self.0)
    }
}

impl<T: JsonSchema> DescribesAnswer for Created<T> {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 201, description: "Created", schema: schema_of::<T> });
    }
}

/// Success without a body: status 204.
#[derive(Debug, Clone, Copy)]
pub struct NoContent;

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl DescribesAnswer for NoContent {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 204, description: "Done", schema: |_| Value::Null });
    }
}

/// `{"ok": true}`.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
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

impl DescribesAnswer for Done {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: "Done", schema: schema_of::<Self> });
    }
}

/// An answer of a handler that has counted the request itself, with the headers of that limit (contract 2).
#[derive(Debug, Clone)]
pub struct Counted<T> {
    /// How far the limit is used up; none where nothing was counted.
    pub standing: Option<LimitState>,
    /// What is answered.
    pub answer: T,
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

impl<T: DescribesAnswer> DescribesAnswer for Counted<T> {
    fn answers(operation: &mut Operation) {
        T::answers(operation);
    }
}

impl<T: DescribesAnswer> DescribesAnswer for ApiResult<T> {
    fn answers(operation: &mut Operation) {
        T::answers(operation);
    }
}

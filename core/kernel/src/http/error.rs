//! Errors of the API, and the one body they all have (S7).

mod refusals;

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

pub use super::error_code::ErrorCode;
use crate::db::DbError;
use crate::events::{ListenerError, Veto};
use crate::i18n::{Language, Message, Texts};
use crate::text;
pub use refusals::Refusals;

/// One problem of one request field: a text for people, or a stable value for programs.
#[derive(Debug, Clone)]
pub enum FieldProblem {
    /// A sentence in the client's language.
    Message(Message),
    /// A value that is the same in every language, such as the name of an ability.
    Value(String),
}

/// Problems by field name, in the fields' alphabetical order.
pub type FieldProblems = BTreeMap<String, Vec<FieldProblem>>;

/// A failed request. Turned into the body of S7 in the client's language by the outermost layer.
#[derive(Debug, Clone)]
pub struct ApiError(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: ErrorCode,
    message: Message,
    errors: FieldProblems,
    reason: Option<&'static str>,
    members: Map<String, Value>,
    headers: HeaderMap,
    source: Option<Box<dyn Error + Send + Sync>>,
    transient: bool,
    outage: bool,
}

/// What a handler returns.
pub type ApiResult<T> = Result<T, ApiError>;

/// The body of every error of the API.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorBody {
    /// A sentence in the language of `Accept-Language`; not a stable identifier.
    pub message: String,
    /// The stable machine code.
    pub code: ErrorCode,
    /// A stable, finer code, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reason: Option<&'static str>,
    /// Problems by field name; omitted when empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, Vec<String>>,
    /// What some errors say besides, such as the `totals` that have changed.
    #[serde(flatten)]
    #[schemars(skip)]
    pub members: Map<String, Value>,
}

impl ApiError {
    fn new(status: StatusCode, code: ErrorCode, message: Message) -> Self {
        Self(Arc::new(Parts {
            status,
            code,
            message,
            errors: FieldProblems::new(),
            reason: None,
            members: Map::new(),
            headers: HeaderMap::new(),
            source: None,
            transient: false,
            outage: false,
        }))
    }

    fn change(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        if let Some(parts) = Arc::get_mut(&mut self.0) {
            change(parts);
        }
        self
    }

    /// 404 `not_found`: unknown, hidden, or somebody else's.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, ErrorCode::NotFound, Message::NotFound)
    }

    /// 401 `unauthenticated` (S5.1 rule 3).
    pub fn unauthenticated() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, Message::Unauthenticated)
            .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// 403 `unauthorized`.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::FORBIDDEN, ErrorCode::Unauthorized, Message::Unauthorized)
    }

    /// 403 `unauthorized`: a page of the console that the role of whoever asks does not open.
    pub(crate) fn not_for_role() -> Self {
        Self::forbidden(text!("error-not-for-role"), "role")
    }

    /// 403 `unauthorized` for a reason that the client can do something about.
    pub(crate) fn forbidden(message: Message, reason: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, ErrorCode::Unauthorized, message).change(|parts| parts.reason = Some(reason))
    }

    /// 403 `insufficient_scope` with `errors.required_ability` (S5.1 rule 5).
    pub fn insufficient_scope(ability: &str) -> Self {
        let message = Message::InsufficientScope { ability: ability.to_owned().into() };
        Self::new(StatusCode::FORBIDDEN, ErrorCode::InsufficientScope, message).change(|parts| {
            parts.errors.insert(String::from("required_ability"), vec![FieldProblem::Value(ability.to_owned())]);
        })
    }

    /// 403 `ip_not_allowed` (S5.1 rule 7).
    pub fn ip_not_allowed() -> Self {
        Self::new(StatusCode::FORBIDDEN, ErrorCode::IpNotAllowed, Message::IpNotAllowed)
    }

    /// 403 `unmapped_api_route` (S5.1 rule 6).
    pub fn unmapped_api_route() -> Self {
        Self::new(StatusCode::FORBIDDEN, ErrorCode::UnmappedApiRoute, Message::UnmappedApiRoute)
    }

    /// 405 `method_not_allowed`; the router adds `Allow`.
    pub fn method_not_allowed() -> Self {
        let code = ErrorCode::MethodNotAllowed;
        Self::new(StatusCode::METHOD_NOT_ALLOWED, code, Message::MethodNotAllowed)
    }

    /// 422 `validation_error` with the problems of each field.
    pub fn validation(errors: FieldProblems) -> Self {
        let code = ErrorCode::ValidationError;
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, Message::ValidationError)
            .change(|parts| parts.errors = errors)
    }

    /// 422 `validation_error` about one field.
    pub fn invalid_field(field: impl Into<String>, message: Message) -> Self {
        Self::validation(FieldProblems::from([(field.into(), vec![FieldProblem::Message(message)])]))
    }

    /// 422 `validation_error` about the body as a whole, such as malformed JSON.
    pub fn invalid_body(message: Message) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::ValidationError, message)
    }

    /// 409 `invalid_state`: the state has changed, or does not allow it.
    pub fn conflict(message: Message, reason: &'static str) -> Self {
        Self::new(StatusCode::CONFLICT, ErrorCode::InvalidState, message).change(|parts| parts.reason = Some(reason))
    }

    /// 422 `invalid_state`: a condition of the domain does not hold.
    pub fn invalid_state(message: Message, reason: &'static str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::InvalidState, message)
            .change(|parts| parts.reason = Some(reason))
    }

    /// 422 `payment_failed`: the provider refused, or could not be reached. What it said is for the operator.
    pub fn payment_failed(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let source = source.into();
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::PaymentFailed, Message::PaymentFailed)
            .change(|parts| parts.source = Some(source))
    }

    /// 429 `rate_limited` with `Retry-After` in whole seconds, at least 1.
    pub fn rate_limited(seconds: u64) -> Self {
        let seconds = seconds.max(1);
        let message = Message::RateLimited { seconds };
        Self::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, message)
            .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// The same error with the headers of a used-up limit.
    #[must_use]
    pub(crate) fn with_limit(self, limit: u64) -> Self {
        self.with_header(HeaderName::from_static("x-ratelimit-limit"), HeaderValue::from(limit))
            .with_header(HeaderName::from_static("x-ratelimit-remaining"), HeaderValue::from(0_u64))
    }

    /// 413 `payload_too_large`.
    pub fn payload_too_large() -> Self {
        let code = ErrorCode::PayloadTooLarge;
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code, Message::PayloadTooLarge)
    }

    /// 415 `unsupported_media_type`.
    pub fn unsupported_media_type() -> Self {
        let code = ErrorCode::UnsupportedMediaType;
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, Message::UnsupportedMediaType)
    }

    /// 400 `bad_request`: what came is no request as HTTP knows it, or its body broke off.
    pub fn bad_request() -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::BadRequest, Message::BadRequest)
    }

    /// 400 `bad_request` for a parameter that cannot be what it is.
    pub fn bad_parameter(message: Message) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::BadRequest, message)
    }

    /// 408 `request_timeout`: the client stopped sending.
    pub fn request_timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, ErrorCode::RequestTimeout, Message::RequestTimeout)
    }

    /// What a request is answered that is no HTTP or too much of it, and that no route has seen; `None` for a status that
    /// does not say so.
    pub(super) fn unreadable(status: StatusCode) -> Option<Self> {
        match status {
            StatusCode::BAD_REQUEST => Some(Self::bad_request()),
            StatusCode::URI_TOO_LONG => Some(Self::new(status, ErrorCode::UriTooLong, Message::UriTooLong)),
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
                Some(Self::new(status, ErrorCode::RequestHeaderFieldsTooLarge, Message::HeaderFieldsTooLarge))
            }
            StatusCode::TOO_MANY_REQUESTS => Some(Self::rate_limited(1)),
            StatusCode::NOT_IMPLEMENTED => {
                Some(Self::new(status, ErrorCode::NotImplemented, Message::TransferCodingUnknown))
            }
            _ => None,
        }
    }

    /// 416 `validation_error`: the wanted range lies behind the end of a file of `size` bytes.
    pub fn range_not_satisfiable(size: u64) -> Self {
        let range = HeaderValue::try_from(format!("bytes */{size}")).expect("a number is visible ASCII");
        Self::new(StatusCode::RANGE_NOT_SATISFIABLE, ErrorCode::ValidationError, text!("error-range-not-satisfiable"))
            .with_header(header::CONTENT_RANGE, range)
    }

    /// 500 `server_error`. The cause is logged, never shown.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let source = source.into();
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::ServerError, Message::ServerError)
            .change(|parts| parts.source = Some(source))
    }

    /// 503 `server_error`: the database cannot be reached, or too much is asked at once.
    pub fn unavailable(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let source = source.into();
        Self::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::ServerError, Message::ServerError)
            .change(|parts| parts.source = Some(source))
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// 412 `invalid_state`: the file is not, or not any more, what the client takes it for.
    pub fn precondition_failed() -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, ErrorCode::InvalidState, text!("error-precondition-failed"))
    }

    /// The same error as the answer of a handler that has written. What it has written before the database went away may hold,
    /// so an outage invites nobody to ask again.
    pub(super) fn of_a_write(self) -> Self {
        if !self.0.outage {
            return self;
        }
        self.change(|parts| {
            parts.status = StatusCode::INTERNAL_SERVER_ERROR;
            parts.headers.remove(header::RETRY_AFTER);
        })
    }

    /// The same error with one more header.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        self.change(|parts| {
            parts.headers.insert(name, value);
        })
    }

    /// The same error with one more member beside `errors`, in the client's language where it has texts.
    #[must_use]
    pub fn with_member(self, name: &str, value: Value) -> Self {
        self.change(|parts| {
            parts.members.insert(name.to_owned(), value);
        })
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// What is logged and never shown.
    pub(crate) fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.0.source.as_deref()
    }

    /// Whether running the same request again may succeed (PostgreSQL's serialization failures).
    pub(crate) fn is_transient(&self) -> bool {
        self.0.transient
    }

    /// The body in one language.
    pub fn body(&self, texts: &Texts, language: Language) -> ErrorBody {
        let text = |problem: &FieldProblem| match problem {
            FieldProblem::Message(message) => texts.say(message, language),
            FieldProblem::Value(value) => value.clone(),
        };
        let errors = self.0.errors.iter().map(|(field, problems)| (field.clone(), problems.iter().map(text).collect()));
        ErrorBody {
            message: texts.say(&self.0.message, language),
            code: self.0.code,
            reason: self.0.reason,
            errors: errors.collect(),
            members: self.0.members.clone(),
        }
    }

    /// What the body says in one language.
    pub(crate) fn told(&self, texts: &Texts, language: Language) -> Value {
        serde_json::to_value(self.body(texts, language)).expect("texts serialize")
    }

    /// The whole response in one language.
    pub fn render(&self, texts: &Texts, language: Language) -> Response {
        self.written(texts, language).map(Body::from)
    }

    /// The same with its body at hand.
    pub(super) fn written(&self, texts: &Texts, language: Language) -> http::Response<Bytes> {
        let body = serde_json::to_vec(&self.body(texts, language)).expect("texts serialize");
        let mut response = http::Response::new(Bytes::from(body));
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.extend(self.0.headers.clone());
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CONTENT_LANGUAGE, language.into());
        headers.append(header::VARY, HeaderValue::from_static("accept-language"));
        response
    }
}

/// Leaves the body to the outermost layer, which knows the client's language.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.0.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// 503 while the database cannot be reached, else 500.
impl From<DbError> for ApiError {
    fn from(error: DbError) -> Self {
        let (transient, outage) = (error.is_transient(), error.is_outage());
        let failed = if outage { Self::unavailable(error) } else { Self::internal(error) };
        failed.change(|parts| {
            parts.transient = transient;
            parts.outage = outage;
        })
    }
}

impl From<Veto> for ApiError {
    fn from(veto: Veto) -> Self {
        let Veto { field, message, reason } = veto;
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::InvalidState, message.clone()).change(|parts| {
            parts.reason = reason;
            parts.errors.insert(field, vec![FieldProblem::Message(message)]);
        })
    }
}

impl From<ListenerError> for ApiError {
    fn from(error: ListenerError) -> Self {
        match error {
            ListenerError::Veto(veto) => veto.into(),
            ListenerError::Db(error) => error.into(),
            ListenerError::Failed(reason) => Self::internal(reason),
        }
    }
}

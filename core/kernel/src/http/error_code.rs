//! The closed list of the API's error codes (S7).

use schemars::JsonSchema;
use serde::Serialize;

/// What went wrong, as a stable code for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Authentication is missing or invalid.
    Unauthenticated,
    /// Wrong owner or context, such as a missing CSRF token.
    Unauthorized,
    /// The token lacks the ability that the route needs.
    InsufficientScope,
    /// The source address is outside the token's IP policy.
    IpNotAllowed,
    /// A module's route whose prefix no ability is mapped to.
    UnmappedApiRoute,
    /// Unknown, hidden, somebody else's, or of a module that is not enabled.
    NotFound,
    /// The path exists, but not with this method.
    MethodNotAllowed,
    /// The state of things does not allow it.
    InvalidState,
    /// The input is invalid.
    ValidationError,
    /// The payment provider refused or cannot be reached.
    PaymentFailed,
    /// A rate limit is exceeded.
    RateLimited,
    /// The body is larger than 1 MiB.
    PayloadTooLarge,
    /// The body of a write is not JSON.
    UnsupportedMediaType,
    /// It is no request as HTTP knows it, or its body broke off.
    BadRequest,
    /// The client stopped sending the body.
    RequestTimeout,
    /// The request's target is longer than is read.
    UriTooLong,
    /// The request's headers are more, or longer, than are read.
    RequestHeaderFieldsTooLarge,
    /// The request's body is encoded in a way that is not read.
    NotImplemented,
    /// The server failed.
    ServerError,
}

impl ErrorCode {
    /// The code as clients see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::Unauthorized => "unauthorized",
            Self::InsufficientScope => "insufficient_scope",
            Self::IpNotAllowed => "ip_not_allowed",
            Self::UnmappedApiRoute => "unmapped_api_route",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::InvalidState => "invalid_state",
            Self::ValidationError => "validation_error",
            Self::PaymentFailed => "payment_failed",
            Self::RateLimited => "rate_limited",
            Self::PayloadTooLarge => "payload_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::BadRequest => "bad_request",
            Self::RequestTimeout => "request_timeout",
            Self::UriTooLong => "uri_too_long",
            Self::RequestHeaderFieldsTooLarge => "request_header_fields_too_large",
            Self::NotImplemented => "not_implemented",
            Self::ServerError => "server_error",
        }
    }
}

//! Headers that the document describes in one place.

use serde_json::{Value, json};

use super::parameters::EXAMPLE_TAG;

/// A header by its name in `components/headers`.
pub(super) fn shared(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}

/// The headers of every answer of the API.
pub(super) fn usual_headers() -> Value {
    json!({
        "X-Request-Id": shared("RequestId"),
        "X-RateLimit-Limit": shared("RateLimit"),
        "X-RateLimit-Remaining": shared("RateLimitRemaining"),
        "Cache-Control": shared("CacheControl"),
        "X-Content-Type-Options": shared("ContentTypeOptions"),
    })
}

/// The headers of answers of failure, by their status.
pub(super) fn failure_headers(status: u16) -> Value {
    let mut headers = usual_headers();
    headers["Content-Language"] = shared("ContentLanguage");
    match status {
        401 => headers["WWW-Authenticate"] = shared("Challenge"),
        416 => headers["Content-Range"] = shared("ContentRange"),
        429 | 503 => headers["Retry-After"] = shared("RetryAfter"),
        _ => {}
    }
    headers
}

/// The shared headers.
pub(super) fn headers() -> Value {
    let whole = |least: u64| json!({"type": "integer", "format": "int64", "minimum": least});
    json!({
        "RequestId": {"description": "The id of this request, the client's own or a new one.",
                      "schema": {"type": "string"}, "example": "0b6f1c1e-7a53-4c39-9d2e-5b1f0a7c8d94"},
        "RateLimit": {"description": "Requests that the route's limit allows in one window. Absent while it is switched off.",
                      "schema": whole(1), "example": 120},
        "RateLimitRemaining": {"description": "Requests that are left in the window that is open now.",
                               "schema": whole(0), "example": 119},
        "CacheControl": {"description": "Who may keep the answer, and for how long: what is personal, nobody.",
                         "schema": {"type": "string"}, "example": "private, no-store"},
        "ContentTypeOptions": {"description": "A browser takes the answer for nothing else than it says it is.",
                               "schema": {"type": "string"}, "example": "nosniff"},
        "ContentLanguage": {"description": "The language of `message`.", "schema": {"type": "string"}, "example": "en"},
        "Challenge": {"description": "How to authenticate.", "schema": {"type": "string"}, "example": "Bearer"},
        "ETag": {"description": "Send it back as `If-None-Match` to be told when nothing has changed.",
                 "schema": {"type": "string"}, "example": EXAMPLE_TAG},
        "SurrogateKey": {"description": "What the answer shows, for caches that many share; only where the shop lets them keep it.",
                         "schema": {"type": "string"}, "example": "catalog list product-12"},
        "CacheTag": {"description": "The same with commas between.",
                     "schema": {"type": "string"}, "example": "catalog,list,product-12"},
        "ContentRange": {"description": "Which bytes of how many these are, or how many there are.",
                         "schema": {"type": "string"}, "example": "bytes 0-99/1000"},
        "RetryAfter": {"description": "Seconds to wait.", "schema": whole(1), "example": 30},
    })
}

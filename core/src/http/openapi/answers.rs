//! What routes answer: success, and every failure.

use std::collections::BTreeSet;

use http::Method;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::parameters::{EXAMPLE_TAG, header};
use crate::http::error::ApiError;
use crate::http::freeze::OwnedRoute;
use crate::http::table::{Access, Route};
use crate::i18n::{Language, Message, Violation};

/// The answers of a route by their status.
pub(super) fn answers(owned: &OwnedRoute, generator: &mut SchemaGenerator) -> Value {
    let described = &owned.route.operation;
    let mut found = Map::new();
    if let Some(answer) = described.answer {
        let mut success = json!({"description": answer.description, "headers": usual_headers(), "content": {}});
        if !described.only_files {
            let mut content = json!({"schema": (answer.schema)(generator)});
            if let Some(example) = described.answer_example {
                content["example"] = example();
            }
            success["content"]["application/json"] = content;
        }
        for media_type in &described.files {
            success["content"][*media_type] = json!({"schema": {"type": "string", "format": "binary"}});
        }
        for parameter in &described.answer_headers {
            success["headers"][parameter.name] = header(parameter);
        }
        if described.cached {
            success["headers"]["ETag"] = json!({"$ref": "#/components/headers/ETag"});
            let mut unchanged =
                json!({"description": "Not changed since the given `ETag`", "headers": usual_headers()});
            unchanged["headers"]["ETag"] = success["headers"]["ETag"].clone();
            found.insert(String::from("304"), unchanged);
        }
        if described.ranges {
            let mut part = success.clone();
            part["description"] = "The part that `Range` asks for".into();
            part["headers"]["Content-Range"] = json!({"$ref": "#/components/headers/ContentRange"});
            found.insert(String::from("206"), part);
        }
        found.insert(answer.status.to_string(), success);
    }
    for status in failures(&owned.route) {
        found.insert(status.to_string(), json!({"$ref": format!("#/components/responses/Error{status}")}));
    }
    Value::Object(found)
}

/// The headers of every answer of the API.
fn usual_headers() -> Value {
    json!({
        "X-Request-Id": {"$ref": "#/components/headers/RequestId"},
        "X-RateLimit-Limit": {"$ref": "#/components/headers/RateLimit"},
        "X-RateLimit-Remaining": {"$ref": "#/components/headers/RateLimitRemaining"},
    })
}

/// The statuses of failure that a route declares, and those that follow from how it is guarded and what it takes.
fn failures(route: &Route) -> BTreeSet<u16> {
    let described = &route.operation;
    let mut statuses = BTreeSet::from([429, 500, 503]);
    statuses.extend(&described.failures);
    if described.ranges {
        statuses.insert(416);
    }
    match route.access {
        Access::Ability(_) | Access::Cart | Access::Session | Access::Unmapped | Access::ByPrefix => {
            statuses.extend([401, 403]);
        }
        Access::Public(_) | Access::Credentials | Access::FirstParty => {}
    }
    if !described.path.is_empty() {
        statuses.insert(404);
    }
    // The guard reads the body of every write, whether or not the handler wants one.
    if route.method != Method::GET {
        statuses.extend([400, 408, 413, 415]);
    }
    if described.body.is_some() {
        statuses.insert(422);
    }
    statuses
}

/// The answers of failure, each with the body of one that is really given.
pub(super) fn responses() -> Value {
    let described = [
        (ApiError::bad_request(), "The body broke off, or is not framed as HTTP says"),
        (ApiError::unauthenticated(), "Authentication is missing or invalid"),
        (
            ApiError::insufficient_scope("orders.read"),
            "The token lacks an ability, may not be used from this address, or the context is wrong",
        ),
        (ApiError::not_found(), "Unknown, hidden, or somebody else's"),
        (ApiError::request_timeout(), "The client stopped sending the body"),
        (
            ApiError::conflict(Message::IdempotencyKeyReused, "idempotency_key_reused"),
            "The state does not allow it; reload and look",
        ),
        (ApiError::payload_too_large(), "The body is larger than 1 MiB"),
        (ApiError::unsupported_media_type(), "The body is not JSON"),
        (ApiError::range_not_satisfiable(1000), "The range lies behind the end of the file"),
        (
            ApiError::invalid_field("name", Violation::Required.on("name")),
            "The input is invalid, or a condition does not hold",
        ),
        (ApiError::rate_limited(30), "A rate limit is exceeded; wait for `Retry-After` seconds"),
        (ApiError::internal("an example"), "The server failed"),
        (ApiError::unavailable("an example"), "The server cannot do it now; try again later"),
    ];
    let mut found = Map::new();
    for (error, description) in described {
        let status = error.status().as_u16();
        let content = json!({"schema": {"$ref": "#/components/schemas/Error"}, "example": error.body(Language::En)});
        let mut response = json!({
            "description": description,
            "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}},
            "content": {"application/json": content},
        });
        match status {
            416 => response["headers"]["Content-Range"] = json!({"$ref": "#/components/headers/ContentRange"}),
            429 => {
                response["headers"] = usual_headers();
                response["headers"]["Retry-After"] = json!({"$ref": "#/components/headers/RetryAfter"});
            }
            503 => response["headers"]["Retry-After"] = json!({"$ref": "#/components/headers/RetryAfter"}),
            _ => {}
        }
        found.insert(format!("Error{status}"), response);
    }
    Value::Object(found)
}

/// The headers of answers that are described in one place.
pub(super) fn headers() -> Value {
    let whole = |least: u64| json!({"type": "integer", "minimum": least});
    json!({
        "RequestId": {"description": "The id of this request, the client's own or a new one.",
                      "schema": {"type": "string"}, "example": "0b6f1c1e-7a53-4c39-9d2e-5b1f0a7c8d94"},
        "RateLimit": {"description": "Requests that the route's limit allows in one window. Absent while it is switched off.",
                      "schema": whole(1), "example": 120},
        "RateLimitRemaining": {"description": "Requests that are left in the window that is open now.",
                               "schema": whole(0), "example": 119},
        "ETag": {"description": "Send it back as `If-None-Match` to be told when nothing has changed.",
                 "schema": {"type": "string"}, "example": EXAMPLE_TAG},
        "ContentRange": {"description": "Which bytes of how many these are, or how many there are.",
                         "schema": {"type": "string"}, "example": "bytes 0-99/1000"},
        "RetryAfter": {"description": "Seconds to wait.", "schema": whole(1), "example": 30},
    })
}

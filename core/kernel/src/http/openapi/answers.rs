//! What routes answer: success, and every failure.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Map, Value, json};

use super::headers::{failure_headers, shared, usual_headers};
use super::parameters::header;
use super::schemas::Schemas;
use crate::auth::LimitClass;
use crate::http::error::ApiError;
use crate::http::freeze::OwnedRoute;
use crate::http::table::{Access, AnswerShape, Operation, Route};
use crate::i18n::{Language, Message, Texts, Violation};

/// Files that have whatever media type their contents have. The first is the one that generators of clients know.
const ANY_FILE: [&str; 2] = ["application/octet-stream", "*/*"];

/// The answers of a route by their status.
pub(super) fn answers(owned: &OwnedRoute, schemas: &mut Schemas) -> Value {
    let described = &owned.route.operation;
    let mut found = Map::new();
    if let Some(answer) = described.answer {
        let mut success = success(described, answer, schemas);
        if described.cached {
            let mut unchanged =
                json!({"description": "Not changed since the given `ETag`", "headers": usual_headers()});
            for headers in [&mut unchanged["headers"], &mut success["headers"]] {
                validators(&owned.route, headers);
            }
            found.insert(String::from("304"), unchanged);
        }
        if described.ranges {
            let mut part = success.clone();
            part["description"] = "The part that `Range` asks for".into();
            part["headers"]["Content-Range"] = shared("ContentRange");
            found.insert(String::from("206"), part);
        }
        for (status, description) in &described.also {
            let mut other = success.clone();
            other["description"] = (*description).into();
            found.insert(status.to_string(), other);
        }
        found.insert(answer.status.to_string(), success);
    }
    for status in failures(&owned.route) {
        found.insert(status.to_string(), json!({"$ref": format!("#/components/responses/Error{status}")}));
    }
    for (AnswerShape { status, description, schema }, example) in &described.failure_shapes {
        let content = json!({"application/json": {"schema": schemas.answer(*schema), "example": example()}});
        let failure = json!({"description": description, "headers": failure_headers(*status), "content": content});
        found.insert(status.to_string(), failure);
    }
    Value::Object(found)
}

/// The headers by which an answer is known again, and those for caches that many share.
fn validators(route: &Route, headers: &mut Value) {
    headers["ETag"] = shared("ETag");
    if route.access == Access::Public(LimitClass::Catalog) {
        headers["Surrogate-Key"] = shared("SurrogateKey");
        headers["Cache-Tag"] = shared("CacheTag");
    }
}

fn success(described: &Operation, answer: AnswerShape, schemas: &mut Schemas) -> Value {
    let mut success = json!({"description": answer.description, "headers": usual_headers()});
    for parameter in &described.answer_headers {
        success["headers"][parameter.name] = header(parameter);
    }
    if answer.status == 204 {
        return success;
    }
    success["content"] = json!({});
    if !described.only_files {
        let mut content = json!({"schema": schemas.answer(answer.schema)});
        if let Some(example) = described.answer_example {
            content["example"] = example();
        }
        success["content"]["application/json"] = content;
    }
    let file = json!({"schema": {"type": "string", "format": "binary"}});
    for media_type in &described.files {
        let media_types = if *media_type == ANY_FILE[0] { &ANY_FILE[..] } else { std::slice::from_ref(media_type) };
        for media_type in media_types {
            success["content"][*media_type] = file.clone();
        }
    }
    success
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
        // Whoever is no browser of the shop's own pages lacks the token against forged requests.
        Access::FirstParty if route.method != Method::GET => statuses.extend([403]),
        Access::Public(_)
        | Access::Credentials
        | Access::FirstParty
        | Access::Page
        | Access::ShopPage
        | Access::Callback
        | Access::Console(_)
        | Access::ConsoleDoor => {}
    }
    if !described.path.is_empty() || described.by_order_key {
        statuses.insert(404);
    }
    // The body of every write is read and must be JSON, whether or not the handler wants one.
    if route.method != Method::GET {
        statuses.extend([400, 408, 413, 415, 422]);
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
        let content = json!({"schema": {"$ref": "#/components/schemas/ErrorBody"}, "example": error.body(&Texts::built_in(), Language::EN)});
        let response = json!({
            "description": description,
            "headers": failure_headers(status),
            "content": {"application/json": content},
        });
        found.insert(format!("Error{status}"), response);
    }
    Value::Object(found)
}

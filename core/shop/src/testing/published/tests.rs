//! The check of answers finds what the document does not promise.

use serde_json::json;

use super::*;

/// A document with one operation, whose answer has this schema.
fn document(schema: &Value) -> Arc<Published> {
    let answer = json!({
        "description": "Success",
        "headers": {"X-Known": {"schema": {"type": "integer", "minimum": 1}}},
        "content": {"application/json": {"schema": schema}},
    });
    let failure = json!({"description": "Failure", "content": {"application/json": {"schema": {"type": "object"}}}});
    let thing = json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}});
    let document = json!({
        "paths": {
            "/things/{id}": {"get": {"responses": {"200": answer}}},
            "/things/new": {"get": {"responses": {"204": {"description": "Done"}}}},
            "/session": {"servers": [{"url": "/"}], "get": {"responses": {"204": {"description": "Done"}}}},
        },
        "components": {"schemas": {"Thing": thing}, "responses": {"Error404": failure}},
    });
    Published::of(&Bytes::from(document.to_string()))
}

fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> TestResponse {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.insert(*name, http::HeaderValue::from_static(value));
    }
    TestResponse::new(StatusCode::from_u16(status).expect("a status"), map, body.to_owned().into())
}

const JSON: (&str, &str) = ("content-type", "application/json");

fn problems(schema: &Value, body: &Value) -> Vec<String> {
    document(schema).problems(&Method::GET, "/api/v1/things/1", &answer(200, &[JSON], &body.to_string()))
}

#[test]
fn null_is_only_where_nullable_stands_beside_a_type() {
    let reference = json!({"$ref": "#/components/schemas/Thing"});
    for (schema, allows) in [
        (json!({"type": "string", "nullable": true}), true),
        (json!({"type": "string"}), false),
        (json!({"nullable": true, "allOf": [reference]}), false),
        (json!({"type": "object", "nullable": true, "allOf": [reference]}), false),
        (json!({"oneOf": [reference, {"type": "string", "nullable": true, "enum": [null]}]}), true),
        (json!({"type": "string", "nullable": true, "enum": ["a"]}), false),
        (json!({"$ref": "#/components/schemas/Thing", "nullable": true}), false),
    ] {
        assert_eq!(problems(&schema, &Value::Null).is_empty(), allows, "{schema}");
    }
}

#[test]
fn members_that_are_not_listed_are_problems() {
    let thing = json!({"$ref": "#/components/schemas/Thing"});
    assert!(problems(&thing, &json!({"id": 1})).is_empty());
    assert!(!problems(&thing, &json!({"id": 1, "name": "new"})).is_empty());
    assert!(!problems(&thing, &json!({})).is_empty());
    let open = json!({"type": "object", "properties": {"id": {}}, "additionalProperties": {"type": "string"}});
    assert!(problems(&open, &json!({"id": 1, "name": "new"})).is_empty());
    assert!(!problems(&open, &json!({"id": 1, "name": 2})).is_empty());
    assert!(!problems(&json!({"type": "array", "items": thing}), &json!([{"id": 1, "name": "new"}])).is_empty());
}

#[test]
fn statuses_media_types_and_headers_must_be_declared() {
    let published = document(&json!({"type": "object"}));
    let found = |answer: &TestResponse| published.problems(&Method::GET, "/api/v1/things/1", answer).join("; ");
    assert_eq!(found(&answer(200, &[JSON, ("x-known", "1"), ("vary", "Accept")], "{}")), "");
    assert!(found(&answer(201, &[JSON], "{}")).contains("201"));
    assert!(found(&answer(200, &[("content-type", "text/plain")], "{}")).contains("text/plain"));
    assert!(found(&answer(200, &[JSON, ("x-unknown", "1")], "{}")).contains("x-unknown"));
    assert!(found(&answer(200, &[JSON, ("x-known", "0")], "{}")).contains("x-known"));
    assert!(found(&answer(200, &[JSON], "{")).contains("JSON"));
}

#[test]
fn the_most_literal_path_is_meant_and_what_is_unknown_is_refused() {
    let published = document(&json!({"type": "object"}));
    let found =
        |method: Method, path: &str, answer: &TestResponse| published.problems(&method, path, answer).join("; ");
    let done = answer(204, &[], "");
    assert_eq!(found(Method::GET, "/api/v1/things/new", &done), "");
    assert_eq!(found(Method::GET, "/session", &done), "");
    assert!(found(Method::GET, "/api/v1/things/1", &done).contains("204"));
    assert_eq!(found(Method::GET, "/api/v1/others", &answer(404, &[JSON], "{}")), "");
    assert!(found(Method::GET, "/api/v1/others", &done).contains("404"));
    assert!(found(Method::GET, "/api/v1/session", &done).contains("404"));
    assert_eq!(found(Method::POST, "/api/v1/things/1", &answer(405, &[JSON, ("allow", "GET")], "{}")), "");
    assert!(found(Method::POST, "/api/v1/things/1", &answer(405, &[JSON], "{}")).contains("Allow"));
    assert!(found(Method::POST, "/api/v1/things/1", &answer(200, &[JSON], "{}")).contains("405"));
    assert_eq!(found(Method::GET, "/health/live", &done), "");
}

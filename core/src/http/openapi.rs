//! The OpenAPI 3.0.3 document (S9.3), built from the frozen route table.
//!
//! Clients generate code from it, so it is complete: every resource and error is a named schema,
//! every operation has a stable id. Only what is mounted is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderValue, Method};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::error::{ApiError, ApiResult, ErrorBody, ErrorCode};
use super::freeze::{FrozenRoutes, OwnedRoute};
use super::rules::{Field, Kind, Rules};
use super::shape::Answers;
use super::table::{
    Access, AnswerShape, Base, HeaderParameter, Operation, PathKind, QueryParameter, Route, Routes, routes,
};
use crate::auth::{LimitClass, session_cookie_name};

/// The version of the OpenAPI specification that the document follows.
const OPENAPI_VERSION: &str = "3.0.3";

/// What the document says about the installation.
#[derive(Debug, Clone)]
pub struct Installation<'a> {
    /// The shop's name.
    pub shop_name: &'a str,
    /// The public URL of the API, without a trailing slash.
    pub api_url: &'a str,
}

/// Makes the document.
pub fn document(routes: &FrozenRoutes, installation: &Installation<'_>) -> Value {
    let mut generator = SchemaSettings::openapi3().for_serialize().into_generator();
    generator.subschema_for::<ErrorBody>();
    let mut bodies = BTreeMap::new();
    let mut paths = Map::new();
    let mut tags = BTreeSet::new();
    // What lies outside the API serves the shop's own pages, and is no part of it.
    for owned in routes.entries.iter().filter(|owned| owned.route.base == Base::Api) {
        tags.insert(tag(owned));
        let operation = operation(owned, &mut generator, &mut bodies);
        let item = paths.entry(owned.route.path.to_owned()).or_insert_with(|| json!({}));
        item[owned.route.method.as_str().to_lowercase()] = operation;
    }
    let mut schemas = generator.take_definitions(true);
    schemas.extend(bodies);
    let mut error = schemas.remove("Error").unwrap_or_default();
    error["properties"]["code"]["enum"] = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    error["example"] = json!({"message": "The page or object was not found.", "code": "not_found"});
    schemas.insert(String::from("Error"), error);
    let mut document = json!({
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": format!("{} API", installation.shop_name),
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The customer and storefront API of this shop. Amounts are integers in the smallest \
                            unit of the currency; calculate with them, never with formatted text. Every answer \
                            carries `X-Request-Id`; name it when you report a problem.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": installation.api_url}],
        "tags": tags.into_iter().map(|name| json!({"name": name})).collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses(),
            "headers": headers(),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A personal access token, made by `POST /auth/tokens` or by the shop's operator.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": session_cookie_name(installation.api_url),
                    "description": "A session of the shop's own pages. An access token sent along decides alone.",
                },
                "csrf": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-XSRF-TOKEN",
                    "description": "The value of the cookie `XSRF-TOKEN`, with every write that a session makes.",
                },
            },
        },
    });
    nullable_references(&mut document);
    document
}

fn tag(owned: &OwnedRoute) -> &'static str {
    owned.route.prefix()
}

fn operation(owned: &OwnedRoute, generator: &mut SchemaGenerator, bodies: &mut BTreeMap<String, Value>) -> Value {
    let route = &owned.route;
    let described = &route.operation;
    let mut value = json!({
        "operationId": route.name.replace(['.', '-'], "_"),
        "tags": [tag(owned)],
        "summary": described.summary,
        "parameters": parameters(owned),
        "responses": answers(owned, generator),
    });
    if !described.description.is_empty() {
        value["description"] = described.description.into();
    }
    if owned.owner != "core" {
        value["x-module"] = owned.owner.into();
    }
    match route.access {
        Access::Ability(ability) => {
            value["security"] = protection(route);
            value["x-required-ability"] = ability.into();
        }
        Access::Unmapped | Access::ByPrefix => value["security"] = protection(route),
        Access::Session => value["security"] = json!([{"session": [], "csrf": []}]),
        Access::Cart => value["security"] = optional_protection(route),
        Access::Public(_) | Access::Credentials | Access::FirstParty => value["security"] = json!([]),
    }
    if let Some((name, rules)) = described.body {
        bodies.insert(name.to_owned(), object_schema(&rules()));
        let mut content = json!({"schema": {"$ref": format!("#/components/schemas/{name}")}});
        if let Some(example) = described.body_example {
            content["example"] = example();
        }
        value["requestBody"] = json!({"required": true, "content": {"application/json": content}});
    }
    value
}

/// A token, or a session; writes with a session need the CSRF token too (S5.1 rules 1 and 2).
fn protection(route: &Route) -> Value {
    let session = if route.method == Method::GET { json!({"session": []}) } else { json!({"session": [], "csrf": []}) };
    json!([{"bearer": []}, session])
}

/// Nothing at all, or what [`protection`] asks for.
fn optional_protection(route: &Route) -> Value {
    let mut ways = protection(route);
    if let Value::Array(ways) = &mut ways {
        ways.insert(0, json!({}));
    }
    ways
}

fn parameters(owned: &OwnedRoute) -> Vec<Value> {
    let names = owned.route.path.split('/').filter(|segment| segment.starts_with('{'));
    let in_path = names.zip(&owned.route.operation.path).map(|(name, kind)| {
        let schema = match kind {
            PathKind::Id => json!({"type": "integer", "format": "int64", "minimum": 1}),
            PathKind::Text => json!({"type": "string"}),
        };
        json!({"name": name.trim_matches(['{', '}']), "in": "path", "required": true, "schema": schema})
    });
    let in_query = owned.route.operation.query.iter().map(|parameter| {
        let QueryParameter { name, description, kind, example } = parameter;
        let (schema, example) = match example.parse::<i64>() {
            Ok(number) if *kind == "integer" => (json!({"type": "integer", "minimum": 1, "default": 1}), number.into()),
            _ => (json!({"type": kind}), Value::from(*example)),
        };
        json!({"name": name, "in": "query", "required": false, "description": description,
               "schema": schema, "example": example})
    });
    let in_headers = owned.route.operation.headers.iter().map(|parameter| {
        let mut value = header(parameter);
        value["name"] = parameter.name.into();
        value["in"] = "header".into();
        value["required"] = false.into();
        value
    });
    in_path.chain(in_query).chain(in_headers).collect()
}

/// What the document says about a header besides its name.
fn header(parameter: &HeaderParameter) -> Value {
    let HeaderParameter { name: _, description, pattern, example } = parameter;
    json!({"description": description, "schema": {"type": "string", "pattern": pattern}, "example": example})
}

fn answers(owned: &OwnedRoute, generator: &mut SchemaGenerator) -> Value {
    let described = &owned.route.operation;
    let mut found = Map::new();
    if let Some(answer) = described.answer {
        let mut success = json!({
            "description": answer.description,
            "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}},
            "content": {},
        });
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
            found.insert(String::from("304"), json!({"description": "Not changed since the given `ETag`"}));
        }
        if described.ranges {
            let mut part = success.clone();
            part["description"] = "The part that `Range` asks for".into();
            part["headers"]["Content-Range"] = json!({"$ref": "#/components/headers/ContentRange"});
            found.insert(String::from("206"), part);
        }
        found.insert(answer.status.to_string(), success);
    }
    for status in failures(owned.route.access, described) {
        found.insert(status.to_string(), json!({"$ref": format!("#/components/responses/Error{status}")}));
    }
    Value::Object(found)
}

/// The statuses of failure that follow from how a route is guarded and what it takes.
fn failures(access: Access, described: &Operation) -> BTreeSet<u16> {
    let mut statuses = BTreeSet::from([429, 500]);
    statuses.extend(&described.failures);
    if described.ranges {
        statuses.insert(416);
    }
    match access {
        Access::Ability(_) | Access::Cart | Access::Session | Access::Unmapped | Access::ByPrefix => {
            statuses.extend([401, 403]);
        }
        Access::Public(_) | Access::Credentials | Access::FirstParty => {}
    }
    if !described.path.is_empty() {
        statuses.insert(404);
    }
    if described.body.is_some() {
        statuses.extend([413, 415, 422]);
    }
    statuses
}

fn responses() -> Value {
    let described = [
        (401, "Authentication is missing or invalid"),
        (403, "The token lacks an ability, may not be used from this address, or the context is wrong"),
        (404, "Unknown, hidden, or somebody else's"),
        (409, "The state does not allow it; reload and look"),
        (413, "The body is larger than 1 MiB"),
        (415, "The body is not JSON"),
        (416, "The range lies behind the end of the file"),
        (422, "The input is invalid, or a condition does not hold"),
        (429, "A rate limit is exceeded; wait for `Retry-After` seconds"),
        (500, "The server failed"),
        (503, "The server cannot do it now; try again later"),
    ];
    let mut found = Map::new();
    for (status, description) in described {
        let mut response = json!({
            "description": description,
            "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        });
        if matches!(status, 429 | 503) {
            response["headers"]["Retry-After"] = json!({"$ref": "#/components/headers/RetryAfter"});
        }
        if status == 416 {
            response["headers"]["Content-Range"] = json!({"$ref": "#/components/headers/ContentRange"});
        }
        found.insert(format!("Error{status}"), response);
    }
    Value::Object(found)
}

fn headers() -> Value {
    json!({
        "RequestId": {"description": "The id of this request, the client's own or a new one.",
                      "schema": {"type": "string"}},
        "ETag": {"description": "Send it back as `If-None-Match` to be told when nothing has changed.",
                 "schema": {"type": "string"}},
        "ContentRange": {"description": "Which bytes of how many these are, or how many there are.",
                         "schema": {"type": "string"}, "example": "bytes 0-99/1000"},
        "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}},
    })
}

/// The schema of an object that follows a rule table.
fn object_schema(rules: &Rules) -> Value {
    let required = rules.fields.iter().filter(|field| field.required).map(|field| field.name).collect::<Vec<_>>();
    let properties = rules.fields.iter().map(|field| (field.name.to_owned(), field_schema(field)));
    let mut schema = json!({"type": "object", "properties": properties.collect::<Map<_, _>>()});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn field_schema(field: &Field) -> Value {
    let mut schema = match &field.kind {
        Kind::String { min, max, format, .. } => {
            let mut schema = json!({"type": "string", "maxLength": max});
            let min = if field.required { (*min).max(1) } else { *min };
            if min > 0 {
                schema["minLength"] = min.into();
            }
            if let Some(format) = format {
                schema["format"] = (*format).into();
            }
            if !field.values.is_empty() {
                schema["enum"] = field.values.clone().into();
            }
            schema
        }
        Kind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Array { item, max } => json!({"type": "array", "items": field_schema(item), "maxItems": max}),
        Kind::Object(rules) => object_schema(rules),
        Kind::Map { max, values } => {
            json!({"type": "object", "additionalProperties": values(), "maxProperties": max})
        }
    };
    if field.nullable {
        schema["nullable"] = true.into();
    }
    if !field.description.is_empty() {
        schema["description"] = field.description.into();
    }
    schema
}

/// OpenAPI 3.0 ignores what stands beside `$ref`, and has no type `null`: an optional named schema
/// is `nullable` with `allOf`.
fn nullable_references(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(nullable_references),
        Value::Object(members) => {
            members.values_mut().for_each(nullable_references);
            if let Some(Value::Array(choices)) = members.get("anyOf") {
                let is_null = |choice: &Value| {
                    choice["type"] == "null" || choice["enum"] == json!([null]) || choice == &json!({"nullable": true})
                };
                let named = choices.iter().filter(|choice| !is_null(choice)).cloned().collect::<Vec<_>>();
                if named.len() == 1 && choices.len() == 2 {
                    members.remove("anyOf");
                    members.insert(String::from("nullable"), true.into());
                    members.insert(String::from("allOf"), named.into());
                }
            } else if members.len() > 1
                && let Some(reference) = members.remove("$ref")
            {
                members.insert(String::from("allOf"), json!([{"$ref": reference}]));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The document itself, as one of the routes.
pub(crate) fn document_routes() -> Routes<Arc<OnceLock<Bytes>>> {
    routes().get("openapi.show", "/openapi.json", serve).summary("Read this document").public(LimitClass::Catalog)
}

/// The document's bytes, made once at the start.
struct Document(Bytes);

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], self.0).into_response()
    }
}

impl Answers for Document {
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

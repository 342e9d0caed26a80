//! The OpenAPI 3.0.3 document (S9.3), built from the frozen route table.
//!
//! Clients generate code from it, so it is complete: every resource and error is a named schema,
//! every operation has a stable id. Only what is mounted is listed.

mod answers;
mod parameters;
mod route;
mod schemas;

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::error::{ErrorBody, ErrorCode};
use super::freeze::{FrozenRoutes, OwnedRoute};
use super::table::{Access, Base, Route};
use crate::auth::session_cookie_name;

use answers::{answers, headers, responses};
use parameters::{parameters, shared_parameters};
use schemas::{nullable_references, object_schema};

pub(crate) use route::document_routes;

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
            "parameters": shared_parameters(),
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

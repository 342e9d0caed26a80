//! The OpenAPI 3.0.3 document (S9.3), built from the frozen route table.
//!
//! Clients generate code from it, so it is complete: every resource and error is a named schema,
//! every operation has a stable id. Only what is mounted is listed.

mod answers;
mod dialect;
mod headers;
mod members;
mod parameters;
mod route;
mod schemas;
mod tags;

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde_json::{Map, Value, json};

use super::error::ErrorBody;
use super::freeze::{FrozenRoutes, OwnedRoute};
use super::table::{API_BASE, Access, Base, Route};
use crate::auth::{AbilityCatalog, FULL_ACCESS, session_cookie_name};
use crate::config::EVENT_TYPES;
use crate::module::{DetailsTable, WebhookTypes};
use answers::{answers, responses};
use headers::headers;
use parameters::{parameters, shared_parameters};
use schemas::Schemas;
use tags::tag_description;

pub use members::ApiMembers;
pub(crate) use members::Shapes;
pub use route::document_routes;

/// The version of the OpenAPI specification that the document follows.
const OPENAPI_VERSION: &str = "3.0.3";

/// The name of the schema that lists the abilities, for fields of rule tables.
pub const ABILITY: &str = "Ability";

/// What the document says about the installation.
#[derive(Debug, Clone)]
pub struct Installation<'a> {
    /// The shop's name.
    pub shop_name: &'a str,
    /// The public URL of the shop, without a trailing slash.
    pub base_url: &'a str,
    /// What tokens may hold.
    pub abilities: &'a AbilityCatalog,
    /// What modules say about products.
    pub details: &'a DetailsTable,
    /// What modules tell other programs about.
    pub webhook_types: &'a WebhookTypes,
}

/// Makes the document.
pub fn document(routes: &FrozenRoutes, installation: &Installation<'_>) -> Value {
    let Installation { shop_name, base_url, abilities, details, webhook_types } = installation;
    let mut schemas = Schemas::new();
    schemas.add::<ErrorBody>();
    schemas.add_schema(ABILITY, ability_schema(abilities));
    let mut paths = Map::new();
    let mut tags = BTreeMap::new();
    for owned in routes.entries.iter().filter(|owned| owned.route.is_published()) {
        tags.entry(tag(owned)).or_insert(owned.owner);
        let operation = operation(owned, &mut schemas);
        let item = paths.entry(owned.route.path.to_owned()).or_insert_with(|| match owned.route.base {
            Base::Api => json!({}),
            Base::Site => json!({"servers": [{"url": base_url}]}),
        });
        item[owned.route.method.as_str().to_lowercase()] = operation;
    }
    let webhooks = webhooks(webhook_types, &mut schemas);
    let mut schemas = schemas.finish(details);
    if let Some(error) = schemas.get_mut("ErrorBody") {
        error["example"] = json!({"message": "The page or object was not found.", "code": "not_found"});
    }
    let tags = tags.into_iter().map(|(name, owner)| json!({"name": name, "description": tag_description(name, owner)}));
    let mut document = json!({
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": format!("{shop_name} API"),
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
            "contact": {"name": shop_name, "url": base_url},
            "license": {"name": "MIT OR Apache-2.0", "url": env!("CARGO_PKG_REPOSITORY")},
        },
        "servers": [{"url": format!("{base_url}{API_BASE}")}],
        "tags": tags.collect::<Vec<_>>(),
        "paths": paths,
        "x-webhooks": webhooks,
        "components": {
            "schemas": schemas,
            "parameters": shared_parameters(),
            "responses": responses(),
            "headers": headers(),
            "securitySchemes": security_schemes(base_url),
        },
    });
    leave_out_unused(&mut document);
    document
}

/// The types of events that endpoints may subscribe to. OpenAPI 3.0 has no place of its own for them.
fn webhooks(types: &WebhookTypes, schemas: &mut Schemas) -> Vec<Value> {
    let own = EVENT_TYPES.into_iter().map(|name| json!({"type": name}));
    let of_modules = types.of_modules().iter().map(|known| {
        let data = schemas.answer(known.data);
        json!({"type": known.name, "description": known.description, "data": data})
    });
    own.chain(of_modules).collect()
}

/// Takes away shared answers and headers to which nothing refers: which of them there are depends on the modules that are on.
fn leave_out_unused(document: &mut Value) {
    for kind in ["responses", "parameters", "headers"] {
        let mut used = BTreeSet::new();
        collect_references(document, &format!("#/components/{kind}/"), &mut used);
        let Some(shared) = document["components"][kind].as_object_mut() else { continue };
        shared.retain(|name, _| used.contains(name));
    }
}

/// Collects the names of what is referred to below a path.
fn collect_references(part: &Value, path: &str, names: &mut BTreeSet<String>) {
    match part {
        Value::Object(members) => {
            let name = members.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix(path));
            names.extend(name.map(str::to_owned));
            members.values().for_each(|member| collect_references(member, path, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, path, names)),
        _ => {}
    }
}

/// What holds for all operations.
const INTRODUCTION: &str = "The customer and storefront API of this shop. Amounts are integers in the smallest unit of the currency; calculate \
     with them, never with formatted text. Members that are not listed here may be added at any time.\n\n\
     Every request may carry `Accept-Language`, which chooses the language of `message` and of other texts for people, and \
     `X-Request-Id` (1 to 128 visible ASCII characters), which the answer repeats; name it when you report a problem. \
     Text must not hold control characters; white space at its ends is removed, except from passwords.\n\n\
     Paths below `/session` are for the shop's own pages in a browser. They begin at the root of the shop, not at \
     `/api/v1`, as their `servers` say; a generated client that ignores `servers` of a path needs a second instance whose base \
     is the root of the shop.";

fn ability_schema(abilities: &AbilityCatalog) -> Value {
    let names = std::iter::once(FULL_ACCESS).chain(abilities.names()).collect::<Vec<_>>();
    json!({"type": "string", "enum": names, "description": "What a token opens; `*` is everything."})
}

fn security_schemes(base_url: &str) -> Value {
    json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal access token, made by `POST /auth/tokens` or by the shop's operator.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": session_cookie_name(base_url),
            "description": "A session of the shop's own pages. An access token sent along decides alone.",
        },
        "csrf": {
            "type": "apiKey",
            "in": "header",
            "name": "X-XSRF-TOKEN",
            "description": "The value of the cookie `XSRF-TOKEN`, with every write that a session makes. \
                            `GET /session/csrf` sets the cookie.",
        },
    })
}

fn tag(owned: &OwnedRoute) -> &'static str {
    owned.route.prefix()
}

fn operation(owned: &OwnedRoute, schemas: &mut Schemas) -> Value {
    let route = &owned.route;
    let described = &route.operation;
    let mut value = json!({
        "operationId": route.name.replace(['.', '-'], "_"),
        "tags": [tag(owned)],
        "summary": described.summary,
        "parameters": parameters(owned),
        "responses": answers(owned, schemas),
    });
    if !described.description.is_empty() {
        value["description"] = described.description.into();
    }
    if owned.owner != "core" {
        value["x-module"] = owned.owner.into();
    }
    match route.access {
        Access::Ability(ability) => {
            value["security"] = if described.by_order_key { optional_protection(route) } else { protection(route) };
            value["x-required-ability"] = ability.into();
        }
        Access::Unmapped | Access::ByPrefix => value["security"] = protection(route),
        Access::Session => value["security"] = json!([{"session": [], "csrf": []}]),
        Access::Cart => value["security"] = optional_protection(route),
        Access::FirstParty if route.method != Method::GET => value["security"] = json!([{"csrf": []}]),
        Access::Public(_)
        | Access::Credentials
        | Access::FirstParty
        | Access::Page
        | Access::ShopPage
        | Access::Callback
        | Access::Console(_)
        | Access::ConsoleDoor => {
            value["security"] = json!([]);
        }
    }
    if let Some((name, rules)) = described.body {
        let mut content = json!({"schema": schemas.body(name, &rules())});
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

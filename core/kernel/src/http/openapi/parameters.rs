//! What routes take besides a body.

use http::Method;
use serde_json::{Value, json};

use crate::http::freeze::OwnedRoute;
use crate::http::table::{HeaderParameter, Operation, PathKind, PathParameter, QueryParameter};

/// An id, for examples.
const EXAMPLE_ID: i64 = 42;

/// An `ETag`, for examples.
pub(super) const EXAMPLE_TAG: &str = "\"5f1d0c7a9b3e4d2f8a6c1e0b\"";

/// Everything besides the body that a route takes, and that is no credentials.
pub(super) fn parameters(owned: &OwnedRoute) -> Vec<Value> {
    let described = &owned.route.operation;
    let names = owned.route.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let in_path = names.zip(&described.path).map(|(name, kind)| in_path(name, *kind, described));
    let in_query = described.query.iter().map(|parameter| {
        let QueryParameter { name, description, kind, pattern, example } = parameter;
        let (mut schema, example) = match example.parse::<i64>() {
            Ok(number) if *kind == "integer" => {
                (json!({"type": "integer", "format": "int64", "minimum": 1, "default": 1}), number.into())
            }
            _ => (json!({"type": kind}), Value::from(*example)),
        };
        if let Some(pattern) = pattern {
            schema["pattern"] = (*pattern).into();
        }
        json!({"name": name, "in": "query", "required": false, "description": description,
               "schema": schema, "example": example})
    });
    let in_headers = described.headers.iter().map(|parameter| {
        let mut value = header(parameter);
        value["name"] = parameter.name.into();
        value["in"] = "header".into();
        value["required"] = false.into();
        value
    });
    let condition = described.cached.then(|| json!({"$ref": "#/components/parameters/IfNoneMatch"}));
    let writes = owned.route.method != Method::GET;
    let id = writes.then(|| json!({"$ref": "#/components/parameters/RequestId"}));
    in_path.chain(in_query).chain(in_headers).chain(condition).chain(id).collect()
}

/// A variable of the path. What the route does not say itself follows from the variable's name and the answer's example.
fn in_path(name: &str, kind: PathKind, described: &Operation) -> Value {
    let (schema, description, example) = match kind {
        PathKind::Id => {
            let schema = json!({"type": "integer", "format": "int64", "minimum": 1});
            (schema, format!("The id of the {name}."), EXAMPLE_ID.into())
        }
        PathKind::Text => {
            let shown = described.answer_example.and_then(|example| example()["data"].get(name).cloned());
            let example = shown.filter(Value::is_string).unwrap_or_else(|| name.into());
            (json!({"type": "string"}), format!("The {name}, as lists and answers have it."), example)
        }
    };
    let mut value = json!({"name": name, "in": "path", "required": true, "description": description,
                           "schema": schema, "example": example});
    if let Some(PathParameter { description, example }) = described.path_parameter {
        value["description"] = description.into();
        value["example"] = match kind {
            PathKind::Id => example.parse::<i64>().map_or_else(|_| example.into(), Value::from),
            PathKind::Text => example.into(),
        };
    }
    value
}

/// Parameters that several routes share.
pub(super) fn shared_parameters() -> Value {
    json!({
        "IfNoneMatch": {
            "name": "If-None-Match", "in": "header", "required": false,
            "description": "`ETag`s of answers that the client has kept: 304 when one of them is still current.",
            "schema": {"type": "string"}, "example": EXAMPLE_TAG,
        },
        "RequestId": {
            "name": "X-Request-Id", "in": "header", "required": false,
            "description": "An id of the client's own for this request, which the answer and the shop's log repeat.",
            "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"}, "example": "checkout-7b0c2f9e",
        },
    })
}

/// What the document says about a header besides its name.
pub(super) fn header(parameter: &HeaderParameter) -> Value {
    let HeaderParameter { name: _, description, pattern, example } = parameter;
    json!({"description": description, "schema": {"type": "string", "pattern": pattern}, "example": example})
}

//! Schemas of bodies, from the rule tables that check them.

use serde_json::{Map, Value, json};

use crate::http::rules::{Field, Kind, Rules};

/// The schema of an object that follows a rule table.
pub(super) fn object_schema(rules: &Rules) -> Value {
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
pub(super) fn nullable_references(value: &mut Value) {
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

//! Generated schemas in OpenAPI 3.0.3, which is not JSON Schema, and in the forms that generators of clients understand.

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value, json};

/// Brings a schema and all that is in it into the dialect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect;

impl Transform for Dialect {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(members) = schema.as_object_mut() {
            list_words(members);
            name_null(members);
            wrap_reference(members);
            name_width(members);
        }
    }
}

/// What `null` is besides a schema that does not allow it. `nullable` means something only beside `type`, and beside a
/// reference nothing means anything, so it is an alternative of its own. Generators know that form of "or null"; the type that
/// allows it is none of words, because that for Rust would make a second enum of an enum that may be null.
pub(super) fn or_null(schema: &Value) -> Value {
    json!({"oneOf": [schema, {"type": "boolean", "nullable": true, "enum": [null]}]})
}

/// An enum is generated as one alternative for each word, with what the word means: here it is one list of words, and the
/// description tells what they mean.
fn list_words(members: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = members.get("oneOf").or_else(|| members.get("anyOf")) else { return };
    let mut words = Vec::new();
    let mut told = String::new();
    for choice in choices {
        let (true, Some(own)) = (choice["type"] == "string", choice["enum"].as_array()) else { return };
        if let (Some(meaning), Some(word)) = (choice["description"].as_str(), own.first().and_then(Value::as_str)) {
            told.push_str(&["\n- `", word, "`: ", &one_line(meaning)].concat());
        }
        words.extend(own.iter().cloned());
    }
    members.remove("oneOf");
    members.remove("anyOf");
    let described = members.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = [described, "\n", &told].concat();
    members.insert(String::from("type"), "string".into());
    members.insert(String::from("enum"), words.into());
    if !told.is_empty() {
        members.insert(String::from("description"), description.trim().into());
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An optional thing is generated as itself or null.
fn name_null(members: &mut Map<String, Value>) {
    let is_null = |choice: &Value| {
        choice["type"] == "null" || choice["enum"] == json!([null]) || choice == &json!({"nullable": true})
    };
    if let Some(Value::Array(choices)) = members.get("anyOf")
        && let [thing, null] = choices.as_slice()
        && is_null(null)
    {
        let thing = thing.clone();
        members.remove("anyOf");
        if thing.get("type").is_some()
            && let Value::Object(thing) = thing
        {
            for (name, value) in thing {
                members.entry(name).or_insert(value);
            }
            members.insert(String::from("nullable"), true.into());
        } else if let Value::Object(alternatives) = or_null(&thing) {
            members.extend(alternatives);
        }
    }
    if members.get("nullable") == Some(&json!(true))
        && let Some(Value::Array(words)) = members.get_mut("enum")
        && !words.contains(&Value::Null)
    {
        words.push(Value::Null);
    }
}

/// What stands beside a reference is ignored.
fn wrap_reference(members: &mut Map<String, Value>) {
    if members.len() > 1
        && let Some(reference) = members.remove("$ref")
    {
        members.insert(String::from("allOf"), json!([{"$ref": reference}]));
    }
}

/// OpenAPI knows whole numbers of 32 and of 64 bits, both with a sign.
fn name_width(members: &mut Map<String, Value>) {
    let wide = match members.get("format").and_then(Value::as_str) {
        Some("uint" | "uint32" | "uint64" | "int") => "int64",
        Some("uint8" | "uint16" | "int8" | "int16") => "int32",
        _ => return,
    };
    members.insert(String::from("format"), wide.into());
}

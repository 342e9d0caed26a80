//! Checks values against the schemas of the document, as a client's tools would.

use serde_json::Value;

/// What says nothing about which values are right, or only what a format means.
const SILENT: [&str; 7] = ["description", "title", "default", "example", "format", "pattern", "nullable"];

/// What is wrong with a value by a schema of the document. An object's members must all be known, so that no example shows
/// what is gone.
pub(crate) fn problems(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let named = document.pointer(reference.trim_start_matches('#')).expect("a reference leads somewhere");
        return problems(document, named, value, place);
    }
    if value.is_null() && schema["nullable"] == true {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (keyword, rule) in schema.as_object().unwrap_or_else(|| panic!("{place}: {schema} is no schema")) {
        let right = match keyword.as_str() {
            "type" => is_of(rule, value),
            "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "maximum" => value.as_f64() <= rule.as_f64(),
            "minLength" => length(value) >= rule.as_u64(),
            "maxLength" => length(value) <= rule.as_u64(),
            "minItems" | "minProperties" => size(value) >= rule.as_u64(),
            "maxItems" | "maxProperties" => size(value) <= rule.as_u64(),
            "required" => names(rule).all(|name| value.get(name).is_some()),
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    let place = format!("{place}.{name}");
                    match rule.get(name) {
                        Some(schema) => found.extend(problems(document, schema, member, &place)),
                        None if schema.get("additionalProperties").is_some() => {}
                        None => found.push(format!("{place} is unknown")),
                    }
                }
                true
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    let is_declared = schema["properties"].get(name).is_some();
                    if rule.is_object() && !is_declared {
                        found.extend(problems(document, rule, member, &format!("{place}.{name}")));
                    }
                }
                true
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(problems(document, rule, item, &format!("{place}.{index}")));
                }
                true
            }
            "allOf" => {
                let all = rule.as_array().into_iter().flatten();
                found.extend(all.flat_map(|schema| problems(document, schema, value, place)));
                true
            }
            "anyOf" | "oneOf" => {
                let mut any = rule.as_array().into_iter().flatten();
                any.any(|schema| problems(document, schema, value, place).is_empty())
            }
            silent => {
                assert!(SILENT.contains(&silent), "{place}: nobody here knows what `{silent}` means");
                true
            }
        };
        if !right {
            found.push(format!("{place}: {value} breaks `{keyword}`: {rule}"));
        }
    }
    found
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        _ => panic!("{kind} is no type of OpenAPI 3.0"),
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

fn size(value: &Value) -> Option<u64> {
    value.as_array().map(Vec::len).or_else(|| value.as_object().map(serde_json::Map::len)).map(|size| size as u64)
}

fn names(rule: &Value) -> impl Iterator<Item = &str> {
    rule.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn count(schema: &Value, value: &Value) -> usize {
        let named = json!({"type": "string", "enum": ["a"]});
        problems(&json!({"components": {"schemas": {"A": named}}}), schema, value, "value").len()
    }

    #[test]
    fn what_breaks_a_schema_is_found() {
        let object = json!({"type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer", "minimum": 1},
            "names": {"type": "array", "maxItems": 1, "items": {"$ref": "#/components/schemas/A"}},
            "note": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/A"}]},
        }});
        assert_eq!(count(&object, &json!({"id": 1, "names": ["a"], "note": null})), 0);
        for wrong in [
            json!([]),
            json!({}),
            json!({"id": 0}),
            json!({"id": "1"}),
            json!({"id": 1, "names": ["b"]}),
            json!({"id": 1, "names": ["a", "a"]}),
            json!({"id": 1, "names": null}),
            json!({"id": 1, "note": "b"}),
            json!({"id": 1, "more": 1}),
        ] {
            assert!(count(&object, &wrong) > 0, "{wrong}");
        }
        let either =
            json!({"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "boolean"}}]});
        assert_eq!(count(&either, &json!({"x": true})), 0);
        assert_eq!(count(&either, &json!({"x": 1})), 1);
    }
}

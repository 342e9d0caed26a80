//! Schemas of OpenAPI 3.0.3 as JSON Schema, which validators exist for.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

/// Where references to named schemas point.
const NAMED: &str = "#/components/schemas/";

/// The named schemas of a document, and the validators of what refers to them.
pub(super) struct StrictSchemas {
    named: Map<String, Value>,
    /// By the place of the schema in the document. Most tests need few of them, so each is made when it is first needed.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl StrictSchemas {
    /// These schemas by their names.
    pub(super) fn of(named: &Value) -> Self {
        let named = named.as_object().into_iter().flatten();
        let named = named.map(|(name, schema)| (name.clone(), strict(schema))).collect();
        Self { named, validators: Mutex::default() }
    }

    /// What is wrong with a value by the schema that stands at this place of the document.
    pub(super) fn problems(&self, place: &str, schema: &Value, value: &Value) -> Vec<String> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let validator = validators.entry(place.to_owned()).or_insert_with(|| Arc::new(self.validator(schema)));
        let validator = Arc::clone(validator);
        drop(validators);
        let told = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
        validator.iter_errors(value).map(told).collect()
    }

    fn validator(&self, schema: &Value) -> Validator {
        let schema = strict(schema);
        let mut names = BTreeSet::new();
        self.gather(&schema, &mut names);
        let needed = names.into_iter().filter_map(|name| Some((name.clone(), self.named.get(&name)?.clone())));
        let whole = json!({"allOf": [schema], "components": {"schemas": needed.collect::<Map<_, _>>()}});
        let options = jsonschema::options().with_draft(Draft::Draft7).should_validate_formats(true);
        options.build(&whole).unwrap_or_else(|error| panic!("a schema of the document is none: {error}"))
    }

    /// The names of all schemas that this one needs.
    fn gather(&self, schema: &Value, names: &mut BTreeSet<String>) {
        match schema {
            Value::Object(members) => {
                let name = members.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(NAMED));
                if let Some(name) = name
                    && names.insert(name.to_owned())
                    && let Some(named) = self.named.get(name)
                {
                    self.gather(named, names);
                }
                members.values().for_each(|value| self.gather(value, names));
            }
            Value::Array(items) => items.iter().for_each(|value| self.gather(value, names)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The schema as JSON Schema, by the letter: `nullable` counts beside `type` alone, nothing counts beside a reference, and an
/// object whose members are listed has no others unless it says so.
fn strict(schema: &Value) -> Value {
    let Some(members) = schema.as_object() else { return schema.clone() };
    if let Some(reference) = members.get("$ref") {
        return json!({"$ref": reference});
    }
    let mut found = Map::new();
    for (keyword, rule) in members {
        let rule = match (keyword.as_str(), rule) {
            ("nullable" | "example" | "description", _) => continue,
            ("type", Value::String(name)) if members.get("nullable") == Some(&Value::Bool(true)) => {
                json!([name, "null"])
            }
            ("properties", Value::Object(properties)) => {
                properties.iter().map(|(name, schema)| (name.clone(), strict(schema))).collect()
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => parts.iter().map(strict).collect(),
            ("items" | "additionalProperties" | "not", schema) => strict(schema),
            (_, rule) => rule.clone(),
        };
        found.insert(keyword.clone(), rule);
    }
    if found.contains_key("properties") {
        found.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    found.into()
}

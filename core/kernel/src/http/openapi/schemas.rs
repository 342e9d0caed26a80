//! The named schemas of the document: those of answers, generated from types, and those of bodies, from the rule tables
//! that check them.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::dialect::{Dialect, or_null};
use crate::http::rules::{Field, Kind, Rules};
use crate::http::table::SchemaOf;
use crate::module::{Details, DetailsTable};

/// Collects the schemas that the document names.
pub(super) struct Schemas {
    generator: SchemaGenerator,
    bodies: BTreeMap<String, Value>,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::openapi3().for_serialize().with_transform(Dialect);
        Self { generator: settings.into_generator(), bodies: BTreeMap::new() }
    }

    /// Names the schema of a type.
    pub(super) fn add<T: JsonSchema>(&mut self) {
        self.generator.subschema_for::<T>();
    }

    /// Names a schema that no type stands for.
    pub(super) fn add_schema(&mut self, name: &str, schema: Value) {
        self.bodies.insert(name.to_owned(), schema);
    }

    /// The schema of an answer's body.
    pub(super) fn answer(&mut self, make: SchemaOf) -> Value {
        let Ok(mut schema) = Schema::try_from(make(&mut self.generator)) else { return json!({}) };
        for transform in self.generator.transforms_mut() {
            transform.transform(&mut schema);
        }
        schema.to_value()
    }

    /// The schema of a body that follows a rule table, by its name.
    pub(super) fn body(&mut self, name: &str, rules: &Rules) -> Value {
        let schema = self.object(rules);
        self.add_schema(name, schema);
        reference(name)
    }

    /// All of them, those of answers first. What modules say about products becomes a part of the products' schema.
    pub(super) fn finish(mut self, details: &DetailsTable) -> Map<String, Value> {
        let is_shown = self.generator.definitions().contains_key(Details::SCHEMA);
        let told = if is_shown { details.schemas().collect() } else { Vec::new() };
        let members = told.into_iter().map(|(module, schema)| (module.to_owned(), self.answer(schema)));
        let members = members.collect::<Map<_, _>>();
        let mut named = self.generator.take_definitions(true);
        if !members.is_empty() {
            named[Details::SCHEMA]["properties"] = members.into();
        }
        named.extend(self.bodies);
        named
    }

    fn object(&mut self, rules: &Rules) -> Value {
        let required = rules.fields.iter().filter(|field| field.required).map(|field| field.name).collect::<Vec<_>>();
        let properties = rules.fields.iter().map(|field| (field.name.to_owned(), self.field(field)));
        let mut schema = json!({"type": "object", "properties": properties.collect::<Map<_, _>>()});
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }

    fn field(&mut self, field: &Field) -> Value {
        let mut schema = match field.schema {
            Some(name) => self.named(name, field),
            None => self.own(field),
        };
        if !field.description.is_empty() {
            schema["description"] = field.description.into();
        }
        schema
    }

    /// A field whose schema has a name.
    fn named(&mut self, name: &str, field: &Field) -> Value {
        let schema = match &field.kind {
            Kind::Object(rules) => self.body(name, rules),
            _ => reference(name),
        };
        match (field.nullable, field.description.is_empty()) {
            (true, _) => or_null(&schema),
            (false, true) => schema,
            (false, false) => json!({"allOf": [schema]}),
        }
    }

    fn own(&mut self, field: &Field) -> Value {
        let mut schema = match &field.kind {
            Kind::String { .. } => text(field),
            Kind::Integer { min, max } => whole_number(*min, *max),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Array { item, max } => json!({"type": "array", "items": self.field(item), "maxItems": max}),
            Kind::Object(rules) => self.object(rules),
            Kind::Map { max } => json!({"type": "object", "additionalProperties": {}, "maxProperties": max}),
        };
        if field.nullable {
            schema["nullable"] = true.into();
        }
        schema
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn text(field: &Field) -> Value {
    let Kind::String { min, max, trimmed, format, .. } = &field.kind else { return json!({}) };
    let mut schema = json!({"type": "string", "maxLength": max});
    let min = if field.required { (*min).max(1) } else { *min };
    if min > 0 {
        schema["minLength"] = min.into();
    }
    // Only passwords keep the spaces at their ends.
    if let Some(format) = format.or((!trimmed).then_some("password")) {
        schema["format"] = format.into();
    }
    if let Some(pattern) = field.pattern {
        schema["pattern"] = pattern.into();
    }
    if !field.values.is_empty() {
        let null = field.nullable.then_some(Value::Null);
        schema["enum"] = field.values.iter().map(|value| Value::from(*value)).chain(null).collect();
    }
    schema
}

/// Limits that the width implies are left out: many programs cannot read numbers of 64 bits exactly.
fn whole_number(min: i64, max: i64) -> Value {
    let mut schema = json!({"type": "integer", "format": "int64"});
    if min > i64::MIN {
        schema["minimum"] = min.into();
    }
    if max < i64::MAX {
        schema["maximum"] = max.into();
    }
    schema
}

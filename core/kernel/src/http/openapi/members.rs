//! The names of what the API's answers and bodies hold, for whoever looks through templates that show them.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::schemas::Schemas;
use crate::http::error::ErrorBody;
use crate::http::freeze::FrozenRoutes;
use crate::http::table::{BodyShape, SchemaOf};
use crate::module::DetailsTable;

/// What answers and bodies are made of, those of modules included that are off: what is written for one stays right while it is.
#[derive(Default)]
pub(crate) struct Shapes {
    answers: Vec<SchemaOf>,
    bodies: Vec<BodyShape>,
    modules: Vec<&'static str>,
}

impl Shapes {
    /// Adds what routes take and answer.
    pub(crate) fn add_routes(&mut self, routes: &FrozenRoutes) {
        let operations = routes.entries.iter().map(|owned| &owned.route.operation);
        for operation in operations {
            self.answers.extend(operation.answer.map(|answer| answer.schema));
            self.bodies.extend(operation.body);
        }
    }

    /// Adds what a module says about products.
    pub(crate) fn add_details(&mut self, module: &'static str, schema: SchemaOf) {
        self.modules.push(module);
        self.answers.push(schema);
    }

    pub(crate) fn append(&mut self, other: &mut Self) {
        self.answers.append(&mut other.answers);
        self.bodies.append(&mut other.bodies);
        self.modules.append(&mut other.modules);
    }
}

/// The names of all members of the API's answers and bodies.
#[derive(Clone)]
pub struct ApiMembers(Arc<Shapes>);

impl ApiMembers {
    pub(crate) fn new(shapes: Shapes) -> Self {
        Self(Arc::new(shapes))
    }

    /// The names, read off the types each time: only what looks through templates asks for them.
    pub fn names(&self) -> BTreeSet<String> {
        let Shapes { answers, bodies, modules } = &*self.0;
        let mut schemas = Schemas::new();
        schemas.add::<ErrorBody>();
        let mut found = modules.iter().map(|module| (*module).to_owned()).collect::<BTreeSet<_>>();
        for answer in answers {
            collect(&schemas.answer(*answer), &mut found);
        }
        for (name, rules) in bodies {
            schemas.body(name, &rules());
        }
        for schema in schemas.finish(&DetailsTable::default()).values() {
            collect(schema, &mut found);
        }
        found
    }
}

/// The members of objects in a schema.
fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(parts) => {
            let members = parts.get("properties").and_then(Value::as_object);
            names.extend(members.into_iter().flatten().map(|(name, _)| name.clone()));
            parts.values().for_each(|part| collect(part, names));
        }
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, names)),
        _ => {}
    }
}

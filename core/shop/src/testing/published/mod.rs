//! Whether answers are what the shop's own OpenAPI document says, read strictly: each status, media type, header and
//! member of an answer is declared, and null is only where the document allows it.

mod schema;
#[cfg(test)]
mod tests;

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use matchit::Router;
use serde_json::Value;

use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::http::API_BASE;
use stoa_kernel::module::ModuleEntry;

use super::client::TestResponse;
use crate::program::{Program, Shop};
use schema::StrictSchemas;

/// Headers of HTTP itself, which an OpenAPI document does not list: those of the message, and what caches and browsers of
/// other origins are told.
const UNLISTED: [&str; 9] = [
    "access-control-allow-credentials",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "connection",
    "content-length",
    "content-type",
    "date",
    "transfer-encoding",
    "vary",
];

/// Documents that were made and read already. Most shops of a test program have the same, and nothing of opening one takes longer.
static KNOWN: LazyLock<Mutex<HashMap<Recipe, Arc<Published>>>> = LazyLock::new(Mutex::default);

/// All that a document depends on, in one test program.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Recipe {
    config: String,
    enabled: Vec<&'static str>,
    modules: Vec<TypeId>,
    has_console: bool,
    base_url: String,
}

impl Recipe {
    pub(super) fn new(
        config: String,
        enabled: Vec<&'static str>,
        linked: &[ModuleEntry],
        has_console: bool,
        base_url: String,
    ) -> Self {
        let modules = linked.iter().map(|entry| entry.kind).collect();
        Self { config, enabled, modules, has_console, base_url }
    }
}

/// Opens the shop of a program, with the document of one that is alike if there was one before.
pub(super) async fn open(program: Program, parts: ShopParts, recipe: Recipe) -> (Shop, Arc<Published>) {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&recipe).cloned();
    if let Some(known) = &known {
        program.document.set(known.bytes.clone()).expect("nothing has made it yet");
    }
    let shop = Box::pin(program.open(parts)).await.expect("the shop opens");
    let published = known.unwrap_or_else(|| {
        let published = Published::of(&shop.document);
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(recipe, Arc::clone(&published));
        published
    });
    (shop, published)
}

/// An OpenAPI document that answers are held against.
pub struct Published {
    /// As it is answered.
    bytes: Bytes,
    document: Value,
    /// Where each path stands in the document.
    paths: Router<String>,
    schemas: StrictSchemas,
}

/// What is wrong with a value by a schema of an OpenAPI document, read strictly: null is allowed only where `nullable` stands
/// beside `type`, and objects whose members are listed have no others.
pub fn schema_problems(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    StrictSchemas::of(&document["components"]["schemas"]).problems("", schema, value)
}

impl Published {
    /// The document with these bytes, as `GET /api/v1/openapi.json` answers it.
    pub fn of(bytes: &Bytes) -> Arc<Self> {
        let document: Value = serde_json::from_slice(bytes).expect("the document is JSON");
        let mut paths = Router::new();
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            // A path with servers of its own begins at the root of the shop.
            let base = if item.get("servers").is_some() { "" } else { API_BASE };
            let pointer = format!("/paths/{}", path.replace('~', "~0").replace('/', "~1"));
            paths.insert([base, path].concat(), pointer).expect("axum routes the same paths");
        }
        let schemas = StrictSchemas::of(&document["components"]["schemas"]);
        Arc::new(Self { bytes: bytes.clone(), document, paths, schemas })
    }

    /// Fails the test unless an answer is as the document says. Paths of which the document says nothing, and which are not below
    /// the API's, may answer as they like.
    #[track_caller]
    pub fn expect(&self, method: &Method, path: &str, answer: &TestResponse) {
        let problems = self.problems(method, path, answer);
        assert!(
            problems.is_empty(),
            "the answer {} to {method} {path} is not as the document says:\n{}\nit was: {}",
            answer.status,
            problems.join("\n"),
            answer.text()
        );
    }

    /// What of an answer is not as the document says.
    fn problems(&self, method: &Method, path: &str, answer: &TestResponse) -> Vec<String> {
        // A question of a browser about another origin's request is none that the API itself answers.
        if method == Method::OPTIONS {
            return Vec::new();
        }
        let name = if method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
        match self.paths.at(path) {
            Ok(found) => {
                let operation = format!("{}/{name}", found.value);
                match self.document.pointer(&operation) {
                    Some(_) => self.problems_of(&operation, method, answer),
                    None => self.problems_of_failure(StatusCode::METHOD_NOT_ALLOWED, method, answer),
                }
            }
            Err(_) if path.starts_with(API_BASE) => self.problems_of_failure(StatusCode::NOT_FOUND, method, answer),
            Err(_) => Vec::new(),
        }
    }

    fn problems_of(&self, operation: &str, method: &Method, answer: &TestResponse) -> Vec<String> {
        let status = answer.status.as_u16();
        let declared = self.resolved(&format!("{operation}/responses/{status}"));
        let Some((pointer, declared)) = declared else { return vec![format!("the status {status} is not declared")] };
        let mut found = self.problems_of_headers(&pointer, &declared["headers"], &answer.headers);
        found.extend(self.problems_of_body(&pointer, &declared["content"], method, answer));
        found
    }

    /// What the document does not know is refused, with the body and the headers of every failure.
    fn problems_of_failure(&self, expected: StatusCode, method: &Method, answer: &TestResponse) -> Vec<String> {
        if answer.status != expected {
            return vec![format!("the document has no such operation, so it is {expected}")];
        }
        let Some((pointer, declared)) = self.resolved("/components/responses/Error404") else {
            return vec![String::from("the document has no Error404")];
        };
        let mut headers = answer.headers.clone();
        if expected == StatusCode::METHOD_NOT_ALLOWED && headers.remove(header::ALLOW).is_none() {
            return vec![String::from("`Allow` is missing")];
        }
        let mut found = self.problems_of_headers(&pointer, &declared["headers"], &headers);
        found.extend(self.problems_of_body(&pointer, &declared["content"], method, answer));
        found
    }

    fn problems_of_headers(&self, pointer: &str, declared: &Value, headers: &HeaderMap) -> Vec<String> {
        let mut found = Vec::new();
        for (name, value) in headers.iter().filter(|(name, _)| !UNLISTED.contains(&name.as_str())) {
            let known =
                declared.as_object().into_iter().flatten().find(|(known, _)| known.eq_ignore_ascii_case(name.as_str()));
            let Some((known, _)) = known else {
                found.push(format!("the header {name} is not declared"));
                continue;
            };
            let Some((pointer, described)) = self.resolved(&format!("{pointer}/headers/{known}")) else { continue };
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let value = match text.parse::<i64>() {
                Ok(number) if described["schema"]["type"] == "integer" => number.into(),
                _ => Value::from(text),
            };
            let problems = self.schemas.problems(&pointer, &described["schema"], &value);
            found.extend(problems.into_iter().map(|problem| format!("the header {name}: {problem}")));
        }
        found
    }

    fn problems_of_body(&self, pointer: &str, declared: &Value, method: &Method, answer: &TestResponse) -> Vec<String> {
        let Some(content) = declared.as_object() else {
            let is_empty = answer.body.is_empty();
            return if is_empty { Vec::new() } else { vec![String::from("a body is not declared")] };
        };
        if method == Method::HEAD {
            return Vec::new();
        }
        let given = answer.header("content-type").unwrap_or_default();
        let media_type = given.split(';').next().unwrap_or_default().trim();
        let Some((media_type, described)) = content.get_key_value(media_type).or_else(|| content.get_key_value("*/*"))
        else {
            return vec![format!("the media type `{media_type}` is not declared")];
        };
        if media_type != "application/json" {
            return Vec::new();
        }
        match serde_json::from_slice(&answer.body) {
            Ok(body) => self.schemas.problems(&format!("{pointer}/content"), &described["schema"], &body),
            Err(error) => vec![format!("it is no JSON: {error}")],
        }
    }

    /// What is at a place of the document, and where it really stands if that is a reference.
    fn resolved(&self, pointer: &str) -> Option<(String, &Value)> {
        let found = self.document.pointer(pointer)?;
        match found["$ref"].as_str() {
            Some(reference) => self.resolved(reference.trim_start_matches('#')),
            None => Some((pointer.to_owned(), found)),
        }
    }
}

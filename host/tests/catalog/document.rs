//! `GET /openapi.json`: complete, valid, and in step with what is mounted.

use serde_json::{Map, Value, json};
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::module::Linked;
use stoa_core::testing::{TestShop, both_databases, schema_problems};

use crate::shelf::{category, product};

async fn document(shop: &TestShop) -> Value {
    shop.client().get("/openapi.json").await.expect_status(200).json()
}

both_databases!(the_document_is_valid_openapi_3_0_3);
async fn the_document_is_valid_openapi_3_0_3(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let document = document(&shop).await;
    assert_eq!(document["openapi"], "3.0.3");
    let parsed: openapiv3::OpenAPI = serde_json::from_value(document).expect("the document follows OpenAPI 3.0");
    let ids = parsed.operations().map(|(_, _, operation)| operation.operation_id.clone().expect("an id"));
    let mut ids = ids.collect::<Vec<_>>();
    ids.sort();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "operation ids are unique");
    assert!(ids.contains(&String::from("products_index")), "{ids:?}");
}

both_databases!(every_reference_of_the_document_leads_somewhere_and_nothing_lacks_one);
async fn every_reference_of_the_document_leads_somewhere_and_nothing_lacks_one(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let document = document(&shop).await;
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 20, "{}", references.len());
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn the_document_has_nothing_that_is_not_used_whatever_modules_are_on() {
    let out_of_the_box = TestShop::builder(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    for document in [out_of_the_box.document("https://shop.example.com"), whole_document()] {
        let text = document.to_string();
        for kind in ["schemas", "parameters", "responses", "headers"] {
            for name in document["components"][kind].as_object().expect("an object").keys() {
                assert!(text.contains(&format!("\"#/components/{kind}/{name}\"")), "{kind} {name} is not used");
            }
        }
    }
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            assert!(members.get("$ref").is_none() || members.len() == 1, "nothing beside a reference: {value}");
            assert_ne!(members.get("type"), Some(&json!("null")), "OpenAPI 3.0 has no type null: {value}");
            assert!(!members.get("type").is_some_and(Value::is_array), "one type each: {value}");
            members.values().for_each(|value| collect(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

/// The document of the stock program with every module on, which has all operations that there are.
fn whole_document() -> Value {
    let builder = TestShop::builder(Backend::Sqlite).all_modules().enabled(&Linked::collect().names());
    let program = builder.freeze().unwrap_or_else(|problems| panic!("{problems}"));
    program.document("https://shop.example.com")
}

/// Calls this with each operation and its name, such as `get /me`.
fn for_each_operation(document: &Value, mut look: impl FnMut(&str, &Value)) -> usize {
    let mut count = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let operations = item.as_object().expect("operations").iter().filter(|(name, _)| *name != "servers");
        for (method, operation) in operations {
            look(&format!("{method} {path}"), operation);
            count += 1;
        }
    }
    count
}

/// What stands there, or what it refers to.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect("a reference leads somewhere"),
        None => value,
    }
}

fn is_told(text: &Value) -> bool {
    text.as_str().is_some_and(|text| !text.trim().is_empty())
}

#[test]
fn every_operation_is_described_in_full() {
    let document = whole_document();
    let count = for_each_operation(&document, |name, operation| {
        assert!(is_told(&operation["summary"]), "{name}: summary");
        assert!(is_told(&operation["description"]), "{name}: description");
        assert!(operation["security"].is_array(), "{name}: security");
        if let Some(body) = operation.get("requestBody") {
            assert!(body["content"]["application/json"].get("example").is_some(), "{name}: an example of the body");
        }
        let answers = operation["responses"].as_object().expect("answers");
        assert!(answers.keys().any(|status| status.starts_with('2')), "{name}: an answer of success");
        let expect = |statuses: &[&str]| {
            for status in statuses {
                assert!(answers.contains_key(*status), "{name}: {status} is not told");
            }
        };
        expect(&["429", "500", "503"]);
        if !name.starts_with("get ") {
            expect(&["400", "408", "413", "415", "422"]);
        }
        if name.contains('{') {
            expect(&["404"]);
        }
        for (status, answer) in answers {
            describes_answer(&document, &format!("{name}: {status}"), status, resolved(&document, answer));
        }
        let mut variables = name.matches('{').count();
        for parameter in operation["parameters"].as_array().expect("parameters") {
            let parameter = resolved(&document, parameter);
            let name = format!("{name}: {}", parameter["name"]);
            assert!(is_told(&parameter["description"]), "{name}: description");
            assert!(parameter.get("example").is_some(), "{name}: an example");
            assert!(parameter["schema"].is_object(), "{name}: a schema");
            variables -= usize::from(parameter["in"] == "path");
        }
        assert_eq!(variables, 0, "{name}: each variable of the path is a parameter");
        let is_conditional = operation["parameters"].to_string().contains("IfNoneMatch");
        assert_eq!(answers.contains_key("304"), is_conditional, "{name}: 304 and `If-None-Match` belong together");
    });
    assert!(count > 30, "{count}");
}

/// Each answer has its headers, and an example where it has a body of JSON.
fn describes_answer(document: &Value, name: &str, status: &str, answer: &Value) {
    assert!(is_told(&answer["description"]), "{name}: description");
    let mut headers = vec!["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "Cache-Control"];
    headers.extend(status.starts_with(['4', '5']).then_some("Content-Language"));
    headers.extend((status == "401").then_some("WWW-Authenticate"));
    headers.extend(matches!(status, "429" | "503").then_some("Retry-After"));
    headers.extend((status == "304").then_some("ETag"));
    for header in headers {
        assert!(answer["headers"].get(header).is_some(), "{name}: {header}");
    }
    for (header, described) in answer["headers"].as_object().expect("headers") {
        let described = resolved(document, described);
        assert!(is_told(&described["description"]), "{name}: {header}: description");
        assert!(described.get("example").is_some(), "{name}: {header}: an example");
    }
    // The document need not contain itself.
    let is_itself = name.starts_with("get /openapi.json: 200");
    if let Some(json) = answer["content"].get("application/json").filter(|_| !is_itself) {
        assert!(json.get("example").is_some(), "{name}: an example");
        assert!(json["schema"].is_object(), "{name}: a schema");
    }
}

#[test]
fn every_example_follows_its_schema() {
    let document = whole_document();
    let mut found = Vec::new();
    let mut compared = 0;
    let mut compare = |schema: &Value, example: Option<&Value>, place: String| {
        if let Some(example) = example {
            compared += 1;
            let problems = schema_problems(&document, schema, example);
            found.extend(problems.into_iter().map(|problem| format!("{place}: {problem}")));
        }
    };
    for_each_operation(&document, |name, operation| {
        let body = &operation["requestBody"]["content"]["application/json"];
        compare(&body["schema"], body.get("example"), format!("{name}: body"));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = resolved(&document, parameter);
            compare(&parameter["schema"], parameter.get("example"), format!("{name}: {}", parameter["name"]));
        }
        for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
            let answer = resolved(&document, answer);
            let json = &answer["content"]["application/json"];
            compare(&json["schema"], json.get("example"), format!("{name}: {status}"));
            for (header, described) in answer["headers"].as_object().into_iter().flatten() {
                let described = resolved(&document, described);
                compare(&described["schema"], described.get("example"), format!("{name}: {status}: {header}"));
            }
        }
    });
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        compare(schema, schema.get("example"), name.clone());
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(compared > 100, "{compared}");
}

both_databases!(answers_have_just_the_members_of_their_schemas);
async fn answers_have_just_the_members_of_their_schemas(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("a", &json!({})),
        category("b", &json!({"parent": "a"})),
        product(
            "p",
            &json!({"category": "a", "options": [{"key": "k", "label": "K", "type": "select",
                             "choices": [{"value": "v", "label": "V"}]}]}),
        ),
    ];
    shop.stock(&lines).await;
    let document = document(&shop).await;
    for (schema, path, pointer) in [
        ("Product", "/products/p", "/data"),
        ("Price", "/products/p", "/data/price"),
        ("ProductOption", "/products/p", "/data/options/0"),
        ("ProductChoice", "/products/p", "/data/options/0/choices/0"),
        ("ProductCategory", "/products/p", "/data/category"),
        ("Category", "/categories", "/data/0"),
        ("ChildCategory", "/categories", "/data/0/children/0"),
        ("PaginationMeta", "/products", "/meta"),
        ("PaginationLinks", "/products", "/links"),
        ("PaginationMetaLink", "/products", "/meta/links/0"),
        ("ErrorBody", "/products/none", ""),
    ] {
        let body = shop.client().get(path).await.json();
        let shown = body.pointer(pointer).and_then(Value::as_object).expect("an object");
        let known =
            document["components"]["schemas"][schema]["properties"].as_object().unwrap_or_else(|| panic!("{schema}"));
        for member in shown.keys() {
            assert!(known.contains_key(member), "{schema} lacks {member}");
        }
        let required = document["components"]["schemas"][schema]["required"].as_array().expect("required members");
        for member in required.iter().filter_map(Value::as_str) {
            assert!(shown.contains_key(member), "{path} lacks {member}");
        }
    }
}

/// Calls this with each object of the document and its place, but not with what examples hold.
fn for_each_object(value: &Value, place: &str, look: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            look(place, members);
            for (name, value) in members.iter().filter(|(name, _)| *name != "example") {
                for_each_object(value, &format!("{place}/{name}"), look);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                for_each_object(value, &format!("{place}/{index}"), look);
            }
        }
        _ => {}
    }
}

#[test]
fn schemas_have_the_forms_that_generators_of_clients_understand() {
    let document = whole_document();
    let mut found = Vec::new();
    for_each_object(&document, "#", &mut |place, members| {
        let mut wrong = |what: &str| found.push(format!("{place}: {what}"));
        if members.get("nullable") == Some(&json!(true)) {
            if !members.contains_key("type") {
                wrong("`nullable` without `type` has no effect");
            }
            if members.get("enum").and_then(Value::as_array).is_some_and(|values| !values.contains(&Value::Null)) {
                wrong("an enum that can be null lists null");
            }
        }
        for word in ["oneOf", "anyOf"] {
            let choices = members.get(word).and_then(Value::as_array).cloned().unwrap_or_default();
            let others = choices.iter().filter(|choice| choice["enum"] != json!([null])).collect::<Vec<_>>();
            if others.len() > 1 {
                wrong("alternatives without a name");
            }
        }
        if members.get("type") == Some(&json!("integer")) {
            let format = members.get("format").and_then(Value::as_str);
            if !matches!(format, Some("int32" | "int64")) {
                wrong("a whole number without a width");
            }
        }
        let text = members.get("description").and_then(Value::as_str).unwrap_or_default();
        let cites = |text: &str| {
            text.starts_with("contract ") || (text.starts_with('S') && text[1..].starts_with(char::is_numeric))
        };
        if text.split(['(', ',']).any(|part| cites(part.trim())) {
            wrong("it cites what readers do not have");
        }
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(document["components"]["schemas"]["Ok"].is_null(), "`Ok` is a word of Rust");
}

#[test]
fn a_repeated_checkout_is_answered_with_the_same_schema() {
    let document = whole_document();
    let answers = &document["paths"]["/checkout"]["post"]["responses"];
    assert!(answers["201"]["content"].is_object());
    assert_eq!(answers["200"]["content"], answers["201"]["content"]);
    for path in ["/checkout", "/orders/{order}/pay"] {
        let parameters = &document["paths"][path]["post"]["parameters"];
        let key = parameters.as_array().into_iter().flatten().find(|parameter| parameter["name"] == "Idempotency-Key");
        assert_eq!(key.map(|key| (&key["in"], &key["required"])), Some((&json!("header"), &json!(false))), "{path}");
    }
}

#[test]
fn sessions_are_described_where_they_are() {
    let document = whole_document();
    let login = &document["paths"]["/session"];
    assert_eq!(login["servers"], json!([{"url": "https://shop.example.com"}]));
    assert_eq!(document["servers"], json!([{"url": "https://shop.example.com/api/v1"}]));
    assert_eq!(login["post"]["security"], json!([{"csrf": []}]));
    assert!(login["post"]["responses"]["200"]["headers"]["Set-Cookie"].is_object());
    assert!(document["paths"]["/session/register"]["post"]["responses"]["201"].is_object());
}

#[test]
fn what_bodies_are_checked_for_is_in_the_document() {
    let document = whole_document();
    let schema = |name: &str| document["components"]["schemas"][name]["properties"].clone();
    let (pay, address, checkout, token) =
        (schema("PayRequest"), schema("AddressRequest"), schema("CheckoutRequest"), schema("TokenRequest"));
    assert_eq!(pay["return_url"]["format"], "uri");
    assert!(pay["cancel_url"]["pattern"].is_string());
    assert_eq!(address["country"]["pattern"], "^[A-Za-z]{2}$");
    assert_eq!(address["properties"]["properties"]["country"]["pattern"], "^[A-Za-z]{2}$");
    let named = json!({"$ref": "#/components/schemas/AddressRequest"});
    assert_eq!((&checkout["billing"]["oneOf"][0], &checkout["shipping"]["oneOf"][0]), (&named, &named));
    assert_eq!(checkout["expected_total_amount"]["format"], "int64");
    assert_eq!(token["password"]["format"], "password");
    assert_eq!(token["abilities"]["items"], json!({"$ref": "#/components/schemas/Ability"}));
    let abilities = &document["components"]["schemas"]["Ability"]["enum"];
    assert!(
        ["*", "orders.read", "tokens.revoke"]
            .iter()
            .all(|name| abilities.as_array().is_some_and(|all| all.contains(&json!(name))))
    );
}

both_databases!(the_rules_of_a_body_are_in_the_document);
async fn the_rules_of_a_body_are_in_the_document(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let document = document(&shop).await;
    let request = &document["components"]["schemas"]["TokenRequest"];
    assert_eq!(request["required"], json!(["email", "password", "name"]));
    assert_eq!(request["properties"]["name"]["maxLength"], 80);
    assert_eq!(request["properties"]["abilities"]["maxItems"], 50);
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
}

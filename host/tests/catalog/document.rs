//! `GET /openapi.json`: complete, valid, and in step with what is mounted.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

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

both_databases!(every_reference_of_the_document_leads_somewhere);
async fn every_reference_of_the_document_leads_somewhere(backend: Backend) {
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

both_databases!(every_operation_is_described_in_full);
async fn every_operation_is_described_in_full(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let document = document(&shop).await;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let name = format!("{method} {path}");
            assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{name}: summary");
            assert!(operation["security"].is_array(), "{name}: security");
            let answers = operation["responses"].as_object().expect("answers");
            assert!(answers.keys().any(|status| status.starts_with('2')), "{name}: an answer of success");
            assert!(answers.contains_key("429") && answers.contains_key("500"), "{name}: failures");
        }
    }
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
        ("Error", "/products/none", ""),
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

//! What the OpenAPI document says about account and addresses.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::customer::{ALIASES, LENGTHS, REQUIRED, client, save, shop};

async fn document(shop: &TestShop) -> Value {
    shop.client().get("/openapi.json").await.expect_status(200).json()
}

fn schema<'a>(document: &'a Value, name: &str) -> &'a Value {
    let schema = &document["components"]["schemas"][name];
    assert!(schema.is_object(), "{name}");
    schema
}

both_databases!(every_route_is_described_with_examples);
async fn every_route_is_described_with_examples(backend: Backend) {
    let document = document(&shop(backend).await).await;
    for (method, path, status, ability, request) in [
        ("get", "/me", "200", "account.read", None),
        ("patch", "/me", "200", "account.update", Some("AccountRequest")),
        ("get", "/addresses", "200", "addresses.read", None),
        ("post", "/addresses", "201", "addresses.create", Some("AddressRequest")),
        ("patch", "/addresses/{address}", "200", "addresses.update", Some("AddressRequest")),
        ("delete", "/addresses/{address}", "200", "addresses.delete", None),
    ] {
        let operation = &document["paths"][path][method];
        assert_eq!(operation["x-required-ability"], ability, "{method} {path}");
        let success = operation["responses"].as_object().expect("answers").keys().filter(|key| key.starts_with('2'));
        assert_eq!(success.collect::<Vec<_>>(), [status], "{method} {path}");
        let content = &operation["responses"][status]["content"]["application/json"];
        assert!(content["schema"].is_object() && content["example"].is_object(), "{method} {path}");
        let body = &operation["requestBody"]["content"]["application/json"];
        let named = request.map_or(Value::Null, |name| json!(format!("#/components/schemas/{name}")));
        assert_eq!(body["schema"]["$ref"], named, "{method} {path}");
        assert_eq!(body["example"].is_object(), request.is_some(), "{method} {path}");
        let parameters = operation["parameters"].as_array().expect("parameters").iter();
        let in_path = parameters.filter(|parameter| parameter["in"] == "path").collect::<Vec<_>>();
        assert_eq!(in_path.len(), path.matches('{').count(), "{method} {path}");
        assert!(
            in_path.iter().all(|parameter| parameter["name"] == "address" && parameter["schema"]["type"] == "integer")
        );
    }
    let limit = document["paths"]["/addresses"]["post"]["description"].as_str().expect("a description");
    assert!(limit.contains("100") && limit.contains("too_many_addresses"), "{limit}");
}

both_databases!(the_rules_of_an_address_are_in_the_document);
async fn the_rules_of_an_address_are_in_the_document(backend: Backend) {
    let document = document(&shop(backend).await).await;
    let request = schema(&document, "AddressRequest");
    assert_eq!(request["required"], json!(REQUIRED));
    let fields = &request["properties"];
    let aliases = &fields["properties"]["properties"];
    for (field, length) in LENGTHS {
        assert_eq!(fields[field]["maxLength"], length, "{field}");
        assert_eq!(fields[field]["nullable"] == true, !REQUIRED.contains(&field), "{field}");
    }
    for (alias, field) in ALIASES {
        assert_eq!(aliases[alias]["maxLength"], fields[field]["maxLength"], "{alias}");
        assert_eq!(aliases[alias]["nullable"], true, "{alias}");
    }
    assert_eq!((&fields["country"]["minLength"], &fields["country"]["maxLength"]), (&json!(2), &json!(2)));
    assert_eq!(fields["is_default_billing"]["type"], "boolean");
    assert_eq!(fields["properties"]["nullable"], true);
    let account = schema(&document, "AccountRequest");
    assert_eq!((&account["required"], &account["properties"]["name"]["maxLength"]), (&json!(["name"]), &json!(255)));
}

fn members(object: &Value) -> BTreeSet<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Compares an answer, and the example of it, with the members of a schema.
async fn assert_described(client: &TestClient, document: &Value, path: &str, pointer: &str, name: &str) {
    let schema = schema(document, name);
    let known = members(&schema["properties"]);
    let required = schema["required"].as_array().expect("required members").iter().filter_map(Value::as_str);
    assert_eq!(required.collect::<BTreeSet<_>>(), known, "{name}: nothing is optional");
    let answer = client.get(path).await.expect_status(200).json();
    let example = &document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["example"];
    for body in [&answer, example] {
        let shown = body.pointer(pointer).expect("it is there");
        assert_eq!(members(shown), known, "{name}");
        for member in known.iter().filter(|member| shown[**member].is_null()) {
            assert_eq!(schema["properties"][*member]["nullable"], true, "{name}.{member} is null");
        }
    }
}

both_databases!(answers_have_just_the_members_of_their_schemas);
async fn answers_have_just_the_members_of_their_schemas(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    save(&client, &json!({})).await;
    let document = document(&shop).await;
    assert_described(&client, &document, "/me", "/data", "Account").await;
    assert_described(&client, &document, "/addresses", "/data/0", "Address").await;
    assert_described(&client, &document, "/addresses", "/data/0/properties", "AddressProperties").await;
    let created = &document["paths"]["/addresses"]["post"]["responses"]["201"]["content"]["application/json"]["schema"];
    assert_eq!(created["$ref"], "#/components/schemas/AddressData");
    let created = schema(&document, "AddressData");
    assert_eq!(created["properties"]["data"]["$ref"], "#/components/schemas/Address");
    let listed = &document["paths"]["/addresses"]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(listed["$ref"], "#/components/schemas/AddressList");
    let listed = schema(&document, "AddressList");
    assert_eq!(listed["properties"]["data"]["items"]["$ref"], "#/components/schemas/Address");
}

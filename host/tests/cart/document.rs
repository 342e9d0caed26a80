//! What the document tells clients about the cart.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{guest, select, shop};

async fn operations(shop: &TestShop) -> Vec<(String, Value)> {
    let document = shop.client().get("/openapi.json").await.expect_status(200).json();
    let (cart, line) = (&document["paths"]["/cart"], &document["paths"]["/cart/{lineKey}"]);
    let found = [("get", cart), ("post", cart), ("patch", line), ("delete", line)];
    found.map(|(method, path)| (method.to_owned(), path[method].clone())).into()
}

both_databases!(credentials_are_optional_and_the_token_is_described);
async fn credentials_are_optional_and_the_token_is_described(backend: Backend) {
    let shop = TestShop::new(backend).await;
    for (method, operation) in operations(&shop).await {
        let session = if method == "get" { json!({"session": []}) } else { json!({"session": [], "csrf": []}) };
        assert_eq!(operation["security"], json!([{}, {"bearer": []}, session]), "{method}");
        assert!(operation.get("x-required-ability").is_none());
        let parameters = operation["parameters"].as_array().expect("a list");
        let token = parameters.iter().find(|parameter| parameter["in"] == "header").expect("the header");
        assert_eq!((&token["name"], &token["required"]), (&json!("X-Cart-Token"), &json!(false)));
        let pattern = json!("^[0-9a-f]{64}$");
        assert_eq!(token["schema"]["pattern"], pattern);
        let success = &operation["responses"]["200"];
        assert_eq!(success["headers"]["X-Cart-Token"]["schema"]["pattern"], pattern);
        assert!(success["content"]["application/json"]["example"]["data"]["lines"].is_array());
        let statuses =
            operation["responses"].as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>();
        assert!(["200", "401", "403", "429", "500"].iter().all(|status| statuses.contains(status)), "{statuses:?}");
    }
}

both_databases!(an_answer_has_the_members_of_its_schema);
async fn an_answer_has_the_members_of_its_schema(backend: Backend) {
    let shop = shop(backend).await;
    let cart = select(&shop, &guest(&shop).await, &json!({"os": "debian"})).await;
    let document = shop.client().get("/openapi.json").await.expect_status(200).json();
    for (name, shown) in
        [("Cart", &cart), ("CartLine", &cart["lines"][0]), ("SelectedOption", &cart["lines"][0]["options"][0])]
    {
        let schema = &document["components"]["schemas"][name];
        let names = |value: &Value| {
            value.as_object().map(|members| members.keys().cloned().collect::<std::collections::BTreeSet<_>>())
        };
        assert_eq!(names(&schema["properties"]), names(shown), "{name}");
        assert_eq!(schema["required"].as_array().map(Vec::len), shown.as_object().map(serde_json::Map::len), "{name}");
    }
}

//! What customers agree to with an order (C6.4).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{builder, buyer, fill, rows};

async fn shop(backend: Backend) -> TestShop {
    let consents = r#"
        [[shop.consents]]
        id = "terms"
        version = "2026-11"
        label = { en = "I accept the terms.", de = "Ich akzeptiere die AGB." }
        url = "/terms"
        [[shop.consents]]
        id = "newsletter"
        version = "1"
        label = { en = "Write me about news." }
        required = false
        [[shop.consents]]
        id = "at_once"
        version = "3"
        label = { en = "Deliver at once." }
        when = "digital"
    "#;
    let shop = builder(backend).config(consents).open().await;
    fill(&shop).await;
    shop
}

async fn asked(client: &TestClient) -> Value {
    client.get("/checkout/requirements").await.expect_status(200).json()["data"]["consents"].clone()
}

fn ids(consents: &Value) -> Vec<&str> {
    consents.as_array().into_iter().flatten().filter_map(|consent| consent["id"].as_str()).collect()
}

both_databases!(requirements_list_the_consents_of_the_cart_in_the_clients_language);
async fn requirements_list_the_consents_of_the_cart_in_the_clients_language(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let terms =
        |label: &str| json!({"id": "terms", "version": "2026-11", "label": label, "url": "/terms", "required": true});
    let shown = asked(&ada.client).await;
    assert_eq!(shown[0], terms("I accept the terms."));
    assert_eq!((ids(&shown), &shown[1]["url"]), (vec!["terms", "newsletter"], &Value::Null));
    let german = asked(&ada.client.with_header("accept-language", "de")).await;
    assert_eq!(german[0], terms("Ich akzeptiere die AGB."));
    assert_eq!(german[1]["label"], "Write me about news.", "what has no German text is shown in the shop's language");
    ada.fill(&shop, &[("book", 1)]).await;
    assert_eq!(ids(&asked(&ada.client).await), ["terms", "newsletter", "at_once"]);
}

both_databases!(an_order_without_a_required_consent_is_refused_and_nothing_is_placed);
async fn an_order_without_a_required_consent_is_refused_and_nothing_is_placed(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("book", 1)]).await;
    let before = rows(&shop).await;
    for (given, said) in [
        (json!(null), &["I accept the terms.", "Deliver at once."][..]),
        (json!(["newsletter"]), &["I accept the terms.", "Deliver at once."]),
        (json!(["terms"]), &["Deliver at once."]),
        (json!(["terms", "at_once", "soul"]), &["“soul”"]),
        (json!(["terms@2025-01", "at_once"]), &["2026-11"]),
        (json!(["terms@", "at_once"]), &["2026-11"]),
    ] {
        let refused = ada.check_out(&json!({"consents": given})).await.expect_error(422, "validation_error").json();
        let told = refused["errors"]["consents"].as_array().cloned().unwrap_or_default();
        assert_eq!(told.len(), said.len(), "{refused}");
        for (told, said) in told.iter().zip(said) {
            assert!(told.as_str().is_some_and(|told| told.contains(said)), "{given}: {refused}");
        }
    }
    for (given, field) in [
        (json!("terms"), "consents"),
        (json!(vec!["terms"; 51]), "consents"),
        (json!([1]), "consents.0"),
        (json!([""]), "consents.0"),
        (json!([null]), "consents.0"),
        (json!([["terms"]]), "consents.0"),
        (json!(["x".repeat(82)]), "consents.0"),
        (json!(["terms", "at\u{7}once"]), "consents.1"),
    ] {
        let refused = ada.check_out(&json!({"consents": given})).await.expect_error(422, "validation_error").json();
        assert!(refused["errors"][field].is_array(), "{refused}");
    }
    assert_eq!(rows(&shop).await, before);
}

both_databases!(where_nothing_is_asked_for_a_consent_is_refused_in_a_whole_sentence);
async fn where_nothing_is_asked_for_a_consent_is_refused_in_a_whole_sentence(backend: Backend) {
    let shop = crate::shelf::shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("book", 1)]).await;
    let refused = ada.check_out(&json!({"consents": ["soul"]})).await.expect_error(422, "validation_error").json();
    let told = refused["errors"]["consents"][0].as_str().expect("it is told");
    assert_eq!(told, "“soul” is not a consent of this shop, and this order needs none. Leave `consents` out.");
}

both_databases!(an_order_keeps_what_was_agreed_to_as_it_was_shown);
async fn an_order_keeps_what_was_agreed_to_as_it_was_shown(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let german = ada.client.with_header("accept-language", "de");
    // What this order is not asked for is not kept.
    let body = crate::shelf::body(&json!({"consents": ["terms@2026-11", "at_once"]}));
    let order = german.post("/checkout", &body).await.expect_status(201).json()["data"].clone();
    let kept = json!([{"id": "terms", "version": "2026-11", "label": "Ich akzeptiere die AGB.",
                       "given_at": order["created_at"]}]);
    assert_eq!(order["consents"], kept);
    assert_eq!(ada.read(&order).await["consents"], kept);
}

//! `GET /checkout/requirements` (contract 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, both_databases};

use crate::shelf::{builder, buyer, fill, id_of, refused_fields, shop};

async fn read(client: &TestClient, query: &str) -> Value {
    client.get(&format!("/checkout/requirements{query}")).await.expect_status(200).json()["data"].clone()
}

both_databases!(an_empty_cart_needs_what_every_order_needs);
async fn an_empty_cart_needs_what_every_order_needs(backend: Backend) {
    let shop = shop(backend).await;
    for client in [shop.client(), buyer(&shop).await.client] {
        let read = read(&client, "").await;
        assert_eq!(read["requirements"], json!(["billing", "payment", "review"]));
        assert_eq!((&read["requires_shipping"], &read["shipping_methods"]), (&json!(false), &json!([])));
        let manual = &read["payment_methods"][0];
        assert_eq!((&manual["id"], &manual["gateway_id"]), (&json!("manual"), &json!("manual")));
        assert!(manual["label"].is_string() && manual.as_object().is_some_and(|method| method.contains_key("icon")));
        let ids = read["payment_methods"].as_array().into_iter().flatten().map(|method| &method["id"]);
        assert_eq!(ids.collect::<Vec<_>>(), ["manual", "development", "scripted"]);
        assert_eq!(read["countries"].as_array().map(Vec::len), Some(249), "all of ISO 3166-1");
    }
}

both_databases!(what_is_in_the_cart_adds_requirements);
async fn what_is_in_the_cart_adds_requirements(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("book", 1)]).await;
    assert_eq!(read(&ada.client, "").await["requirements"], json!(["billing", "payment", "review"]));
    ada.fill(&shop, &[("present", 1)]).await;
    let of_module = json!(["billing", "payment", "review", "greeting_card"]);
    assert_eq!(read(&ada.client, "").await["requirements"], of_module);
    let server = json!({"product_id": id_of(&shop, "server").await, "selections": {"os": "debian"}});
    ada.client.post("/cart", &server).await.expect_status(200);
    ada.fill(&shop, &[("lamp", 1)]).await;
    let read = read(&ada.client, "").await;
    let all = [
        "billing",
        "payment",
        "review",
        "shipping_address",
        "shipping_method",
        "product_configuration",
        "greeting_card",
    ];
    assert_eq!(read["requirements"], json!(all));
    assert_eq!(read["requires_shipping"], true);
    let free = json!([{"id": "standard", "label": "Standard shipping", "amount": 0, "amount_formatted": "€0.00"}]);
    assert_eq!(read["shipping_methods"], free);
}

both_databases!(a_guest_is_told_about_his_own_cart);
async fn a_guest_is_told_about_his_own_cart(backend: Backend) {
    let shop = shop(backend).await;
    let guest = shop.client();
    let added = guest.post("/cart", &json!({"product_id": id_of(&shop, "lamp").await})).await.expect_status(200);
    let token = added.header("x-cart-token").expect("a token").to_owned();
    let ada = buyer(&shop).await;
    for client in [guest.with_header("x-cart-token", &token), ada.client.with_header("x-cart-token", &token)] {
        assert_eq!(read(&client, "").await["requires_shipping"], true);
    }
    assert_eq!(read(&guest, "").await["requires_shipping"], false, "without the token it is another cart");
    assert_eq!(ada.lines().await, 0, "nothing was merged");
}

both_databases!(ways_of_shipping_are_those_of_the_country);
async fn ways_of_shipping_are_those_of_the_country(backend: Backend) {
    let methods = r#"
        [shop]
        countries = ["NL", "DE"]
        [[shipping.methods]]
        id = "bike"
        label = "Bike"
        amount = 495
        countries = ["NL"]
        free_from = 4000
        [[shipping.methods]]
        id = "truck"
        label = "Truck"
        amount = 1995
    "#;
    let shop = builder(backend).config(methods).open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let offered = async |query: &str| {
        let read = read(&ada.client, query).await;
        let methods = read["shipping_methods"].as_array().expect("a list").clone();
        methods.into_iter().map(|method| (method["id"].clone(), method["amount"].clone())).collect::<Vec<_>>()
    };
    let (bike, truck) = ((json!("bike"), json!(495)), (json!("truck"), json!(1995)));
    assert_eq!(offered("").await, [bike.clone(), truck.clone()]);
    assert_eq!(offered("?country=nl").await, [bike, truck.clone()]);
    assert_eq!(offered("?country=DE").await, std::slice::from_ref(&truck));
    ada.fill(&shop, &[("lamp", 1)]).await;
    assert_eq!(offered("?country=NL").await, [(json!("bike"), json!(0)), truck]);
    assert_eq!(read(&ada.client, "").await["countries"], json!(["DE", "NL"]));
    let refused = ada.client.get("/checkout/requirements?country=Holland").await.expect_error(422, "validation_error");
    assert!(refused.json()["errors"]["country"].is_array());
}

both_databases!(what_cannot_be_asked_with_is_refused_by_field_and_what_is_not_known_passed_over);
async fn what_cannot_be_asked_with_is_refused_by_field_and_what_is_not_known_passed_over(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let long = "x".repeat(2000);
    for (name, value) in [
        ("country", "NLD"),
        ("country", "%00"),
        ("country", long.as_str()),
        ("payment_method", "barter"),
        ("payment_method", "%00"),
        ("payment_method", long.as_str()),
        ("vat_id", "1"),
        ("vat_id", long.as_str()),
    ] {
        let refused = ada.client.get(&format!("/checkout/requirements?{name}={value}")).await;
        assert_eq!(refused_fields(refused), [name], "{value}");
    }
    let whole = read(&ada.client, "?country=NL").await;
    for strange in ["country=NL&shipping=1&shipping_method_id=", "country=+nl+&quantity=-1"] {
        assert_eq!(read(&ada.client, &format!("?{strange}")).await, whole, "{strange}");
    }
    let none = read(&ada.client, &format!("?country=NL&shipping_method_id={long}")).await;
    assert_eq!(none["totals"], whole["totals"], "a method that there is not counts nothing");
}

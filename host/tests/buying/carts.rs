//! Which cart becomes an order, and what is left of it (contract 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{body, buyer, id_of, rows, shop};

/// A guest's cart: a client that sends its token, and the token.
async fn guest_cart(shop: &TestShop, slug: &str) -> (TestClient, String) {
    let line = json!({"product_id": id_of(shop, slug).await});
    let added = shop.client().post("/cart", &line).await.expect_status(200);
    let token = added.header("x-cart-token").expect("a token").to_owned();
    (shop.client().with_header("x-cart-token", &token), token)
}

fn slugs(order: &Value) -> Vec<&str> {
    order["items"].as_array().expect("a list").iter().filter_map(|item| item["slug"].as_str()).collect()
}

both_databases!(an_empty_cart_is_not_placed);
async fn an_empty_cart_is_not_placed(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let before = rows(&shop).await;
    let never_filled = ada.check_out(&json!({})).await.expect_error(422, "invalid_state").json();
    assert_eq!(never_filled["reason"], "cart_empty");
    ada.fill(&shop, &[("lamp", 1)]).await;
    let cart = ada.client.get("/cart").await.json();
    let line = cart["data"]["lines"][0]["line_key"].as_str().expect("a key");
    ada.client.delete(&format!("/cart/{line}")).await.expect_status(200);
    let emptied = ada.check_out(&json!({})).await.expect_error(422, "invalid_state").json();
    assert_eq!(emptied["reason"], "cart_empty");
    assert_eq!(rows(&shop).await, before);
}

both_databases!(placing_empties_the_cart_whose_token_stays_usable);
async fn placing_empties_the_cart_whose_token_stays_usable(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let token = ada.client.get("/cart").await.json()["data"]["token"].clone();
    let first = ada.check_out(&json!({})).await.expect_status(201).json();
    let cart = ada.client.get("/cart").await.json();
    assert_eq!((&cart["data"]["lines"], &cart["data"]["token"]), (&json!([]), &token));
    let again = ada.check_out(&json!({})).await.expect_error(422, "invalid_state").json();
    assert_eq!(again["reason"], "cart_empty");
    let second = ada.place(&shop, &[("book", 1)]).await;
    assert_ne!(second["id"], first["data"]["id"]);
}

both_databases!(a_cart_that_was_filled_as_a_guest_is_placed_by_a_customer);
async fn a_cart_that_was_filled_as_a_guest_is_placed_by_a_customer(backend: Backend) {
    let shop = shop(backend).await;
    let (guest, token) = guest_cart(&shop, "lamp").await;
    let ada = shop.customer().await;
    let login = json!({"email": ada.email, "password": TestShop::PASSWORD, "name": "phone"});
    let bearer = shop.client().post("/auth/tokens", &login).await.expect_status(201).json()["token"].clone();
    let ada = shop.client().bearer(bearer.as_str().expect("a token"));
    let own = json!({"product_id": id_of(&shop, "book").await});
    ada.post("/cart", &own).await.expect_status(200);
    let with_cart = ada.with_header("x-cart-token", &token);
    let order = with_cart.post("/checkout", &body(&json!({}))).await.expect_status(201).json();
    assert_eq!(slugs(&order["data"]), ["lamp"]);
    let left = guest.get("/cart").await.expect_status(200);
    assert_eq!(left.header("x-cart-token"), Some(token.as_str()), "the token stays usable");
    assert_eq!(left.json()["data"]["lines"], json!([]));
    let order = ada.post("/checkout", &body(&json!({}))).await.expect_status(201).json();
    assert_eq!(slugs(&order["data"]), ["book"], "the own cart was left alone");
}

both_databases!(the_token_of_somebody_elses_cart_means_the_own_one);
async fn the_token_of_somebody_elses_cart_means_the_own_one(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    ada.fill(&shop, &[("lamp", 1)]).await;
    let token = ada.client.get("/cart").await.json()["data"]["token"].as_str().expect("a token").to_owned();
    let stolen = eve.client.with_header("x-cart-token", &token);
    let refused = stolen.post("/checkout", &body(&json!({}))).await.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "cart_empty");
    eve.fill(&shop, &[("book", 1)]).await;
    let order = stolen.post("/checkout", &body(&json!({}))).await.expect_status(201).json();
    assert_eq!(slugs(&order["data"]), ["book"]);
    assert_eq!(ada.lines().await, 1);
    for token in ["ab".repeat(32), String::from("nonsense")] {
        eve.fill(&shop, &[("book", 1)]).await;
        let unknown = eve.client.with_header("x-cart-token", &token);
        unknown.post("/checkout", &body(&json!({}))).await.expect_status(201);
    }
}

both_databases!(a_line_that_cannot_be_bought_any_more_stops_the_order);
async fn a_line_that_cannot_be_bought_any_more_stops_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1), ("book", 1)]).await;
    let before = rows(&shop).await;
    shop.stock(&[json!({"type": "product", "slug": "lamp", "active": false})]).await;
    let refused = ada.check_out(&json!({"shipping_method_id": null})).await.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "line_unavailable");
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("Lamp")), "{refused}");
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 2));
}

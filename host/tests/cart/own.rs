//! The one own cart of a customer.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{add, guest, path_of, quantities, read, rows, shop, token_of, with_cart};

both_databases!(a_customers_cart_is_found_without_a_token);
async fn a_customers_cart_is_found_without_a_token(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let token = token_of(shop.client().token(&ada, &[]).await.get("/cart").await);
    let cart = add(&shop, &shop.client().token(&ada, &[]).await, "book", 2).await;
    assert_eq!(cart["token"], token, "the token does not change with the first write");
    let others = [shop.client().token(&ada, &["*"]).await, shop.client().session(&ada).await];
    for client in &others {
        assert_eq!(read(client).await, cart);
    }
    let path = path_of(&cart["lines"][0]);
    others[0].patch(&path, &json!({"quantity": 3})).await.expect_status(200);
    others[1].delete(&path).await.expect_status(200);
    assert_eq!(read(&shop.client().token(&bob, &[]).await).await["lines"], json!([]));
    assert_eq!(rows(&shop).await, (1, 0));
}

both_databases!(the_token_of_an_own_cart_is_nothing_to_anybody_else);
async fn the_token_of_an_own_cart_is_nothing_to_anybody_else(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let adas = shop.client().token(&ada, &[]).await;
    let before = token_of(adas.get("/cart").await);
    for number in 1..=2 {
        // Once before Ada has a cart, once while she has.
        for stranger in [shop.client(), shop.client().token(&bob, &[]).await] {
            let stranger = with_cart(&stranger, &before);
            assert_ne!(token_of(stranger.get("/cart").await), before);
            assert_ne!(add(&shop, &stranger, "lamp", 1).await["token"], before);
            stranger.delete("/cart/none").await.expect_status(404);
        }
        let cart = add(&shop, &with_cart(&adas, &before), "book", 1).await;
        assert_eq!(quantities(&cart), [(String::from("book"), number)].into());
        assert_eq!(cart["token"], before);
    }
    assert_eq!(quantities(&read(&shop.client().token(&bob, &[]).await).await)["lamp"], 2);
}

both_databases!(an_unknown_token_beside_a_customer_changes_nothing);
async fn an_unknown_token_beside_a_customer_changes_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let client = shop.client().token(&shop.customer().await, &[]).await;
    let cart = add(&shop, &client, "book", 1).await;
    for token in ["ab".repeat(32), String::from("x"), token_of(guest(&shop).await.get("/cart").await)] {
        assert_eq!(read(&with_cart(&client, &token)).await, cart);
    }
}

//! Tokens of guests' carts, and which of them the shop knows.

use http::{HeaderValue, Method};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;

use crate::shelf::{add, guest, id_of, path_of, read, rows, shop, token_of, try_add, with_cart};

const HANDLES: Sql = sql!("SELECT handle FROM carts");

both_databases!(reading_writes_no_row);
async fn reading_writes_no_row(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let visitor = guest(&shop).await;
    let token = token_of(visitor.get("/cart").await);
    assert_eq!(token_of(visitor.get("/cart").await), token, "a token that reading gave out stays the visitor's");
    let own = shop.client().token(&customer, &[]).await;
    let token = token_of(own.get("/cart").await);
    assert_eq!(token_of(own.get("/cart").await), token);
    visitor.head("/cart").await.expect_status(200);
    assert_eq!(rows(&shop).await, (0, 0));
}

both_databases!(a_refused_write_makes_no_row_either);
async fn a_refused_write_makes_no_row_either(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    try_add(&shop, &visitor, "hidden", 1).await.expect_status(422);
    try_add(&shop, &visitor, "book", 100).await.expect_status(422);
    visitor.patch("/cart/none", &json!({"quantity": 1})).await.expect_status(404);
    visitor.delete("/cart/none").await.expect_status(404);
    assert_eq!(rows(&shop).await, (0, 0));
}

both_databases!(a_token_that_reading_gave_out_opens_a_cart_with_the_first_write);
async fn a_token_that_reading_gave_out_opens_a_cart_with_the_first_write(backend: Backend) {
    let shop = shop(backend).await;
    let token = token_of(shop.client().get("/cart").await);
    let visitor = with_cart(&shop.client(), &token);
    assert_eq!(add(&shop, &visitor, "book", 2).await["token"], token);
    assert_eq!(read(&visitor).await["item_count"], 2);
    assert_eq!(rows(&shop).await, (1, 1));
}

both_databases!(every_visitor_has_a_cart_of_their_own);
async fn every_visitor_has_a_cart_of_their_own(backend: Backend) {
    let shop = shop(backend).await;
    let (one, other) = (guest(&shop).await, guest(&shop).await);
    add(&shop, &one, "book", 1).await;
    assert_eq!(read(&other).await["lines"], json!([]));
    let without = add(&shop, &shop.client(), "lamp", 1).await;
    assert_eq!(without["item_count"], 1, "whoever sends no token gets a new cart");
    assert_eq!(read(&with_cart(&other, without["token"].as_str().expect("a token"))).await["item_count"], 1);
}

both_databases!(a_token_that_the_shop_did_not_make_is_never_adopted);
async fn a_token_that_the_shop_did_not_make_is_never_adopted(backend: Backend) {
    let shop = shop(backend).await;
    let right = token_of(shop.client().get("/cart").await);
    add(&shop, &with_cart(&shop.client(), &right), "lamp", 1).await;
    let handle = shop.parts.db.read(HANDLES).scalar::<String>().await.expect("one cart");
    assert!(right.starts_with(&handle) && handle.len() == 32);
    let flipped = |at: usize| {
        let mut text = right.clone().into_bytes();
        text[at] = if text[at] == b'0' { b'1' } else { b'0' };
        String::from_utf8(text).expect("ASCII")
    };
    let wrong = [
        String::new(),
        "0".repeat(64),
        "ab".repeat(32),
        right.to_uppercase(),
        right[..63].to_owned(),
        format!("{right}0"),
        format!(" {right}0"),
        flipped(0),
        flipped(31),
        flipped(32),
        flipped(63),
        // What the database holds opens nothing.
        handle.repeat(2),
        handle,
    ];
    for token in wrong {
        let stranger = with_cart(&shop.client(), &token);
        let answer = stranger.get("/cart").await;
        assert_eq!(answer.json()["data"]["lines"], json!([]), "{token}");
        assert_ne!(token_of(answer), token);
        let written = add(&shop, &stranger, "book", 1).await;
        assert_ne!(written["token"], token);
        assert_eq!(written["item_count"], 1, "{token}");
    }
    assert_eq!(read(&with_cart(&shop.client(), &right)).await["item_count"], 1);
}

both_databases!(a_header_that_is_sent_twice_or_is_no_text_counts_as_unknown);
async fn a_header_that_is_sent_twice_or_is_no_text_counts_as_unknown(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let token = add(&shop, &visitor, "book", 1).await["token"].clone();
    let value = HeaderValue::from_str(token.as_str().expect("a token")).expect("a header value");
    let mut twice = visitor.request(Method::GET, "/cart", "");
    twice.headers_mut().append("x-cart-token", value);
    assert_ne!(token_of(visitor.send(twice).await), token);
    let mut bytes = visitor.request(Method::GET, "/cart", "");
    bytes.headers_mut().insert("x-cart-token", HeaderValue::from_bytes(&[0xe9; 64]).expect("a header value"));
    assert_ne!(token_of(visitor.send(bytes).await), token);
}

both_databases!(every_answer_names_the_token);
async fn every_answer_names_the_token(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let book = json!({"product_id": id_of(&shop, "book").await});
    let added = visitor.post("/cart", &book).await;
    let path = path_of(&added.json()["data"]["lines"][0]);
    let token = token_of(added);
    assert_eq!(token_of(visitor.get("/cart").await), token);
    assert_eq!(token_of(visitor.patch(&path, &json!({"quantity": 3})).await), token);
    assert_eq!(token_of(visitor.delete(&path).await), token);
    let head = visitor.head("/cart").await.expect_status(200);
    assert_eq!(head.header("x-cart-token"), Some(token.as_str()));
}

//! Wishes and orders: packed with them, refused with them, given back when they are cancelled.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{checkout, import, ordered, product, shop, switched_off, wish};

async fn everything(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &["*"]).await
}

both_databases!(an_order_is_refused_while_its_paper_is_used_up);
async fn an_order_is_refused_while_its_paper_is_used_up(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let (ada, bob) = (shop.client().token(&ada, &["*"]).await, shop.client().token(&bob, &["*"]).await);
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    for client in [&ada, &bob] {
        client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    }
    let stripes = json!({"papers": ["stripes"], "surcharge_amount": 250});
    assert_eq!(import(&shop, &[product("teapot", Some(stripes))]).await, [""; 0]);
    let refused = ada.post("/checkout", &checkout()).await.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "paper_unavailable");
    assert!(refused["errors"]["cart"].is_array(), "{refused}");
    assert_eq!(ada.get("/orders").await.json()["meta"]["total"], 0, "nothing of the order is left");
    assert_eq!(ada.get("/cart").await.json()["data"]["item_count"], 1, "the cart is as it was");
    bob.post("/checkout", &checkout()).await.expect_status(201);
    let other = json!({"product_id": 1, "paper": "stripes"});
    ada.post("/gift-wraps", &other).await.expect_status(201);
    ada.post("/checkout", &checkout()).await.expect_status(201);
}

both_databases!(a_wish_is_packed_with_one_order_only);
async fn a_wish_is_packed_with_one_order_only(backend: Backend) {
    let shop = shop(backend).await;
    let ada = everything(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    let order = ordered(&ada).await;
    assert_eq!(ada.get("/gift-wraps/1").await.json()["data"]["order_id"], order["data"]["id"]);
    shop.run_jobs().await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    let next = ada.get("/gift-wraps/2").await.expect_status(200).json();
    assert_eq!(next["data"]["order_id"], json!(null), "the next wish waits for the next order");
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(a_cancelled_order_gives_its_wishes_back_also_while_the_module_is_off);
async fn a_cancelled_order_gives_its_wishes_back_also_while_the_module_is_off(backend: Backend) {
    let shop = shop(backend).await;
    for on in [true, false] {
        let ada = everything(&shop).await;
        let saved = ada.post("/gift-wraps", &wish(1)).await.expect_status(201).json();
        let order = ordered(&ada).await["data"]["id"].as_i64().expect("the order has an id");
        let off = switched_off(backend, &shop).await;
        let parts = if on { &shop.parts } else { &off.parts };
        cancel_order(&Payments::from_shop(parts), order, CancelReason::Operator).await.expect("it is cancelled");
        let kept = ada.get(&format!("/gift-wraps/{}", saved["id"])).await.expect_status(200).json();
        assert_eq!(kept["data"]["order_id"], json!(null), "while the module is on: {on}");
        assert_eq!(shop.breaches().await, [""; 0]);
    }
}

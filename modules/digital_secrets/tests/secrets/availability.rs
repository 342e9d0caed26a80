//! What the catalog and the cart say of products whose pools run out.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{add, builder, buyer, cancel, keyed, values};

async fn said(shop: &TestShop, slug: &str) -> Value {
    shop.refresh_catalog().await;
    let product = shop.client().get(&format!("/products/{slug}")).await.expect_status(200).json();
    product["data"]["availability"].clone()
}

async fn kiosk(backend: Backend) -> TestShop {
    let shop = builder(backend).config("[modules.digital_secrets]\nlow_water = 2").open().await;
    shop.stock(&[
        keyed("font", &json!({})),
        keyed("later", &json!({"backorder": true})),
        keyed("license", &json!({"pattern": "XXXX-9999-****"})),
    ])
    .await;
    shop
}

both_databases!(the_catalog_says_what_can_be_had);
async fn the_catalog_says_what_can_be_had(backend: Backend) {
    let shop = kiosk(backend).await;
    assert_eq!(said(&shop, "font").await, "out_of_stock");
    assert_eq!(said(&shop, "later").await, "backorder");
    assert_eq!(said(&shop, "license").await, json!(null), "what is generated does not run out");
    add(&shop, "font", &values(1, 2)).await;
    assert_eq!(said(&shop, "font").await, "in_stock");
    let ada = buyer(&shop).await;
    ada.place(&shop, &[("font", 1)]).await;
    shop.run_jobs().await;
    assert_eq!(said(&shop, "font").await, "low_stock");
    let last = ada.place(&shop, &[("font", 1)]).await;
    shop.run_jobs().await;
    assert_eq!(said(&shop, "font").await, "out_of_stock");
    cancel(&shop, last).await;
    shop.run_jobs().await;
    assert_eq!(said(&shop, "font").await, "low_stock");
    let mut plain = keyed("font", &json!({}));
    plain["capabilities"] = json!([]);
    shop.stock(&[plain]).await;
    assert_eq!(said(&shop, "font").await, json!(null));
}

both_databases!(the_cart_says_at_once_what_is_sold_out);
async fn the_cart_says_at_once_what_is_sold_out(backend: Backend) {
    let shop = kiosk(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.fill(&shop, &[("font", 1), ("later", 1), ("license", 1)]).await;
    let lines = async || {
        let cart = ada.client.get("/cart").await.expect_status(200).json();
        let lines = cart["data"]["lines"].as_array().expect("a list").clone();
        lines.iter().map(|line| json!([line["slug"], line["availability"], line["available"]])).collect::<Vec<_>>()
    };
    let others = [json!(["later", "backorder", true]), json!(["license", null, true])];
    assert_eq!(lines().await[0], json!(["font", "low_stock", true]));
    assert_eq!(lines().await[1..], others);
    bob.place(&shop, &[("font", 1)]).await;
    assert_eq!(lines().await[0], json!(["font", "out_of_stock", false]));
    assert_eq!(lines().await[1..], others);
    assert_eq!(ada.try_to_place().await.expect_error(422, "invalid_state").json()["reason"], "insufficient_stock");
}

//! The cart's page, where there is less than what is in the cart.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::browser;

const CONFIG: &str = "[modules.storefront]\nenabled = true\n[modules.inventory]\nenabled = true\n";

both_databases!(the_cart_says_how_many_are_left_before_the_checkout_refuses_it);
async fn the_cart_says_how_many_are_left_before_the_checkout_refuses_it(backend: Backend) {
    let shop = TestShop::builder(backend).all_modules().config(CONFIG).open().await;
    let inventory = json!({"inventory": {"quantity": 3}});
    shop.stock(&[json!({"type": "product", "slug": "mug", "name": "Mug", "price_amount": 100, "modules": inventory})])
        .await;
    let mut ada = browser(&shop);
    let add = [("slug", "mug"), ("quantity", "3")];
    ada.submit("/cart", &add).await.expect_status(303);
    let enough = ada.get("/cart").await.expect_status(200).text();
    assert!(!enough.contains("left."), "{enough}");
    ada.submit("/cart", &add).await.expect_status(303);
    let short = ada.get("/cart").await.expect_status(200).text();
    assert!(short.contains("Only 3 of these are left."), "{short}");
}

//! What customers are told of a plan before they subscribe to it.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{builder, import, monthly, product, shop_at};

both_databases!(a_product_and_its_line_in_a_cart_tell_the_plan);
async fn a_product_and_its_line_in_a_cart_tell_the_plan(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let trial = json!({"interval": "year", "interval_count": 2, "trial_days": 14});
    assert_eq!(import(&shop, &[product("wine", 1900, trial, &[])]).await, [""; 0]);
    let told = async |slug: &str| {
        let shown = shop.client().get(&format!("/products/{slug}")).await.expect_status(200).json();
        shown["data"]["details"]["subscriptions"].clone()
    };
    let tea = json!({"interval": "month", "interval_count": 1, "trial_days": 0, "renewal_amount": 1995,
                     "renewal_formatted": "€19.95"});
    assert_eq!(told("tea").await, tea);
    let wine = json!({"interval": "year", "interval_count": 2, "trial_days": 14, "renewal_amount": 1900,
                      "renewal_formatted": "€19.00"});
    assert_eq!(told("wine").await, wine);
    let cart = shop.client().post("/cart", &json!({"product_id": 2, "quantity": 1})).await.expect_status(200).json();
    let line = &cart["data"]["lines"][0];
    assert_eq!(
        (&line["unit_amount"], &line["details"]["subscriptions"]),
        (&json!(0), &wine),
        "the trial costs nothing"
    );
    assert_eq!(import(&shop, &[product("tea", 2500, monthly(), &[])]).await, [""; 0]);
    assert_eq!(told("tea").await["renewal_amount"], 2500, "it follows the price");
    shop.stock(&[json!({"type": "product", "slug": "tea", "capabilities": []})]).await;
    assert_eq!(told("tea").await, Value::Null, "it is not subscribed to any more");
}

//! What an order costs: agreed to, nothing at all, in other currencies, and more than can be counted (contract 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{builder, buyer, fill, history, id_of, pay_with, rows, set_price, shop};

both_databases!(another_total_than_the_customer_has_agreed_to_places_nothing);
async fn another_total_than_the_customer_has_agreed_to_places_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 2)]).await;
    let before = rows(&shop).await;
    for expected in [json!(0), json!(3999), json!(4001), json!(i64::MAX)] {
        let refused = ada.check_out(&json!({"expected_total_amount": expected, "idempotency_key": "k"})).await;
        assert_eq!(refused.expect_error(409, "invalid_state").json()["reason"], "total_changed");
    }
    assert_eq!(rows(&shop).await, before);
    set_price(&shop, "lamp", 2100).await;
    let stale = ada.check_out(&json!({"expected_total_amount": 4000})).await.expect_error(409, "invalid_state").json();
    assert_eq!(stale["reason"], "total_changed");
    let agreed = json!({"expected_total_amount": 4200, "idempotency_key": "k"});
    let order = ada.check_out(&agreed).await.expect_status(201).json();
    assert_eq!(order["data"]["total_amount"], 4200);
}

both_databases!(an_order_that_costs_nothing_is_paid_when_it_is_placed);
async fn an_order_that_costs_nothing_is_paid_when_it_is_placed(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, &[("sample", 3)], &json!({"expected_total_amount": 0})).await;
    assert_eq!((&order["status"], &order["total_amount"]), (&json!("paid"), &json!(0)));
    assert_eq!((&order["payment"], &order["payment_status"]), (&Value::Null, &Value::Null));
    assert!(order["paid_at"].is_string() && order["cancelled_at"].is_null());
    assert_eq!(ada.read(&order).await, order);
    assert_eq!(history(&shop, &order).await, ["placed by customer", "paid by system"]);
    let refused = ada.try_to_pay(&order, &pay_with("development")).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "already_paid");
}

both_databases!(a_currency_without_decimals_and_one_with_three);
async fn a_currency_without_decimals_and_one_with_three(backend: Backend) {
    for (currency, shown) in [("JPY", "2,000"), ("KWD", "2.000")] {
        let shop = builder(backend).config(&format!("[shop]\ncurrency = \"{currency}\"")).open().await;
        fill(&shop).await;
        let ada = buyer(&shop).await;
        let order = ada.place(&shop, &[("lamp", 1)]).await;
        assert_eq!((&order["total_amount"], &order["currency"]), (&json!(2000), &json!(currency)));
        assert!(order["total_formatted"].as_str().is_some_and(|text| text.contains(shown)), "{order}");
        let attempt = ada.pay(&order, &pay_with("development")).await;
        assert_eq!((&attempt["amount"], &attempt["currency"]), (&json!(2000), &json!(currency)));
        assert_eq!(ada.read(&order).await["payment"]["net_amount"], 2000);
    }
}

both_databases!(the_largest_amount_is_exact_and_a_larger_one_is_refused);
async fn the_largest_amount_is_exact_and_a_larger_one_is_refused(backend: Backend) {
    let shipping = "[[shipping.methods]]\nid = \"standard\"\nlabel = \"Standard\"\namount = 1";
    let shop = builder(backend).config(shipping).open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    for slug in ["book", "lamp"] {
        set_price(&shop, slug, i64::MAX).await;
    }
    let order = ada.place(&shop, &[("book", 1)]).await;
    assert_eq!((&order["total_amount"], &order["payment"]["amount"]), (&json!(i64::MAX), &json!(i64::MAX)));
    assert_eq!(order["items"][0]["line_total_amount"], json!(i64::MAX));
    let before = rows(&shop).await;
    let lamp = json!({"product_id": id_of(&shop, "lamp").await});
    ada.client.post("/cart", &lamp).await.expect_status(200);
    let refused = ada.check_out(&json!({})).await.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "total_too_large");
    assert_eq!(rows(&shop).await, before);
}

//! Placing and listing take as many statements for much as for little.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::discounts::create_discount;
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, buyer, product, shop, unlimited};

/// The statements of placing a cart with this many lines.
async fn placing(shop: &TestShop, ada: &Buyer, lines: usize) -> u64 {
    for number in 0..lines {
        ada.fill(shop, &[(&format!("p{number}"), 1)]).await;
    }
    let before = shop.parts.db.statements();
    let order = ada.check_out(&json!({"idempotency_key": format!("{lines} lines")})).await.expect_status(201).json();
    assert_eq!(order["data"]["items"].as_array().map(Vec::len), Some(lines));
    shop.parts.db.statements() - before
}

/// The statements of the first page of the list.
async fn listing(shop: &TestShop, ada: &Buyer, orders: usize) -> u64 {
    let before = shop.parts.db.statements();
    let page = ada.client.get("/orders").await.expect_status(200).json();
    assert_eq!(page["data"].as_array().map(Vec::len), Some(orders));
    shop.parts.db.statements() - before
}

both_databases!(the_number_of_statements_does_not_grow_with_lines_and_orders);
async fn the_number_of_statements_does_not_grow_with_lines_and_orders(backend: Backend) {
    let shop = shop(backend).await;
    let things = (0..99).map(|number| product(&format!("p{number}"), "Thing", 100, &json!({})));
    shop.stock(&things.collect::<Vec<_>>()).await;
    let ada = buyer(&shop).await;
    let one = placing(&shop, &ada, 1).await;
    let list_of_one = listing(&shop, &ada, 1).await;
    assert_eq!(placing(&shop, &ada, 99).await, one);
    for _ in 2..20 {
        ada.place(&shop, &[("p0", 1), ("p1", 2)]).await;
    }
    assert_eq!(listing(&shop, &ada, 20).await, list_of_one);
    assert!(list_of_one <= 8 && one <= 40, "{list_of_one} and {one}");
}

/// The statements of placing an order that is paid this way.
async fn placing_with(shop: &TestShop, ada: &Buyer, payment_method: &str, status: &str) -> u64 {
    ada.fill(shop, &[("lamp", 1)]).await;
    let before = shop.parts.db.statements();
    let order = ada.check_out(&json!({"payment_method": payment_method})).await.expect_status(201).json();
    assert_eq!(order["data"]["status"], status);
    shop.parts.db.statements() - before
}

both_databases!(an_order_that_is_paid_at_once_takes_fifteen_statements_more);
async fn an_order_that_is_paid_at_once_takes_fifteen_statements_more(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let pending = placing_with(&shop, &ada, "manual", "pending").await;
    let paid = placing_with(&shop, &ada, "development", "paid").await;
    assert!(paid <= pending + 15, "{paid} and {pending}");
}

/// The statements of reading this.
async fn reading(shop: &TestShop, ada: &Buyer, path: &str) -> u64 {
    let before = shop.parts.db.statements();
    ada.client.get(path).await.expect_status(200);
    shop.parts.db.statements() - before
}

both_databases!(asking_what_a_cart_costs_takes_as_many_statements_as_showing_it_and_two_for_a_code);
async fn asking_what_a_cart_costs_takes_as_many_statements_as_showing_it_and_two_for_a_code(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let new = unlimited("FIVE", DiscountRule::Amount(5));
    shop.parts.db.write(async |tx| create_discount(tx, &new).await).await.expect("the code is free");
    ada.fill(&shop, &[("book", 1), ("lamp", 1)]).await;
    reading(&shop, &ada, "/cart").await;
    let cart = reading(&shop, &ada, "/cart").await;
    let chosen = "/checkout/requirements?country=NL&shipping_method_id=standard";
    assert_eq!(reading(&shop, &ada, chosen).await, cart);
    assert_eq!(reading(&shop, &ada, &format!("{chosen}&discount_code=FIVE")).await, cart + 2);
}

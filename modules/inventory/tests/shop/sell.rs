//! Placing, paying and sending orders.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{assert_clean, buyer, counted, expect_short, fill, order, pay, place, product, ship, shop, stock};

both_databases!(an_order_holds_what_it_takes_until_it_is_sent);
async fn an_order_holds_what_it_takes_until_it_is_sent(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
    let placed = order(&shop, "mug", 3).await;
    assert_eq!(stock(&shop, "mug").await, (5, 3, 2));
    pay(&shop, &placed).await;
    assert_eq!(stock(&shop, "mug").await, (5, 3, 2), "it is in the house until it is sent");
    ship(&shop, &placed, 1).await;
    assert_eq!(stock(&shop, "mug").await, (4, 2, 2));
    ship(&shop, &placed, 2).await;
    assert_eq!(stock(&shop, "mug").await, (2, 0, 2));
    assert_clean(&shop).await;
}

both_databases!(what_is_not_sent_leaves_when_it_is_paid);
async fn what_is_not_sent_leaves_when_it_is_paid(backend: Backend) {
    let settings = json!({"capabilities": ["inventory"], "modules": {"inventory": {"quantity": 4}}});
    let shop = shop(backend, &[product("voucher", &settings)]).await;
    let placed = order(&shop, "voucher", 3).await;
    assert_eq!(stock(&shop, "voucher").await, (4, 3, 1));
    pay(&shop, &placed).await;
    assert_eq!(stock(&shop, "voucher").await, (1, 0, 1));
    assert_clean(&shop).await;
}

both_databases!(what_costs_nothing_leaves_as_well);
async fn what_costs_nothing_leaves_as_well(backend: Backend) {
    let settings = json!({"capabilities": [], "price_amount": 0, "modules": {"inventory": {"quantity": 2}}});
    let shop = shop(backend, &[product("sample", &settings)]).await;
    let placed = order(&shop, "sample", 2).await;
    assert_eq!(placed["status"], "paid");
    shop.run_jobs().await;
    assert_eq!(stock(&shop, "sample").await, (0, 0, 0));
    assert_clean(&shop).await;
}

both_databases!(more_than_there_is_cannot_be_ordered);
async fn more_than_there_is_cannot_be_ordered(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 2), product("book", &json!({}))]).await;
    let ada = buyer(&shop).await;
    fill(&shop, &ada, "book", 1, &json!({})).await;
    fill(&shop, &ada, "mug", 3, &json!({})).await;
    assert_eq!(expect_short(place(&ada).await, "MUG"), "Only 2 of “MUG” are left.");
    assert_eq!(stock(&shop, "mug").await, (2, 0, 2));
    order(&shop, "mug", 2).await;
    let eve = buyer(&shop).await;
    fill(&shop, &eve, "mug", 1, &json!({})).await;
    assert_eq!(expect_short(place(&eve).await, "MUG"), "“MUG” is sold out.");
    assert_clean(&shop).await;
}

both_databases!(lines_of_the_same_thing_count_together);
async fn lines_of_the_same_thing_count_together(backend: Backend) {
    let text = json!([{"key": "engraving", "label": "Engraving", "type": "text", "required": false, "active": true,
                       "choices": []}]);
    let settings = json!({"sku": "MUG", "options": text, "modules": {"inventory": {"quantity": 3}}});
    // Another product is the same thing.
    let twin = json!({"sku": "MUG"});
    let shop = shop(backend, &[product("mug", &settings), product("mug-gift", &twin)]).await;
    let ada = buyer(&shop).await;
    fill(&shop, &ada, "mug", 2, &json!({"engraving": "Ada"})).await;
    fill(&shop, &ada, "mug", 1, &json!({"engraving": "Bob"})).await;
    fill(&shop, &ada, "mug-gift", 1, &json!({})).await;
    expect_short(place(&ada).await, "MUG");
    assert_eq!(stock(&shop, "MUG").await, (3, 0, 3));
    let bob = buyer(&shop).await;
    fill(&shop, &bob, "mug", 1, &json!({"engraving": "Ada"})).await;
    fill(&shop, &bob, "mug", 1, &json!({"engraving": "Bob"})).await;
    fill(&shop, &bob, "mug-gift", 1, &json!({})).await;
    place(&bob).await.expect_status(201);
    assert_eq!(stock(&shop, "MUG").await, (3, 3, 0));
    assert_clean(&shop).await;
}

both_databases!(a_choice_with_a_sku_has_a_stock_of_its_own);
async fn a_choice_with_a_sku_has_a_stock_of_its_own(backend: Backend) {
    let choice = |value: &str, sku: &str| json!({"value": value, "label": value, "price_adjustment_amount": 0, "sku": sku, "active": true});
    let size = json!([{"key": "size", "label": "Size", "type": "select", "required": true, "active": true,
                       "choices": [choice("s", "TEE-S"), choice("m", "TEE-M")]}]);
    let settings = json!({"sku": "TEE", "options": size, "modules": {"inventory": {
        "quantity": 7, "variants": [{"sku": "TEE-S", "quantity": 1}]}}});
    let shop = shop(backend, &[product("tee", &settings)]).await;
    assert_eq!(stock(&shop, "TEE-S").await, (1, 0, 1));
    assert_eq!(stock(&shop, "TEE-M").await, (7, 0, 7));
    let ada = buyer(&shop).await;
    fill(&shop, &ada, "tee", 2, &json!({"size": "s"})).await;
    expect_short(place(&ada).await, "TEE");
    let bob = buyer(&shop).await;
    fill(&shop, &bob, "tee", 1, &json!({"size": "s"})).await;
    fill(&shop, &bob, "tee", 2, &json!({"size": "m"})).await;
    place(&bob).await.expect_status(201);
    assert_eq!(stock(&shop, "TEE-S").await, (1, 1, 0));
    assert_eq!(stock(&shop, "TEE-M").await, (7, 2, 5));
    shop.command(&["inventory", "show", "TEE"]).await.expect_failure(1);
    assert_clean(&shop).await;
}

both_databases!(what_can_be_backordered_goes_below_nothing);
async fn what_can_be_backordered_goes_below_nothing(backend: Backend) {
    let settings = json!({"modules": {"inventory": {"quantity": 1, "backorder": true}}});
    let shop = shop(backend, &[product("lamp", &settings)]).await;
    let placed = order(&shop, "lamp", 4).await;
    assert_eq!(stock(&shop, "lamp").await, (1, 4, -3));
    pay(&shop, &placed).await;
    shop.command(&["inventory", "adjust", "lamp", "10", "--reason", "delivery"]).await.expect_success();
    ship(&shop, &placed, 4).await;
    assert_eq!(stock(&shop, "lamp").await, (7, 0, 7));
    assert_clean(&shop).await;
}

both_databases!(what_is_not_counted_can_be_ordered_without_end);
async fn what_is_not_counted_can_be_ordered_without_end(backend: Backend) {
    let counted = json!({"capabilities": ["shippable", "inventory"]});
    let shop = shop(backend, &[product("book", &json!({})), product("bare", &counted)]).await;
    order(&shop, "book", 99).await;
    shop.command(&["inventory", "show", "book"]).await.expect_failure(1);
    // A product that has the capability and says nothing else is counted from nothing.
    let ada = buyer(&shop).await;
    fill(&shop, &ada, "bare", 1, &json!({})).await;
    expect_short(place(&ada).await, "BARE");
    shop.command(&["inventory", "set", "bare", "1"]).await.expect_success();
    place(&ada).await.expect_status(201);
    // What the operator counts is counted, whatever the product says; until it is forgotten.
    shop.command(&["inventory", "set", "book", "1"]).await.expect_success();
    fill(&shop, &ada, "book", 2, &json!({})).await;
    expect_short(place(&ada).await, "BOOK");
    let forgotten = shop.command(&["inventory", "forget", "book", "--json"]).await.json();
    assert_eq!((&forgotten["sku"], &forgotten["tracked"]), (&json!("book"), &json!(false)));
    place(&ada).await.expect_status(201);
    assert_clean(&shop).await;
}

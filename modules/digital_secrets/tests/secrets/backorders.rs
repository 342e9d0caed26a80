//! Products that are sold although their pool is empty.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{
    add, assert_sound, available, builder, buyer, cancel, keyed, pay, pool, refund, shop, states, values,
};

async fn waiting_shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("font", &json!({"backorder": true}))]).await;
    shop
}

both_databases!(who_waits_is_served_in_the_order_of_payment);
async fn who_waits_is_served_in_the_order_of_payment(backend: Backend) {
    let shop = waiting_shop(backend).await;
    let (ada, bob, eve) = (buyer(&shop).await, buyer(&shop).await, buyer(&shop).await);
    let first = ada.place(&shop, &[("font", 2)]).await;
    let second = bob.place(&shop, &[("font", 1)]).await;
    let third = eve.place(&shop, &[("font", 1)]).await;
    for order_id in [third, second, first] {
        shop.advance(TimeDelta::minutes(1));
        pay(&shop, order_id).await;
    }
    assert_eq!(states(&shop, first).await, ["waiting", "waiting"]);
    assert_eq!(pool(&shop, "font").await["waiting"], 4);
    assert_eq!(ada.secrets().await.len(), 0);
    let added = add(&shop, "font", &values(1, 3)).await;
    assert_eq!((&added["added"], &added["delivered"], &added["available"]), (&json!(3), &json!(3), &json!(0)));
    assert_eq!(eve.values().await, values(1, 1), "she has paid first");
    assert_eq!(bob.values().await, values(2, 2));
    assert_eq!(ada.values().await, values(3, 3));
    assert_eq!(states(&shop, first).await, ["delivered", "waiting"]);
    add(&shop, "font", &values(4, 9)).await;
    assert_eq!(ada.values().await, values(3, 4));
    assert_eq!(available(&shop, "font").await, 5);
    assert_sound(&shop).await;
}

both_databases!(who_has_paid_is_served_before_who_has_only_ordered);
async fn who_has_paid_is_served_before_who_has_only_ordered(backend: Backend) {
    let shop = waiting_shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let unpaid = ada.place(&shop, &[("font", 1)]).await;
    bob.buy(&shop, &[("font", 1)]).await;
    add(&shop, "font", &values(1, 1)).await;
    assert_eq!(bob.values().await, values(1, 1));
    pay(&shop, unpaid).await;
    assert_eq!(states(&shop, unpaid).await, ["waiting"]);
    assert_sound(&shop).await;
}

both_databases!(the_time_of_payment_counts_and_not_when_it_was_heard_of);
async fn the_time_of_payment_counts_and_not_when_it_was_heard_of(backend: Backend) {
    let shop = waiting_shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let (first, second) = (ada.place(&shop, &[("font", 1)]).await, bob.place(&shop, &[("font", 1)]).await);
    record_payment(&Payments::from_shop(&shop.parts), first).await.expect("it is recorded");
    shop.advance(TimeDelta::minutes(1));
    record_payment(&Payments::from_shop(&shop.parts), second).await.expect("it is recorded");
    // Nobody was told of either payment yet.
    add(&shop, "font", &values(1, 1)).await;
    assert_eq!(ada.values().await, values(1, 1));
    shop.run_jobs().await;
    assert_eq!(
        (states(&shop, first).await, states(&shop, second).await),
        (vec!["delivered".into()], vec!["waiting".into()])
    );
    assert_sound(&shop).await;
}

both_databases!(what_is_given_back_goes_to_who_waits);
async fn what_is_given_back_goes_to_who_waits(backend: Backend) {
    let shop = waiting_shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let reserved = ada.place(&shop, &[("font", 1)]).await;
    let waits = bob.buy(&shop, &[("font", 1)]).await;
    assert_eq!(states(&shop, waits).await, ["waiting"]);
    cancel(&shop, reserved).await;
    assert_eq!(bob.values().await, values(1, 1));
    assert_sound(&shop).await;
}

both_databases!(who_waits_and_is_refunded_gets_nothing);
async fn who_waits_and_is_refunded_gets_nothing(backend: Backend) {
    let shop = waiting_shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let refunded = ada.buy(&shop, &[("font", 2)]).await;
    bob.buy(&shop, &[("font", 1)]).await;
    refund(&shop, refunded, 1).await;
    // Nobody was told of the refund yet.
    add(&shop, "font", &values(1, 2)).await;
    assert_eq!((ada.values().await.len(), bob.values().await.len()), (1, 1));
    shop.run_jobs().await;
    assert_eq!(states(&shop, refunded).await, ["delivered", "revoked"]);
    assert_sound(&shop).await;
}

both_databases!(a_line_that_cannot_wait_is_served_before_one_that_can);
async fn a_line_that_cannot_wait_is_served_before_one_that_can(backend: Backend) {
    let shop = builder(backend).open().await;
    let patient = keyed("patient", &json!({"pool": "keys", "backorder": true}));
    shop.stock(&[patient, keyed("hasty", &json!({"pool": "keys"}))]).await;
    add(&shop, "hasty", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("patient", 1), ("hasty", 1)]).await;
    let delivered = ada.secrets().await;
    assert_eq!(delivered.len(), 1);
    assert_eq!(delivered[0]["product"]["slug"], "hasty");
    assert_eq!(states(&shop, order_id).await, ["waiting", "delivered"]);
    assert_eq!(ada.refused(&shop, &[("hasty", 1)]).await["reason"], "insufficient_stock");
    assert_sound(&shop).await;
}

both_databases!(the_modules_setting_is_for_products_that_say_nothing);
async fn the_modules_setting_is_for_products_that_say_nothing(backend: Backend) {
    let shop = builder(backend).config("[modules.digital_secrets]\nbackorder = true").open().await;
    shop.stock(&[keyed("font", &json!({})), keyed("game", &json!({"backorder": false}))]).await;
    let ada = buyer(&shop).await;
    ada.place(&shop, &[("font", 1)]).await;
    assert_eq!(ada.refused(&shop, &[("game", 1)]).await["reason"], "insufficient_stock");
}

both_databases!(without_backorder_an_empty_pool_sells_nothing);
async fn without_backorder_an_empty_pool_sells_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    assert_eq!(ada.refused(&shop, &[("font", 1)]).await["reason"], "insufficient_stock");
    assert_sound(&shop).await;
}

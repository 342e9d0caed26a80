//! The module off and on again.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::module::ModuleEntry;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::testing::{TestShop, both_databases};
use stoa_subscriptions::Subscriptions;

use crate::kit::{Buyer, Counter, assert_sound, at, builder, id_of, renew_on, shop_at};

/// The same shop with the module off.
async fn switched_off(backend: Backend, shop: &TestShop) -> TestShop {
    let entry = ModuleEntry::of::<Subscriptions>("stoa-subscriptions", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).module::<Counter>();
    off.on(shop.database()).clock(&shop.clock).seed(2).open().await
}

both_databases!(a_module_that_is_off_is_not_there_and_finds_everything_when_it_is_on_again);
async fn a_module_that_is_off_is_not_there_and_finds_everything_when_it_is_on_again(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    let unpaid = id_of(&ada.place(1, "manual").await);
    let off = switched_off(backend, &shop).await;
    off.client().get("/subscriptions").await.expect_error(404, "not_found");
    let token = off.client().token(&ada.customer, &["*"]).await;
    token.get("/subscriptions/1").await.expect_error(404, "not_found");
    token.post("/cart", &json!({"product_id": 1})).await.expect_error(422, "validation_error");
    // What is paid and cancelled meanwhile.
    stoa_core::payments::record_payment(&Payments::from_shop(&off.parts), unpaid).await.expect("it is paid");
    off.advance(TimeDelta::days(2));
    off.run_jobs().await;
    off.advance(at("2026-03-05T12:00:00Z") - off.now());
    off.run_jobs().await;
    assert_eq!(ada.subscription(2).await["status"], "pending", "it waits");
    assert_eq!(ada.orders().await.0, 2, "nothing is billed");
    shop.run_jobs().await;
    let begun = ada.subscription(2).await;
    assert_eq!(begun["current_period_start"], "2026-01-31T12:00:00Z", "with the payment, not with the switch");
    renew_on(&shop, shop.now()).await;
    assert_eq!(ada.orders().await.0, 4);
    assert_sound(&shop).await;
}

both_databases!(what_is_cancelled_while_the_module_is_off_is_cancelled);
async fn what_is_cancelled_while_the_module_is_off_is_cancelled(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    let order = id_of(&ada.place(1, "manual").await);
    let off = switched_off(backend, &shop).await;
    cancel_order(&Payments::from_shop(&off.parts), order, CancelReason::Operator).await.expect("it is cancelled");
    assert_eq!(ada.subscription(1).await["status"], "cancelled");
    shop.run_jobs().await;
    assert_eq!(ada.subscription(1).await["status"], "cancelled");
}

//! The module off, and on again.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::module::ModuleEntry;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::{TestShop, both_databases};
use stoa_digital_secrets::DigitalSecrets;

use crate::shelf::{add, assert_sound, available, buyer, cancel, product_id, refund, shop, states, values};

/// The same shop with the module off.
async fn switched_off(backend: Backend, shop: &TestShop) -> TestShop {
    let entry = ModuleEntry::of::<DigitalSecrets>("stoa-digital-secrets", "0.1.0");
    TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2).open().await
}

both_databases!(a_disabled_module_is_not_there);
async fn a_disabled_module_is_not_there(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let off = switched_off(backend, &shop).await;
    off.client().get("/digital-secrets").await.expect_error(404, "not_found");
    let customer = off.customer().await;
    let everything = off.client().token(&customer, &["*"]).await;
    everything.get("/digital-secrets/1").await.expect_error(404, "not_found");
    let refused = everything.post("/cart", &json!({"product_id": product_id(&off, "font").await})).await;
    refused.expect_error(422, "validation_error");
    assert_eq!(off.command(&["digital-secrets", "pools"]).await.code, 2);
}

both_databases!(what_is_paid_and_refunded_while_the_module_is_off_waits_until_it_is_on);
async fn what_is_paid_and_refunded_while_the_module_is_off_waits_until_it_is_on(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 6)).await;
    let ada = buyer(&shop).await;
    let (paid, granted) = (ada.place(&shop, &[("font", 3)]).await, ada.buy(&shop, &[("font", 2)]).await);
    let off = switched_off(backend, &shop).await;
    record_payment(&Payments::from_shop(&off.parts), paid).await.expect("it is recorded");
    off.run_jobs().await;
    refund(&shop, granted, 1).await;
    off.run_jobs().await;
    assert_eq!(states(&shop, paid).await, ["promised", "promised", "promised"], "it waits");
    assert_eq!(states(&shop, granted).await, ["delivered", "delivered"]);
    shop.run_jobs().await;
    assert_eq!(states(&shop, paid).await, ["delivered", "delivered", "delivered"]);
    assert_eq!(states(&shop, granted).await, ["delivered", "revoked"]);
    assert_eq!(ada.values().await, values(1, 4));
    assert_sound(&shop).await;
}

both_databases!(what_is_cancelled_while_the_module_is_off_is_given_back_at_once);
async fn what_is_cancelled_while_the_module_is_off_is_given_back_at_once(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 2)]).await;
    let off = switched_off(backend, &shop).await;
    cancel(&off, order_id).await;
    assert_eq!(available(&shop, "font").await, 2);
    assert_eq!(states(&shop, order_id).await, ["released", "released"]);
    shop.run_jobs().await;
    assert_sound(&shop).await;
}

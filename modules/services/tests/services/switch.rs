//! The module off, and on again.

use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::module::ModuleEntry;
use stoa_core::payments::Payments;
use stoa_core::testing::{TestShop, both_databases};
use stoa_services::Provisioning;

use crate::setting::{Setting, buy, refund};

async fn off(setting: &Setting, backend: Backend) -> TestShop {
    let entry = ModuleEntry::of::<Provisioning>("stoa-services", "0.1.0");
    let builder = TestShop::builder(backend).linked_module(entry).on(setting.shop.database());
    builder.clock(&setting.shop.clock).seed(9).open().await
}

both_databases!(a_disabled_module_is_not_there_and_finds_everything_again);
async fn a_disabled_module_is_not_there_and_finds_everything_again(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (ada, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 2).await;
    setting.work().await;

    let shop = off(&setting, backend).await;
    shop.client().get("/services").await.expect_error(404, "not_found");
    let everything = shop.client().token(&ada, &["*"]).await;
    everything.get("/services/1").await.expect_error(404, "not_found");
    let product = everything.get("/products/small").await.json()["data"]["id"].clone();
    let refused = everything.post("/cart", &serde_json::json!({"product_id": product})).await;
    refused.expect_error(422, "validation_error");
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    assert_eq!(setting.statuses().await, ["active", "active"], "what happened meanwhile waits");

    setting.work().await;
    assert_eq!(setting.statuses().await, ["active", "suspended"]);
    assert_eq!(client.get("/services").await.expect_status(200).json()["meta"]["total"], 2);
    setting.verify().await;
}

both_databases!(an_order_that_is_paid_while_the_module_is_off_is_provisioned_later);
async fn an_order_that_is_paid_while_the_module_is_off_is_provisioned_later(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let shop = off(&setting, backend).await;
    let order = crate::setting::place(&client, "small", 1).await;
    stoa_core::payments::record_payment(&Payments::from_shop(&shop.parts), crate::setting::id(&order))
        .await
        .expect("it is recorded");
    shop.run_jobs().await;
    assert_eq!(setting.statuses().await, [""; 0]);
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"]);
    setting.verify().await;
}

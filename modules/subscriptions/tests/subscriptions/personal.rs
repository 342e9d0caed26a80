//! Customers who leave, or ask.

use serde_json::{Value, json};
use stoa_core::customers::{CustomerRecord, anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::testing::{TestShop, both_databases};
use stoa_subscriptions::Subscriptions;

use crate::kit::{Buyer, assert_sound, at, builder, heard, renew_on, shop_at, told};

async fn exported(shop: &TestShop, customer: &CustomerRecord) -> Value {
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it can be read").expect("there is one");
    let parts = export_customer(&parts.db, &parts.events, &account).await;
    parts.expect("it is exported")["subscriptions"].clone()
}

both_databases!(a_customer_is_told_everything_that_is_kept);
async fn a_customer_is_told_everything_that_is_kept(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let (ada, bob) = (Buyer::new(&shop).await, Buyer::new(&shop).await);
    ada.buy(&shop, 1).await;
    let told = exported(&shop, &ada.customer).await;
    assert_eq!((&told[0]["number"], &told[0]["periods"][0]["number"]), (&json!("S-000001"), &json!(1)));
    assert_eq!(exported(&shop, &bob.customer).await, json!([]));
}

both_databases!(subscriptions_end_with_their_customer_even_while_the_module_is_off);
async fn subscriptions_end_with_their_customer_even_while_the_module_is_off(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let (ada, bob, eve) = (Buyer::new(&shop).await, Buyer::new(&shop).await, Buyer::new(&shop).await);
    for buyer in [&ada, &bob, &eve] {
        buyer.buy(&shop, 1).await;
    }
    renew_on(&shop, at("2026-02-22T12:00:00Z")).await;
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    shop.run_jobs().await;
    let status = async |number: &str| {
        let shown = shop.command(&["subscriptions", "show", number, "--json"]).await.json();
        (shown["status"].clone(), shown["end_reason"].clone(), shown["periods"][1]["state"].clone())
    };
    assert_eq!(status("1").await, (json!("cancelled"), json!("erased"), json!("void")));
    assert_eq!(heard(&shop).await, [told("EntitlementEnded", 1)]);

    let entry = ModuleEntry::of::<Subscriptions>("stoa-subscriptions", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2);
    let off = off.open().await;
    anonymize_customer(&off.parts.db, bob.customer.id).await.expect("it is done");
    assert_eq!(status("2").await.0, json!("active"), "it waits");
    shop.run_jobs().await;
    assert_eq!(status("2").await, (json!("cancelled"), json!("erased"), json!("void")));
    assert_eq!(status("3").await.0, json!("active"));
    assert_sound(&shop).await;
}

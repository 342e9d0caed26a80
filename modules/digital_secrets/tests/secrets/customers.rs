//! What is told to customers about themselves, and forgotten of them.

use serde_json::{Value, json};
use stoa_core::customers::{CustomerRecord, anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::testing::{TestShop, both_databases};
use stoa_digital_secrets::DigitalSecrets;

use crate::shelf::{MARK, add, assert_sound, buyer, shop, values};

/// What the module adds to the export of a customer.
async fn exported(shop: &TestShop, customer: &CustomerRecord) -> Value {
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it can be read").expect("there is one");
    let parts = export_customer(&parts.db, &parts.events, &account).await;
    parts.expect("it is exported")["digital_secrets"].clone()
}

both_databases!(an_export_tells_what_was_delivered_and_read_without_the_values);
async fn an_export_tells_what_was_delivered_and_read_without_the_values(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order_id = ada.buy(&shop, &[("font", 1)]).await;
    ada.place(&shop, &[("font", 1)]).await;
    bob.buy(&shop, &[("font", 1)]).await;
    ada.secrets().await;
    let told = exported(&shop, &ada.customer).await;
    assert!(!told.to_string().contains(MARK), "{told}");
    let secrets = told["secrets"].as_array().expect("a list");
    assert_eq!(secrets.len(), 2);
    assert_eq!((&secrets[0]["order_id"], &secrets[0]["value_hint"]), (&json!(order_id), &json!("…0007")));
    assert_eq!(secrets[1]["value_hint"], json!(null), "what is not delivered is not told");
    assert_eq!(told["readings"].as_array().map(Vec::len), Some(1));
}

both_databases!(values_and_readings_go_with_their_customer_even_while_the_module_is_off);
async fn values_and_readings_go_with_their_customer_even_while_the_module_is_off(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let (ada, bob, eve) = (buyer(&shop).await, buyer(&shop).await, buyer(&shop).await);
    for customer in [&ada, &bob, &eve] {
        customer.buy(&shop, &[("font", 1)]).await;
        customer.secrets().await;
    }
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    let told = exported(&shop, &ada.customer).await;
    assert_eq!((&told["secrets"][0]["value_hint"], &told["readings"]), (&json!(""), &json!([])));
    let refused = shop.command(&["digital-secrets", "show", "1", "--reveal"]).await.expect_failure(1);
    assert!(refused.contains("erased"), "{refused}");
    assert_eq!(add(&shop, "font", &values(1, 1)).await["duplicates"], json!([1]), "nobody is sold it again");

    let entry = ModuleEntry::of::<DigitalSecrets>("stoa-digital-secrets", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).seed(2).open().await;
    anonymize_customer(&off.parts.db, bob.customer.id).await.expect("it is done");
    assert_eq!(exported(&shop, &bob.customer).await["readings"].as_array().map(Vec::len), Some(1), "it waits");
    shop.run_jobs().await;
    assert_eq!(exported(&shop, &bob.customer).await["readings"], json!([]));
    assert_eq!(eve.values().await, values(3, 3), "nobody else is concerned");
    assert_sound(&shop).await;
}

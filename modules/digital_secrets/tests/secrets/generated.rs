//! Values that are generated from a pattern.

use std::collections::BTreeSet;

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{assert_sound, builder, buyer, keyed, repeat_paid, states};

async fn generating_shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("license", &json!({"pattern": "LIC-XXXX-9999-****"}))]).await;
    shop
}

both_databases!(a_value_is_made_for_each_unit_once_the_order_is_paid);
async fn a_value_is_made_for_each_unit_once_the_order_is_paid(backend: Backend) {
    let shop = generating_shop(backend).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("license", 30)]).await;
    let mut made = Vec::new();
    for page in 1..=2 {
        let list = ada.client.get(&format!("/digital-secrets?page={page}")).await.expect_status(200).json();
        made.extend(list["data"].as_array().expect("a list").clone());
    }
    let made = made.iter().map(|secret| secret["value"].as_str().expect("a value")).collect::<BTreeSet<_>>();
    assert_eq!(made.len(), 30, "no two are the same");
    assert!(made.iter().all(|value| value.starts_with("LIC-") && value.len() == 18), "{made:?}");
    repeat_paid(&shop, order_id, ada.customer.id).await;
    shop.run_jobs().await;
    assert_eq!(ada.client.get("/digital-secrets").await.json()["meta"]["total"], 30);
    assert_sound(&shop).await;
}

both_databases!(nothing_is_made_for_an_order_that_is_not_paid);
async fn nothing_is_made_for_an_order_that_is_not_paid(backend: Backend) {
    let shop = generating_shop(backend).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("license", 1)]).await;
    shop.run_jobs().await;
    let values = shop.command(&["digital-secrets", "values", "license", "--json"]).await.json();
    assert_eq!(values["data"], json!([]));
    crate::shelf::cancel(&shop, order_id).await;
    assert_eq!(states(&shop, order_id).await, ["released"]);
    assert_sound(&shop).await;
}

both_databases!(a_product_with_a_pattern_takes_no_file);
async fn a_product_with_a_pattern_takes_no_file(backend: Backend) {
    let shop = generating_shop(backend).await;
    std::fs::write(shop.folder().join("keys.txt"), "KEY-1").expect("it is written");
    let refused = shop.command(&["digital-secrets", "add", "license", "keys.txt"]).await.expect_failure(1);
    assert!(refused.contains("pattern") && refused.contains("LIC-XXXX"), "{refused}");
}

both_databases!(a_generated_value_is_replaced_by_another_one);
async fn a_generated_value_is_replaced_by_another_one(backend: Backend) {
    let shop = generating_shop(backend).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("license", 1)]).await;
    let before = ada.secrets().await.remove(0);
    shop.command(&["digital-secrets", "replace", &before["id"].to_string()]).await.expect_success();
    let after = ada.secrets().await.remove(0);
    assert_eq!(before["id"], after["id"]);
    assert_ne!(before["value"], after["value"]);
    assert_sound(&shop).await;
}

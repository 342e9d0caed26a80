//! Values that do not work.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{MARK, add, assert_sound, available, buyer, pay, refund, shop, units, values};

both_databases!(a_faulty_value_is_replaced_by_the_next_one_under_the_same_id);
async fn a_faulty_value_is_replaced_by_the_next_one_under_the_same_id(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 1)]).await;
    let id = ada.secrets().await[0]["id"].to_string();
    let replaced = shop.command(&["digital-secrets", "replace", &id, "--reason", "Used before", "--json"]).await.json();
    assert_eq!(ada.values().await, values(2, 2));
    assert_eq!(available(&shop, "font").await, 1, "the faulty one is not sold again");
    let shown = shop.command(&["digital-secrets", "show", &id, "--json"]).await.json();
    assert_eq!(shown["value_id"], replaced["value_id"]);
    assert_eq!(
        shown["changes"],
        json!([{"action": "replaced", "value_id": replaced["voided_value_id"], "replacement_id": replaced["value_id"],
                "reason": "Used before", "created_at": "2026-01-15T12:00:00Z"}])
    );
    refund(&shop, order_id, 1).await;
    shop.run_jobs().await;
    let refused = shop.command(&["digital-secrets", "replace", &id]).await.expect_failure(1);
    assert!(refused.contains("is revoked"), "{refused}");
    assert_sound(&shop).await;
}

both_databases!(a_replacement_may_come_from_a_file);
async fn a_replacement_may_come_from_a_file(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1)]).await;
    let id = ada.secrets().await[0]["id"].to_string();
    let empty = shop.command(&["digital-secrets", "replace", &id]).await.expect_failure(1);
    assert!(empty.contains("the pool `font` is empty"), "{empty}");
    assert_eq!(ada.values().await, values(1, 1), "nothing has changed");
    let from = async |content: &str| {
        std::fs::write(shop.folder().join("new.txt"), content).expect("it is written");
        shop.command(&["digital-secrets", "replace", &id, "--from", "new.txt"]).await
    };
    assert!(from(&values(1, 1)[0]).await.expect_failure(1).contains("already"));
    assert!(from("").await.expect_failure(1).contains("there is no value"));
    assert!(from("one\ntwo\n").await.expect_failure(1).contains("more than one"));
    let done = from(&values(9, 9)[0]).await.expect_success();
    assert!(!done.contains(MARK), "{done}");
    assert_eq!(ada.values().await, values(9, 9));
    assert_sound(&shop).await;
}

both_databases!(a_reserved_value_can_be_replaced_before_it_is_delivered);
async fn a_reserved_value_can_be_replaced_before_it_is_delivered(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 1)]).await;
    let id = units(&shop, order_id).await[0]["id"].to_string();
    shop.command(&["digital-secrets", "replace", &id]).await.expect_success();
    assert_sound(&shop).await;
    pay(&shop, order_id).await;
    assert_eq!(ada.values().await, values(2, 2));
    assert_sound(&shop).await;
}

both_databases!(only_what_nobody_has_can_be_voided);
async fn only_what_nobody_has_can_be_voided(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    ada.place(&shop, &[("font", 1)]).await;
    let listed = shop.command(&["digital-secrets", "values", "font", "--json"]).await.json();
    let refused = shop.command(&["digital-secrets", "void", &listed["data"][0]["id"].to_string()]).await;
    assert!(refused.expect_failure(1).contains("is reserved"));
    let id = &listed["data"][1]["id"];
    let voided = shop.command(&["digital-secrets", "void", &id.to_string(), "--json"]).await.json();
    assert_eq!((&voided["id"], &voided["state"]), (id, &json!("voided")));
    assert_eq!(available(&shop, "font").await, 0);
    let unknown = shop.command(&["digital-secrets", "void", "4711"]).await.expect_failure(1);
    assert!(unknown.contains("there is no value 4711"), "{unknown}");
    assert_sound(&shop).await;
}

//! The other commands.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{MARK, add, buyer, shop, values};

both_databases!(operators_see_what_was_sold_to_whom_without_the_values);
async fn operators_see_what_was_sold_to_whom_without_the_values(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order_id = ada.buy(&shop, &[("font", 2)]).await;
    bob.place(&shop, &[("font", 1)]).await;
    let count = async |arguments: &[&str]| {
        let list = shop.command(&[&["digital-secrets", "list", "--json"], arguments].concat()).await;
        assert!(!list.output.contains(MARK), "{list:?}");
        list.json()["data"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(count(&[]).await, 3);
    assert_eq!(count(&["--limit", "1"]).await, 1);
    assert_eq!(count(&["--customer", &ada.customer.email.to_uppercase()]).await, 2);
    assert_eq!(count(&["--customer", &bob.customer.id.to_string()]).await, 1);
    assert_eq!(count(&["--customer", "nobody@example.com"]).await, 0);
    assert_eq!(count(&["--order", &format!("O-{order_id:06}"), "--status", "delivered"]).await, 2);
    assert_eq!(count(&["--status", "promised", "--pool", "font"]).await, 1);
    assert_eq!(count(&["--pool", "game"]).await, 0);
    let one = shop.command(&["digital-secrets", "list", "--limit", "1", "--json"]).await.json()["data"][0].clone();
    assert_eq!(one["product"], json!({"id": 1, "slug": "font", "name": "font"}), "as the API shows it");
    let table = shop.command(&["digital-secrets", "list"]).await.expect_success();
    assert!(table.contains("delivered") && !table.contains(MARK), "{table}");
    shop.command(&["digital-secrets", "list", "--status", "lost"]).await.expect_failure(2);
    let listed = shop.command(&["digital-secrets", "values", "font"]).await.expect_success();
    assert!(listed.contains("reserved") && !listed.contains(MARK), "{listed}");
    let unknown = shop.command(&["digital-secrets", "values", "unknown"]).await.expect_failure(1);
    assert!(unknown.contains("there is no pool `unknown`; `stoa digital-secrets pools` lists all"), "{unknown}");
    for command in [&["values", "fnot"][..], &["low-water", "fnot", "7"]] {
        let meant = shop.command(&[&["digital-secrets"], command].concat()).await.expect_failure(1);
        assert!(meant.contains("there is no pool `fnot`; did you mean `font`?"), "{meant}");
    }
}

both_databases!(a_value_is_shown_to_operators_only_if_they_insist_and_that_is_recorded);
async fn a_value_is_shown_to_operators_only_if_they_insist_and_that_is_recorded(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1)]).await;
    let unread = shop.command(&["digital-secrets", "reveals", "1"]).await.expect_success();
    assert_eq!(unread, "there is nothing to list: nobody has read it yet\n");
    let id = ada.secrets().await[0]["id"].to_string();
    for arguments in [&["digital-secrets", "show", &id][..], &["digital-secrets", "show", &id, "--json"]] {
        let shown = shop.command(arguments).await.expect_success();
        assert!(!shown.contains(MARK) && shown.contains("delivered"), "{shown}");
    }
    let shown = shop.command(&["digital-secrets", "show", &id, "--reveal", "--json"]).await.json();
    assert_eq!((&shown["value"], &shown["reveals"]), (&json!(values(1, 1)[0]), &json!(2)));
    let shown = shop.command(&["digital-secrets", "show", &id, "--reveal"]).await.expect_success();
    assert!(shown.contains(&values(1, 1)[0]), "{shown}");
    let reveals = shop.command(&["digital-secrets", "reveals", &id]).await.expect_success();
    assert!(reveals.contains("operator") && reveals.contains("customer"), "{reveals}");
    for command in ["show", "reveals", "replace"] {
        let unknown = shop.command(&["digital-secrets", command, "4711"]).await.expect_failure(1);
        assert!(unknown.contains("there is no digital secret 4711"), "{unknown}");
    }
    shop.command(&["digital-secrets", "show", "-1"]).await.expect_failure(2);
}

both_databases!(a_value_that_turned_up_is_traced_to_whom_it_was_given);
async fn a_value_that_turned_up_is_traced_to_whom_it_was_given(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 1)]).await;
    let find = async |value: &str| {
        std::fs::write(shop.folder().join("leaked.txt"), value).expect("it is written");
        shop.command(&["digital-secrets", "find", "leaked.txt", "--json"]).await.json()["data"].clone()
    };
    let found = find(&format!("{}\r\n", values(1, 1)[0])).await;
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!((&found[0]["order_id"], &found[0]["customer_id"]), (&json!(order_id), &json!(ada.customer.id)));
    assert_eq!(find(&values(2, 2)[0]).await[0]["state"], "available");
    assert_eq!(find("something else").await, json!([]));
    std::fs::write(shop.folder().join("leaked.txt"), "\n").expect("it is written");
    shop.command(&["digital-secrets", "find", "leaked.txt"]).await.expect_failure(1);
}

both_databases!(a_pool_has_a_limit_of_its_own);
async fn a_pool_has_a_limit_of_its_own(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 6)).await;
    let low = async || shop.command(&["digital-secrets", "pools", "--low", "--json"]).await.json()["data"].clone();
    assert_eq!(low().await, json!([]));
    let told = shop.command(&["digital-secrets", "low-water", "font", "7", "--json"]).await.json();
    let expected = json!({"name": "font", "available": 6, "reserved": 0, "waiting": 0, "low_water": 7, "low": true});
    assert_eq!(told, expected);
    assert_eq!(low().await, json!([expected]));
    shop.command(&["digital-secrets", "low-water", "font"]).await.expect_success();
    assert_eq!(low().await, json!([]));
    shop.command(&["digital-secrets", "low-water", "unknown", "7"]).await.expect_failure(1);
    shop.command(&["digital-secrets", "low-water", "font", "-7"]).await.expect_failure(2);
}

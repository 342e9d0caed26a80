//! What customers read, and what is recorded of it.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{READ, add, builder, buyer, keyed, shop, values};

async fn reveals(shop: &TestShop, id: &Value) -> Vec<Value> {
    let list = shop.command(&["digital-secrets", "reveals", &id.to_string(), "--json"]).await.json();
    list["data"].as_array().expect("a list").clone()
}

both_databases!(a_secret_shows_what_the_contract_names);
async fn a_secret_shows_what_the_contract_names(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &[String::from("AGORA-3M9T-XB42-7QKD")]).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 1)]).await;
    let secrets = ada.secrets().await;
    let id = &secrets[0]["id"];
    assert_eq!(
        secrets[0],
        json!({"id": id, "product": {"id": 1, "slug": "font", "name": "font"}, "status": "delivered",
               "value_hint": "…7QKD", "value": "AGORA-3M9T-XB42-7QKD", "granted_at": "2026-01-15T12:00:00Z",
               "revoked_at": null, "order_id": order_id})
    );
    let shown = ada.client.get(&format!("/digital-secrets/{id}")).await.expect_status(200);
    assert_eq!(shown.header("cache-control"), Some("private, no-store"));
    assert_eq!(shown.json()["data"], secrets[0]);
}

both_databases!(somebody_elses_secret_is_not_found);
async fn somebody_elses_secret_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    ada.buy(&shop, &[("font", 1)]).await;
    let id = ada.secrets().await[0]["id"].clone();
    let before = reveals(&shop, &id).await.len();
    eve.client.get(&format!("/digital-secrets/{id}")).await.expect_error(404, "not_found");
    eve.client.get("/digital-secrets/0").await.expect_error(404, "not_found");
    eve.client.get("/digital-secrets/99999999999999999999").await.expect_error(404, "not_found");
    assert_eq!(eve.secrets().await.len(), 0);
    assert_eq!(reveals(&shop, &id).await.len(), before, "nobody has read it");
}

both_databases!(what_is_not_delivered_cannot_be_read_by_its_id);
async fn what_is_not_delivered_cannot_be_read_by_its_id(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 1)]).await;
    let id = crate::shelf::units(&shop, order_id).await[0]["id"].clone();
    ada.client.get(&format!("/digital-secrets/{id}")).await.expect_error(404, "not_found");
}

both_databases!(reading_needs_the_ability);
async fn reading_needs_the_ability(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    shop.client().get("/digital-secrets").await.expect_error(401, "unauthenticated");
    shop.client().token(&ada, &[READ]).await.get("/digital-secrets").await.expect_status(200);
    let other = shop.client().token(&ada, &["orders.read", "downloads.read"]).await;
    let refused = other.get("/digital-secrets").await.expect_error(403, "insufficient_scope").json();
    assert_eq!(refused["errors"]["required_ability"], json!([READ]));
    other.get("/digital-secrets/1").await.expect_error(403, "insufficient_scope");
}

both_databases!(every_reading_is_recorded_with_token_and_route);
async fn every_reading_is_recorded_with_token_and_route(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 2)]).await;
    let id = ada.secrets().await[0]["id"].clone();
    shop.advance(TimeDelta::minutes(5));
    shop.client().session(&ada.customer).await.get(&format!("/digital-secrets/{id}")).await.expect_status(200);
    let recorded = reveals(&shop, &id).await;
    assert_eq!(recorded.len(), 2, "{recorded:?}");
    assert_eq!(recorded[0]["route"], "digital-secrets.show");
    assert_eq!((&recorded[0]["actor"], &recorded[0]["token_id"]), (&json!("customer"), &json!(null)));
    assert_eq!(recorded[0]["revealed_at"], "2026-01-15T12:05:00Z");
    assert_eq!(recorded[1]["route"], "digital-secrets.index");
    assert!(recorded[1]["token_id"].is_i64(), "{recorded:?}");
}

both_databases!(the_list_is_paged_with_the_newest_first);
async fn the_list_is_paged_with_the_newest_first(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 25)).await;
    let ada = buyer(&shop).await;
    let first = ada.buy(&shop, &[("font", 20)]).await;
    shop.advance(TimeDelta::minutes(1));
    let second = ada.buy(&shop, &[("font", 2)]).await;
    let page = ada.client.get("/digital-secrets").await.expect_status(200).json();
    assert_eq!((&page["meta"]["total"], &page["meta"]["last_page"]), (&json!(22), &json!(2)));
    assert_eq!((&page["data"][0]["order_id"], &page["data"][2]["order_id"]), (&json!(second), &json!(first)));
    let page = ada.client.get("/digital-secrets?page=2").await.expect_status(200).json();
    assert_eq!(page["data"].as_array().map(Vec::len), Some(2));
    let page = ada.client.get("/digital-secrets?page=99999999999").await.expect_status(200).json();
    assert_eq!(page["data"], json!([]));
}

both_databases!(old_readings_are_forgotten);
async fn old_readings_are_forgotten(backend: Backend) {
    let shop = builder(backend).config("[modules.digital_secrets]\nkeep_reveals_days = 30").open().await;
    shop.stock(&[keyed("font", &json!({}))]).await;
    add(&shop, "font", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1)]).await;
    let id = ada.secrets().await[0]["id"].clone();
    shop.advance(TimeDelta::days(29));
    ada.secrets().await;
    shop.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    assert_eq!(reveals(&shop, &id).await.len(), 1);
    assert_eq!(ada.values().await, values(1, 1), "the value itself stays");
}

//! `/services`: what customers see of their own.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::setting::{Setting, buy};

both_databases!(a_customer_sees_a_service_with_its_credentials_while_it_is_active);
async fn a_customer_sees_a_service_with_its_credentials_while_it_is_active(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    let order = buy(&setting.shop, &client, "small", 1).await;
    setting.work().await;
    let key = setting.account.last_request().key;
    let answer = client.get("/services/1").await.expect_status(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    let product = client.get("/products/small").await.json()["data"]["id"].clone();
    assert_eq!(
        answer.json()["data"],
        json!({
            "id": 1, "number": "SV-000001", "status": "active",
            "product": {"id": product, "slug": "small", "name": "Plan small"}, "plan": "small",
            "external_ref": format!("vm-{}", &key[..8]), "activated_at": "2026-01-15T12:00:00Z", "suspended_at": null,
            "terminated_at": null, "order_id": order["id"], "created_at": "2026-01-15T12:00:00Z",
            "credentials": {"password": format!("secret-of-{key}")},
        })
    );
    let listed = client.get("/services").await.expect_status(200).json();
    assert_eq!(listed["data"][0]["number"], "SV-000001");
    assert_eq!(listed["data"][0].get("credentials"), None, "only the detail tells");
    setting.shop.command(&["services", "suspend", "1"]).await.expect_success();
    let suspended = client.get("/services/1").await.expect_status(200).json();
    assert_eq!(suspended["data"].get("credentials"), None);
}

both_databases!(somebody_elses_service_is_not_found);
async fn somebody_elses_service_is_not_found(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, ada) = setting.customer().await;
    buy(&setting.shop, &ada, "small", 1).await;
    setting.work().await;
    let (_, eve) = setting.customer().await;
    for path in ["/services/1", "/services/2", "/services/0", "/services/x"] {
        eve.get(path).await.expect_error(404, "not_found");
    }
    assert_eq!(eve.get("/services").await.expect_status(200).json()["meta"]["total"], 0);
}

both_databases!(the_list_is_paged_with_the_newest_first);
async fn the_list_is_paged_with_the_newest_first(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    buy(&setting.shop, &client, "small", 21).await;
    setting.work().await;
    let first = client.get("/services").await.expect_status(200).json();
    assert_eq!((&first["data"][0]["id"], &first["meta"]["last_page"]), (&json!(21), &json!(2)));
    let second = client.get("/services?page=2").await.expect_status(200).json();
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
}

both_databases!(the_ability_opens_the_routes);
async fn the_ability_opens_the_routes(backend: Backend) {
    let setting = Setting::new(backend).await;
    let ada = setting.shop.customer().await;
    setting.shop.client().get("/services").await.expect_error(401, "unauthenticated");
    let stranger = setting.shop.client().token(&ada, &["subscriptions.read"]).await;
    let refused = stranger.get("/services").await.expect_error(403, "insufficient_scope");
    assert_eq!(refused.json()["errors"]["required_ability"], json!(["services.read"]));
    let reader = setting.shop.client().token(&ada, &["services.read"]).await;
    reader.get("/services").await.expect_status(200);
}

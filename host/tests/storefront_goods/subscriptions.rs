//! Subscriptions are cancelled and kept on the page of purchases.

use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};

use crate::kit::{browser, buy, place, shop};

const PAGE: &str = "/account/purchases";

async fn subscriber(shop: &TestShop) -> TestBrowser {
    let mut ada = browser(shop);
    buy(shop, &mut ada, &["tea"]).await;
    ada
}

both_databases!(a_subscription_is_cancelled_and_kept_by_its_buttons);
async fn a_subscription_is_cancelled_and_kept_by_its_buttons(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = subscriber(&shop).await;
    let page = ada.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("action=\"/do/subscriptions/1/cancel\"") && page.contains("Next payment"), "{page}");
    let done = ada.submit("/do/subscriptions/1/cancel", &[("_back", PAGE)]).await.expect_status(303);
    assert_eq!(done.header("location"), Some(PAGE));
    let page = ada.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("Ends on") && page.contains("action=\"/do/subscriptions/1/resume\""), "{page}");
    ada.submit("/do/subscriptions/1/resume", &[("_back", PAGE)]).await.expect_status(303);
    let page = ada.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("Next payment") && page.contains("/cancel\""), "{page}");
}

both_databases!(what_is_refused_is_told_on_the_page_of_the_form);
async fn what_is_refused_is_told_on_the_page_of_the_form(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = subscriber(&shop).await;
    let refused = ada.submit("/do/subscriptions/1/resume", &[("_back", PAGE)]).await.expect_status(409).text();
    assert!(refused.contains("role=\"alert\"") && refused.contains("It is not cancelled."), "{refused}");
    assert!(refused.contains("/do/subscriptions/1/cancel"), "{refused}");
    let order = ada.submit("/do/subscriptions/1/resume", &[("_back", "/order/O-000001")]).await.expect_status(409);
    let order = order.text();
    assert!(order.contains("It is not cancelled.") && order.contains("Order O-000001"), "{order}");
    // Another's subscription is not there.
    let mut eve = subscriber(&shop).await;
    eve.submit("/do/subscriptions/1/cancel", &[("_back", PAGE)]).await.expect_status(404);
    let nobody = browser(&shop).submit("/do/subscriptions/1/cancel", &[]).await.expect_status(303);
    assert_eq!(nobody.header("location"), Some("/login?next=%2Faccount%2Fpurchases"));
}

both_databases!(changing_a_subscription_takes_more_than_reading_it);
async fn changing_a_subscription_takes_more_than_reading_it(backend: Backend) {
    let shop = shop(backend).await;
    let owner = shop.customer().await;
    let mut ada = browser(&shop);
    ada.log_in(&owner).await;
    buy(&shop, &mut ada, &["tea"]).await;
    let reader = shop.client().token(&owner, &["subscriptions.read"]).await;
    reader.post("/subscriptions/1/cancel", &serde_json::json!({})).await.expect_error(403, "insufficient_scope");
    let buyer = shop.client().token(&owner, &["orders.create"]).await;
    let cancelled = buyer.post("/subscriptions/1/cancel", &serde_json::json!({})).await.expect_status(200).json();
    assert_eq!(cancelled["data"]["cancel_at_period_end"], true);
    buyer.post("/subscriptions/1/cancel", &serde_json::json!({})).await.expect_status(200);
    buyer.post("/subscriptions/1/resume", &serde_json::json!({})).await.expect_status(200);
    let refused = buyer.post("/subscriptions/1/resume", &serde_json::json!({})).await;
    assert_eq!(refused.expect_error(409, "invalid_state").json()["reason"], "not_cancelled");
}

both_databases!(what_is_not_paid_yet_is_shown_as_such);
async fn what_is_not_paid_yet_is_shown_as_such(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    place(&mut ada, &["tea", "hosting"]).await;
    let page = ada.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("Begins with the payment") && !page.contains("/do/subscriptions"), "{page}");
    ada.get("/order/O-000001").await.expect_status(200);
}

//! The site's own pages: home, health and metrics.

use http::Method;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

async fn get(client: &TestClient, path: &str) -> TestResponse {
    client.send(client.site_request(Method::GET, path, "")).await
}

both_databases!(the_home_page_names_the_shop_and_escapes_it);
async fn the_home_page_names_the_shop_and_escapes_it(backend: Backend) {
    let shop = TestShop::builder(backend).config("[shop]\nname = \"Tom & <b>Jerry</b>\"").open().await;
    let answer = get(&shop.client(), "/").await.expect_status(200);
    assert!(answer.text().contains("Tom &amp; &lt;b&gt;Jerry"), "{}", answer.text());
    assert!(answer.text().contains("/development/api"));
    assert!(answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")));
}

both_databases!(a_running_shop_is_live_and_ready);
async fn a_running_shop_is_live_and_ready(backend: Backend) {
    let shop = TestShop::new(backend).await;
    get(&shop.client(), "/health/live").await.expect_status(200);
    get(&shop.client(), "/health/ready").await.expect_status(200);
    shop.services.db.close().await;
    get(&shop.client(), "/health/live").await.expect_status(200);
    get(&shop.client(), "/health/ready").await.expect_status(503);
}

both_databases!(metrics_are_answered_when_they_are_switched_on);
async fn metrics_are_answered_when_they_are_switched_on(backend: Backend) {
    let quiet = TestShop::new(backend).await;
    get(&quiet.client(), "/metrics").await.expect_error(404, "not_found");
    let shop = TestShop::builder(backend).config("[server]\nmetrics = true").open().await;
    shop.client().get("/products").await.expect_status(200);
    shop.client().get("/products/none").await.expect_status(404);
    let text = get(&shop.client(), "/metrics").await.expect_status(200).text();
    assert!(text.contains("stoa_http_requests_total{route=\"products.index\",status=\"200\"} 1"), "{text}");
    assert!(text.contains("stoa_http_requests_total{route=\"products.show\",status=\"404\"} 1"), "{text}");
}

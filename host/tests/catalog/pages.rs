//! The site's own pages: home, health and metrics.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use http::Method;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
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

both_databases!(an_address_with_a_slash_at_its_end_leads_people_to_the_page_and_never_to_another_host);
async fn an_address_with_a_slash_at_its_end_leads_people_to_the_page_and_never_to_another_host(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut people = shop.browser().with_header("accept", "text/html");
    let led = people.get("/health/live/?from=mail").await.expect_status(308);
    assert_eq!(led.header("location"), Some("/health/live?from=mail"));
    for elsewhere in ["//evil.example/", "/\\evil.example/", "/nothing"] {
        assert_eq!(people.get(elsewhere).await.expect_status(404).header("location"), None, "{elsewhere}");
    }
    get(&shop.client(), "/health/live/").await.expect_status(404);
    shop.client().get("/products/").await.expect_status(404);
}

both_databases!(a_running_shop_is_live_and_ready);
async fn a_running_shop_is_live_and_ready(backend: Backend) {
    let shop = TestShop::new(backend).await;
    get(&shop.client(), "/health/live").await.expect_status(200);
    get(&shop.client(), "/health/ready").await.expect_status(200);
    shop.parts.db.close().await;
    get(&shop.client(), "/health/live").await.expect_status(200);
    get(&shop.client(), "/health/ready").await.expect_status(503);
}

const WRITE: Sql = sql!(
    "INSERT INTO installation (name, value) VALUES ('written_at', '') ON CONFLICT (name) DO UPDATE SET value = ''"
);

both_databases!(while_somebody_holds_what_is_written_a_shop_is_not_ready_and_answers_all_else);
async fn while_somebody_holds_what_is_written_a_shop_is_not_ready_and_answers_all_else(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let client = shop.client();
    let ready = async || get(&client, "/health/ready").await.status.as_u16();
    assert_eq!(ready().await, 200);
    shop.advance(TimeDelta::seconds(2));
    let other = shop.database().open(Clock::system()).await;
    let held = other.write(async |tx| -> Result<(), DbError> {
        tx.run(WRITE).execute().await?;
        // However many ask, each is answered in time, and nobody else waits.
        let begun = Instant::now();
        let (first, second, live, home) =
            tokio::join!(ready(), ready(), get(&client, "/health/live"), get(&client, "/"));
        assert_eq!((first, second, live.status.as_u16(), home.status.as_u16()), (503, 503, 200, 200));
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        Ok(())
    });
    held.await.expect("it is written");
    shop.advance(TimeDelta::seconds(2));
    assert_eq!(ready().await, 200);
}

const BREAK: Sql = sql!(
    sqlite: "CREATE TRIGGER full_disk BEFORE INSERT ON installation
             BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
    postgres: "ALTER TABLE installation ADD CONSTRAINT full_disk CHECK (name <> 'written_at') NOT VALID",
);
const MEND: Sql = sql!(
    sqlite: "DROP TRIGGER full_disk",
    postgres: "ALTER TABLE installation DROP CONSTRAINT full_disk",
);

both_databases!(a_shop_that_cannot_write_is_not_ready_and_tries_every_other_second_only);
async fn a_shop_that_cannot_write_is_not_ready_and_tries_every_other_second_only(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ready = async || get(&shop.client(), "/health/ready").await;
    let change = async |sql: Sql| {
        let change = async |tx: &mut Tx| tx.run(sql).execute().await;
        shop.parts.db.write(change).await.expect("it is changed");
    };
    change(BREAK).await;
    let refused = ready().await.expect_status(503);
    assert_eq!(refused.json()["status"], "the database takes no writes");
    change(MEND).await;
    ready().await.expect_status(503);
    shop.advance(TimeDelta::seconds(2));
    ready().await.expect_status(200);
    change(BREAK).await;
    ready().await.expect_status(200);
    // A clock that is set back leaves nothing standing.
    shop.advance(TimeDelta::days(-400));
    ready().await.expect_status(503);
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

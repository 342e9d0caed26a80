//! Rate limits: fixed windows that open with a key's first request (S8, contract 2).

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, run_test};

use crate::probe;

/// Runs a test with a shop that answers three catalog and two protected requests in a minute.
/// Limits are counted in memory, whatever the database.
fn with_shop(test: impl AsyncFnOnce(TestShop)) {
    let limits =
        "[limits]\ncatalog = { requests = 3, per_seconds = 60 }\nprotected = { requests = 2, per_seconds = 60 }";
    run_test(Backend::Sqlite, |backend| async move {
        test(probe::shop(backend).config(limits).open().await).await;
    });
}

async fn use_up(client: &TestClient, path: &str, requests: usize) {
    for _ in 0..requests {
        assert_ne!(client.get(path).await.status, 429);
    }
}

fn limit_headers(answer: &TestResponse) -> (Option<&str>, Option<&str>) {
    (answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-remaining"))
}

#[test]
fn a_limited_route_says_how_many_requests_remain() {
    with_shop(async |shop| {
        let client = shop.client();
        for remaining in ["2", "1", "0"] {
            let answer = client.get("/products").await.expect_status(200);
            assert_eq!(limit_headers(&answer), (Some("3"), Some(remaining)));
        }
        let answer = client.get("/products").await.expect_error(429, "rate_limited");
        assert_eq!(limit_headers(&answer), (Some("3"), Some("0")));
    });
}

#[test]
fn a_refusal_says_after_how_many_seconds_to_come_back() {
    with_shop(async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        let retry_after = async || shop.client().get("/products").await.header("retry-after").map(str::to_owned);
        assert_eq!(retry_after().await.as_deref(), Some("60"));
        shop.advance(TimeDelta::milliseconds(30_500));
        assert_eq!(retry_after().await.as_deref(), Some("30"));
        shop.advance(TimeDelta::milliseconds(29_499));
        assert_eq!(retry_after().await.as_deref(), Some("1"));
    });
}

#[test]
fn the_window_opens_with_the_first_request_and_is_fixed() {
    with_shop(async |shop| {
        // A window that followed the clock's minute, or moved with each request, would end elsewhere.
        shop.advance(TimeDelta::seconds(50));
        use_up(&shop.client(), "/products", 1).await;
        shop.advance(TimeDelta::seconds(40));
        use_up(&shop.client(), "/products", 2).await;
        shop.client().get("/products").await.expect_status(429);
        shop.advance(TimeDelta::milliseconds(19_999));
        shop.client().get("/products").await.expect_status(429);
        shop.advance(TimeDelta::milliseconds(1));
        use_up(&shop.client(), "/products", 3).await;
        shop.client().get("/products").await.expect_status(429);
    });
}

#[test]
fn refused_requests_do_not_lengthen_the_window() {
    with_shop(async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        for _ in 0..6 {
            shop.advance(TimeDelta::seconds(9));
            shop.client().get("/products").await.expect_status(429);
        }
        shop.advance(TimeDelta::seconds(6));
        shop.client().get("/products").await.expect_status(200);
    });
}

#[test]
fn all_catalog_routes_share_one_count() {
    with_shop(async |shop| {
        let client = shop.client();
        for path in ["/products", "/categories", "/search?q=tea"] {
            client.get(path).await.expect_status(200);
        }
        for path in ["/products/unknown", "/categories/unknown", "/openapi.json"] {
            client.get(path).await.expect_status(429);
        }
    });
}

#[test]
fn each_address_has_its_own_count() {
    with_shop(async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        shop.client().get("/products").await.expect_status(429);
        shop.client().at_address("192.0.2.2").get("/products").await.expect_status(200);
        shop.client().at_address("::ffff:192.0.2.1").get("/products").await.expect_status(429);
    });
}

#[test]
fn a_forged_address_has_no_count_of_its_own() {
    with_shop(async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        let forged = shop.client().with_header("x-forwarded-for", "203.0.113.9");
        forged.get("/products").await.expect_status(429);
    });
}

#[test]
fn addresses_of_one_ipv6_network_share_their_count() {
    with_shop(async |shop| {
        for address in ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:ffff:ffff:ffff"] {
            shop.client().at_address(address).get("/products").await.expect_status(200);
        }
        shop.client().at_address("2001:db8::3").get("/products").await.expect_status(429);
        shop.client().at_address("2001:db8:0:1::3").get("/products").await.expect_status(200);
    });
}

#[test]
fn protected_requests_are_counted_by_user_wherever_they_come_from() {
    with_shop(async |shop| {
        let (one, other) = (probe::client(&shop).await, probe::client(&shop).await);
        use_up(&one.at_address("192.0.2.2"), "/probes", 2).await;
        one.get("/probes").await.expect_error(429, "rate_limited");
        let answer = other.get("/probes").await.expect_status(200);
        assert_eq!(limit_headers(&answer), (Some("2"), Some("1")));
    });
}

#[test]
fn all_tokens_of_a_user_share_one_count() {
    with_shop(async |shop| {
        let customer = shop.customer().await;
        for _ in 0..2 {
            let client = shop.client().token(&customer, &["*"]).await;
            client.get("/probes").await.expect_status(200);
        }
        let client = shop.client().token(&customer, &[]).await;
        client.get("/strays").await.expect_status(429);
    });
}

#[test]
fn refused_requests_count_too() {
    with_shop(async |shop| {
        let client = shop.client();
        for remaining in ["1", "0"] {
            let answer = client.get("/probes").await.expect_status(401);
            assert_eq!(limit_headers(&answer), (Some("2"), Some(remaining)));
        }
        client.get("/probes").await.expect_status(429);
    });
}

#[test]
fn the_catalog_and_protected_routes_are_counted_apart() {
    with_shop(async |shop| {
        let client = probe::client(&shop).await;
        use_up(&client, "/probes", 2).await;
        client.get("/probes").await.expect_status(429);
        client.get("/products").await.expect_status(200);
    });
}

#[test]
fn paths_that_do_not_exist_are_not_limited() {
    with_shop(async |shop| {
        for _ in 0..10 {
            let answer = shop.client().get("/unknown").await.expect_status(404);
            assert_eq!(limit_headers(&answer), (None, None));
        }
        shop.client().get("/products").await.expect_status(200);
    });
}

#[test]
fn a_limit_of_no_requests_is_switched_off() {
    let limits =
        "[limits]\ncatalog = { requests = 0, per_seconds = 60 }\nprotected = { requests = 0, per_seconds = 60 }";
    run_test(Backend::Sqlite, |backend| async move {
        let shop = probe::shop(backend).config(limits).open().await;
        let client = probe::client(&shop).await;
        for _ in 0..200 {
            let answer = client.get("/products").await.expect_status(200);
            assert_eq!(limit_headers(&answer), (None, None));
            client.get("/probes").await.expect_status(200);
        }
    });
}

#[test]
fn the_shop_starts_with_the_limits_of_the_specification() {
    run_test(Backend::Sqlite, |backend| async move {
        let shop = probe::shop(backend).open().await;
        let client = probe::client(&shop).await;
        assert_eq!(limit_headers(&client.get("/products").await), (Some("120"), Some("119")));
        assert_eq!(limit_headers(&client.get("/probes").await), (Some("60"), Some("59")));
    });
}

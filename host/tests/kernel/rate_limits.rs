//! Rate limits: fixed windows that open with a key's first request (S8, contract 2).

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, run_redis_test, run_test};

use crate::probe;
use crate::stores::{Store, both_stores};

/// Runs a test with a shop that answers three catalog and two protected requests in a minute.
/// Limits are not counted in the database, whichever it is.
fn with_shop(store: Store, test: impl AsyncFnOnce(TestShop)) {
    let limits =
        "[limits]\ncatalog = { requests = 3, per_seconds = 60 }\nprotected = { requests = 2, per_seconds = 60 }";
    with_shop_of(store, limits, test);
}

fn with_shop_of(store: Store, limits: &str, test: impl AsyncFnOnce(TestShop)) {
    let shop = probe::shop(Backend::Sqlite).config(limits);
    match store {
        Store::Memory => run_test(Backend::Sqlite, |_| async move { test(shop.open().await).await }),
        Store::Redis => run_redis_test(|redis| async move { test(shop.redis(&redis).open().await).await }),
    }
}

async fn use_up(client: &TestClient, path: &str, requests: usize) {
    for _ in 0..requests {
        assert_ne!(client.get(path).await.status, 429);
    }
}

fn limit_headers(answer: &TestResponse) -> (Option<&str>, Option<&str>) {
    (answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-remaining"))
}

both_stores!(a_limited_route_says_how_many_requests_remain);
fn a_limited_route_says_how_many_requests_remain(store: Store) {
    with_shop(store, async |shop| {
        let client = shop.client();
        for remaining in ["2", "1", "0"] {
            let answer = client.get("/products").await.expect_status(200);
            assert_eq!(limit_headers(&answer), (Some("3"), Some(remaining)));
        }
        let answer = client.get("/products").await.expect_error(429, "rate_limited");
        assert_eq!(limit_headers(&answer), (Some("3"), Some("0")));
    });
}

both_stores!(a_refusal_says_after_how_many_seconds_to_come_back);
fn a_refusal_says_after_how_many_seconds_to_come_back(store: Store) {
    with_shop(store, async |shop| {
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
fn a_clock_that_is_set_back_keeps_nobody_out_until_it_comes_there_again() {
    with_shop(Store::Memory, async |shop| {
        shop.advance(TimeDelta::days(365));
        use_up(&shop.client(), "/products", 3).await;
        shop.client().get("/products").await.expect_error(429, "rate_limited");
        shop.advance(TimeDelta::days(-365));
        use_up(&shop.client(), "/products", 3).await;
        shop.client().get("/products").await.expect_error(429, "rate_limited");
    });
}

both_stores!(the_window_opens_with_the_first_request_and_is_fixed);
fn the_window_opens_with_the_first_request_and_is_fixed(store: Store) {
    with_shop(store, async |shop| {
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

both_stores!(refused_requests_do_not_lengthen_the_window);
fn refused_requests_do_not_lengthen_the_window(store: Store) {
    with_shop(store, async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        for _ in 0..6 {
            shop.advance(TimeDelta::seconds(9));
            shop.client().get("/products").await.expect_status(429);
        }
        shop.advance(TimeDelta::seconds(6));
        shop.client().get("/products").await.expect_status(200);
    });
}

both_stores!(all_catalog_routes_share_one_count);
fn all_catalog_routes_share_one_count(store: Store) {
    with_shop(store, async |shop| {
        let client = shop.client();
        for path in ["/products", "/categories", "/search?q=tea"] {
            client.get(path).await.expect_status(200);
        }
        for path in ["/products/unknown", "/categories/unknown", "/openapi.json"] {
            client.get(path).await.expect_status(429);
        }
    });
}

both_stores!(each_address_has_its_own_count);
fn each_address_has_its_own_count(store: Store) {
    with_shop(store, async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        shop.client().get("/products").await.expect_status(429);
        shop.client().at_address("192.0.2.2").get("/products").await.expect_status(200);
        shop.client().at_address("::ffff:192.0.2.1").get("/products").await.expect_status(429);
    });
}

both_stores!(a_forged_address_has_no_count_of_its_own);
fn a_forged_address_has_no_count_of_its_own(store: Store) {
    with_shop(store, async |shop| {
        use_up(&shop.client(), "/products", 3).await;
        let forged = shop.client().with_header("x-forwarded-for", "203.0.113.9");
        forged.get("/products").await.expect_status(429);
    });
}

both_stores!(addresses_of_one_ipv6_network_share_their_count);
fn addresses_of_one_ipv6_network_share_their_count(store: Store) {
    with_shop(store, async |shop| {
        for address in ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:ffff:ffff:ffff"] {
            shop.client().at_address(address).get("/products").await.expect_status(200);
        }
        shop.client().at_address("2001:db8::3").get("/products").await.expect_status(429);
        shop.client().at_address("2001:db8:0:1::3").get("/products").await.expect_status(200);
    });
}

both_stores!(protected_requests_are_counted_by_user_wherever_they_come_from);
fn protected_requests_are_counted_by_user_wherever_they_come_from(store: Store) {
    with_shop(store, async |shop| {
        let (one, other) = (probe::client(&shop).await, probe::client(&shop).await);
        use_up(&one.at_address("192.0.2.2"), "/probes", 2).await;
        one.get("/probes").await.expect_error(429, "rate_limited");
        let answer = other.get("/probes").await.expect_status(200);
        assert_eq!(limit_headers(&answer), (Some("2"), Some("1")));
    });
}

both_stores!(all_tokens_of_a_user_share_one_count);
fn all_tokens_of_a_user_share_one_count(store: Store) {
    with_shop(store, async |shop| {
        let customer = shop.customer().await;
        for _ in 0..2 {
            let client = shop.client().token(&customer, &["*"]).await;
            client.get("/probes").await.expect_status(200);
        }
        let client = shop.client().token(&customer, &[]).await;
        client.get("/strays").await.expect_status(429);
    });
}

both_stores!(refused_requests_count_too);
fn refused_requests_count_too(store: Store) {
    with_shop(store, async |shop| {
        let client = shop.client();
        for remaining in ["1", "0"] {
            let answer = client.get("/probes").await.expect_status(401);
            assert_eq!(limit_headers(&answer), (Some("2"), Some(remaining)));
        }
        client.get("/probes").await.expect_status(429);
    });
}

both_stores!(the_catalog_and_protected_routes_are_counted_apart);
fn the_catalog_and_protected_routes_are_counted_apart(store: Store) {
    with_shop(store, async |shop| {
        let client = probe::client(&shop).await;
        use_up(&client, "/probes", 2).await;
        client.get("/probes").await.expect_status(429);
        client.get("/products").await.expect_status(200);
        use_up(&client.anonymous(), "/probes", 2).await;
        client.anonymous().get("/probes").await.expect_status(429);
        client.get("/products").await.expect_status(200);
    });
}

both_stores!(paths_that_do_not_exist_are_not_limited);
fn paths_that_do_not_exist_are_not_limited(store: Store) {
    with_shop(store, async |shop| {
        for _ in 0..10 {
            let answer = shop.client().get("/unknown").await.expect_status(404);
            assert_eq!(limit_headers(&answer), (None, None));
        }
        shop.client().get("/products").await.expect_status(200);
    });
}

both_stores!(a_limit_of_no_requests_is_switched_off);
fn a_limit_of_no_requests_is_switched_off(store: Store) {
    let limits =
        "[limits]\ncatalog = { requests = 0, per_seconds = 60 }\nprotected = { requests = 0, per_seconds = 60 }";
    with_shop_of(store, limits, async |shop| {
        let client = probe::client(&shop).await;
        for _ in 0..200 {
            let answer = client.get("/products").await.expect_status(200);
            assert_eq!(limit_headers(&answer), (None, None));
            client.get("/probes").await.expect_status(200);
        }
    });
}

both_stores!(the_shop_starts_with_the_limits_of_the_specification);
fn the_shop_starts_with_the_limits_of_the_specification(store: Store) {
    with_shop_of(store, "", async |shop| {
        let client = probe::client(&shop).await;
        assert_eq!(limit_headers(&client.get("/products").await), (Some("120"), Some("119")));
        assert_eq!(limit_headers(&client.get("/probes").await), (Some("60"), Some("59")));
    });
}

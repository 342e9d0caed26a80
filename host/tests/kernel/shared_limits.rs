//! Rate limits that several instances share through Redis (S8, contract 1).

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::auth::{LimitClass, Limiter, REDIS_PATIENCE};
use stoa_core::clock::Clock;
use stoa_core::config::{LimitStore, LimitsConfig, RateLimit};
use stoa_core::db::Backend;
use stoa_core::encryption::Cipher;
use stoa_core::random::Random;
use stoa_core::testing::{TestRedis, TestShop, TestShopBuilder, run_redis_test, run_test};

use crate::probe;
use crate::redis_proxy::{RedisProxy, Weather};

const THREE: &str = "[limits]\ncatalog = { requests = 3, per_seconds = 60 }";

fn shop(limits: &str) -> TestShopBuilder {
    probe::shop(Backend::Sqlite).config(limits)
}

/// Two instances of one shop.
async fn instances(redis: &TestRedis, limits: &str) -> (TestShop, TestShop) {
    let one = shop(limits).redis(redis).open().await;
    let other = shop(limits).redis(redis).on(one.database()).clock(&one.clock).seed(2).open().await;
    (one, other)
}

/// How many catalog requests remain after one more; none when it was refused.
async fn remaining(shop: &TestShop) -> Option<String> {
    let answer = shop.client().get("/products").await;
    match answer.status.as_u16() {
        200 => Some(answer.header("x-ratelimit-remaining").expect("the route is limited").to_owned()),
        status => {
            assert_eq!(status, 429, "{answer:?}");
            None
        }
    }
}

pub(crate) async fn log_in(shop: &TestShop, email: &str, password: &str) -> u16 {
    let body = json!({"email": email, "password": password, "name": "test"});
    shop.client().post("/auth/tokens", &body).await.status.as_u16()
}

#[test]
fn a_limit_used_up_on_one_instance_is_used_up_on_the_other() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, THREE).await;
        assert_eq!(remaining(&one).await.as_deref(), Some("2"));
        assert_eq!(remaining(&other).await.as_deref(), Some("1"));
        assert_eq!(remaining(&one).await.as_deref(), Some("0"));
        for shop in [&one, &other] {
            let refused = shop.client().get("/products").await.expect_error(429, "rate_limited");
            let header = |name| refused.header(name);
            assert_eq!((header("x-ratelimit-limit"), header("x-ratelimit-remaining")), (Some("3"), Some("0")));
            assert_eq!(header("retry-after"), Some("60"));
        }
        other.client().at_address("192.0.2.2").get("/products").await.expect_status(200);
    });
}

#[test]
fn a_window_opens_and_ends_on_all_instances_at_once() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, THREE).await;
        remaining(&one).await;
        one.advance(TimeDelta::seconds(40));
        remaining(&other).await;
        remaining(&other).await;
        let refused = one.client().get("/products").await.expect_status(429);
        assert_eq!(refused.header("retry-after"), Some("20"));
        one.advance(TimeDelta::milliseconds(19_999));
        assert_eq!(remaining(&other).await, None);
        one.advance(TimeDelta::milliseconds(1));
        assert_eq!(remaining(&other).await.as_deref(), Some("2"));
        assert_eq!(remaining(&one).await.as_deref(), Some("1"));
    });
}

#[test]
fn instances_whose_clocks_differ_count_in_the_same_window() {
    run_redis_test(|redis| async move {
        let late = Clock::system_at(Clock::system().now() + TimeDelta::hours(1));
        let one = shop(THREE).redis(&redis).clock(&Clock::system()).open().await;
        let other = shop(THREE).redis(&redis).clock(&late).seed(2).open().await;
        assert_eq!(remaining(&one).await.as_deref(), Some("2"));
        assert_eq!(remaining(&other).await.as_deref(), Some("1"));
        assert_eq!(remaining(&one).await.as_deref(), Some("0"));
        for shop in [&one, &other] {
            let refused = shop.client().get("/products").await.expect_status(429);
            let seconds = refused.header("retry-after").expect("it says when").parse::<u64>().expect("a number");
            assert!((1..=60).contains(&seconds), "{seconds}");
        }
    });
}

#[test]
fn redis_removes_windows_by_itself() {
    run_redis_test(|redis| async move {
        let proxy = RedisProxy::before(&redis, Weather::Fair).await;
        let shop = shop(THREE).redis(&proxy.redis()).open().await;
        remaining(&shop).await;
        remaining(&shop).await;
        let name = names(&proxy.sent()).pop().expect("a window was named");
        let expiry = redis.command(&["PTTL", &name]).await;
        let milliseconds = expiry.trim_start_matches("int(").trim_end_matches(')').parse::<i64>();
        assert!(milliseconds.is_ok_and(|left| (1..=60_000).contains(&left)), "{expiry}");
    });
}

/// The names of windows among what was sent to Redis.
pub(crate) fn names(sent: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(sent);
    text.lines().filter(|line| line.starts_with("stoa:limits:")).map(str::to_owned).collect()
}

#[test]
fn neither_emails_nor_addresses_can_be_read_in_redis() {
    run_redis_test(|redis| async move {
        let proxy = RedisProxy::before(&redis, Weather::Fair).await;
        let shop = shop(THREE).redis(&proxy.redis()).open().await;
        let customer = shop.customer().await;
        assert_eq!(log_in(&shop, &customer.email, "wrong").await, 422);
        assert_eq!(log_in(&shop, &customer.email, TestShop::PASSWORD).await, 201);
        remaining(&shop).await;
        let sent = proxy.sent();
        let names = names(&sent);
        for class in ["token_creation", "failed_logins", "catalog"] {
            assert!(names.iter().any(|name| name.starts_with(&format!("stoa:limits:{class}:"))), "{names:?}");
        }
        let text = String::from_utf8_lossy(&sent).to_lowercase();
        for readable in [customer.email.as_str(), "example.com", "customer-1", "192.0.2.1"] {
            assert!(!text.contains(readable), "{readable} in {names:?}");
        }
        let octets = [192, 0, 2, 1];
        assert!(!sent.windows(4).any(|bytes| bytes == octets));
    });
}

#[test]
fn another_shop_on_the_same_redis_counts_for_itself() {
    run_redis_test(|redis| async move {
        let one = shop(THREE).redis(&redis).open().await;
        let stranger = shop(THREE).redis(&redis.of_another_installation()).open().await;
        while remaining(&one).await.is_some() {}
        assert_eq!(remaining(&stranger).await.as_deref(), Some("2"));
    });
}

/// Sends 60 requests at once, half of them to each instance, and says how many were answered.
async fn answered_at_once(one: &TestShop, other: &TestShop) -> usize {
    let tasks = (0..60).map(|number| {
        let client = if number % 2 == 0 { one.client() } else { other.client() };
        tokio::spawn(async move { client.get("/products").await.status.as_u16() })
    });
    let mut answered = 0;
    for task in tasks.collect::<Vec<_>>() {
        answered += usize::from(task.await.expect("no request panics") == 200);
    }
    answered
}

const TWENTY: &str = "[limits]\ncatalog = { requests = 20, per_seconds = 60 }";

#[test]
fn requests_at_the_same_time_never_exceed_the_limit() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, TWENTY).await;
        assert_eq!(answered_at_once(&one, &other).await, 20);
    });
}

#[test]
fn instances_that_count_in_memory_answer_the_limit_each() {
    run_test(Backend::Sqlite, |_| async {
        let (one, other) = (shop(TWENTY).open().await, shop(TWENTY).open().await);
        assert_eq!(answered_at_once(&one, &other).await, 40);
    });
}

const LOGINS: &str = "[limits]\n\
                      token_creation = { requests = 100, per_seconds = 60 }\n\
                      failed_logins = { requests = 3, per_seconds = 600 }";

#[test]
fn wrong_passwords_are_counted_over_all_instances() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, LOGINS).await;
        let customer = one.customer().await;
        for shop in [&one, &other, &one] {
            assert_eq!(log_in(shop, &customer.email, "wrong").await, 422);
        }
        for shop in [&one, &other] {
            assert_eq!(log_in(shop, &customer.email, TestShop::PASSWORD).await, 429);
        }
        assert_eq!(log_in(&other, "somebody.else@example.com", "wrong").await, 422);
    });
}

#[test]
fn the_right_password_on_one_instance_clears_the_count_of_all() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, LOGINS).await;
        let customer = one.customer().await;
        for shop in [&one, &other] {
            assert_eq!(log_in(shop, &customer.email, "wrong").await, 422);
        }
        assert_eq!(log_in(&other, &customer.email, TestShop::PASSWORD).await, 201);
        for shop in [&one, &other, &one] {
            assert_eq!(log_in(shop, &customer.email, "wrong").await, 422);
        }
        assert_eq!(log_in(&one, &customer.email, "wrong").await, 429);
    });
}

#[test]
fn protected_requests_are_counted_by_user_over_all_instances() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, "[limits]\nprotected = { requests = 2, per_seconds = 60 }").await;
        let customer = one.customer().await;
        let clients = [one.client(), other.client()].map(|client| client.at_address("192.0.2.7"));
        for client in &clients {
            client.token(&customer, &[probe::PROBE]).await.get("/probes").await.expect_status(200);
        }
        let third = clients[0].token(&customer, &[probe::PROBE]).await;
        third.at_address("192.0.2.8").get("/probes").await.expect_status(429);
        // Without a token it is the address that counts.
        clients[1].get("/probes").await.expect_status(401);
    });
}

#[test]
fn all_classes_are_shared_and_counted_apart() {
    run_redis_test(|redis| async move {
        let one_request = RateLimit { requests: 1, per_seconds: 60 };
        let limits = LimitsConfig {
            store: LimitStore::Redis(redis.url()),
            catalog: one_request,
            protected: one_request,
            checkout: one_request,
            token_creation: one_request,
            failed_logins: one_request,
            callbacks: one_request,
        };
        let limiter = || {
            let limiter = Limiter::new(limits.clone(), Clock::system());
            limiter.open(&Cipher::new(redis.key(), Random::system()), None, REDIS_PATIENCE * 100);
            limiter
        };
        let (one, other) = (limiter(), limiter());
        let address = "2001:db8::1".parse().expect("an address");
        let neighbor = "2001:db8::2".parse().expect("an address");
        for class in [
            LimitClass::Catalog,
            LimitClass::Protected,
            LimitClass::Checkout,
            LimitClass::TokenCreation,
            LimitClass::FailedLogins,
            LimitClass::Callbacks,
        ] {
            assert!(one.count_address(class, address).await.is_ok(), "{class:?}");
            assert!(other.count_address(class, neighbor).await.is_err(), "{class:?}");
            assert!(one.count_user(class, 7).await.is_ok(), "{class:?}");
            assert!(other.count_user(class, 7).await.is_err(), "{class:?}");
            assert!(one.count_email(class, "ada@example.com").await.is_ok(), "{class:?}");
            assert!(other.count_email(class, "ada@example.com").await.is_err(), "{class:?}");
            assert!(one.count_address_and_email(class, address, "ada@example.com").await.is_ok(), "{class:?}");
            assert!(other.count_address_and_email(class, neighbor, "ada@example.com").await.is_err(), "{class:?}");
            one.forgive_email(class, "ada@example.com").await;
            assert!(other.count_email(class, "ada@example.com").await.is_ok(), "{class:?}");
        }
    });
}

#[test]
fn redis_may_forget_the_script_at_any_time() {
    run_redis_test(|redis| async move {
        let (one, other) = instances(&redis, THREE).await;
        remaining(&one).await;
        redis.command(&["SCRIPT", "FLUSH"]).await;
        assert_eq!(remaining(&other).await.as_deref(), Some("1"));
    });
}

/// What `GET /metrics` says about requests that were counted in memory.
pub(crate) async fn fallbacks(shop: &TestShop) -> u64 {
    let client = shop.client();
    let request = client.site_request(http::Method::GET, "/metrics", axum::body::Body::empty());
    let answer = client.send(request).await.expect_status(200);
    let text = String::from_utf8(answer.body.to_vec()).expect("UTF-8");
    let line = text.lines().find_map(|line| line.strip_prefix("stoa_limits_fallback_total "));
    line.expect("it is counted").parse().expect("a number")
}

#[test]
fn nothing_is_counted_in_memory_while_redis_answers() {
    run_redis_test(|redis| async move {
        let shop = shop(&format!("{THREE}\n[server]\nmetrics = true")).redis(&redis).open().await;
        remaining(&shop).await;
        assert_eq!(fallbacks(&shop).await, 0);
    });
}

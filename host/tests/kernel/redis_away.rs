//! Limits while Redis is away, and when it is back (contract 1).

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::auth::{LimitClass, Limiter, REDIS_PATIENCE};
use stoa_core::clock::Clock;
use stoa_core::config::{LimitStore, LimitsConfig, RateLimit};
use stoa_core::db::Backend;
use stoa_core::encryption::Cipher;
use stoa_core::http::error::ApiError;
use stoa_core::random::Random;
use stoa_core::testing::{TestRedis, TestShop, run_redis_test};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::redis_proxy::{RedisProxy, Weather};
use crate::shared_limits::{fallbacks, log_in, names};
use crate::{logs, probe};

/// Nothing here takes this long unless it hangs.
const HANGING: Duration = Duration::from_mins(1);

/// Longer than Redis is left alone after a failure, and shorter than a window.
const PAUSE: TimeDelta = TimeDelta::seconds(6);

/// An instance behind a proxy, and one with a way of its own to the same Redis.
struct Pair {
    proxy: RedisProxy,
    behind: TestShop,
    beside: TestShop,
    /// Lines about an earlier proxy that had the same port.
    logged_before: usize,
}

const LIMITS: &str = "[limits]\ncatalog = { requests = 5, per_seconds = 3600 }\n[server]\nmetrics = true";

impl Pair {
    async fn new(redis: &TestRedis, weather: Weather) -> Self {
        Self::with_patience(redis, weather, HANGING).await
    }

    async fn with_patience(redis: &TestRedis, weather: Weather, patience: Duration) -> Self {
        logs::keep();
        let proxy = RedisProxy::before(redis, weather).await;
        let logged_before = logs::with(&proxy.redis().address()).len();
        let shop = || probe::shop(Backend::Sqlite).config(LIMITS).redis_patience(HANGING);
        let behind = shop().redis(&proxy.redis()).redis_patience(patience).open().await;
        let beside = shop().redis(redis).on(behind.database()).clock(&behind.clock).seed(2).open().await;
        Self { proxy, behind, beside, logged_before }
    }

    /// What was logged about this Redis, by level.
    fn logged(&self) -> (usize, usize) {
        let address = self.proxy.redis().address();
        let mut lines = logs::with(&address);
        lines.drain(..self.logged_before);
        let count = |level| lines.iter().filter(|line| line.contains(level)).count();
        assert_eq!(count("WARN") + count("INFO"), lines.len(), "{lines:?}");
        (count("WARN"), count("INFO"))
    }
}

/// How many catalog requests remain after one more; none when it was refused.
async fn remaining(shop: &TestShop) -> Option<u64> {
    let answer = timeout(HANGING * 2, shop.client().get("/products")).await.expect("the shop answers");
    match answer.status.as_u16() {
        200 => answer.header("x-ratelimit-remaining").map(|left| left.parse().expect("a number")),
        status => {
            assert_eq!(status, 429, "{answer:?}");
            None
        }
    }
}

/// Uses up the limit of five in memory, where nobody has counted yet.
async fn assert_counts_alone(shop: &TestShop) {
    for left in [Some(4), Some(3), Some(2), Some(1), Some(0), None, None] {
        assert_eq!(remaining(shop).await, left);
    }
}

#[test]
fn a_shop_starts_without_redis_and_shares_limits_once_it_is_there() {
    run_redis_test(|redis| async move {
        let pair = Pair::new(&redis, Weather::Cut).await;
        assert_counts_alone(&pair.behind).await;
        assert_eq!(pair.logged(), (1, 0));
        pair.proxy.turn(Weather::Fair);
        pair.behind.advance(PAUSE);
        assert_eq!(remaining(&pair.behind).await, Some(4));
        assert_eq!(remaining(&pair.beside).await, Some(3));
        assert_eq!(remaining(&pair.behind).await, Some(2));
        assert_eq!(pair.logged(), (1, 1));
    });
}

#[test]
fn a_shop_goes_on_when_redis_goes_away_and_shares_again_when_it_is_back() {
    run_redis_test(|redis| async move {
        let pair = Pair::new(&redis, Weather::Fair).await;
        assert_eq!(remaining(&pair.behind).await, Some(4));
        assert_eq!(remaining(&pair.beside).await, Some(3));
        pair.proxy.turn(Weather::Cut);
        assert_counts_alone(&pair.behind).await;
        assert_eq!(remaining(&pair.beside).await, Some(2));
        pair.proxy.turn(Weather::Fair);
        pair.behind.advance(PAUSE);
        assert_eq!(remaining(&pair.behind).await, Some(1));
        assert_eq!(remaining(&pair.beside).await, Some(0));
        assert_eq!(remaining(&pair.behind).await, None);
        assert_eq!(pair.logged(), (1, 1));
    });
}

#[test]
fn a_redis_that_hangs_is_given_up_after_one_short_wait() {
    run_redis_test(|redis| async move {
        let pair = Pair::with_patience(&redis, Weather::Fair, Duration::from_secs(2)).await;
        assert_eq!(remaining(&pair.behind).await, Some(4));
        pair.proxy.turn(Weather::Silent);
        let began = std::time::Instant::now();
        assert_counts_alone(&pair.behind).await;
        // Seven requests that all waited would take fourteen seconds.
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        pair.proxy.turn(Weather::Fair);
        pair.behind.advance(PAUSE);
        assert_eq!(remaining(&pair.behind).await, Some(3));
        assert_eq!(pair.logged(), (1, 1));
    });
}

#[test]
fn a_redis_that_hangs_from_the_start_delays_nobody_for_long() {
    run_redis_test(|redis| async move {
        let patience = stoa_core::auth::REDIS_PATIENCE;
        let pair = Pair::with_patience(&redis, Weather::Silent, patience).await;
        // The first requests come together, and none of them knows yet.
        let client = pair.behind.client();
        let requests = (0..5).map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.get("/products").await.status.as_u16() })
        });
        for request in requests.collect::<Vec<_>>() {
            let status = timeout(HANGING, request).await.expect("the shop answers").expect("no request panics");
            assert_eq!(status, 200);
        }
        assert_eq!(remaining(&pair.behind).await, None);
        assert_eq!(pair.proxy.connections(), 1);
        assert_eq!(fallbacks(&pair.behind).await, 6);
    });
}

#[test]
fn something_else_than_redis_is_given_up() {
    for answer in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"+PONG\r\n", b"*2\r\n:5\r\n:0\r\n", b":1\r\n", b"$-1\r\n"]
    {
        run_redis_test(|redis| async move {
            // The connection is made properly; what is said on it is not.
            let pair = Pair::with_patience(&redis, Weather::Fair, Duration::from_secs(5)).await;
            assert_eq!(remaining(&pair.behind).await, Some(4));
            pair.proxy.turn(Weather::Answered(answer));
            assert_counts_alone(&pair.behind).await;
            assert_eq!(pair.logged(), (1, 0), "{answer:?}");
        });
    }
}

#[test]
fn an_error_of_redis_leads_to_memory_and_is_told_once() {
    for answer in [
        &b"-OOM command not allowed when used memory > 'maxmemory'.\r\n"[..],
        b"-READONLY You can't write against a read only replica.\r\n",
        b"-NOPERM this user has no permissions\r\n",
        b"-MOVED 3999 127.0.0.1:6381\r\n",
        b"-NOAUTH Authentication required.\r\n",
    ] {
        run_redis_test(|redis| async move {
            let pair = Pair::new(&redis, Weather::Fair).await;
            assert_eq!(remaining(&pair.behind).await, Some(4));
            pair.proxy.turn(Weather::Answered(answer));
            assert_counts_alone(&pair.behind).await;
            assert_eq!(pair.logged(), (1, 0), "{answer:?}");
        });
    }
}

#[test]
fn a_redis_that_answers_and_cannot_count_is_not_told_to_be_back() {
    run_redis_test(|redis| async move {
        let pair = Pair::new(&redis, Weather::Fair).await;
        assert_eq!(remaining(&pair.behind).await, Some(4));
        let name = names(&pair.proxy.sent()).pop().expect("a window was named");
        redis.command(&["SET", &name, "somebody else's", "EX", "60"]).await;
        assert_counts_alone(&pair.behind).await;
        for _ in 0..3 {
            pair.behind.advance(PAUSE);
            remaining(&pair.behind).await;
        }
        assert_eq!(pair.logged(), (1, 0));
        redis.command(&["DEL", &name]).await;
        pair.behind.advance(PAUSE);
        assert_eq!(remaining(&pair.behind).await, Some(4));
        assert_eq!(pair.logged(), (1, 1));
    });
}

#[test]
fn a_wrong_password_is_told_without_the_password() {
    run_redis_test(|redis| async move {
        logs::keep();
        let proxy = RedisProxy::before(&redis, Weather::Fair).await;
        let stranger = proxy.redis().with_password("hunter2");
        let shop = probe::shop(Backend::Sqlite).config(LIMITS).redis(&stranger).open().await;
        assert_counts_alone(&shop).await;
        let lines = logs::with(&proxy.redis().address());
        assert!(lines.len() == 1 && lines[0].contains("does not accept the user or the password"), "{lines:?}");
        assert!(!lines[0].contains("hunter2"), "{lines:?}");
    });
}

#[test]
fn what_a_server_says_about_a_command_is_not_repeated() {
    run_redis_test(|redis| async move {
        logs::keep();
        // Some servers answer a command that they do not know with its arguments.
        let echo = Weather::Answered(b"-ERR unknown command, with args beginning with: `hunter2`\r\n");
        let proxy = RedisProxy::before(&redis, echo).await;
        let shop = probe::shop(Backend::Sqlite).config(LIMITS).redis(&proxy.redis()).open().await;
        assert_counts_alone(&shop).await;
        let lines = logs::with(&proxy.redis().address());
        assert!(lines.len() == 1 && !lines[0].contains("hunter2"), "{lines:?}");
    });
}

#[test]
fn wrong_passwords_are_limited_and_forgiven_without_redis_too() {
    run_redis_test(|redis| async move {
        let limits = "[limits]\ntoken_creation = { requests = 100, per_seconds = 60 }\n\
                      failed_logins = { requests = 3, per_seconds = 600 }";
        let proxy = RedisProxy::before(&redis, Weather::Cut).await;
        let shop = probe::shop(Backend::Sqlite).config(limits).redis(&proxy.redis()).open().await;
        let customer = shop.customer().await;
        for (password, status) in [
            ("wrong", 422),
            ("wrong", 422),
            (TestShop::PASSWORD, 201),
            ("wrong", 422),
            ("wrong", 422),
            ("wrong", 422),
            (TestShop::PASSWORD, 429),
        ] {
            assert_eq!(log_in(&shop, &customer.email, password).await, status);
        }
    });
}

#[test]
fn redis_is_left_alone_for_a_while_after_a_failure() {
    run_redis_test(|redis| async move {
        let pair = Pair::new(&redis, Weather::Cut).await;
        remaining(&pair.behind).await;
        let tried = pair.proxy.connections();
        for _ in 0..4 {
            remaining(&pair.behind).await;
            pair.behind.advance(TimeDelta::seconds(1));
        }
        assert_eq!(pair.proxy.connections(), tried);
        pair.behind.advance(PAUSE);
        remaining(&pair.behind).await;
        assert_eq!(pair.proxy.connections(), tried + 1);
        assert_eq!(pair.logged(), (1, 0));
    });
}

#[test]
fn a_connection_that_redis_closed_is_made_again_at_once() {
    run_redis_test(|redis| async move {
        let pair = Pair::new(&redis, Weather::Fair).await;
        assert_eq!(remaining(&pair.behind).await, Some(4));
        pair.proxy.close_connections().await;
        assert_eq!(remaining(&pair.beside).await, Some(3));
        assert_eq!(remaining(&pair.behind).await, Some(2));
        assert_eq!(pair.logged(), (0, 0));
        assert_eq!((pair.proxy.connections(), fallbacks(&pair.behind).await), (2, 0));
    });
}

#[test]
fn an_address_where_nothing_listens_is_no_obstacle() {
    run_redis_test(|redis| async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address is free");
        let nothing = redis.through(listener.local_addr().expect("it is bound"));
        drop(listener);
        let shop = probe::shop(Backend::Sqlite).config(LIMITS).redis(&nothing).open().await;
        assert_counts_alone(&shop).await;
    });
}

const FAILURES: &str = "[limits]\n\
                        token_creation = { requests = 100, per_seconds = 60 }\n\
                        failed_logins = { requests = 3, per_seconds = 600 }";

#[test]
fn a_right_password_clears_what_failed_while_redis_was_away() {
    run_redis_test(|redis| async move {
        let proxy = RedisProxy::before(&redis, Weather::Cut).await;
        let shop = TestShop::builder(Backend::Sqlite).config(FAILURES).redis(&proxy.redis());
        let shop = shop.redis_patience(HANGING).open().await;
        let email = shop.customer().await.email;
        for _ in 0..2 {
            assert_eq!(log_in(&shop, &email, "wrong").await, 422);
        }
        proxy.turn(Weather::Fair);
        shop.advance(PAUSE);
        assert_eq!(log_in(&shop, &email, TestShop::PASSWORD).await, 201);
        proxy.turn(Weather::Cut);
        for status in [422, 422, 422, 429] {
            assert_eq!(log_in(&shop, &email, "wrong").await, status);
        }
    });
}

#[test]
fn an_attempt_that_succeeds_as_redis_comes_back_clears_what_failed_there() {
    const ADA: &str = "ada@example.com";
    run_redis_test(|redis| async move {
        let proxy = RedisProxy::before(&redis, Weather::Fair).await;
        let failed_logins = RateLimit { requests: 3, per_seconds: 600 };
        let store = LimitStore::Redis(proxy.redis().url());
        let clock = Clock::manual(chrono::DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let limiter = Limiter::new(LimitsConfig { failed_logins, store, ..Default::default() }, clock.clone());
        limiter.open(&Cipher::new(redis.key(), Random::system()), None, REDIS_PATIENCE * 100);
        let wrong = async || {
            let attempt = limiter.attempt(LimitClass::FailedLogins, ADA, async { Ok::<_, ApiError>(None::<()>) });
            attempt.await.map_or_else(|error| error.status().as_u16(), |_| 422)
        };
        for _ in 0..2 {
            assert_eq!(wrong().await, 422);
        }
        proxy.turn(Weather::Cut);
        let right = limiter.attempt(LimitClass::FailedLogins, ADA, async {
            // It was begun, and counted, without Redis.
            proxy.turn(Weather::Fair);
            clock.advance(PAUSE);
            Ok::<_, ApiError>(Some(()))
        });
        assert!(right.await.is_ok_and(|found| found.is_some()));
        for status in [422, 422, 422, 429] {
            assert_eq!(wrong().await, status);
        }
    });
}

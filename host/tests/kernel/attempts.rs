//! Attempts that count only if they fail (S8): what many at once, broken ones and late ones come to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::auth::{LimitClass, Limiter, REDIS_PATIENCE};
use stoa_core::clock::Clock;
use stoa_core::config::{LimitStore, LimitsConfig, RateLimit};
use stoa_core::db::Backend;
use stoa_core::encryption::Cipher;
use stoa_core::http::error::{ApiError, ApiResult};
use stoa_core::random::Random;
use stoa_core::testing::{TestShop, both_databases, run_redis_test, run_test};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::stores::{Store, both_stores};

const ADA: &str = "ada@example.com";

/// Three attempts may fail in ten minutes. In Redis two instances count together.
struct Instances {
    limiters: Vec<Arc<Limiter>>,
    clock: Clock,
    gate: Arc<Semaphore>,
    started: Arc<AtomicUsize>,
}

fn with_instances(store: Store, test: impl AsyncFnOnce(Instances)) {
    let open = |store, cipher: Option<Cipher>| {
        let limits =
            LimitsConfig { failed_logins: RateLimit { requests: 3, per_seconds: 600 }, store, ..Default::default() };
        let clock = Clock::manual(chrono::DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let limiters = (0..if cipher.is_some() { 2 } else { 1 }).map(|_| {
            let limiter = Limiter::new(limits.clone(), clock.clone());
            if let Some(cipher) = &cipher {
                limiter.open(cipher, None, REDIS_PATIENCE * 100);
            }
            Arc::new(limiter)
        });
        let limiters = limiters.collect();
        Instances { limiters, clock, gate: Arc::new(Semaphore::new(0)), started: Arc::default() }
    };
    match store {
        Store::Memory => run_test(Backend::Sqlite, |_| test(open(LimitStore::Memory, None))),
        Store::Redis => run_redis_test(|redis| {
            let cipher = Cipher::new(redis.key(), Random::system());
            test(open(LimitStore::Redis(redis.url()), Some(cipher)))
        }),
    }
}

#[derive(Clone, Copy)]
enum End {
    Right,
    Wrong,
    Broken,
}

impl Instances {
    /// Begins an attempt on one of the instances, which ends when the gate lets it.
    fn begin(&self, number: usize, end: End) -> JoinHandle<ApiResult<Option<()>>> {
        let limiter = Arc::clone(&self.limiters[number % self.limiters.len()]);
        let (gate, started) = (Arc::clone(&self.gate), Arc::clone(&self.started));
        tokio::spawn(async move {
            let attempt = async {
                started.fetch_add(1, Ordering::SeqCst);
                gate.acquire().await.expect("it stays open").forget();
                match end {
                    End::Right => Ok(Some(())),
                    End::Wrong => Ok(None),
                    End::Broken => Err(ApiError::unavailable(std::io::Error::other("the database is away"))),
                }
            };
            limiter.attempt(LimitClass::FailedLogins, ADA, attempt).await
        })
    }

    /// Waits until so many attempts have begun.
    async fn until_started(&self, attempts: usize) {
        while self.started.load(Ordering::SeqCst) < attempts {
            tokio::task::yield_now().await;
        }
    }

    /// Makes one attempt by itself: the status it is answered with, 200 where it is let through.
    async fn try_once(&self, number: usize, end: End) -> u16 {
        self.gate.add_permits(1);
        let status = status(self.begin(number, end).await.expect("no attempt panics"));
        if status == 429 {
            self.gate.forget_permits(1);
        }
        status
    }
}

fn status(result: ApiResult<Option<()>>) -> u16 {
    match result {
        Ok(Some(())) => 200,
        Ok(None) => 422,
        Err(error) => error.status().as_u16(),
    }
}

async fn statuses(running: Vec<JoinHandle<ApiResult<Option<()>>>>) -> Vec<u16> {
    let mut statuses = Vec::new();
    for attempt in running {
        statuses.push(status(attempt.await.expect("no attempt panics")));
    }
    statuses
}

both_stores!(more_attempts_at_once_than_may_fail_all_succeed);
fn more_attempts_at_once_than_may_fail_all_succeed(store: Store) {
    with_instances(store, async |instances| {
        let running = (0..9).map(|number| instances.begin(number, End::Right)).collect::<Vec<_>>();
        instances.until_started(3).await;
        // The control: no more run at once than may fail.
        assert_eq!(instances.started.load(Ordering::SeqCst), 3);
        instances.gate.add_permits(9);
        assert_eq!(statuses(running).await, [200; 9]);
    });
}

both_stores!(of_many_attempts_at_once_no_more_fail_than_may);
fn of_many_attempts_at_once_no_more_fail_than_may(store: Store) {
    with_instances(store, async |instances| {
        let running = (0..9).map(|number| instances.begin(number, End::Wrong)).collect::<Vec<_>>();
        instances.gate.add_permits(9);
        let mut statuses = statuses(running).await;
        statuses.sort_unstable();
        assert_eq!(statuses, [422, 422, 422, 429, 429, 429, 429, 429, 429]);
        assert_eq!(instances.started.load(Ordering::SeqCst), 3, "the others were not looked at");
        for number in 0..2 {
            assert_eq!(instances.try_once(number, End::Right).await, 429);
        }
    });
}

both_stores!(an_attempt_that_breaks_off_counts_nothing_and_clears_nothing);
fn an_attempt_that_breaks_off_counts_nothing_and_clears_nothing(store: Store) {
    with_instances(store, async |instances| {
        assert_eq!(instances.try_once(0, End::Wrong).await, 422);
        for number in 0..20 {
            assert_eq!(instances.try_once(number, End::Broken).await, 503);
        }
        for (number, status) in [422, 422, 429].into_iter().enumerate() {
            assert_eq!(instances.try_once(number, End::Wrong).await, status);
        }
    });
}

both_stores!(a_success_clears_what_failed_before_it_and_not_what_is_undecided);
fn a_success_clears_what_failed_before_it_and_not_what_is_undecided(store: Store) {
    with_instances(store, async |instances| {
        assert_eq!(instances.try_once(0, End::Wrong).await, 422);
        let right = instances.begin(0, End::Right);
        instances.until_started(2).await;
        let slow = instances.begin(1, End::Wrong);
        instances.until_started(3).await;
        // The gate lets them through in the order in which they came.
        for (attempt, expected) in [(right, 200), (slow, 422)] {
            instances.gate.add_permits(1);
            assert_eq!(status(attempt.await.expect("no attempt panics")), expected);
        }
        for (number, status) in [422, 422, 429].into_iter().enumerate() {
            assert_eq!(instances.try_once(number, End::Wrong).await, status);
        }
    });
}

both_stores!(an_attempt_that_ends_after_its_window_leaves_the_next_alone);
fn an_attempt_that_ends_after_its_window_leaves_the_next_alone(store: Store) {
    with_instances(store, async |instances| {
        let late = instances.begin(0, End::Right);
        instances.until_started(1).await;
        instances.clock.advance(TimeDelta::seconds(600));
        let next = instances.begin(1, End::Wrong);
        instances.until_started(2).await;
        instances.gate.add_permits(2);
        assert_eq!(statuses(vec![late, next]).await, [200, 422]);
        for (number, status) in [422, 422, 429].into_iter().enumerate() {
            assert_eq!(instances.try_once(number, End::Wrong).await, status);
        }
    });
}

const NO_OTHER_LIMITS: &str = "[limits]\n\
    token_creation = { requests = 0, per_seconds = 60 }\n\
    protected = { requests = 0, per_seconds = 60 }\n\
    failed_logins = { requests = 3, per_seconds = 600 }";

both_databases!(right_passwords_at_once_all_get_in);
async fn right_passwords_at_once_all_get_in(backend: Backend) {
    let shop = TestShop::builder(backend).config(NO_OTHER_LIMITS).open().await;
    let email = shop.customer().await.email;
    let tokens = (0..8).map(|_| {
        let (client, wish) = (shop.client(), json!({"email": email, "password": TestShop::PASSWORD, "name": "x"}));
        tokio::spawn(async move { client.post("/auth/tokens", &wish).await.status.as_u16() })
    });
    let sessions = (0..8).map(|_| {
        let (mut browser, email) = (shop.browser(), email.clone());
        tokio::spawn(async move { browser.try_to_log_in(&email, TestShop::PASSWORD).await.status.as_u16() })
    });
    let (tokens, sessions) = (tokens.collect::<Vec<_>>(), sessions.collect::<Vec<_>>());
    for token in tokens {
        assert_eq!(token.await.expect("no request panics"), 201);
    }
    for session in sessions {
        assert_eq!(session.await.expect("no request panics"), 200);
    }
}

both_databases!(wrong_passwords_at_once_are_looked_at_no_more_often_than_they_may_fail);
async fn wrong_passwords_at_once_are_looked_at_no_more_often_than_they_may_fail(backend: Backend) {
    let shop = TestShop::builder(backend).config(NO_OTHER_LIMITS).open().await;
    let email = shop.customer().await.email;
    let guesses = (0..16).map(|_| {
        let (client, wish) = (shop.client(), json!({"email": email, "password": "wrong", "name": "x"}));
        tokio::spawn(async move { client.post("/auth/tokens", &wish).await.status.as_u16() })
    });
    let mut looked_at = 0;
    for guess in guesses.collect::<Vec<_>>() {
        match guess.await.expect("no request panics") {
            422 => looked_at += 1,
            status => assert_eq!(status, 429),
        }
    }
    assert_eq!(looked_at, 3);
}

both_databases!(an_unavailable_shop_counts_no_failed_login);
async fn an_unavailable_shop_counts_no_failed_login(backend: Backend) {
    let shop = TestShop::builder(backend).config(NO_OTHER_LIMITS).open().await;
    let email = shop.customer().await.email;
    let wish = json!({"email": email, "password": TestShop::PASSWORD, "name": "x"});
    shop.parts.db.close().await;
    for _ in 0..8 {
        shop.client().post("/auth/tokens", &wish).await.expect_error(503, "server_error");
    }
}

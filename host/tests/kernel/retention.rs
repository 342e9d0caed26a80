//! `retention.prune`: what nobody needs any longer is deleted, and nothing else.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::clock::Clock;
use stoa_core::customers::list_sessions;
use stoa_core::db::Backend;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::tokens::list_tokens;

const INSERT_SESSION: Sql = sql!(
    "INSERT INTO sessions (user_id, secret_hash, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $5)"
);
const ANONYMIZE: Sql = sql!("UPDATE users SET anonymized_at = $2 WHERE id = $1");

async fn prune(shop: &TestShop) {
    let clock = Clock::manual(shop.now());
    let outcome = run_job(&shop.parts, &shop.registry.jobs, "retention.prune", clock).await;
    assert_eq!(outcome.expect("the job is noted"), RunOutcome::Done);
}

/// Adds sessions with the times of their last request and of their end.
async fn add_sessions(shop: &TestShop, user_id: i64, times: &[(DateTime<Utc>, DateTime<Utc>)]) {
    let add = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        for (number, (last_seen, end)) in (0_u64..).zip(times) {
            let secret = [number.to_be_bytes(), user_id.to_be_bytes()].concat();
            let insert = tx.run(INSERT_SESSION).bind(user_id).bind(secret).bind(*last_seen);
            insert.bind(*last_seen).bind(*end).execute().await?;
        }
        Ok(())
    });
    add.await.expect("sessions are added");
}

async fn add_token(shop: &TestShop, customer_id: i64, name: &str, expires_at: Option<DateTime<Utc>>) {
    let parts = &shop.parts;
    let new = NewToken { customer_id, name, abilities: &[], networks: &[], expires_at };
    let issue = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    issue.await.expect("a token is issued");
}

async fn token_names(shop: &TestShop) -> Vec<String> {
    let tokens = list_tokens(&shop.parts.db).await.expect("they can be listed");
    tokens.into_iter().map(|token| token.name).collect()
}

both_databases!(sessions_that_are_over_or_idle_are_deleted);
async fn sessions_that_are_over_or_idle_are_deleted(backend: Backend) {
    let config = "[accounts.sessions]\nidle_minutes = 30\nabsolute_minutes = 600";
    let shop = TestShop::builder(backend).config(config).open().await;
    let ada = shop.customer().await;
    let now = shop.now();
    let (minute, second) = (TimeDelta::minutes(1), TimeDelta::seconds(1));
    let in_use = (now - minute * 30 + second, now + second);
    add_sessions(&shop, ada.user_id, &[in_use, (now, now), (now - minute * 30, now + minute)]).await;
    prune(&shop).await;
    let left = list_sessions(&shop.parts.db, ada.user_id).await.expect("they can be listed");
    assert_eq!(left.iter().map(|session| session.last_seen_at).collect::<Vec<_>>(), [in_use.0]);
}

both_databases!(a_token_is_deleted_thirty_days_after_its_end);
async fn a_token_is_deleted_thirty_days_after_its_end(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ada = shop.customer().await;
    let now = shop.now();
    add_token(&shop, ada.id, "endless", None).await;
    add_token(&shop, ada.id, "first", Some(now - TimeDelta::days(30))).await;
    add_token(&shop, ada.id, "second", Some(now - TimeDelta::days(30) + TimeDelta::seconds(1))).await;
    prune(&shop).await;
    assert_eq!(token_names(&shop).await, ["endless", "second"]);
    shop.advance(TimeDelta::seconds(1));
    prune(&shop).await;
    assert_eq!(token_names(&shop).await, ["endless"]);
}

both_databases!(what_came_about_while_its_user_was_anonymized_is_deleted);
async fn what_came_about_while_its_user_was_anonymized_is_deleted(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let now = shop.now();
    let end = now + TimeDelta::days(1);
    for customer in [&ada, &bob] {
        add_token(&shop, customer.id, &customer.name, None).await;
        add_sessions(&shop, customer.user_id, &[(now, end)]).await;
    }
    let anonymize = async |tx: &mut Tx| tx.run(ANONYMIZE).bind(ada.user_id).bind(now).execute().await;
    shop.parts.db.write(anonymize).await.expect("it is noted");
    prune(&shop).await;
    assert_eq!(token_names(&shop).await, [bob.name.as_str()]);
    for (customer, left) in [(&ada, 0), (&bob, 1)] {
        let sessions = list_sessions(&shop.parts.db, customer.user_id).await.expect("they can be listed");
        assert_eq!(sessions.len(), left, "{}", customer.name);
    }
}

both_databases!(more_than_one_batch_is_deleted_in_one_run);
async fn more_than_one_batch_is_deleted_in_one_run(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ada = shop.customer().await;
    let now = shop.now();
    add_sessions(&shop, ada.user_id, &vec![(now, now); 1001]).await;
    prune(&shop).await;
    assert_eq!(list_sessions(&shop.parts.db, ada.user_id).await.expect("they can be listed"), []);
}

both_databases!(the_worker_prunes_every_hour);
async fn the_worker_prunes_every_hour(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ada = shop.customer().await;
    shop.run_jobs().await;
    let end = shop.now() + TimeDelta::minutes(1);
    add_sessions(&shop, ada.user_id, &[(shop.now(), end)]).await;
    for (minutes, left) in [(59, 1), (1, 0)] {
        shop.advance(TimeDelta::minutes(minutes));
        shop.run_jobs().await;
        let sessions = list_sessions(&shop.parts.db, ada.user_id).await.expect("they can be listed");
        assert_eq!(sessions.len(), left, "after {minutes} minutes more");
    }
}

//! Logging in: whose credentials are accepted, and what wrong ones are told.

use serde_json::{Value, json};
use stoa_core::auth::{PasswordHasher, PasswordParameters};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::testing::{TestShop, both_databases};

const ANONYMIZE: Sql = sql!("UPDATE users SET anonymized_at = $1");
const WITHOUT_PASSWORD: Sql = sql!("UPDATE users SET password_hash = NULL");
const SESSIONS: Sql = sql!("SELECT COUNT(*) FROM sessions");
const PASSWORD_HASH: Sql = sql!("SELECT password_hash FROM users");
const SET_PASSWORD_HASH: Sql = sql!("UPDATE users SET password_hash = $1");

/// The right password, hashed at another cost than this shop's.
async fn expensive_hash() -> String {
    let cost = PasswordParameters { memory_kib: 64, iterations: 2, parallelism: 1 };
    let hasher = PasswordHasher::new(cost, 1, Random::seeded(9)).expect("Argon2 takes this");
    hasher.hash(TestShop::PASSWORD.to_owned()).await.expect("it can be hashed")
}

both_databases!(the_email_is_found_in_any_case_and_with_blanks_around);
async fn the_email_is_found_in_any_case_and_with_blanks_around(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let email = shop.customer().await.email;
    for email in [email.to_uppercase(), format!("  {email}\n")] {
        shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.expect_status(200);
    }
}

both_databases!(wrong_credentials_are_refused_alike_whoever_they_are_of);
async fn wrong_credentials_are_refused_alike_whoever_they_are_of(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let email = shop.customer().await.email;
    let mut answers = Vec::new();
    for (email, password) in [
        (email.as_str(), "wrong"),
        ("nobody@example.com", TestShop::PASSWORD),
        (&email, " correct horse battery staple"),
    ] {
        let answer = shop.browser().try_to_log_in(email, password).await.expect_error(422, "validation_error");
        assert!(answer.json()["errors"]["email"].is_array(), "{}", answer.text());
        assert!(!answer.text().contains(email));
        answers.push(answer.text());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(shop.parts.db.read(SESSIONS).scalar::<i64>().await.expect("a count"), 0);
}

both_databases!(who_cannot_log_in_is_told_the_same);
async fn who_cannot_log_in_is_told_the_same(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let email = shop.customer().await.email;
    let wrong = shop.browser().try_to_log_in(&email, "wrong").await.text();
    let run = async |sql: Sql| {
        shop.parts.db.write(async |tx| tx.run(sql).execute().await).await.expect("it can be changed");
    };
    run(WITHOUT_PASSWORD).await;
    let answer = shop.browser().try_to_log_in(&email, "").await;
    assert!(answer.expect_error(422, "validation_error").json()["errors"]["password"].is_array());
    assert_eq!(shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.text(), wrong);
    let now = shop.now();
    shop.parts.db.write(async |tx| tx.run(ANONYMIZE).bind(now).execute().await).await.expect("it can be changed");
    assert_eq!(shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.text(), wrong);
}

both_databases!(all_mistakes_of_a_login_are_listed_at_once);
async fn all_mistakes_of_a_login_are_listed_at_once(backend: Backend) {
    let shop = TestShop::new(backend).await;
    for (body, fields) in [
        (json!({}), &["email", "password"][..]),
        (json!({"email": null, "password": ""}), &["email", "password"]),
        (json!({"email": "no address", "password": 5}), &["email", "password"]),
        (json!({"email": ["a@example.com"], "password": "x"}), &["email"]),
        (json!({"email": "a@example.com", "password": "a\u{0}b"}), &["password"]),
        (json!({"email": "a@example.com", "password": "x".repeat(4097)}), &["password"]),
    ] {
        let mut browser = shop.browser();
        let answer = browser.prepare().await.post("/session", &body).await.expect_error(422, "validation_error");
        let errors = answer.json()["errors"].as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
        assert_eq!(errors, fields, "{body}");
    }
    let bodies: [Value; 4] = [json!([]), json!("text"), json!(null), json!(1)];
    for body in bodies {
        let mut browser = shop.browser();
        browser.prepare().await.post("/session", &body).await.expect_error(422, "validation_error");
    }
}

both_databases!(failures_are_counted_with_those_of_token_creation);
async fn failures_are_counted_with_those_of_token_creation(backend: Backend) {
    let config = "[limits]\ntoken_creation = { requests = 0, per_seconds = 60 }";
    let shop = TestShop::builder(backend).config(config).open().await;
    let email = shop.customer().await.email;
    let wish = json!({"email": email, "password": "wrong", "name": "x"});
    for _ in 0..5 {
        shop.browser().try_to_log_in(&email.to_uppercase(), "wrong").await.expect_status(422);
        shop.client().post("/auth/tokens", &wish).await.expect_status(422);
    }
    let answer = shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.expect_error(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), Some("600"));
    shop.client().post("/auth/tokens", &wish).await.expect_error(429, "rate_limited");
    for _ in 0..10 {
        shop.browser().try_to_log_in("nobody@example.com", "wrong").await.expect_status(422);
    }
    let unknown = shop.browser().try_to_log_in("nobody@example.com", "wrong").await.expect_error(429, "rate_limited");
    assert_eq!(unknown.text(), answer.text());
    shop.advance(chrono::TimeDelta::seconds(600));
    shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.expect_status(200);
}

both_databases!(parallel_logins_that_hash_the_password_anew_all_succeed);
async fn parallel_logins_that_hash_the_password_anew_all_succeed(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let email = shop.customer().await.email;
    let expensive = expensive_hash().await;
    let change = async |tx: &mut Tx| tx.run(SET_PASSWORD_HASH).bind(expensive.as_str()).execute().await;
    shop.parts.db.write(change).await.expect("it can be changed");
    let mut browsers = vec![shop.browser(); 6];
    let logins = browsers.iter_mut().map(|browser| browser.try_to_log_in(&email, TestShop::PASSWORD));
    for answer in futures_util::future::join_all(logins).await {
        answer.expect_status(200);
    }
}

both_databases!(a_password_hashed_at_another_cost_is_hashed_anew);
async fn a_password_hashed_at_another_cost_is_hashed_anew(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let email = shop.customer().await.email;
    let hash = async || shop.parts.db.read(PASSWORD_HASH).scalar::<String>().await.expect("there is one");
    let cheap = hash().await;
    shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.expect_status(200);
    assert_eq!(hash().await, cheap, "at the configured cost it stays");
    let expensive = expensive_hash().await;
    let change = async |tx: &mut Tx| tx.run(SET_PASSWORD_HASH).bind(expensive.as_str()).execute().await;
    shop.parts.db.write(change).await.expect("it can be changed");
    shop.browser().try_to_log_in(&email, "wrong").await.expect_status(422);
    assert_eq!(hash().await, expensive);
    shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.expect_status(200);
    let renewed = hash().await;
    assert!(renewed.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{renewed}");
    shop.browser().try_to_log_in(&email, TestShop::PASSWORD).await.expect_status(200);
    assert_eq!(hash().await, renewed);
}

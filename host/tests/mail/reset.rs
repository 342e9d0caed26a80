//! Whoever forgot a password gets a link for a new one.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::customers::set_password;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::{Received, SmtpFake};
use stoa_core::testing::{TestResponse, TestShop, both_databases};

use crate::registration::{assert_refused, register};

const COUNT_DELIVERIES: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'events'");
const COUNT_LINKS: Sql = sql!("SELECT COUNT(*) FROM email_tokens");
const COUNT_MAILS: Sql = sql!("SELECT COUNT(*) FROM mail_messages WHERE sent_at IS NULL");

pub(crate) async fn forgot(shop: &TestShop, email: &str) -> TestResponse {
    shop.browser().prepare().await.post("/session/password/forgot", &json!({"email": email})).await
}

/// The mail that somebody gets who forgot their password.
pub(crate) async fn forgotten(shop: &TestShop, smtp: &SmtpFake, email: &str) -> Received {
    forgot(shop, email).await.expect_status(200);
    shop.run_jobs().await;
    smtp.only()
}

async fn reset(shop: &TestShop, token: &str, password: &str) -> TestResponse {
    let body = json!({"token": token, "password": password});
    shop.browser().prepare().await.post("/session/password/reset", &body).await
}

async fn counts(shop: &TestShop) -> [i64; 3] {
    let db = &shop.parts.db;
    let mut counts = [0; 3];
    for (count, sql) in counts.iter_mut().zip([COUNT_DELIVERIES, COUNT_LINKS, COUNT_MAILS]) {
        *count = db.read(sql).scalar::<i64>().await.expect("rows can be counted");
    }
    counts
}

both_databases!(the_link_in_the_mail_sets_the_password_once);
async fn the_link_in_the_mail_sets_the_password_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let mail = forgotten(&shop, &smtp, &customer.email.to_uppercase()).await;
    assert_eq!(mail.to, std::slice::from_ref(&customer.email));
    assert!(mail.link().starts_with("http://shop.test/account/reset-password?token="), "{}", mail.link());
    assert!(mail.text().contains("60 minutes"), "{}", mail.text());
    let token = mail.token();
    let answer = reset(&shop, &token, "a new password").await.expect_status(200);
    assert_eq!(answer.json(), json!({"ok": true}));
    shop.browser().try_to_log_in(&customer.email, "a new password").await.expect_status(200);
    shop.browser().try_to_log_in(&customer.email, TestShop::PASSWORD).await.expect_status(422);
    assert_refused(&reset(&shop, &token, "another password").await);
    shop.browser().try_to_log_in(&customer.email, "a new password").await.expect_status(200);
}

both_databases!(known_and_unknown_addresses_get_the_same_answer_and_make_the_same_work);
async fn known_and_unknown_addresses_get_the_same_answer_and_make_the_same_work(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let mut known = forgot(&shop, &customer.email).await.expect_status(200);
    assert_eq!(counts(&shop).await, [1, 0, 0], "the request writes down what was asked, and looks nothing up");
    let mut unknown = forgot(&shop, "nobody@example.com").await.expect_status(200);
    assert_eq!(counts(&shop).await, [2, 0, 0]);
    for answer in [&mut known, &mut unknown] {
        for differing in ["x-request-id", "x-ratelimit-remaining", "set-cookie"] {
            answer.headers.remove(differing);
        }
    }
    assert_eq!((known.status, &known.headers, &known.body), (unknown.status, &unknown.headers, &unknown.body));
    assert_eq!(unknown.json(), json!({"ok": true}));
    shop.run_jobs().await;
    assert_eq!(smtp.only().to, [customer.email]);
    assert_eq!(counts(&shop).await, [0, 1, 0]);
}

both_databases!(a_reset_ends_every_session_and_token);
async fn a_reset_ends_every_session_and_token(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let (customer, other) = (shop.customer().await, shop.customer().await);
    let (mut first, mut second, mut others) = (shop.browser(), shop.browser(), shop.browser());
    first.log_in(&customer).await;
    second.log_in(&customer).await;
    others.log_in(&other).await;
    let program = shop.client().token(&customer, &["account.read"]).await;
    let token = forgotten(&shop, &smtp, &customer.email).await.token();
    first.get("/api/v1/me").await.expect_status(200);
    reset(&shop, &token, "a new password").await.expect_status(200);
    first.get("/api/v1/me").await.expect_error(401, "unauthenticated");
    second.get("/api/v1/me").await.expect_error(401, "unauthenticated");
    others.get("/api/v1/me").await.expect_status(200);
    program.get("/me").await.expect_error(401, "unauthenticated");
}

both_databases!(whoever_registered_with_somebody_elses_address_is_out_after_a_reset);
async fn whoever_registered_with_somebody_elses_address_is_out_after_a_reset(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut squatter = register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    smtp.only();
    let wish = json!({"email": "ada@example.com", "password": "a lovely password", "name": "x"});
    let made = shop.client().post("/auth/tokens", &wish).await.expect_status(201).json();
    let program = shop.client().bearer(made["token"].as_str().expect("a token"));
    program.get("/me").await.expect_status(200);
    let token = forgotten(&shop, &smtp, "ada@example.com").await.token();
    reset(&shop, &token, "a new password").await.expect_status(200);
    let mut ada = shop.browser();
    let account = ada.try_to_log_in("ada@example.com", "a new password").await.expect_status(200).json();
    assert_eq!(account["data"]["email_verified"], true);
    squatter.get("/api/v1/me").await.expect_error(401, "unauthenticated");
    program.get("/me").await.expect_error(401, "unauthenticated");
}

both_databases!(a_password_of_the_operators_voids_the_link_for_a_new_one);
async fn a_password_of_the_operators_voids_the_link_for_a_new_one(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let token = forgotten(&shop, &smtp, &customer.email).await.token();
    let hash = shop.passwords.hash(String::from("of the operator")).await.expect("it can be hashed");
    shop.parts.db.write(async |tx| set_password(tx, customer.id, &hash).await).await.expect("it is set");
    assert_refused(&reset(&shop, &token, "a new password").await);
    shop.browser().try_to_log_in(&customer.email, "of the operator").await.expect_status(200);
}

both_databases!(a_new_password_that_is_tried_first_is_refused_and_the_link_stays);
async fn a_new_password_that_is_tried_first_is_refused_and_the_link_stays(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let token = forgotten(&shop, &smtp, &customer.email).await.token();
    for guessable in ["Qwertyuiop", customer.email.as_str()] {
        let answer = reset(&shop, &token, guessable).await.expect_error(422, "validation_error").json();
        assert_eq!(answer["errors"].as_object().expect("an object").keys().collect::<Vec<_>>(), ["password"]);
    }
    reset(&shop, &token, "a new password").await.expect_status(200);
}

both_databases!(a_reset_confirms_the_address_and_forgives_wrong_passwords);
async fn a_reset_confirms_the_address_and_forgives_wrong_passwords(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    smtp.only();
    for _ in 0..10 {
        shop.browser().try_to_log_in("ada@example.com", "wrong").await.expect_status(422);
    }
    shop.browser().try_to_log_in("ada@example.com", "a lovely password").await.expect_error(429, "rate_limited");
    let token = forgotten(&shop, &smtp, "ada@example.com").await.token();
    reset(&shop, &token, "a new password").await.expect_status(200);
    let account = shop.browser().try_to_log_in("ada@example.com", "a new password").await.expect_status(200).json();
    assert_eq!(account["data"]["email_verified"], true);
}

both_databases!(parallel_uses_of_a_link_change_the_password_once);
async fn parallel_uses_of_a_link_change_the_password_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let token = forgotten(&shop, &smtp, &customer.email).await.token();
    let passwords = (0..6).map(|number| format!("new password {number}")).collect::<Vec<_>>();
    let answers = futures_util::future::join_all(passwords.iter().map(|password| reset(&shop, &token, password))).await;
    let mut winners = Vec::new();
    for (answer, password) in answers.iter().zip(&passwords) {
        if answer.status == 200 {
            winners.push(password);
        } else {
            assert_refused(answer);
        }
    }
    assert_eq!(winners.len(), 1);
    for password in &passwords {
        let status = if password == winners[0] { 200 } else { 422 };
        shop.browser().try_to_log_in(&customer.email, password).await.expect_status(status);
    }
}

both_databases!(a_link_ends_after_an_hour_or_with_a_newer_one);
async fn a_link_ends_after_an_hour_or_with_a_newer_one(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let (customer, other) = (shop.customer().await, shop.customer().await);
    let first = forgotten(&shop, &smtp, &customer.email).await.token();
    let foreign = forgotten(&shop, &smtp, &other.email).await.token();
    let second = forgotten(&shop, &smtp, &customer.email).await.token();
    assert_refused(&reset(&shop, &first, "a new password").await);
    shop.advance(TimeDelta::minutes(60) - TimeDelta::seconds(1));
    reset(&shop, &second, "a new password").await.expect_status(200);
    shop.advance(TimeDelta::seconds(1));
    assert_refused(&reset(&shop, &foreign, "a new password").await);
    shop.browser().try_to_log_in(&other.email, TestShop::PASSWORD).await.expect_status(200);
}

both_databases!(a_new_password_has_ten_to_two_hundred_characters);
async fn a_new_password_has_ten_to_two_hundred_characters(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let token = forgotten(&shop, &smtp, &customer.email).await.token();
    for wrong in ["", "012345678", "x".repeat(201).as_str(), "0123456789\u{0}"] {
        let answer = reset(&shop, &token, wrong).await.expect_error(422, "validation_error").json();
        let errors = answer["errors"].as_object().expect("an object").keys().collect::<Vec<_>>();
        assert_eq!(errors, ["password"], "{wrong:?}");
    }
    reset(&shop, &token, &"é".repeat(200)).await.expect_status(200);
}

both_databases!(asking_is_limited_for_known_and_unknown_addresses_alike);
async fn asking_is_limited_for_known_and_unknown_addresses_alike(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    for email in [customer.email.as_str(), "nobody@example.com"] {
        for _ in 0..5 {
            forgot(&shop, email).await.expect_status(200);
        }
        let refused = forgot(&shop, email).await.expect_error(429, "rate_limited");
        assert_eq!(refused.header("retry-after"), Some("900"));
    }
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 5);
    shop.advance(TimeDelta::minutes(15));
    forgot(&shop, &customer.email).await.expect_status(200);
}

both_databases!(an_address_that_is_none_is_refused);
async fn an_address_that_is_none_is_refused(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    for wrong in [json!(null), json!("x"), json!(5), json!("a@b.example\r\nBcc: c@d.example")] {
        let mut browser = shop.browser();
        let answer = browser.prepare().await.post("/session/password/forgot", &json!({"email": wrong})).await;
        let answer: Value = answer.expect_error(422, "validation_error").json();
        assert!(answer["errors"]["email"].is_array(), "{answer}");
    }
    assert_eq!(counts(&shop).await, [0, 0, 0]);
}

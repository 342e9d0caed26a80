//! Whoever registers is asked to confirm their address.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestBrowser, TestResponse, TestShop, both_databases};

const MESSAGES: Sql = sql!("SELECT body FROM mail_messages");
const HASHES: Sql = sql!("SELECT secret_hash FROM email_tokens");
const CHANGE_ADDRESS: Sql = sql!("UPDATE users SET email = 'new@example.com' WHERE email = $1");

/// Registers somebody, who is logged in from then on.
pub(crate) async fn register(shop: &TestShop, email: &str) -> TestBrowser {
    let mut browser = shop.browser();
    let wish = json!({"name": "Ada Buyer", "email": email, "password": "a lovely password"});
    browser.prepare().await.post("/session/register", &wish).await.expect_status(201);
    browser
}

/// Uses a link as a storefront's page does.
pub(crate) async fn verify(shop: &TestShop, token: &Value) -> TestResponse {
    shop.browser().prepare().await.post("/session/email/verify", &json!({"token": token})).await
}

async fn is_verified(browser: &mut TestBrowser) -> bool {
    browser.get("/api/v1/me").await.expect_status(200).json()["data"]["email_verified"] == true
}

both_databases!(the_link_in_the_mail_confirms_the_address_once);
async fn the_link_in_the_mail_confirms_the_address_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut browser = register(&shop, "Ada@Example.com").await;
    assert_eq!(smtp.connections(), 0, "nothing is sent by the request itself");
    shop.run_jobs().await;
    let mail = smtp.only();
    assert_eq!((mail.from.as_str(), mail.to.as_slice()), ("shop@lamps.example", &["ada@example.com".to_owned()][..]));
    assert_eq!(mail.header("To").as_deref(), Some("ada@example.com"));
    assert_eq!(mail.header("From").as_deref(), Some("Lamps <shop@lamps.example>"));
    assert_eq!(mail.header("Date").as_deref(), Some("Thu, 15 Jan 2026 12:00:00 +0000"));
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    assert!(mail.header("Message-ID").is_some_and(|id| id.ends_with("@lamps.example>")));
    assert!(mail.link().starts_with("http://shop.test/account/verify-email?token="), "{}", mail.link());
    assert!(mail.text().contains("3 days"), "{}", mail.text());
    assert!(!mail.raw.contains("Ada Buyer"), "a stranger's mailbox gets no text of whoever registers");

    assert!(!is_verified(&mut browser).await);
    let token = json!(mail.token());
    let answer = verify(&shop, &token).await.expect_status(200).json();
    assert_eq!(
        (&answer["data"]["email"], &answer["data"]["email_verified"]),
        (&json!("ada@example.com"), &json!(true))
    );
    assert!(is_verified(&mut browser).await);
    assert_refused(&verify(&shop, &token).await);
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 0);
}

#[track_caller]
pub(crate) fn assert_refused(answer: &TestResponse) {
    let answer = answer.clone().expect_error(422, "validation_error").json();
    assert_eq!(answer["errors"], json!({"token": ["This link is not valid any more. Please ask for a new one."]}));
}

both_databases!(what_is_no_link_is_refused_alike);
async fn what_is_no_link_is_refused_alike(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let token = smtp.only().token();
    let unknown = "A".repeat(48);
    for wrong in [unknown.as_str(), "x", &token[1..], &format!("{token}A"), &token.replace(char::is_alphabetic, "é")] {
        assert_refused(&verify(&shop, &json!(wrong)).await);
    }
    for wrong in [json!(null), json!(""), json!(5), json!([token]), json!("x".repeat(256))] {
        let answer = verify(&shop, &wrong).await.expect_error(422, "validation_error").json();
        assert!(answer["errors"]["token"].is_array(), "{answer}");
    }
    // A link for one thing does not do another.
    let other = json!({"token": token, "password": "a new password"});
    let mut browser = shop.browser();
    assert_refused(&browser.prepare().await.post("/session/password/reset", &other).await);
    verify(&shop, &json!(token)).await.expect_status(200);
}

both_databases!(a_link_ends_after_three_days);
async fn a_link_ends_after_three_days(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    register(&shop, "bob@example.com").await;
    shop.run_jobs().await;
    let tokens = smtp.collect().iter().map(|mail| json!(mail.token())).collect::<Vec<_>>();
    shop.advance(TimeDelta::days(3) - TimeDelta::seconds(1));
    verify(&shop, &tokens[0]).await.expect_status(200);
    shop.advance(TimeDelta::seconds(1));
    assert_refused(&verify(&shop, &tokens[1]).await);
}

both_databases!(a_changed_address_voids_its_link);
async fn a_changed_address_voids_its_link(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut browser = register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let token = json!(smtp.only().token());
    let change = async |tx: &mut stoa_core::db::Tx| -> Result<u64, DbError> {
        tx.run(CHANGE_ADDRESS).bind("ada@example.com").execute().await
    };
    shop.parts.db.write(change).await.expect("the address is changed");
    assert_refused(&verify(&shop, &token).await);
    assert!(!is_verified(&mut browser).await);
}

both_databases!(the_link_can_be_sent_again_to_whoever_is_logged_in);
async fn the_link_can_be_sent_again_to_whoever_is_logged_in(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut browser = register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let first = json!(smtp.only().token());
    let again = browser.post("/session/email/resend", &json!({})).await.expect_status(200);
    assert_eq!(again.json(), json!({"ok": true}));
    shop.run_jobs().await;
    let second = json!(smtp.only().token());
    assert_refused(&verify(&shop, &first).await);
    verify(&shop, &second).await.expect_status(200);
    // Nothing is left to confirm.
    browser.post("/session/email/resend", &json!({})).await.expect_status(200);
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 0);
    shop.browser().prepare().await.post("/session/email/resend", &json!({})).await.expect_error(401, "unauthenticated");
}

both_databases!(sending_again_is_limited);
async fn sending_again_is_limited(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut browser = register(&shop, "ada@example.com").await;
    for _ in 0..5 {
        browser.post("/session/email/resend", &json!({})).await.expect_status(200);
    }
    browser.post("/session/email/resend", &json!({})).await.expect_error(429, "rate_limited");
    shop.advance(TimeDelta::minutes(15));
    browser.post("/session/email/resend", &json!({})).await.expect_status(200);
}

both_databases!(neither_link_nor_text_can_be_read_in_the_database);
async fn neither_link_nor_text_can_be_read_in_the_database(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    let db = &shop.parts.db;
    let mut stored = db.read(MESSAGES).scalars::<Vec<u8>>().await.expect("there is a message");
    stored.extend(db.read(HASHES).scalars::<Vec<u8>>().await.expect("there is a link"));
    assert_eq!(stored.len(), 2);
    shop.run_jobs().await;
    let mail = smtp.only();
    for bytes in stored {
        for readable in [mail.token().as_bytes(), b"http", b"Please"] {
            assert!(!bytes.windows(readable.len()).any(|part| part == readable));
        }
    }
    let kept = db.read(MESSAGES).scalars::<Vec<u8>>().await.expect("it can be read");
    assert_eq!(kept, [Vec::<u8>::new()], "what it said is forgotten");
}

both_databases!(a_name_with_a_line_break_is_refused);
async fn a_name_with_a_line_break_is_refused(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    for (name, email) in
        [("Ada\r\nBcc: bob@example.com", "ada@example.com"), ("Ada", "ada@example.com\r\nBcc: bob@example.com")]
    {
        let wish = json!({"name": name, "email": email, "password": "a lovely password"});
        shop.browser().prepare().await.post("/session/register", &wish).await.expect_error(422, "validation_error");
    }
    shop.run_jobs().await;
    assert_eq!(smtp.connections(), 0);
}

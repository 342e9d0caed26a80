//! The shop's own pages that links lead to.

use http::Method;
use stoa_core::db::Backend;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

use crate::registration::register;
use crate::reset::forgotten;

const VERIFY: &str = "/account/verify-email";
const RESET: &str = "/account/reset-password";

async fn open(client: &TestClient, path: &str, token: &str) -> TestResponse {
    client.send(client.site_request(Method::GET, &format!("{path}?token={token}"), "")).await
}

/// Sends a form as a browser does from a page that forbids the referrer.
async fn submit(client: &TestClient, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    let client = client.with_header("content-type", "application/x-www-form-urlencoded");
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    client.send(client.site_request(Method::POST, path, body)).await
}

fn browser(shop: &TestShop) -> TestClient {
    shop.client().with_header("origin", "null").with_header("sec-fetch-site", "same-origin")
}

#[track_caller]
fn assert_is_guarded(page: &TestResponse) {
    let policy = page.header("content-security-policy").expect("a policy");
    for rule in ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.headers.get_all("set-cookie").iter().count(), 0);
    assert!(!page.text().contains("<script") && !page.text().contains("style="), "{}", page.text());
}

both_databases!(opening_a_link_does_nothing_and_its_button_confirms_the_address);
async fn opening_a_link_does_nothing_and_its_button_confirms_the_address(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut visitor = register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let token = smtp.only().token();
    for _ in 0..2 {
        let page = open(&shop.client(), VERIFY, &token).await.expect_status(200);
        assert_is_guarded(&page);
        assert!(page.text().contains(&format!("value=\"{token}\"")), "{}", page.text());
    }
    let account = visitor.get("/api/v1/me").await.json();
    assert_eq!(account["data"]["email_verified"], false);
    let done = submit(&browser(&shop), VERIFY, &[("token", &token)]).await.expect_status(200);
    assert_is_guarded(&done);
    assert!(done.text().contains("Your e-mail address is confirmed") && !done.text().contains(&token));
    assert_eq!(visitor.get("/api/v1/me").await.json()["data"]["email_verified"], true);
    let again = submit(&browser(&shop), VERIFY, &[("token", &token)]).await.expect_status(422);
    assert!(again.text().contains("not valid any more") && !again.text().contains("<form"), "{}", again.text());
}

both_databases!(the_form_sets_a_password_and_says_what_is_wrong_with_another);
async fn the_form_sets_a_password_and_says_what_is_wrong_with_another(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let customer = shop.customer().await;
    let token = forgotten(&shop, &smtp, &customer.email).await.token();
    let page = open(&shop.client(), RESET, &token).await.expect_status(200);
    assert_is_guarded(&page);
    assert!(page.text().contains("type=\"password\""), "{}", page.text());
    let short = submit(&browser(&shop), RESET, &[("token", &token), ("password", "short")]).await.expect_status(422);
    assert!(short.text().contains("at least 10 characters") && short.text().contains(&token), "{}", short.text());
    assert!(!short.text().contains("value=\"short\""));
    let password = "a & b = ü + 100 %";
    let done = submit(&browser(&shop), RESET, &[("token", &token), ("password", password)]).await.expect_status(200);
    assert!(done.text().contains("Your password is changed"), "{}", done.text());
    shop.browser().try_to_log_in(&customer.email, password).await.expect_status(200);
    let again = submit(&browser(&shop), RESET, &[("token", &token), ("password", password)]).await.expect_status(422);
    assert!(again.text().contains("not valid any more"), "{}", again.text());
}

both_databases!(a_page_of_another_site_cannot_send_the_form);
async fn a_page_of_another_site_cannot_send_the_form(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let token = smtp.only().token();
    let client = shop.client();
    for foreign in [
        client.with_header("sec-fetch-site", "cross-site").with_header("origin", "null"),
        client.with_header("sec-fetch-site", "same-site").with_header("origin", "http://other.shop.test"),
        client.with_header("sec-fetch-site", "cross-site").with_header("origin", "http://shop.test"),
        client.with_header("origin", "https://evil.example"),
    ] {
        submit(&foreign, VERIFY, &[("token", &token)]).await.expect_error(403, "unauthorized");
    }
    // Browsers say nothing about the site where the connection is not encrypted.
    submit(&client.with_header("origin", "null"), VERIFY, &[("token", &token)]).await.expect_status(200);
}

both_databases!(what_is_no_form_is_refused);
async fn what_is_no_form_is_refused(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let client = shop.client();
    let json = client.with_header("content-type", "application/json");
    json.send(json.site_request(Method::POST, VERIFY, "{}")).await.expect_error(415, "unsupported_media_type");
    submit(&client, RESET, &[("password", &"x".repeat(140_000))]).await.expect_error(413, "payload_too_large");
    for fields in [&[][..], &[("token", "x")], &[("other", "y")]] {
        let page = submit(&client, VERIFY, fields).await.expect_status(422);
        assert_is_guarded(&page);
        assert!(page.text().contains("not valid any more"), "{}", page.text());
    }
    client.send(client.site_request(Method::DELETE, VERIFY, "")).await.expect_error(405, "method_not_allowed");
}

both_databases!(a_text_in_place_of_the_secret_is_not_repeated);
async fn a_text_in_place_of_the_secret_is_not_repeated(backend: Backend) {
    let shop = TestShop::new(backend).await;
    for token in ["", "%3Cscript%3Ealert(1)%3C/script%3E", "%22%3E%3Cb%3E", "x"] {
        let page = open(&shop.client(), RESET, token).await.expect_status(422);
        assert_is_guarded(&page);
        assert!(!page.text().contains("alert(1)") && !page.text().contains("<form"), "{}", page.text());
    }
}

both_databases!(the_pages_speak_the_visitors_language);
async fn the_pages_speak_the_visitors_language(backend: Backend) {
    let shop = TestShop::builder(backend).config("[shop]\nname = 'Tom & <b>Jerry'").open().await;
    let token = "A".repeat(48);
    for (wish, tag, heading) in [
        ("en", "en", "Choose a new password"),
        ("de-AT,de;q=0.9", "de", "Neues Passwort wählen"),
        ("nl", "nl", "Nieuw wachtwoord kiezen"),
        ("fr", "en", "Choose a new password"),
    ] {
        let page = open(&shop.client().with_header("accept-language", wish), RESET, &token).await.expect_status(200);
        assert_eq!(page.header("content-language"), Some(tag));
        assert!(page.text().contains(&format!("<h1>{heading}</h1>")), "{}", page.text());
        assert!(page.text().contains("Tom &amp; &lt;b&gt;Jerry"), "{}", page.text());
    }
    let style = shop.client().send(shop.client().site_request(Method::GET, "/account/page.css", "")).await;
    assert_eq!(style.expect_status(200).header("content-type"), Some("text/css; charset=utf-8"));
}

//! Writes of a session need the CSRF token, and come from the shop's own pages (S5.1 rule 2).

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};

/// A write that any session may do.
async fn rename(browser: &mut TestBrowser) -> stoa_core::testing::TestResponse {
    browser.patch("/api/v1/me", &json!({"name": "Renamed"})).await
}

#[track_caller]
fn refused(answer: &stoa_core::testing::TestResponse, reason: &str) {
    let answer = answer.clone().expect_error(403, "unauthorized");
    assert_eq!(answer.json()["reason"], reason, "{}", answer.text());
}

async fn logged_in(shop: &TestShop) -> TestBrowser {
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    browser
}

both_databases!(a_write_without_the_token_is_refused);
async fn a_write_without_the_token_is_refused(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = logged_in(&shop).await;
    refused(&rename(&mut browser.without_csrf_header()).await, "csrf_token_mismatch");
    let mut browser_without = browser.without_csrf_header();
    refused(&browser_without.delete("/session").await, "csrf_token_mismatch");
    assert_ne!(browser.get("/api/v1/me").await.json()["data"]["name"], "Renamed");
    rename(&mut browser).await.expect_status(200);
}

both_databases!(a_wrong_token_is_refused);
async fn a_wrong_token_is_refused(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let browser = logged_in(&shop).await;
    let token = browser.cookie("XSRF-TOKEN").expect("it is set").to_owned();
    let flipped = format!("{}{}", if token.starts_with('A') { 'B' } else { 'A' }, &token[1..]);
    let wrong = ["", "wrong", &token[1..], &format!("{token}A"), &token.to_lowercase(), &flipped];
    for value in wrong {
        refused(&rename(&mut browser.with_header("x-xsrf-token", value)).await, "csrf_token_mismatch");
        // Nor does it help to put the same into the cookie.
        let mut planted = browser.with_header("x-xsrf-token", value);
        planted.set_cookie("XSRF-TOKEN", value);
        refused(&rename(&mut planted).await, "csrf_token_mismatch");
    }
}

both_databases!(a_token_without_its_cookie_is_refused);
async fn a_token_without_its_cookie_is_refused(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let browser = logged_in(&shop).await;
    let token = browser.cookie("XSRF-TOKEN").expect("it is set");
    let (name, secret) = browser.session_cookie().expect("there is a session");
    let client = shop.client().with_header("cookie", &format!("{name}={secret}")).with_header("x-xsrf-token", token);
    refused(&client.patch("/me", &json!({"name": "Renamed"})).await, "csrf_token_mismatch");
}

both_databases!(a_token_of_another_session_is_refused);
async fn a_token_of_another_session_is_refused(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (mut mine, theirs, mut nobody) = (logged_in(&shop).await, logged_in(&shop).await, shop.browser());
    nobody.prepare().await;
    for other in [&theirs, &nobody] {
        let mut planted = mine.clone();
        planted.set_cookie("XSRF-TOKEN", other.cookie("XSRF-TOKEN").expect("it is set"));
        refused(&rename(&mut planted).await, "csrf_token_mismatch");
    }
    rename(&mut mine).await.expect_status(200);
}

both_databases!(logging_in_needs_the_token_too);
async fn logging_in_needs_the_token_too(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let credentials = json!({"email": customer.email, "password": TestShop::PASSWORD});
    refused(&shop.browser().post("/session", &credentials).await, "csrf_token_mismatch");
    let new = json!({"name": "New", "email": "new@example.com", "password": "a lovely password"});
    refused(&shop.browser().post("/session/register", &new).await, "csrf_token_mismatch");
    let mut browser = shop.browser();
    browser.prepare().await.post("/session", &credentials).await.expect_status(200);
}

both_databases!(a_token_from_before_the_login_is_of_no_use_after_it);
async fn a_token_from_before_the_login_is_of_no_use_after_it(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    let before = browser.prepare().await.cookie("XSRF-TOKEN").expect("it is set").to_owned();
    browser.log_in(&shop.customer().await).await;
    assert_ne!(browser.cookie("XSRF-TOKEN"), Some(before.as_str()));
    rename(&mut browser).await.expect_status(200);
    browser.set_cookie("XSRF-TOKEN", &before);
    refused(&rename(&mut browser).await, "csrf_token_mismatch");
    // The page asks for another.
    rename(browser.prepare().await).await.expect_status(200);
}

both_databases!(pages_of_other_sites_are_refused);
async fn pages_of_other_sites_are_refused(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let browser = logged_in(&shop).await;
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("origin", "https://shop.test"),
        ("origin", "http://shop.test.evil.example"),
        ("origin", "http://shop.test:8080"),
        ("origin", "null"),
        ("origin", ""),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        refused(&rename(&mut browser.with_header(name, value)).await, "foreign_origin");
        refused(&browser.with_header(name, value).delete("/session").await, "foreign_origin");
    }
    for (name, value) in [("origin", "http://shop.test"), ("sec-fetch-site", "same-origin"), ("sec-fetch-site", "none")]
    {
        rename(&mut browser.with_header(name, value)).await.expect_status(200);
    }
}

both_databases!(allowed_origins_and_the_name_the_browser_asked_for_are_own_pages);
async fn allowed_origins_and_the_name_the_browser_asked_for_are_own_pages(backend: Backend) {
    let config = "[server]\nallowed_origins = [\"https://www.example.com\"]";
    let shop = TestShop::builder(backend).config(config).open().await;
    let browser = logged_in(&shop).await;
    let from = |origin: &str| browser.with_header("origin", origin);
    let told = rename(&mut from("http://www.example.com")).await.expect_error(403, "unauthorized").json();
    let told = told["message"].as_str().expect("a message");
    assert!(told.contains("`server.base_url`") && told.contains("`server.allowed_origins`"), "{told}");
    rename(&mut from("https://www.example.com")).await.expect_status(200);
    refused(&rename(&mut from("http://www.example.com")).await, "foreign_origin");
    let local = from("http://localhost:8080");
    refused(&rename(&mut local.clone()).await, "foreign_origin");
    rename(&mut local.with_header("host", "localhost:8080")).await.expect_status(200);
    refused(&rename(&mut local.with_header("host", "localhost:8081")).await, "foreign_origin");
    // The public name under the wrong scheme: somebody sits in between.
    refused(&rename(&mut from("https://shop.test").with_header("host", "shop.test")).await, "foreign_origin");
}

both_databases!(reading_needs_no_token);
async fn reading_needs_no_token(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let browser = logged_in(&shop).await.without_csrf_header();
    for headers in [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")] {
        browser.with_header(headers.0, headers.1).get("/api/v1/me").await.expect_status(200);
    }
}

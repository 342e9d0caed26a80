//! The cookies of a session: what they look like, and what forged ones are worth.

use http::Method;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

const HASHES: Sql = sql!("SELECT secret_hash FROM sessions");

both_databases!(a_session_opens_the_own_account);
async fn a_session_opens_the_own_account(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let mut browser = shop.browser();
    browser.get("/api/v1/me").await.expect_error(401, "unauthenticated");
    let answer = browser.log_in(&customer).await.json();
    let account = json!({"data": {"id": customer.id, "name": customer.name, "email": customer.email, "email_verified": true, "guest": false}});
    assert_eq!(answer, account);
    assert_eq!(browser.get("/api/v1/me").await.expect_status(200).json(), account);
}

both_databases!(the_cookies_are_flagged_as_they_must_be);
async fn the_cookies_are_flagged_as_they_must_be(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let answer = shop.browser().log_in(&shop.customer().await).await;
    let lines = answer.headers.get_all("set-cookie").iter().map(|line| line.to_str().expect("text").to_owned());
    let lines = lines.collect::<Vec<_>>();
    let line = |start: &str| lines.iter().find(|line| line.starts_with(start)).expect("the cookie is set").clone();
    let (session, csrf) = (line("stoa_session="), line("XSRF-TOKEN="));
    assert!(session.contains("HttpOnly") && !csrf.contains("HttpOnly"), "{lines:?}");
    for line in [&session, &csrf] {
        assert!(line.contains("SameSite=Lax") && line.contains("Path=/"), "{line}");
        assert!(!line.contains("Secure") && !line.contains("Domain"), "{line}");
        assert!(line.contains("Max-Age=2592000"), "{line}");
    }
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
}

both_databases!(cookies_of_an_encrypted_shop_never_travel_in_the_clear);
async fn cookies_of_an_encrypted_shop_never_travel_in_the_clear(backend: Backend) {
    let config = "[server]\nbase_url = \"https://shop.example\"";
    let shop = TestShop::builder(backend).config(config).open().await;
    let mut browser = shop.browser();
    let answer = browser.log_in(&shop.customer().await).await;
    for line in answer.headers.get_all("set-cookie") {
        assert!(line.to_str().expect("text").contains("Secure"), "{line:?}");
    }
    assert_eq!(browser.session_cookie().map(|(name, _)| name), Some("__Host-stoa_session"));
    browser.get("/api/v1/me").await.expect_status(200);
}

both_databases!(only_the_hash_of_the_cookie_is_stored);
async fn only_the_hash_of_the_cookie_is_stored(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    let (_, secret) = browser.session_cookie().expect("there is a session");
    assert!(secret.len() >= 40, "{secret}");
    let stored = shop.parts.db.read(HASHES).scalars::<Vec<u8>>().await.expect("it is stored");
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].len(), 32);
    assert!(!stored[0].windows(8).any(|part| secret.as_bytes().windows(8).any(|other| other == part)));
}

both_databases!(forged_and_damaged_cookies_open_nothing);
async fn forged_and_damaged_cookies_open_nothing(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    let (name, secret) =
        browser.session_cookie().map(|(name, value)| (name.to_owned(), value.to_owned())).expect("one");
    let other_letter = if secret.starts_with('a') { "b" } else { "a" };
    let forged = [
        String::new(),
        String::from("a"),
        "a".repeat(48),
        secret[..47].to_owned(),
        format!("{secret}a"),
        format!("{other_letter}{}", &secret[1..]),
        secret.to_lowercase(),
        format!("\"{secret}\""),
        format!("%20{secret}"),
        String::from("1"),
        String::from("' OR 1=1 --"),
    ];
    for value in forged.iter().filter(|value| **value != secret) {
        let mut other = browser.clone();
        other.set_cookie(&name, value);
        other.get("/api/v1/me").await.expect_error(401, "unauthenticated");
    }
    // Two that differ: one of them was planted, and nobody knows which.
    let line = format!("{name}={secret}; {name}={}", "a".repeat(48));
    shop.client().with_header("cookie", &line).get("/me").await.expect_error(401, "unauthenticated");
    browser.get("/api/v1/me").await.expect_status(200);
}

both_databases!(a_bearer_token_beside_a_session_decides_alone);
async fn a_bearer_token_beside_a_session_decides_alone(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (one, two) = (shop.customer().await, shop.customer().await);
    let session = shop.client().session(&one).await;
    session.get("/me").await.expect_status(200);
    for token in ["nonsense", "1|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""] {
        session.bearer(token).get("/me").await.expect_error(401, "unauthenticated");
    }
    session.token(&two, &[]).await.get("/me").await.expect_error(403, "insufficient_scope");
    let both = session.token(&two, &["account.read", "account.update"]).await;
    assert_eq!(both.get("/me").await.expect_status(200).json()["data"]["id"], two.id);
    // And it needs no CSRF token.
    let without = both.with_header("x-xsrf-token", "wrong");
    without.patch("/me", &json!({"name": "Two"})).await.expect_status(200);
}

both_databases!(two_authorization_headers_open_nothing);
async fn two_authorization_headers_open_nothing(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let client = shop.client().session(&customer).await.token(&customer, &["*"]).await;
    let mut request = client.request(Method::GET, "/me", "");
    let valid = request.headers()["authorization"].clone();
    request.headers_mut().append("authorization", valid);
    client.send(request).await.expect_error(401, "unauthenticated");
    client.get("/me").await.expect_status(200);
}

both_databases!(a_session_is_not_subject_to_abilities);
async fn a_session_is_not_subject_to_abilities(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let session = shop.client().session(&shop.customer().await).await;
    session.patch("/me", &json!({"name": "Renamed"})).await.expect_status(200);
    // There is no token to revoke, which is fine (S5.4).
    assert_eq!(session.delete("/auth/tokens").await.expect_status(200).json(), json!({"ok": true}));
    session.get("/me").await.expect_status(200);
}

both_databases!(the_methods_of_the_session_are_told);
async fn the_methods_of_the_session_are_told(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    let answer = browser.send(Method::PATCH, "/session", None).await.expect_error(405, "method_not_allowed");
    assert_eq!(answer.header("allow"), Some("DELETE,POST"));
    browser.get("/session/other").await.expect_error(404, "not_found");
}

//! What anybody may send is counted by address before it is read.

use axum::body::{Body, Bytes};
use chrono::TimeDelta;
use futures_util::stream;
use http::{HeaderValue, Method, header};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

/// A body that never comes.
fn endless() -> Body {
    Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>())
}

async fn post(client: &TestClient, path: &str, content_type: &'static str, body: Body) -> TestResponse {
    let mut request = client.site_request(Method::POST, path, body);
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    client.send(request).await
}

both_databases!(open_doors_are_counted_before_a_body_is_read);
async fn open_doors_are_counted_before_a_body_is_read(backend: Backend) {
    let config = "[limits]\nprotected = { requests = 3, per_seconds = 60 }";
    for (path, content_type) in [
        ("/api/v1/auth/tokens", "application/json"),
        ("/session", "application/json"),
        ("/session/register", "application/json"),
        ("/session/password/reset", "application/json"),
        ("/account/reset-password", "application/x-www-form-urlencoded"),
        ("/account/verify-email", "application/x-www-form-urlencoded"),
    ] {
        let shop = TestShop::builder(backend).config(config).open().await;
        for _ in 0..3 {
            assert_ne!(post(&shop.client(), path, content_type, Body::from("{}")).await.status, 429, "{path}");
        }
        post(&shop.client(), path, content_type, endless()).await.expect_error(429, "rate_limited");
        let other = shop.client().at_address("192.0.2.77");
        assert_ne!(post(&other, path, content_type, Body::from("{}")).await.status, 429, "{path}");
    }
}

both_databases!(tokens_have_their_own_limit_beside_that_of_the_address);
async fn tokens_have_their_own_limit_beside_that_of_the_address(backend: Backend) {
    let config = "[limits]\nprotected = { requests = 7, per_seconds = 60 }";
    let shop = TestShop::builder(backend).config(config).open().await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let wish = |email: &str| json!({"email": email, "password": TestShop::PASSWORD, "name": "x"});
    for remaining in ["4", "3", "2", "1", "0"] {
        let made = shop.client().post("/auth/tokens", &wish(&ada.email)).await.expect_status(201);
        assert_eq!(
            (made.header("x-ratelimit-limit"), made.header("x-ratelimit-remaining")),
            (Some("5"), Some(remaining))
        );
    }
    let refused = shop.client().post("/auth/tokens", &wish(&ada.email)).await.expect_error(429, "rate_limited");
    assert_eq!(refused.header("x-ratelimit-limit"), Some("5"));
    shop.client().post("/auth/tokens", &wish(&bob.email)).await.expect_status(201);
    let refused = shop.client().post("/auth/tokens", &wish(&bob.email)).await.expect_error(429, "rate_limited");
    assert_eq!(refused.header("x-ratelimit-limit"), Some("7"), "it is the eighth of this address");
}

both_databases!(a_login_that_is_refused_names_its_own_limit_alone);
async fn a_login_that_is_refused_names_its_own_limit_alone(backend: Backend) {
    let shop = TestShop::builder(backend).open().await;
    let wish = json!({"email": shop.customer().await.email, "password": "a wrong password"}).to_string();
    for number in 0..10 {
        let client = with_csrf(&shop, &format!("192.0.2.{number}")).await;
        post(&client, "/session", "application/json", Body::from(wish.clone())).await.expect_status(422);
    }
    let client = with_csrf(&shop, "192.0.2.10").await;
    let refused = post(&client, "/session", "application/json", Body::from(wish)).await;
    let refused = refused.expect_error(429, "rate_limited");
    for (name, value) in [("x-ratelimit-limit", "10"), ("x-ratelimit-remaining", "0")] {
        assert_eq!(refused.headers.get_all(name).iter().collect::<Vec<_>>(), [value]);
    }
}

/// A client at this address that may change something.
async fn with_csrf(shop: &TestShop, address: &str) -> TestClient {
    let client = shop.client().at_address(address);
    let csrf = client.send(client.site_request(Method::GET, "/session/csrf", "")).await.expect_status(204);
    let cookie = csrf.header("set-cookie").expect("a cookie").split(';').next().expect("a pair").to_owned();
    let token = cookie.split_once('=').expect("a value").1.to_owned();
    client.with_header("cookie", &cookie).with_header("x-xsrf-token", &token)
}

async fn register(shop: &TestShop, address: &str, email: &str) -> TestResponse {
    let client = with_csrf(shop, address).await;
    let wish = json!({"name": "Ada", "email": email, "password": "a lovely password"});
    post(&client, "/session/register", "application/json", Body::from(wish.to_string())).await
}

both_databases!(an_address_is_told_ten_times_that_an_email_is_taken);
async fn an_address_is_told_ten_times_that_an_email_is_taken(backend: Backend) {
    let config = "[limits]\nprotected = { requests = 0, per_seconds = 60 }";
    let shop = TestShop::builder(backend).config(config).open().await;
    let taken = shop.customer().await.email;
    for number in 0..10 {
        let refused = register(&shop, "192.0.2.1", &taken).await.expect_error(422, "validation_error").json();
        assert!(refused["errors"]["email"].is_array(), "{refused}");
        // Who registers is not held to it, and clears nothing.
        register(&shop, "192.0.2.1", &format!("new-{number}@example.com")).await.expect_status(if number == 9 {
            429
        } else {
            201
        });
    }
    let refused = register(&shop, "192.0.2.1", &taken).await.expect_error(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("600"));
    register(&shop, "192.0.2.2", &taken).await.expect_status(422);
    shop.advance(TimeDelta::seconds(600));
    register(&shop, "192.0.2.1", &taken).await.expect_status(422);
}

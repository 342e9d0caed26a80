//! Who is let in, in which order that is decided, and that writes are never cut in half.

use http::{HeaderValue, Method, Request, header};
use serde_json::json;
use stoa_core::auth::SPECIFIED;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::probe::{self, PROBE};
use crate::recorder::Recorder;

const EXPIRE: Sql = sql!("UPDATE access_tokens SET expires_at = $1");
const REVOKE: Sql = sql!("DELETE FROM access_tokens WHERE created_at <= $1");
const ANONYMIZE: Sql = sql!("UPDATE users SET anonymized_at = $1");

both_databases!(the_right_ability_opens_the_route_for_its_customer);
async fn the_right_ability_opens_the_route_for_its_customer(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let (first, second) = (shop.customer().await, shop.customer().await);
    let client = shop.client().token(&second, &["account.read", PROBE]).await;
    let answer = client.get("/probes/7").await.expect_status(200);
    assert_eq!(answer.json(), json!({"data": {"customer_id": second.id, "probe": 7}}));
    assert_ne!(first.id, second.id);
    assert_ne!(second.id, second.user_id, "the customer is shown, not the user behind it");
}

both_databases!(full_access_opens_the_route);
async fn full_access_opens_the_route(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let client = shop.client().token(&shop.customer().await, &["*"]).await;
    client.get("/probes").await.expect_status(200);
}

both_databases!(without_credentials_a_protected_route_answers_401);
async fn without_credentials_a_protected_route_answers_401(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let answer = shop.client().get("/probes").await.expect_error(401, "unauthenticated");
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    assert!(answer.json().get("errors").is_none(), "empty members are left out");
    assert!(answer.text().contains("“Authorization: Bearer TOKEN”"), "it says what to send: {answer:?}");
}

both_databases!(whatever_is_no_token_answers_401);
async fn whatever_is_no_token_answers_401(backend: Backend) {
    let shop = probe::shop(backend).config("[limits]\nprotected = { requests = 0, per_seconds = 60 }").open().await;
    let client = probe::client(&shop).await;
    let authorization = client.request(Method::GET, "/", "").headers()[header::AUTHORIZATION].clone();
    let valid = authorization.to_str().expect("text").strip_prefix("Bearer ").expect("a bearer token").to_owned();
    let (id, secret) = valid.split_once('|').expect("an id and a secret");
    let other = if secret.starts_with('a') { "b" } else { "a" };
    let wrong = [
        String::new(),
        String::from("Bearer"),
        String::from("Bearer "),
        String::from("Bearer token"),
        valid.clone(),
        format!("Basic {valid}"),
        format!("Bearer {secret}"),
        format!("Bearer {id}"),
        format!("Bearer {id}|"),
        format!("Bearer |{secret}"),
        format!("Bearer {id}|{other}{}", &secret[1..]),
        format!("Bearer {id}|{}", &secret[1..]),
        format!("Bearer {id}|{secret}x"),
        format!("Bearer {id}|{secret}|{secret}"),
        format!("Bearer {id} |{secret}"),
        format!("Bearer +{id}|{secret}"),
        format!("Bearer -{id}|{secret}"),
        format!("Bearer 0|{secret}"),
        format!("Bearer 4711|{secret}"),
        format!("Bearer 99999999999999999999|{secret}"),
        format!("Bearer {id}|{}", "x".repeat(10_000)),
        format!("Bearer {id}|' OR '1'='1"),
    ];
    for value in wrong {
        let answer = client.with_header("authorization", &value).get("/probes").await;
        assert_eq!(answer.status, 401, "{value}");
    }
    let mut request = client.request(Method::GET, "/probes", "");
    let bytes = HeaderValue::from_bytes(b"Bearer \xff\xfe").expect("a valid header value");
    request.headers_mut().insert(header::AUTHORIZATION, bytes);
    client.send(request).await.expect_error(401, "unauthenticated");
    client.with_header("authorization", &format!("bearer {valid}")).get("/probes").await.expect_status(200);
}

both_databases!(a_token_that_is_no_longer_valid_answers_401);
async fn a_token_that_is_no_longer_valid_answers_401(backend: Backend) {
    for end in [REVOKE, EXPIRE, ANONYMIZE] {
        let shop = probe::shop(backend).open().await;
        let client = probe::client(&shop).await;
        client.get("/probes").await.expect_status(200);
        let now = shop.now();
        shop.parts.db.write(async |tx| tx.run(end).bind(now).execute().await).await.expect("it ends");
        client.get("/probes").await.expect_error(401, "unauthenticated");
    }
}

both_databases!(a_missing_ability_is_named_in_the_answer);
async fn a_missing_ability_is_named_in_the_answer(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let customer = shop.customer().await;
    let others = SPECIFIED.iter().map(|ability| ability.name).collect::<Vec<_>>();
    for abilities in [&[][..], &others[..]] {
        let client = shop.client().token(&customer, abilities).await;
        let answer = client.get("/probes").await.expect_error(403, "insufficient_scope");
        assert_eq!(answer.json()["errors"], json!({"required_ability": [PROBE]}));
    }
}

both_databases!(a_token_is_refused_outside_its_networks);
async fn a_token_is_refused_outside_its_networks(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let customer = shop.customer().await;
    let client = probe::client_of_network(&shop, &customer, "198.51.100.7", PROBE).await;
    client.at_address("198.51.100.8").get("/probes").await.expect_error(403, "ip_not_allowed");
    client.at_address("198.51.100.7").get("/probes").await.expect_status(200);
    client.at_address("::ffff:198.51.100.7").get("/probes").await.expect_status(200);
    let forged = client.at_address("198.51.100.8").with_header("x-forwarded-for", "198.51.100.7");
    forged.get("/probes").await.expect_error(403, "ip_not_allowed");
}

both_databases!(a_trusted_proxy_is_believed_about_the_address);
async fn a_trusted_proxy_is_believed_about_the_address(backend: Backend) {
    let shop = probe::shop(backend).config("[server]\ntrusted_proxies = [\"203.0.113.1\"]").open().await;
    let customer = shop.customer().await;
    let client = probe::client_of_network(&shop, &customer, "198.51.100.7", PROBE).await;
    let proxied = client.at_address("203.0.113.1");
    proxied.with_header("x-forwarded-for", "198.51.100.7").get("/probes").await.expect_status(200);
    let spoofed = proxied.with_header("x-forwarded-for", "198.51.100.7, 198.51.100.8");
    spoofed.get("/probes").await.expect_error(403, "ip_not_allowed");
}

/// A shop whose limits leave one protected request a minute.
async fn nearly_exhausted(backend: Backend) -> TestShop {
    probe::shop(backend).config("[limits]\nprotected = { requests = 1, per_seconds = 60 }").open().await
}

both_databases!(the_rate_limit_is_checked_before_authentication);
async fn the_rate_limit_is_checked_before_authentication(backend: Backend) {
    let shop = nearly_exhausted(backend).await;
    let client = shop.client();
    client.get("/probes").await.expect_error(401, "unauthenticated");
    client.get("/probes").await.expect_error(429, "rate_limited");
    client.bearer("nonsense").get("/strays").await.expect_error(429, "rate_limited");
}

both_databases!(checks_come_in_the_order_of_the_contract);
async fn checks_come_in_the_order_of_the_contract(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let customer = shop.customer().await;
    let anonymous = shop.client();
    anonymous.get("/strays").await.expect_error(401, "unauthenticated");
    let elsewhere = probe::client_of_network(&shop, &customer, "198.51.100.7", "*").await;
    elsewhere.get("/strays").await.expect_error(403, "unmapped_api_route");
    let elsewhere = probe::client_of_network(&shop, &customer, "198.51.100.7", "orders.read").await;
    elsewhere.get("/probes").await.expect_error(403, "ip_not_allowed");
    let powerless = shop.client().token(&customer, &[]).await;
    let malformed = |client: &TestClient| client.request(Method::POST, "/probes", "{");
    powerless.send(malformed(&powerless)).await.expect_error(403, "insufficient_scope");
    anonymous.send(malformed(&anonymous)).await.expect_error(401, "unauthenticated");
    let mut huge = powerless.request(Method::POST, "/probes", "x".repeat(2_000_000));
    huge.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from_static("2000000"));
    powerless.send(huge).await.expect_error(403, "insufficient_scope");
}

both_databases!(a_wrong_method_is_refused_before_authentication);
async fn a_wrong_method_is_refused_before_authentication(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let client = shop.client();
    let allowed = |path: &str, method: Method| {
        let (client, request) = (client.clone(), client.request(method, path, ""));
        async move {
            let answer = client.send(request).await.expect_error(405, "method_not_allowed");
            let mut allowed = answer
                .header("allow")
                .expect("`Allow` is there")
                .split(',')
                .map(|m| m.trim().to_owned())
                .collect::<Vec<_>>();
            allowed.sort_unstable();
            allowed
        }
    };
    assert_eq!(allowed("/probes", Method::DELETE).await, ["GET", "HEAD", "POST"]);
    assert_eq!(allowed("/probes/7", Method::PUT).await, ["DELETE", "GET", "HEAD", "PATCH"]);
    assert_eq!(allowed("/products", Method::POST).await, ["GET", "HEAD"]);
    assert_eq!(allowed("/auth/tokens", Method::PATCH).await, ["DELETE", "GET", "HEAD", "POST"]);
}

both_databases!(an_unknown_path_is_not_found_for_everybody);
async fn an_unknown_path_is_not_found_for_everybody(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let client = probe::client(&shop).await;
    for path in ["", "/", "/unknown", "/probes/", "/probes/7/more", "/Probes", "/probes%2F7", "/%00", "/%ff"] {
        client.get(path).await.expect_error(404, "not_found");
        client.anonymous().get(path).await.expect_error(404, "not_found");
    }
}

both_databases!(an_id_that_is_no_positive_number_is_not_found);
async fn an_id_that_is_no_positive_number_is_not_found(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let client = probe::client(&shop).await;
    for id in ["0", "-1", "+1", "1.0", "one", "%20", "99999999999999999999", "0x1", "1%00", "%ff", "%D9%A1"] {
        client.get(&format!("/probes/{id}")).await.expect_error(404, "not_found");
    }
}

both_databases!(a_write_is_finished_although_the_client_hangs_up);
async fn a_write_is_finished_although_the_client_hangs_up(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let client = probe::client(&shop).await;
    let recorder = Recorder::new();
    let body = probe::naming(&recorder);
    let request = tokio::spawn(async move { client.post("/probes/wait", &body).await });
    recorder.somebody_arrived().await;
    request.abort();
    assert!(request.await.expect_err("the request was dropped").is_cancelled());
    recorder.open_gate();
    recorder.somebody_left().await;
}

both_databases!(a_panic_is_a_server_error_without_details);
async fn a_panic_is_a_server_error_without_details(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let client = probe::client(&shop).await;
    for method in [Method::GET, Method::POST] {
        let answer = client.send(client.request(method, "/probes/panic", "")).await.expect_error(500, "server_error");
        assert!(!answer.text().contains("panic"), "{}", answer.text());
        assert!(!answer.text().contains("secret"), "{}", answer.text());
        assert!(answer.header("x-request-id").is_some());
        assert_eq!(answer.header("cache-control"), Some("private, no-store"));
        assert_eq!(answer.header("x-ratelimit-limit"), Some("60"));
    }
    client.get("/probes").await.expect_status(200);
}

#[test]
fn a_write_that_postgres_asks_for_again_is_run_again_three_times() {
    stoa_core::testing::run_test(Backend::Postgres, |backend| async move {
        let shop = probe::shop(backend).open().await;
        let client = probe::client(&shop).await;
        let recorder = Recorder::new();
        let answer = client.post("/probes/serialization", &probe::naming(&recorder)).await;
        answer.expect_error(500, "server_error");
        assert_eq!(recorder.lines().len(), 4, "once, and three times more");
    });
}

both_databases!(a_request_without_an_address_is_no_ones);
async fn a_request_without_an_address_is_no_ones(backend: Backend) {
    use tower::ServiceExt;
    let shop = probe::shop(backend).open().await;
    let customer = shop.customer().await;
    let client = probe::client_of_network(&shop, &customer, "192.0.2.1", PROBE).await;
    let request: Request<axum::body::Body> = client.request(Method::GET, "/probes", "");
    let Ok(answer) = shop.front.clone().oneshot(request).await;
    assert_eq!(answer.status(), 403, "an unknown address is in no network");
}

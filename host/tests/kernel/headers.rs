//! Headers that every answer has: request ids, languages, caching, origins.

use http::{HeaderValue, Method, header};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, run_test};

use crate::probe;

const ORIGINS: &str = "[server]\nallowed_origins = [\"https://www.shop.example\"]";

/// Runs a test with a shop. Headers have nothing to do with the database.
fn with_shop(config: &str, test: impl AsyncFnOnce(TestShop)) {
    run_test(Backend::Sqlite, |backend| async move {
        test(probe::shop(backend).config(config).open().await).await;
    });
}

/// Answers of all kinds: success, not modified, and errors of every layer.
async fn all_kinds(shop: &TestShop, client: &TestClient) -> Vec<TestResponse> {
    let authorized = client.token(&shop.customer().await, &[probe::PROBE]).await;
    let etag = client.get("/products").await.header("etag").expect("catalog answers have a tag").to_owned();
    vec![
        client.get("/products").await.expect_status(200),
        client.with_header("if-none-match", &etag).get("/products").await.expect_status(304),
        authorized.get("/probes").await.expect_status(200),
        client.get("/probes").await.expect_status(401),
        authorized.get("/strays").await.expect_status(403),
        client.get("/unknown").await.expect_status(404),
        client.delete("/products").await.expect_status(405),
        authorized.send(authorized.request(Method::POST, "/probes", "text")).await.expect_status(415),
        authorized.get("/probes/panic").await.expect_status(500),
        client.send(client.site_request(Method::GET, "/health/live", "")).await.expect_status(200),
    ]
}

#[test]
fn no_answer_is_taken_for_something_else_by_browsers() {
    with_shop(ORIGINS, async |shop| {
        let client = shop.client();
        let mut answers = all_kinds(&shop, &client).await;
        for path in ["/", "/development/api", "/account/page.css", "/media/none.svg", "/metrics", "/none"] {
            answers.push(client.send(client.site_request(Method::GET, path, "")).await);
        }
        answers.push(client.send(client.site_request(Method::POST, "/webhooks/payments/none", "{}")).await);
        let asking = client.with_header("origin", "https://www.shop.example");
        let asking = asking.with_header("access-control-request-method", "POST");
        answers.push(asking.send(asking.request(Method::OPTIONS, "/cart", "")).await.expect_status(200));
        for answer in answers {
            let told = answer.headers.get_all(header::X_CONTENT_TYPE_OPTIONS).iter().collect::<Vec<_>>();
            assert_eq!(told, ["nosniff"], "{}: {}", answer.status, answer.text());
        }
    });
}

#[test]
fn every_answer_carries_the_request_id_that_was_sent() {
    with_shop("", async |shop| {
        let longest = "x".repeat(128);
        for id in ["1", "order-4711/retry:2", "~!@#$%^&*(){}", longest.as_str()] {
            let client = shop.client().with_header("x-request-id", id);
            for answer in all_kinds(&shop, &client).await {
                assert_eq!(answer.header("x-request-id"), Some(id), "{}", answer.status);
            }
        }
    });
}

#[test]
fn without_a_request_id_each_answer_gets_one_of_its_own() {
    with_shop("", async |shop| {
        let answers = all_kinds(&shop, &shop.client()).await;
        let mut ids = answers.iter().map(|answer| answer.header("x-request-id").expect("an id")).collect::<Vec<_>>();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), answers.len());
    });
}

#[test]
fn a_request_id_that_is_not_1_to_128_visible_characters_is_replaced() {
    with_shop("", async |shop| {
        for id in [String::new(), String::from("two words"), String::from("tab\tbed"), "x".repeat(129)] {
            let answer = shop.client().with_header("x-request-id", &id).get("/products").await;
            let given = answer.header("x-request-id").expect("an id");
            assert_ne!(given, id);
            assert_eq!(given.len(), 36, "a UUID: {given}");
        }
        let mut request = shop.client().request(Method::GET, "/products", "");
        let umlaut = HeaderValue::from_bytes("\u{fc}".as_bytes()).expect("a valid header value");
        request.headers_mut().insert("x-request-id", umlaut);
        assert_eq!(shop.client().send(request).await.header("x-request-id").expect("an id").len(), 36);
    });
}

#[test]
fn the_message_follows_the_language_and_the_code_does_not() {
    with_shop("", async |shop| {
        let mut messages = Vec::new();
        for (accepted, spoken) in [("en", "en"), ("de-AT, en;q=0.5", "de"), ("nl", "nl"), ("fr", "en")] {
            let client = shop.client().with_header("accept-language", accepted);
            let answer = client.get("/unknown").await.expect_error(404, "not_found");
            assert_eq!(answer.header("content-language"), Some(spoken), "{accepted}");
            messages.push(answer.json()["message"].as_str().expect("a text").to_owned());
        }
        assert_eq!(messages[0], messages[3]);
        messages.sort_unstable();
        messages.dedup();
        assert_eq!(messages.len(), 3, "{messages:?}");
    });
}

#[test]
fn the_messages_of_fields_follow_the_language_too() {
    with_shop("", async |shop| {
        let client = probe::client(&shop).await;
        let body = serde_json::json!({"text": 7});
        let german = client.with_header("accept-language", "de").post("/probes", &body).await.expect_status(422);
        let english = client.post("/probes", &body).await.expect_status(422);
        assert_ne!(german.json()["errors"]["text"], english.json()["errors"]["text"]);
    });
}

#[test]
fn what_is_personal_is_never_stored_by_caches() {
    with_shop("", async |shop| {
        let client = probe::client(&shop).await;
        let answers = [
            client.get("/probes").await.expect_status(200),
            client.head("/probes").await.expect_status(200),
            client.post("/probes", &serde_json::json!({})).await.expect_status(201),
            client.post("/probes", &serde_json::json!({"text": 7})).await.expect_status(422),
            client.get("/probes/0").await.expect_status(404),
            client.anonymous().get("/probes").await.expect_status(401),
            client.get("/strays").await.expect_status(403),
            client.post("/auth/tokens", &serde_json::json!({})).await.expect_status(422),
        ];
        for answer in answers {
            assert_eq!(answer.header("cache-control"), Some("private, no-store"), "{}", answer.status);
        }
        let public = client.get("/products").await.expect_status(200);
        assert_ne!(public.header("cache-control"), Some("private, no-store"));
    });
}

#[test]
fn head_gives_the_headers_of_get_without_a_body() {
    with_shop("", async |shop| {
        let client = probe::client(&shop).await;
        for path in ["/products", "/openapi.json", "/probes", "/probes/7"] {
            let (get, head) = (client.get(path).await.expect_status(200), client.head(path).await.expect_status(200));
            assert!(head.body.is_empty() && !get.body.is_empty(), "{path}");
            for name in ["content-type", "etag", "cache-control"] {
                assert_eq!(head.header(name), get.header(name), "{name} of {path}");
            }
        }
        assert!(client.head("/unknown").await.expect_status(404).body.is_empty());
    });
}

#[test]
fn browsers_of_an_allowed_origin_may_read_every_answer() {
    with_shop(ORIGINS, async |shop| {
        let client = shop.client().with_header("origin", "https://www.shop.example");
        for answer in all_kinds(&shop, &client).await {
            let status = answer.status;
            assert_eq!(answer.header("access-control-allow-origin"), Some("https://www.shop.example"), "{status}");
            assert_eq!(answer.header("access-control-allow-credentials"), Some("true"), "{status}");
            let exposed = answer.header("access-control-expose-headers").unwrap_or_default().to_lowercase();
            assert!(exposed.contains("x-request-id") && exposed.contains("retry-after"), "{status}: {exposed}");
        }
    });
}

#[test]
fn browsers_of_another_origin_may_read_nothing() {
    with_shop(ORIGINS, async |shop| {
        for origin in
            ["https://shop.example", "http://www.shop.example", "https://www.shop.example.evil.example", "null"]
        {
            let client = shop.client().with_header("origin", origin);
            for answer in all_kinds(&shop, &client).await {
                assert_eq!(answer.header("access-control-allow-origin"), None, "{origin}");
            }
        }
    });
}

#[test]
fn a_preflight_allows_what_the_api_takes() {
    with_shop(ORIGINS, async |shop| {
        let client = shop.client().with_header("origin", "https://www.shop.example");
        let mut request = client.request(Method::OPTIONS, "/probes", "");
        let headers = request.headers_mut();
        headers.insert(header::ACCESS_CONTROL_REQUEST_METHOD, HeaderValue::from_static("PATCH"));
        headers.insert(header::ACCESS_CONTROL_REQUEST_HEADERS, HeaderValue::from_static("authorization,x-cart-token"));
        let answer = client.send(request).await.expect_status(200);
        let allowed = |name: &str| answer.header(name).unwrap_or_default().to_lowercase();
        assert_eq!(answer.header("access-control-allow-origin"), Some("https://www.shop.example"));
        assert!(allowed("access-control-allow-methods").contains("patch"));
        for name in ["authorization", "x-cart-token", "idempotency-key", "content-type"] {
            assert!(allowed("access-control-allow-headers").contains(name), "{name}");
        }
    });
}

#[test]
fn without_allowed_origins_no_answer_speaks_of_any() {
    with_shop("", async |shop| {
        let client = shop.client().with_header("origin", "https://www.shop.example");
        assert_eq!(client.get("/products").await.header("access-control-allow-origin"), None);
    });
}

#[test]
fn the_log_names_the_setting_for_a_page_of_another_origin_once() {
    crate::logs::keep();
    with_shop(ORIGINS, async |shop| {
        let from = |origin: &str| shop.client().with_header("origin", origin);
        for _ in 0..2 {
            from("https://logged.example").get("/products").await.expect_status(200);
            let client = from("https://logged.example");
            let mut request = client.request(Method::OPTIONS, "/cart", "");
            request.headers_mut().insert(header::ACCESS_CONTROL_REQUEST_METHOD, HeaderValue::from_static("POST"));
            let refused = client.send(request).await;
            assert_eq!(refused.header("access-control-allow-origin"), None);
        }
        from("https://www.shop.example").get("/products").await.expect_status(200);
        let told = crate::logs::with("https://logged.example");
        assert_eq!(told.len(), 1, "{told:?}");
        for part in ["WARN", "`server.allowed_origins`", "`server.base_url`"] {
            assert!(told[0].contains(part), "{told:?}");
        }
        assert_eq!(crate::logs::with("origin=\"https://www.shop.example\"").len(), 0);
    });
}

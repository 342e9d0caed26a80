//! Who may use a cart: everybody, but what is sent to prove who one is must be right.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{add, builder, fill, guest, id_of, read, rows, shop};

/// The statuses that the four routes answer with.
async fn statuses(shop: &TestShop, client: &TestClient) -> [u16; 4] {
    let book = json!({"product_id": id_of(shop, "book").await});
    [
        client.get("/cart").await.status.as_u16(),
        client.post("/cart", &book).await.status.as_u16(),
        client.patch("/cart/none", &json!({"quantity": 1})).await.status.as_u16(),
        client.delete("/cart/none").await.status.as_u16(),
    ]
}

both_databases!(a_token_that_is_not_valid_is_refused_also_beside_a_session);
async fn a_token_that_is_not_valid_is_refused_also_beside_a_session(backend: Backend) {
    let shop = shop(backend).await;
    let session = shop.client().session(&shop.customer().await).await;
    for client in [guest(&shop).await, session] {
        for wrong in ["nonsense", "", &format!("1|{}", "a".repeat(48))] {
            let answer = client.bearer(wrong).get("/cart").await.expect_error(401, "unauthenticated");
            assert_eq!(answer.header("cache-control"), Some("private, no-store"));
            assert_eq!(statuses(&shop, &client.bearer(wrong)).await, [401; 4]);
        }
        client.with_header("authorization", "Basic YTpi").get("/cart").await.expect_error(401, "unauthenticated");
    }
    assert_eq!(rows(&shop).await, (0, 0));
}

both_databases!(a_token_needs_no_ability);
async fn a_token_needs_no_ability(backend: Backend) {
    let shop = shop(backend).await;
    let client = shop.client().token(&shop.customer().await, &[]).await;
    assert_eq!(statuses(&shop, &client).await, [200, 200, 404, 404]);
}

both_databases!(a_token_keeps_to_its_networks);
async fn a_token_keeps_to_its_networks(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let (parts, networks) = (&shop.parts, ["198.51.100.0/24".parse().expect("a network")]);
    let new =
        NewToken { customer_id: customer.id, name: "bound", abilities: &[], networks: &networks, expires_at: None };
    let issued = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    let client = shop.client().bearer(&issued.await.expect("a token is issued"));
    client.at_address("198.51.101.1").get("/cart").await.expect_error(403, "ip_not_allowed");
    assert_eq!(statuses(&shop, &client.at_address("198.51.101.1")).await, [403; 4]);
    assert_eq!(statuses(&shop, &client.at_address("198.51.100.9")).await, [200, 200, 404, 404]);
}

both_databases!(writes_of_a_session_need_the_csrf_token_and_those_of_a_guest_do_not);
async fn writes_of_a_session_need_the_csrf_token_and_those_of_a_guest_do_not(backend: Backend) {
    let shop = shop(backend).await;
    let session = shop.client().session(&shop.customer().await).await;
    assert_eq!(statuses(&shop, &session).await, [200, 200, 404, 404]);
    let careless = session.with_header("x-xsrf-token", "wrong");
    assert_eq!(statuses(&shop, &careless).await, [200, 403, 403, 403]);
    assert_eq!(statuses(&shop, &guest(&shop).await).await, [200, 200, 404, 404]);
    assert_eq!(read(&session).await["item_count"], 1);
}

both_databases!(a_session_that_is_over_makes_its_browser_a_guest_again);
async fn a_session_that_is_over_makes_its_browser_a_guest_again(backend: Backend) {
    let shop = shop(backend).await;
    let session = shop.client().session(&shop.customer().await).await;
    add(&shop, &session, "book", 1).await;
    shop.advance(TimeDelta::days(365));
    assert_eq!(statuses(&shop, &session.with_header("x-xsrf-token", "wrong")).await, [200, 200, 404, 404]);
    assert_eq!(read(&session).await["lines"], json!([]));
}

both_databases!(requests_count_for_the_user_or_the_address);
async fn requests_count_for_the_user_or_the_address(backend: Backend) {
    let shop =
        TestShop::builder(backend).config("[limits]\nprotected = { requests = 3, per_seconds = 60 }").open().await;
    fill(&shop).await;
    let customer = shop.customer().await;
    let own = shop.client().token(&customer, &["*"]).await;
    let remaining =
        |answer: &stoa_core::testing::TestResponse| answer.header("x-ratelimit-remaining").map(str::to_owned);
    let first = own.get("/cart").await.expect_status(200);
    assert_eq!((first.header("x-ratelimit-limit"), remaining(&first).as_deref()), (Some("3"), Some("2")));
    own.get("/me").await.expect_status(200);
    own.at_address("203.0.113.7").get("/cart").await.expect_status(200);
    let over = own.get("/cart").await.expect_error(429, "rate_limited");
    assert!(over.header("retry-after").is_some());
    // The address is counted by itself, guests and wrong tokens together.
    let visitor = shop.client();
    assert_eq!(remaining(&visitor.get("/cart").await).as_deref(), Some("2"));
    visitor.bearer("nonsense").get("/cart").await.expect_status(401);
    visitor.delete("/cart/none").await.expect_status(404);
    visitor.get("/cart").await.expect_error(429, "rate_limited");
    visitor.bearer("nonsense").get("/cart").await.expect_error(429, "rate_limited");
    visitor.at_address("203.0.113.7").get("/cart").await.expect_status(200);
}

both_databases!(nobody_else_keeps_a_copy);
async fn nobody_else_keeps_a_copy(backend: Backend) {
    let shop = shop(backend).await;
    let answers = [
        guest(&shop).await.get("/cart").await,
        shop.client().token(&shop.customer().await, &[]).await.get("/cart").await,
    ];
    for answer in answers {
        assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    }
}

both_databases!(pages_of_other_origins_may_send_and_read_the_token);
async fn pages_of_other_origins_may_send_and_read_the_token(backend: Backend) {
    let shop = builder(backend).config("[server]\nallowed_origins = ['https://front.example']").open().await;
    let page = shop.client().with_header("origin", "https://front.example");
    let exposed = page.get("/cart").await.expect_status(200);
    assert!(exposed.header("access-control-expose-headers").is_some_and(|names| names.contains("x-cart-token")));
    let asking = page
        .with_header("access-control-request-method", "POST")
        .with_header("access-control-request-headers", "x-cart-token");
    let allowed = asking.send(asking.request(http::Method::OPTIONS, "/cart", "")).await;
    assert!(allowed.header("access-control-allow-headers").is_some_and(|names| names.contains("x-cart-token")));
}

//! When a token or session was last used is known, without any request waiting for it.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

const TOKEN_USED: Sql = sql!("SELECT last_used_at FROM access_tokens");
const SESSION_SEEN: Sql = sql!("SELECT last_seen_at FROM sessions");

async fn token_used(shop: &TestShop) -> Option<DateTime<Utc>> {
    shop.parts.db.read(TOKEN_USED).scalar().await.expect("there is a token")
}

async fn session_seen(shop: &TestShop) -> DateTime<Utc> {
    shop.parts.db.read(SESSION_SEEN).scalar().await.expect("there is a session")
}

both_databases!(the_use_of_a_token_is_noted_to_within_a_minute);
async fn the_use_of_a_token_is_noted_to_within_a_minute(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let client = shop.client().token(&shop.customer().await, &["account.read"]).await;
    let visit = async || {
        client.get("/me").await.expect_status(200);
        shop.write_usage().await;
    };
    shop.write_usage().await;
    assert_eq!(token_used(&shop).await, None);
    visit().await;
    let first = shop.now();
    assert_eq!(token_used(&shop).await, Some(first));
    shop.advance(TimeDelta::seconds(59));
    visit().await;
    assert_eq!(token_used(&shop).await, Some(first));
    shop.advance(TimeDelta::seconds(1));
    visit().await;
    assert_eq!(token_used(&shop).await, Some(shop.now()));
}

both_databases!(a_refused_request_is_no_use);
async fn a_refused_request_is_no_use(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let client = shop.client().token(&shop.customer().await, &[]).await;
    client.get("/me").await.expect_error(403, "insufficient_scope");
    shop.write_usage().await;
    assert_eq!(token_used(&shop).await, None);
}

both_databases!(the_use_of_a_session_is_noted);
async fn the_use_of_a_session_is_noted(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    let begun = shop.now();
    shop.advance(TimeDelta::seconds(59));
    browser.get("/api/v1/me").await.expect_status(200);
    shop.write_usage().await;
    assert_eq!(session_seen(&shop).await, begun);
    shop.advance(TimeDelta::seconds(1));
    browser.get("/api/v1/me").await.expect_status(200);
    shop.write_usage().await;
    assert_eq!(session_seen(&shop).await, shop.now());
}

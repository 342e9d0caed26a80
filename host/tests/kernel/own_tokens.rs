//! `GET /auth/tokens` and `DELETE /auth/tokens/{token}`: access tokens of whoever asks.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases};

const OPENS: &[&str] = &["tokens.revoke", "account.read"];

async fn listed(client: &TestClient) -> Vec<Value> {
    let answer = client.get("/auth/tokens").await.expect_status(200).json();
    answer["data"].as_array().expect("a list").clone()
}

both_databases!(own_tokens_are_listed_without_their_secrets);
async fn own_tokens_are_listed_without_their_secrets(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let bobs = shop.client().token(&bob, OPENS).await;
    let (abilities, networks) = ([String::from("orders.read")], ["192.0.2.0/24".parse().expect("a network")]);
    let ends = Some(shop.now() + TimeDelta::days(1));
    let new =
        NewToken { customer_id: ada.id, name: "Office", abilities: &abilities, networks: &networks, expires_at: ends };
    let parts = &shop.parts;
    let issue = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    issue.await.expect("it is issued");
    let client = shop.client().token(&ada, OPENS).await;
    client.get("/me").await.expect_status(200);
    shop.write_usage().await;
    let tokens = listed(&client).await;
    let [own, office] = tokens.as_slice() else { panic!("two are Ada's: {tokens:?}") };
    assert_eq!((&own["is_current"], &own["last_used_at"]), (&json!(true), &json!("2026-01-15T12:00:00Z")));
    assert_eq!((&own["expires_at"], &own["networks"]), (&json!(null), &json!([])));
    assert_eq!((&office["name"], &office["abilities"]), (&json!("Office"), &json!(["orders.read"])));
    assert_eq!((&office["is_current"], &office["networks"]), (&json!(false), &json!(["192.0.2.0/24"])));
    assert_eq!((&office["last_used_at"], &office["expires_at"]), (&json!(null), &json!("2026-01-16T12:00:00Z")));
    assert_eq!(office.as_object().expect("an object").len(), 8, "{office}");
    assert_eq!(listed(&bobs).await.len(), 1);
}

both_databases!(a_token_is_ended_by_its_owner_alone);
async fn a_token_is_ended_by_its_owner_alone(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let (lost, client, bobs) = (
        shop.client().token(&ada, OPENS).await,
        shop.client().token(&ada, OPENS).await,
        shop.client().token(&bob, OPENS).await,
    );
    let id = listed(&lost).await[1]["id"].clone();
    let path = format!("/auth/tokens/{id}");
    bobs.delete(&path).await.expect_error(404, "not_found");
    lost.get("/me").await.expect_status(200);
    assert_eq!(client.delete(&path).await.expect_status(200).json(), json!({"ok": true}));
    lost.get("/me").await.expect_error(401, "unauthenticated");
    client.get("/me").await.expect_status(200);
    client.delete(&path).await.expect_error(404, "not_found");
    client.delete("/auth/tokens/x").await.expect_error(404, "not_found");
}

both_databases!(only_who_may_revoke_tokens_sees_and_ends_them);
async fn only_who_may_revoke_tokens_sees_and_ends_them(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ada = shop.customer().await;
    let client = shop.client().token(&ada, &["account.read"]).await;
    for answer in [client.get("/auth/tokens").await, client.delete("/auth/tokens/1").await] {
        let refused = answer.expect_error(403, "insufficient_scope").json();
        assert_eq!(refused["errors"]["required_ability"], json!(["tokens.revoke"]));
    }
    let session = shop.client().session(&ada).await;
    let tokens = listed(&session).await;
    assert_eq!((tokens.len(), &tokens[0]["is_current"]), (1, &json!(false)));
    session.delete(&format!("/auth/tokens/{}", tokens[0]["id"])).await.expect_status(200);
    client.get("/me").await.expect_error(401, "unauthenticated");
}

both_databases!(many_tokens_come_in_pages);
async fn many_tokens_come_in_pages(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ada = shop.customer().await;
    for _ in 0..21 {
        shop.client().token(&ada, OPENS).await;
    }
    let client = shop.client().token(&ada, OPENS).await;
    let first = client.get("/auth/tokens").await.expect_status(200).json();
    assert_eq!((&first["meta"]["total"], &first["meta"]["last_page"]), (&json!(22), &json!(2)));
    let second = client.get("/auth/tokens?page=2").await.expect_status(200).json();
    assert_eq!(second["data"].as_array().map(Vec::len), Some(2));
}

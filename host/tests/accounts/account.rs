//! `GET /me` and `PATCH /me`.

use serde_json::json;
use stoa_core::customers::{NewCustomer, create_customer};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::customer::{client, client_of, refused_fields, shop};

both_databases!(the_account_is_shown_with_the_customers_id);
async fn the_account_is_shown_with_the_customers_id(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    assert_ne!(customer.id, customer.user_id);
    let answer = client_of(&shop, &customer).await.get("/me").await.expect_status(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(
        answer.json(),
        json!({"data": {"id": customer.id, "name": customer.name, "email": customer.email, "email_verified": true, "guest": false}})
    );
}

both_databases!(token_and_account_are_read_in_one_statement);
async fn token_and_account_are_read_in_one_statement(backend: Backend) {
    let shop = shop(backend).await;
    let client = client_of(&shop, &shop.customer().await).await;
    // The first use of a token is written down beside the request.
    client.get("/me").await.expect_status(200);
    let before = shop.parts.db.statements();
    client.get("/me").await.expect_status(200);
    assert_eq!(shop.parts.db.statements() - before, 1);
}

both_databases!(an_address_that_is_not_verified_is_told);
async fn an_address_that_is_not_verified_is_told(backend: Backend) {
    let shop = shop(backend).await;
    let new =
        NewCustomer { email: "Grace@Example.com".into(), name: "Grace".into(), password_hash: None, verified: false };
    let customer = create_customer(&shop.parts.db, new).await.expect("a customer is made");
    let account = client_of(&shop, &customer).await.get("/me").await.expect_status(200).json()["data"].clone();
    assert_eq!((&account["email"], &account["email_verified"]), (&json!("grace@example.com"), &json!(false)));
}

both_databases!(the_name_can_be_changed);
async fn the_name_can_be_changed(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let mut account = client.get("/me").await.expect_status(200).json();
    let changed = client.patch("/me", &json!({"name": "  Ada Lovelace\n"})).await.expect_status(200);
    assert_eq!(changed.header("cache-control"), Some("private, no-store"));
    account["data"]["name"] = json!("Ada Lovelace");
    assert_eq!(changed.json(), account);
    assert_eq!(client.get("/me").await.expect_status(200).json(), account);
}

both_databases!(nothing_but_the_name_can_be_changed);
async fn nothing_but_the_name_can_be_changed(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let client = client_of(&shop, &customer).await;
    let body = json!({
        "name": "Ada", "id": 1, "user_id": 1, "customer_id": 1, "email": "other@example.com", "email_verified": false,
        "password": "another password", "roles": ["admin"], "properties": {"city": "Gent"}, "is_admin": true,
    });
    let account = client.patch("/me", &body).await.expect_status(200).json()["data"].clone();
    assert_eq!(
        account,
        json!({"id": customer.id, "name": "Ada", "email": customer.email, "email_verified": true, "guest": false})
    );
    assert_eq!(client.get("/addresses").await.json(), json!({"data": []}));
    let login = json!({"email": customer.email, "password": stoa_core::testing::TestShop::PASSWORD, "name": "laptop"});
    shop.client().post("/auth/tokens", &login).await.expect_status(201);
}

both_databases!(a_name_of_any_script_is_kept_as_it_was_sent);
async fn a_name_of_any_script_is_kept_as_it_was_sent(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    for name in [
        "x".repeat(255),
        "\u{e9}".repeat(255),
        "\u{1f4a1}".repeat(255),
        "e\u{301}".repeat(127),
        "\u{202e}\u{645}\u{631}\u{62d}\u{628}\u{627}\u{202c}".to_owned(),
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}".to_owned(),
        "O'Neil <b>&amp;</b> \"\\ %s {0} $1 ?1; DROP TABLE customers; --".to_owned(),
    ] {
        client.patch("/me", &json!({"name": name})).await.expect_status(200);
        assert_eq!(client.get("/me").await.json()["data"]["name"], json!(name));
    }
}

both_databases!(a_name_that_is_none_is_refused_and_changes_nothing);
async fn a_name_that_is_none_is_refused_and_changes_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let before = client.get("/me").await.json();
    for body in [
        json!({}),
        json!({"name": null}),
        json!({"name": ""}),
        json!({"name": " \t\u{a0}"}),
        json!({"name": 7}),
        json!({"name": 1.5}),
        json!({"name": true}),
        json!({"name": ["x"]}),
        json!({"name": {"first": "x"}}),
        json!({"name": "x".repeat(256)}),
        json!({"name": "\u{1f4a1}".repeat(256)}),
        json!({"name": "a\u{0}b"}),
        json!({"name": "a\nb"}),
        json!({"name": "a\u{7f}b"}),
    ] {
        assert_eq!(refused_fields(client.patch("/me", &body).await), ["name"], "{body}");
    }
    assert_eq!(client.get("/me").await.json(), before);
}

both_databases!(another_customers_account_stays_as_it_is);
async fn another_customers_account_stays_as_it_is(backend: Backend) {
    let shop = shop(backend).await;
    let (one, other) = (client(&shop).await, client(&shop).await);
    let before = other.get("/me").await.json();
    one.patch("/me", &json!({"name": "Ada"})).await.expect_status(200);
    assert_eq!(other.get("/me").await.json(), before);
}

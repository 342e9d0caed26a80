//! Whose addresses and account a request reaches, and with which ability.

use serde_json::{Value, json};
use stoa_core::auth::SPECIFIED;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, both_databases};

use crate::customer::{client, client_of, least, least_with, listed, path_of, save, shop};

const ROUTES: [(&str, &str, &str); 6] = [
    ("GET", "/me", "account.read"),
    ("PATCH", "/me", "account.update"),
    ("GET", "/addresses", "addresses.read"),
    ("POST", "/addresses", "addresses.create"),
    ("PATCH", "/addresses/1", "addresses.update"),
    ("DELETE", "/addresses/1", "addresses.delete"),
];

async fn request(client: &TestClient, method: &str, path: &str) -> TestResponse {
    match method {
        "GET" => client.get(path).await,
        "PATCH" => client.patch(path, &least()).await,
        "POST" => client.post(path, &least()).await,
        _ => client.delete(path).await,
    }
}

both_databases!(each_route_needs_its_own_ability);
async fn each_route_needs_its_own_ability(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    save(&client_of(&shop, &customer).await, &json!({})).await;
    for (method, path, ability) in ROUTES {
        let anonymous = request(&shop.client(), method, path).await;
        assert_eq!(anonymous.header("cache-control"), Some("private, no-store"));
        anonymous.expect_error(401, "unauthenticated");
        let others = SPECIFIED.iter().map(|known| known.name).filter(|name| *name != ability).collect::<Vec<_>>();
        let lacking = shop.client().token(&customer, &others).await;
        let refused = request(&lacking, method, path).await;
        assert_eq!(refused.header("cache-control"), Some("private, no-store"));
        assert_eq!(
            refused.expect_error(403, "insufficient_scope").json()["errors"]["required_ability"],
            json!([ability])
        );
        let holding = shop.client().token(&customer, &[ability]).await;
        let answer = request(&holding, method, path).await;
        assert!(answer.status.is_success(), "{method} {path}: {}", answer.text());
    }
}

both_databases!(another_customers_address_is_not_found_and_stays_as_it_is);
async fn another_customers_address_is_not_found_and_stays_as_it_is(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (client(&shop).await, client(&shop).await);
    let address = save(&ada, &json!({"is_default_billing": true, "is_default_shipping": true})).await;
    let own = save(&eve, &json!({"is_default_billing": true, "is_default_shipping": true})).await;
    let body = least_with(&json!({"name": "Eve", "is_default_billing": true, "is_default_shipping": true}));
    eve.patch(&path_of(&address), &body).await.expect_error(404, "not_found");
    eve.delete(&path_of(&address)).await.expect_error(404, "not_found");
    assert_eq!(listed(&ada).await, [address]);
    assert_eq!(listed(&eve).await, [own], "asking for another's costs no flag of one's own");
}

both_databases!(an_address_belongs_to_whoever_saves_it);
async fn an_address_belongs_to_whoever_saves_it(backend: Backend) {
    let shop = shop(backend).await;
    let victim = shop.customer().await;
    let (ada, eve) = (client_of(&shop, &victim).await, client(&shop).await);
    let address = save(&ada, &json!({"is_default_billing": true})).await;
    let claim =
        json!({"id": address["id"], "customer_id": victim.id, "user_id": victim.user_id, "is_default_billing": true});
    let other = save(&eve, &claim).await;
    assert_ne!(other["id"], address["id"]);
    let replaced = eve.patch(&path_of(&other), &least_with(&claim)).await.expect_status(200).json();
    assert_eq!(replaced["data"]["id"], other["id"]);
    assert_eq!(listed(&ada).await, [address]);
    assert_eq!(listed(&eve).await, [other]);
}

both_databases!(nobody_sees_the_addresses_of_others);
async fn nobody_sees_the_addresses_of_others(backend: Backend) {
    let shop = shop(backend).await;
    let clients = [client(&shop).await, client(&shop).await, client(&shop).await];
    for (number, client) in clients.iter().enumerate() {
        for _ in 0..=number {
            save(client, &json!({"label": number.to_string()})).await;
        }
    }
    for (number, client) in clients.iter().enumerate() {
        let labels = listed(client).await.into_iter().map(|address| address["label"].clone()).collect::<Vec<Value>>();
        assert_eq!(labels, vec![json!(number.to_string()); number + 1]);
    }
}

//! Each ability against each route.

use stoa_core::auth::{FULL_ACCESS, NewToken, issue_token};
use stoa_core::db::{Backend, DbError};
use stoa_core::testing::{TestShop, both_databases};

use crate::table::{abilities, protected_routes, shop};

both_databases!(without_valid_credentials_every_protected_route_answers_401);
async fn without_valid_credentials_every_protected_route_answers_401(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for (route, _) in protected_routes() {
        let sample = route.sample(&shop, &customer).await;
        let anonymous = shop.client();
        for client in [&anonymous, &anonymous.bearer("nonsense"), &anonymous.bearer(&format!("1|{}", "a".repeat(48)))] {
            let answer = route.send(client, &sample).await.expect_error(401, "unauthenticated");
            assert_eq!(answer.header("cache-control"), Some("private, no-store"), "{}", route.name);
        }
    }
}

both_databases!(every_protected_route_opens_to_its_own_ability_alone);
async fn every_protected_route_opens_to_its_own_ability_alone(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for (route, needed) in protected_routes() {
        for held in abilities() {
            let sample = route.sample(&shop, &customer).await;
            let client = shop.client().token(&customer, &[held]).await;
            let answer = route.send(&client, &sample).await;
            if held == needed {
                assert!(answer.status.is_success(), "{} with {held}: {}", route.name, answer.text());
            } else {
                let refused = answer.expect_error(403, "insufficient_scope");
                assert_eq!(refused.json()["errors"]["required_ability"][0], needed, "{} with {held}", route.name);
            }
        }
    }
}

both_databases!(no_abilities_open_no_route_and_full_access_opens_all);
async fn no_abilities_open_no_route_and_full_access_opens_all(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for (route, _) in protected_routes() {
        let sample = route.sample(&shop, &customer).await;
        let nothing = shop.client().token(&customer, &[]).await;
        route.send(&nothing, &sample).await.expect_error(403, "insufficient_scope");
        let everything = shop.client().token(&customer, &[FULL_ACCESS]).await;
        let answer = route.send(&everything, &sample).await;
        assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
    }
}

/// The plain text of a token with full access, but from one network only.
async fn bound_token(shop: &TestShop, customer_id: i64, network: &str) -> String {
    let (abilities, networks) = ([FULL_ACCESS.to_owned()], [network.parse().expect("a network")]);
    let new = NewToken { customer_id, name: "bound", abilities: &abilities, networks: &networks, expires_at: None };
    let parts = &shop.parts;
    let issued = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    issued.await.expect("a token is issued")
}

both_databases!(every_protected_route_keeps_to_the_tokens_networks);
async fn every_protected_route_keeps_to_the_tokens_networks(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for (route, _) in protected_routes() {
        let sample = route.sample(&shop, &customer).await;
        let client = shop.client().bearer(&bound_token(&shop, customer.id, "198.51.100.0/24").await);
        route.send(&client.at_address("198.51.101.1"), &sample).await.expect_error(403, "ip_not_allowed");
        let answer = route.send(&client.at_address("198.51.100.9"), &sample).await;
        assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
    }
}

//! When a token stops working, and when it was used last.

use chrono::{DateTime, TimeDelta, Utc};
use ipnet::IpNet;
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases};
use stoa_core::tokens::{TokenRecord, list_tokens_of, revoke_tokens_of};

use crate::probe::{self, PROBE};

async fn client(
    shop: &TestShop,
    customer: &CustomerRecord,
    networks: &[IpNet],
    expires_at: Option<DateTime<Utc>>,
) -> TestClient {
    let abilities = [PROBE.to_owned()];
    let new = NewToken { customer_id: customer.id, name: "test", abilities: &abilities, networks, expires_at };
    let parts = &shop.parts;
    let issue = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    shop.client().bearer(&issue.await.expect("a token is issued"))
}

async fn only_token(shop: &TestShop, customer: &CustomerRecord) -> TokenRecord {
    let tokens = list_tokens_of(&shop.parts.db, customer.id).await.expect("they can be listed");
    let [token] = tokens.try_into().expect("one token");
    token
}

both_databases!(a_token_works_until_its_end_and_not_at_it);
async fn a_token_works_until_its_end_and_not_at_it(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let ada = shop.customer().await;
    let client = client(&shop, &ada, &[], Some(shop.now() + TimeDelta::hours(1))).await;
    shop.advance(TimeDelta::minutes(60) - TimeDelta::milliseconds(1));
    client.get("/probes").await.expect_status(200);
    shop.advance(TimeDelta::milliseconds(1));
    client.get("/probes").await.expect_error(401, "unauthenticated");
    assert!(only_token(&shop, &ada).await.is_expired(shop.now()));
}

both_databases!(a_revoked_token_is_refused_at_once_and_others_are_not);
async fn a_revoked_token_is_refused_at_once_and_others_are_not(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let (of_ada, of_bob) = (client(&shop, &ada, &[], None).await, client(&shop, &bob, &[], None).await);
    of_ada.get("/probes").await.expect_status(200);
    let revoke = async |tx: &mut Tx| revoke_tokens_of(tx, ada.id).await;
    assert_eq!(shop.parts.db.write(revoke).await.expect("they are revoked").len(), 1);
    of_ada.get("/probes").await.expect_error(401, "unauthenticated");
    of_bob.get("/probes").await.expect_status(200);
}

both_databases!(networks_hold_for_every_way_to_write_an_address);
async fn networks_hold_for_every_way_to_write_an_address(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let networks = ["198.51.100.0/24", "2001:db8::/32", "::ffff:203.0.113.0/120"];
    let networks = networks.map(|text| text.parse().expect(text));
    let client = client(&shop, &shop.customer().await, &networks, None).await;
    for address in ["198.51.100.9", "::ffff:198.51.100.9", "2001:db8:1::1", "203.0.113.1", "::ffff:203.0.113.1"] {
        client.at_address(address).get("/probes").await.expect_status(200);
    }
    for address in ["198.51.101.9", "::ffff:198.51.101.9", "::198.51.100.9", "2001:db9::1", "0.0.0.0", "::", "::1"] {
        client.at_address(address).get("/probes").await.expect_error(403, "ip_not_allowed");
    }
}

both_databases!(contradicting_proxy_headers_get_past_no_policy);
async fn contradicting_proxy_headers_get_past_no_policy(backend: Backend) {
    let shop = probe::shop(backend).config("[server]\ntrusted_proxies = [\"203.0.113.1\"]").open().await;
    // The widest policy that there can be still names only addresses that are known.
    let networks = ["0.0.0.0/1", "128.0.0.0/1"].map(|text| text.parse().expect(text));
    let client = client(&shop, &shop.customer().await, &networks, None).await.at_address("203.0.113.1");
    let client = client.with_header("x-forwarded-for", "198.51.100.7");
    client.get("/probes").await.expect_status(200);
    let contradicting = client.with_header("forwarded", "for=198.51.100.8");
    contradicting.get("/probes").await.expect_error(403, "ip_not_allowed");
}

both_databases!(a_request_that_the_policy_refuses_is_no_use);
async fn a_request_that_the_policy_refuses_is_no_use(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let ada = shop.customer().await;
    let networks = ["198.51.100.0/24".parse().expect("a network")];
    let client = client(&shop, &ada, &networks, None).await;
    client.get("/probes").await.expect_error(403, "ip_not_allowed");
    shop.write_usage().await;
    assert_eq!(only_token(&shop, &ada).await.last_used_at, None);
    client.at_address("198.51.100.1").get("/probes").await.expect_status(200);
    shop.write_usage().await;
    assert_eq!(only_token(&shop, &ada).await.last_used_at, Some(shop.now()));
}

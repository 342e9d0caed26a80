//! Many requests of one customer at once, on two instances.

use serde_json::json;
use stoa_core::clock::Clock;
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, both_databases, run_test};

use crate::customer::{builder, client_of, least, least_with, listed, path_of, save, shop};

const LOCK: Sql = sql!(
    sqlite: "SELECT id FROM customers WHERE id = $1",
    postgres: "SELECT id FROM customers WHERE id = $1 FOR NO KEY UPDATE",
);
const CLEAR: Sql =
    sql!("UPDATE addresses SET is_default_billing = FALSE WHERE customer_id = $1 AND is_default_billing");
const INSERT: Sql = sql!(
    "INSERT INTO addresses (customer_id, name, line1, city, postal_code, country, is_default_billing,
                            is_default_shipping, created_at, updated_at)
     VALUES ($1, 'Ada', 'Rue 1', 'Gent', '9000', 'BE', TRUE, FALSE, $2, $2)"
);
const COUNT_DEFAULTS: Sql = sql!("SELECT COUNT(*) FROM addresses WHERE customer_id = $1 AND is_default_billing");
const DROP_NET: Sql = sql!("DROP INDEX addresses_default_billing");
const COUNT_WAITING: Sql = sql!(
    sqlite: "SELECT CAST(1 AS INTEGER)",
    postgres: "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
);

/// A customer of two instances on one database.
struct Pair {
    one: TestShop,
    _other: TestShop,
    customer: CustomerRecord,
    clients: [TestClient; 2],
}

async fn pair(backend: Backend) -> Pair {
    let one = shop(backend).await;
    let other = builder(backend).on(one.database()).clock(&one.clock).seed(2).open().await;
    let customer = one.customer().await;
    let clients = [client_of(&one, &customer).await, client_of(&other, &customer).await];
    Pair { one, _other: other, customer, clients }
}

/// Runs all requests at once; gives back their statuses.
async fn at_once<F: Future<Output = u16> + Send + 'static>(requests: impl IntoIterator<Item = F>) -> Vec<u16> {
    let running = requests.into_iter().map(tokio::spawn).collect::<Vec<_>>();
    let mut statuses = Vec::new();
    for request in running {
        statuses.push(request.await.expect("the request ends"));
    }
    statuses
}

async fn count_defaults(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    shop.parts.db.read(COUNT_DEFAULTS).bind(customer.id).scalar().await.expect("they are counted")
}

both_databases!(of_many_new_defaults_one_remains);
async fn of_many_new_defaults_one_remains(backend: Backend) {
    let pair = pair(backend).await;
    let requests = (0..24).map(|number| {
        let client = pair.clients[number % 2].clone();
        async move { client.post("/addresses", &least_with(&json!({"is_default_billing": true}))).await.status.as_u16() }
    });
    assert_eq!(at_once(requests).await, [201; 24]);
    assert_eq!(listed(&pair.clients[0]).await.len(), 24);
    assert_eq!(count_defaults(&pair.one, &pair.customer).await, 1);
}

both_databases!(of_many_replaced_and_deleted_defaults_one_remains);
async fn of_many_replaced_and_deleted_defaults_one_remains(backend: Backend) {
    let pair = pair(backend).await;
    let mut paths = Vec::new();
    for _ in 0..12 {
        paths.push(path_of(&save(&pair.clients[0], &json!({})).await));
    }
    let requests = paths.iter().cloned().enumerate().flat_map(|(number, path)| {
        // Each address is set twice; every third is deleted meanwhile.
        (0..3).map(move |attempt| (number, attempt, path.clone()))
    });
    let requests = requests.map(|(number, attempt, path)| {
        let client = pair.clients[attempt % 2].clone();
        async move {
            if attempt == 2 && number % 3 == 0 {
                return client.delete(&path).await.status.as_u16();
            }
            let both = least_with(&json!({"is_default_billing": true, "is_default_shipping": true}));
            client.patch(&path, &both).await.status.as_u16()
        }
    });
    let statuses = at_once(requests).await;
    assert!(statuses.iter().all(|status| matches!(status, 200 | 404)), "{statuses:?}");
    assert!(count_defaults(&pair.one, &pair.customer).await <= 1);
    let last = paths.last().expect("there are addresses");
    pair.clients[1].patch(last, &least_with(&json!({"is_default_billing": true}))).await.expect_status(200);
    assert_eq!(count_defaults(&pair.one, &pair.customer).await, 1);
}

both_databases!(many_at_once_do_not_cross_the_limit);
async fn many_at_once_do_not_cross_the_limit(backend: Backend) {
    let pair = pair(backend).await;
    for _ in 0..96 {
        pair.one.address(&pair.customer).await;
    }
    let requests = (0..12).map(|number| {
        let client = pair.clients[number % 2].clone();
        async move { client.post("/addresses", &least()).await.status.as_u16() }
    });
    let statuses = at_once(requests).await;
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 4, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 8, "{statuses:?}");
    assert_eq!(listed(&pair.clients[0]).await.len(), 100);
}

both_databases!(a_request_waits_for_another_write_to_the_same_customers_addresses);
async fn a_request_waits_for_another_write_to_the_same_customers_addresses(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let client = client_of(&shop, &customer).await;
    let existing = path_of(&save(&client, &json!({})).await);
    let (beside, watching) = (shop.database().open(Clock::system()).await, shop.database().open(Clock::system()).await);
    for method in ["POST", "PATCH", "DELETE"] {
        let (client, existing) = (client.clone(), existing.clone());
        let started = beside.write(async |tx| -> Result<_, DbError> {
            tx.run(LOCK).bind(customer.id).scalar::<i64>().await?;
            let request = tokio::spawn(async move {
                let body = least_with(&json!({"is_default_billing": true}));
                match method {
                    "POST" => client.post("/addresses", &body).await,
                    "PATCH" => client.patch(&existing, &body).await,
                    _ => client.delete(&existing).await,
                }
            });
            while watching.read(COUNT_WAITING).scalar::<i64>().await? == 0 {
                assert!(!request.is_finished(), "{method} did not wait");
            }
            let now = tx.now();
            tx.run(CLEAR).bind(customer.id).execute().await?;
            tx.run(INSERT).bind(customer.id).bind(now).execute().await?;
            assert!(!request.is_finished(), "{method} did not wait");
            Ok(request)
        });
        let request = started.await.unwrap_or_else(|error| panic!("{method}: {error:?}"));
        let answer = request.await.expect("the request ends");
        assert!(answer.status.is_success(), "{method}: {}", answer.text());
        assert_eq!(count_defaults(&shop, &customer).await, 1, "{method}");
    }
}

/// Clears and inserts a default as the shop does, but without locking the customer, and lets another transaction do the
/// same in between.
async fn without_lock(one: &Db, other: &Db, customer: i64) -> Result<(), DbError> {
    one.write(async |tx| {
        tx.run(CLEAR).bind(customer).execute().await?;
        other
            .write(async |tx| -> Result<(), DbError> {
                let now = tx.now();
                tx.run(CLEAR).bind(customer).execute().await?;
                tx.run(INSERT).bind(customer).bind(now).execute().await.map(drop)
            })
            .await?;
        let now = tx.now();
        tx.run(INSERT).bind(customer).bind(now).execute().await.map(drop)
    })
    .await
}

/// The control of the tests above. SQLite lets no second writer in, so this can happen on PostgreSQL alone.
#[test]
fn without_lock_and_index_two_defaults_are_stored() {
    run_test(Backend::Postgres, |backend| async move {
        let shop = shop(backend).await;
        // One each: what the first has left would make the second wait for itself.
        let (ada, bob) = (shop.customer().await, shop.customer().await);
        let (one, other) = (&shop.parts.db, shop.database().open(Clock::system()).await);
        let refused = without_lock(one, &other, ada.id).await.expect_err("the index is the net");
        assert!(refused.is_unique_violation());
        assert_eq!(count_defaults(&shop, &ada).await, 1);
        one.write(async |tx| tx.run(DROP_NET).execute().await).await.expect("the index is dropped");
        without_lock(one, &other, bob.id).await.expect("nothing stops them");
        assert_eq!(count_defaults(&shop, &bob).await, 2);
    });
}

//! A new password of the operator's: nobody who got in with the old one stays in, or comes in behind it.

use serde_json::json;
use stoa_core::customers::{ChangeCustomerError, CustomerRecord, EndedAccess, set_password};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};
use tokio::sync::oneshot;

const SESSIONS: Sql = sql!("SELECT COUNT(*) FROM sessions");
const TOKENS: Sql = sql!("SELECT COUNT(*) FROM access_tokens");
const COUNT_WAITING: Sql = sql!(
    sqlite: "SELECT CAST(0 AS INTEGER)",
    postgres: "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
);
const INSERT_SESSION: Sql = sql!(
    "INSERT INTO sessions (user_id, secret_hash, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $3, $3)"
);

/// Tries to log in with the password that customers of tests have.
async fn log_in(shop: &TestShop, customer: &CustomerRecord) -> u16 {
    shop.browser().try_to_log_in(&customer.email, TestShop::PASSWORD).await.status.as_u16()
}

/// Asks for a token with that password.
async fn get_token(shop: &TestShop, customer: &CustomerRecord) -> u16 {
    let wish = json!({"email": customer.email, "password": TestShop::PASSWORD, "name": "x"});
    shop.client().post("/auth/tokens", &wish).await.status.as_u16()
}

async fn count(shop: &TestShop, sql: Sql) -> i64 {
    shop.parts.db.read(sql).scalar().await.expect("rows can be counted")
}

async fn new_hash(shop: &TestShop) -> String {
    shop.passwords.hash(String::from("a lovely password")).await.expect("it can be hashed")
}

/// Lets something run while the password has been changed and the change is not committed; gives what came of it.
async fn during_change<T>(shop: &TestShop, customer: &CustomerRecord, entering: impl Future<Output = T>) -> T {
    let hash = new_hash(shop).await;
    let (told, changed) = oneshot::channel();
    let mut told = Some(told);
    let change = shop.parts.db.write(async |tx| -> Result<(), ChangeCustomerError> {
        set_password(tx, customer.id, &hash).await?;
        told.take().map(|told| told.send(()));
        // Until the other waits for this one, as far as can be seen, or has come as far as it does meanwhile.
        for _ in 0..200 {
            if count(shop, COUNT_WAITING).await > 0 {
                break;
            }
        }
        Ok(())
    });
    let entering = async {
        changed.await.expect("it is changed");
        entering.await
    };
    let (change, entered) = tokio::join!(change, entering);
    change.expect("it is committed");
    entered
}

both_databases!(a_new_password_ends_sessions_and_tokens);
async fn a_new_password_ends_sessions_and_tokens(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    for customer in [&ada, &bob] {
        assert_eq!((log_in(&shop, customer).await, get_token(&shop, customer).await), (200, 201));
    }
    let hash = new_hash(&shop).await;
    let ended = shop.parts.db.write(async |tx| set_password(tx, ada.id, &hash).await).await.expect("it is set");
    assert_eq!(ended, EndedAccess { sessions: 1, tokens: 1 });
    assert_eq!((count(&shop, SESSIONS).await, count(&shop, TOKENS).await), (1, 1), "those of others stay");
    assert_eq!((log_in(&shop, &ada).await, get_token(&shop, &ada).await), (422, 422));
}

both_databases!(what_was_begun_with_the_old_password_does_not_outlive_it);
async fn what_was_begun_with_the_old_password_does_not_outlive_it(backend: Backend) {
    let shop = TestShop::new(backend).await;
    for _ in 0..3 {
        let customer = shop.customer().await;
        assert_eq!(Box::pin(during_change(&shop, &customer, log_in(&shop, &customer))).await, 422);
        let customer = shop.customer().await;
        assert_eq!(Box::pin(during_change(&shop, &customer, get_token(&shop, &customer))).await, 422);
    }
    assert_eq!((count(&shop, SESSIONS).await, count(&shop, TOKENS).await), (0, 0));
}

both_databases!(a_session_that_is_begun_without_looking_again_outlives_the_change);
async fn a_session_that_is_begun_without_looking_again_outlives_the_change(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let careless = shop.parts.db.write(async |tx| {
        let now = tx.now();
        tx.run(INSERT_SESSION).bind(customer.user_id).bind(vec![1_u8; 32]).bind(now).execute().await
    });
    Box::pin(during_change(&shop, &customer, careless)).await.expect("it is begun");
    assert_eq!(count(&shop, SESSIONS).await, 1, "the race that the other test is about cannot happen any more");
}

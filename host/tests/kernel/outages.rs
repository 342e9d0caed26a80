//! A database that goes away while the shop is open.

use serde_json::json;
use stoa_core::clock::Clock;
use stoa_core::commands::Failure;
use stoa_core::customers::ChangeCustomerError;
use stoa_core::db::{Backend, DbError};
use stoa_core::http::error::ApiError;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, both_databases, run_test};

use crate::{logs, probe};

both_databases!(without_its_database_a_shop_is_unavailable_and_says_when_to_ask_again);
async fn without_its_database_a_shop_is_unavailable_and_says_when_to_ask_again(backend: Backend) {
    logs::keep();
    let shop = probe::shop(backend).open().await;
    let customer = probe::client(&shop).await;
    shop.parts.db.close().await;
    for (number, path) in ["/probes", "/products/lamp", "/cart", "/me"].into_iter().enumerate() {
        let id = format!("outage-{}-{number}", backend.as_str());
        let answer = customer.with_header("x-request-id", &id).get(path).await.expect_error(503, "server_error");
        assert_eq!(answer.header("retry-after"), Some("1"), "{path}");
        let lines = logs::with(&id);
        assert!(lines.len() == 1 && lines[0].contains("ERROR"), "{path}: {lines:?}");
    }
}

both_databases!(whoever_has_written_before_an_outage_is_not_invited_to_ask_again);
async fn whoever_has_written_before_an_outage_is_not_invited_to_ask_again(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let customer = probe::client(&shop).await;
    let answer = customer.post("/probes/outage", &json!({})).await.expect_error(500, "server_error");
    assert_eq!(answer.header("retry-after"), None);
    // Who the client is cannot be read then, and nothing was written.
    let answer = customer.post("/probes/outage", &json!({})).await.expect_error(503, "server_error");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

both_databases!(whoever_could_write_nothing_in_an_outage_is_invited_to_ask_again);
async fn whoever_could_write_nothing_in_an_outage_is_invited_to_ask_again(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let customer = probe::client(&shop).await;
    let answer = customer.post("/probes/unreachable", &json!({})).await.expect_error(503, "server_error");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

both_databases!(a_statement_that_is_wrong_is_no_outage);
async fn a_statement_that_is_wrong_is_no_outage(backend: Backend) {
    const WRONG: Sql = sql!("SELECT no_such_column FROM catalog_state");
    let shop = TestShop::new(backend).await;
    let error = shop.parts.db.read(WRONG).scalar::<i64>().await.expect_err("there is no such column");
    assert!(!error.is_outage());
    assert_eq!(ApiError::from(error).status(), 500);
}

const LEAVE_NO_ROOM: Sql = sql!(sqlite: "PRAGMA max_page_count = 1", postgres: "SELECT CAST(1 AS BIGINT)");

const FILL: Sql = sql!(
    sqlite: "CREATE TABLE filled AS SELECT zeroblob(1000000) AS filling",
    postgres: "DO $$ BEGIN
                   RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
               END $$",
);

both_databases!(a_full_disk_is_told_once_and_plainly);
async fn a_full_disk_is_told_once_and_plainly(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let failed = shop.parts.db.write(async |tx| -> Result<u64, ChangeCustomerError> {
        tx.run(LEAVE_NO_ROOM).scalar::<i64>().await?;
        Ok(tx.run(FILL).execute().await?)
    });
    let error = failed.await.expect_err("there is no room");
    let expected = match backend {
        Backend::Sqlite => "the disk is full: make room where the database is",
        Backend::Postgres => "the disk is full: could not extend file: No space left on device",
    };
    assert_eq!(Failure::from(error).to_string(), expected);
}

const WHO_WRITES: Sql = sql!(
    sqlite: "SELECT CAST(0 AS BIGINT)",
    postgres: "SELECT CAST(pg_backend_pid() AS BIGINT)",
);

const END: Sql = sql!(
    sqlite: "SELECT $1 = 0",
    postgres: "SELECT pg_terminate_backend(CAST($1 AS INTEGER), 10000)",
);

/// Ends the session of a transaction, from outside.
async fn lose(db: &Db, tx: &mut Tx) -> Result<(), DbError> {
    let writer = tx.run(WHO_WRITES).scalar::<i64>().await?;
    assert!(db.read(END).bind(writer).scalar::<bool>().await?, "the session was not ended");
    Ok(())
}

#[test]
fn on_postgresql_a_session_that_is_lost_in_a_transaction_is_an_outage() {
    run_test(Backend::Postgres, async |backend| {
        let database = TestDatabase::new(backend).await;
        let db = database.open(Clock::system()).await;
        let lost = db.write(async |tx| -> Result<i64, DbError> {
            lose(&db, tx).await?;
            tx.run(WHO_WRITES).scalar().await
        });
        let error = lost.await.expect_err("the session is gone");
        assert!(error.is_outage(), "{error:?}");
        assert_eq!(ApiError::from(error).status(), 503);
    });
}

#[test]
fn on_postgresql_a_commit_that_is_lost_invites_nobody_to_ask_again() {
    run_test(Backend::Postgres, async |backend| {
        let database = TestDatabase::new(backend).await;
        let db = database.open(Clock::system()).await;
        let error = db.write(async |tx| lose(&db, tx).await).await.expect_err("the session is gone");
        assert!(!error.is_outage(), "{error:?}");
        let error = ApiError::from(error);
        assert_eq!(error.status(), 500);
        assert!(error.render(&Texts::built_in(), Language::EN).headers().get("retry-after").is_none());
    });
}

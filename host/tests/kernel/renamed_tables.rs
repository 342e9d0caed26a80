//! Rows of tables that have got another name.

use chrono::{DateTime, Utc};
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};

/// The latest migration before the names.
const BEFORE: i64 = 29;

const USER: Sql = sql!("INSERT INTO users (id, email, created_at, updated_at) VALUES (1, 'ada@example.com', $1, $1)");

const LINK: Sql = sql!(
    "INSERT INTO account_links (purpose, user_id, secret_hash, email, created_at, expires_at)
     VALUES ('verify_email', 1, $1, 'ada@example.com', $2, $2)"
);

const LISTING: Sql = sql!("UPDATE catalog_state SET version = 9, shelf_version = 7");

const TOKENS: Sql = sql!("SELECT user_id, secret_hash, expires_at FROM email_tokens");

const VERSIONS: Sql = sql!("SELECT version, listing_version FROM catalog_state");

both_databases!(what_was_in_a_table_or_column_is_there_under_its_new_name);
async fn what_was_in_a_table_or_column_is_there_under_its_new_name(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let program = TestShop::builder(backend).freeze().unwrap_or_else(|found| panic!("{found}"));
    let migrations = program.registry.migrations;
    let now = "2026-01-15T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
    let db = database.open(Clock::manual(now)).await;
    let earlier = migrations.iter().map(|set| set.up_to(BEFORE)).collect::<Vec<_>>();
    db.migrate(&earlier).await.expect("the schema of before is made");
    let secret = vec![7_u8; 32];
    db.write(async |tx| -> Result<(), DbError> {
        tx.run(USER).bind(now).execute().await?;
        tx.run(LINK).bind(secret.clone()).bind(now).execute().await?;
        tx.run(LISTING).execute().await.map(drop)
    })
    .await
    .expect("rows are written");
    db.migrate(&migrations).await.expect("the database is upgraded");
    let tokens = db.read(TOKENS).all::<(i64, Vec<u8>, DateTime<Utc>)>().await.expect("they can be read");
    assert_eq!(tokens, [(1, secret, now)]);
    let versions = db.read(VERSIONS).one::<(i64, i64)>().await.expect("they can be read");
    assert_eq!(versions, (9, 7));
}

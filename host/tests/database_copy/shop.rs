//! The copy of a shop that goes on selling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use stoa_core::db::Backend;
use stoa_core::db::copy::{CopyStep, copy_database};
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};

use super::{copy, migrated, sets};

const INSERT: Sql = sql!("INSERT INTO kinds_values (label) VALUES ($1)");
const BY_LABEL: Sql = sql!("SELECT label, COUNT(*) AS n FROM kinds_values GROUP BY label ORDER BY label");

async fn insert_pair(db: &Db, label: &str) {
    let inserted = db.write(async |tx| -> Result<(), DbError> {
        tx.run(INSERT).bind(label).execute().await?;
        tx.run(INSERT).bind(label).execute().await?;
        Ok(())
    });
    inserted.await.expect("rows are written");
}

both_databases!(one_moment_is_copied_while_others_write);
async fn one_moment_is_copied_while_others_write(backend: Backend) {
    let (database, target) = (TestDatabase::empty(backend).await, TestDatabase::empty(Backend::Sqlite).await);
    let (source, target) = (migrated(&database).await, target.open(Clock::system()).await);
    for n in 0..300 {
        insert_pair(&source, &format!("before {n}")).await;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let (writing, until) = (database.open(Clock::system()).await, Arc::clone(&stop));
    let writer = tokio::spawn(async move {
        let mut written = 0;
        while !until.load(Ordering::Relaxed) || written == 0 {
            insert_pair(&writing, &format!("meanwhile {written}")).await;
            written += 1;
        }
        written
    });
    copy(&source, &target).await.expect("it is copied");
    stop.store(true, Ordering::Relaxed);
    assert!(writer.await.expect("the writer ends") > 0);
    let labels = target.read(BY_LABEL).all::<(String, i64)>().await.expect("rows are read");
    assert!(labels.len() >= 300, "{} labels", labels.len());
    assert!(labels.iter().all(|(_, rows)| *rows == 2), "a transaction was torn apart");
}

both_databases!(steps_are_told_as_they_are_taken);
async fn steps_are_told_as_they_are_taken(backend: Backend) {
    let (source, target) = (TestDatabase::empty(backend).await, TestDatabase::empty(Backend::Sqlite).await);
    let (source, target) = (migrated(&source).await, target.open(Clock::system()).await);
    for n in 0..150 {
        insert_pair(&source, &n.to_string()).await;
    }
    let (mut current, mut rows, mut compared) = (String::new(), Vec::new(), 0);
    let mut observe = |step: CopyStep<'_>| match step {
        CopyStep::Table { name, .. } => name.clone_into(&mut current),
        CopyStep::Rows(more) if current == "kinds_values" => rows.push(more),
        CopyStep::Rows(_) => {}
        CopyStep::Comparing => compared += 1,
    };
    let report = copy_database(&source, &target, &sets(), &[], &mut observe).await.expect("it is copied");
    assert_eq!(rows, [256, 44]);
    assert_eq!(compared, report.tables.len());
}

both_databases!(the_copy_of_a_shop_answers_as_the_shop_does);
async fn the_copy_of_a_shop_answers_as_the_shop_does(backend: Backend) {
    const CATEGORY: Sql = sql!(
        "INSERT INTO categories (slug, name, name_folded, parent_id, active, visible, created_at, updated_at)
         VALUES ($1, $2, $2, $3, TRUE, TRUE, $4, $4) RETURNING id"
    );
    const RAISE: Sql = sql!("UPDATE catalog_state SET version = version + 1, listing_version = version + 1");
    const MOVE: Sql = sql!("UPDATE categories SET parent_id = $2 WHERE id = $1");
    let (database, target) = (TestDatabase::empty(backend).await, TestDatabase::empty(Backend::Sqlite).await);
    let shop = TestShop::builder(backend).on(&database).open().await;
    let filled = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        let now = tx.now();
        let child = tx.run(CATEGORY).bind("lamps").bind("lamps").bind(None::<i64>).bind(now).scalar::<i64>().await?;
        let root = tx.run(CATEGORY).bind("home").bind("home").bind(None::<i64>).bind(now).scalar::<i64>().await?;
        tx.run(RAISE).execute().await?;
        tx.run(MOVE).bind(child).bind(root).execute().await.map(drop)
    });
    filled.await.expect("categories are written");
    let customer = shop.customer().await;
    let core = &sets()[..1];
    let empty = target.open(Clock::system()).await;
    let copied = copy_database(&shop.parts.db, &empty, core, &[], &mut |_| {}).await;
    copied.expect("it is copied");
    shop.refresh_catalog().await;

    let other = TestShop::builder(Backend::Sqlite).on(&target).clock(&shop.clock).open().await;
    let (before, after) = (shop.client().get("/categories").await, other.client().get("/categories").await);
    assert_eq!(before.json()["data"].as_array().map(Vec::len), Some(1), "only the root is listed");
    assert_eq!(after.expect_status(200).json(), before.json());
    let login = serde_json::json!({"email": customer.email, "password": TestShop::PASSWORD, "name": "x"});
    let token = other.client().post("/auth/tokens", &login).await;
    assert!(token.status.is_success(), "the customer's password is unknown: {}", token.text());
}

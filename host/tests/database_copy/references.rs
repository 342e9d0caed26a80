//! Rows may refer to rows that come after them.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, both_databases, run_test};

use super::{copy, migrated};

const PLANT: Sql = sql!("INSERT INTO kinds_trees (id, parent_id) VALUES ($1, $2)");
const REPLANT: Sql = sql!("UPDATE kinds_trees SET parent_id = $2 WHERE id = $1");
const TREES: Sql = sql!("SELECT id, parent_id FROM kinds_trees ORDER BY id");
const LEFT: Sql = sql!("INSERT INTO kinds_lefts (id) VALUES ($1)");
const RIGHT: Sql = sql!("INSERT INTO kinds_rights (id, left_id) VALUES ($1, $2)");
const CLOSE: Sql = sql!("UPDATE kinds_lefts SET right_id = $2 WHERE id = $1");
const PAIRS: Sql =
    sql!("SELECT l.id, l.right_id FROM kinds_lefts l JOIN kinds_rights r ON r.left_id = l.id ORDER BY l.id");

/// More rows than are copied at once, so that some refer to a later batch.
const ROWS: i64 = 700;

/// Each row refers to the next, the last one to itself; and circles between two tables.
async fn fill(db: &Db) {
    let filled = db.write(async |tx| -> Result<(), DbError> {
        for id in 1..=ROWS {
            tx.run(PLANT).bind(id).bind(id).execute().await?;
            tx.run(LEFT).bind(id).execute().await?;
            tx.run(RIGHT).bind(id).bind(id).execute().await?;
            tx.run(CLOSE).bind(id).bind(id).execute().await?;
        }
        for id in 1..ROWS {
            tx.run(REPLANT).bind(id).bind(id + 1).execute().await?;
        }
        Ok(())
    });
    filled.await.expect("rows are written");
}

async fn pairs(db: &Db, list: Sql) -> Vec<(i64, i64)> {
    db.read(list).all().await.expect("rows are read")
}

async fn arrive(from: Backend, to: Backend) {
    let (source, target_database) = (TestDatabase::empty(from).await, TestDatabase::empty(to).await);
    let (source, target) = (migrated(&source).await, target_database.open(Clock::system()).await);
    fill(&source).await;
    copy(&source, &target).await.expect("it is copied");
    for list in [TREES, PAIRS] {
        let copied = pairs(&target, list).await;
        assert_eq!(copied.len(), usize::try_from(ROWS).expect("a small number"));
        assert_eq!(copied, pairs(&source, list).await);
    }
    // References are checked with every statement again.
    let orphan = target.write(async |tx| -> Result<(), DbError> {
        let refused = tx.run(PLANT).bind(9000_i64).bind(9001_i64).execute().await;
        assert!(refused.is_err_and(|error| error.is_foreign_key_violation()), "it is only checked at the end");
        Err(sqlx::Error::RowNotFound.into())
    });
    orphan.await.expect_err("it is rolled back");
}

both_databases!(references_forward_arrive_in_sqlite);
async fn references_forward_arrive_in_sqlite(source: Backend) {
    arrive(source, Backend::Sqlite).await;
}

#[test]
fn references_forward_arrive_in_postgres() {
    run_test(Backend::Postgres, async |_| arrive(Backend::Sqlite, Backend::Postgres).await);
}

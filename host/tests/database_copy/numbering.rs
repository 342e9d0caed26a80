//! No id is given out twice, whichever database numbers the rows.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, both_databases, run_test};

use super::{copy, migrated};

const INSERT: Sql = sql!("INSERT INTO kinds_values (label) VALUES ('x') RETURNING id");
const DELETE: Sql = sql!("DELETE FROM kinds_values WHERE id > 2");
const INSERT_USER: Sql =
    sql!("INSERT INTO users (email, created_at, updated_at) VALUES ('ada@example.com', $1, $1) RETURNING id");
const INSERT_CUSTOMER: Sql =
    sql!("INSERT INTO customers (user_id, name, created_at, updated_at) VALUES ($1, 'Ada', $2, $2) RETURNING id");

async fn insert(db: &Db) -> i64 {
    db.write(async |tx| tx.run(INSERT).scalar::<i64>().await).await.expect("a row is written")
}

async fn insert_customer(db: &Db) -> i64 {
    let inserted = db.write(async |tx| -> Result<i64, DbError> {
        let now = tx.now();
        let user = tx.run(INSERT_USER).bind(now).scalar::<i64>().await?;
        tx.run(INSERT_CUSTOMER).bind(user).bind(now).scalar().await
    });
    inserted.await.expect("a customer is written")
}

async fn go_on(from: Backend, to: Backend) {
    let (source, target) = (TestDatabase::empty(from).await, TestDatabase::empty(to).await);
    let (source, target) = (migrated(&source).await, target.open(Clock::system()).await);
    for expected in 1..=5 {
        assert_eq!(insert(&source).await, expected);
    }
    source.write(async |tx| tx.run(DELETE).execute().await).await.expect("rows are deleted");
    copy(&source, &target).await.expect("it is copied");
    assert_eq!(insert(&target).await, 6, "the ids 3 to 5 were given out before");
    // Nobody was ever numbered here, and the migrations begin elsewhere than at 1.
    assert_eq!(insert_customer(&target).await, 1001);
}

both_databases!(ids_go_on_in_sqlite);
async fn ids_go_on_in_sqlite(source: Backend) {
    go_on(source, Backend::Sqlite).await;
}

#[test]
fn ids_go_on_in_postgres() {
    run_test(Backend::Postgres, async |_| go_on(Backend::Sqlite, Backend::Postgres).await);
}

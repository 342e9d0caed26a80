//! Values of every kind arrive as they were.

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, both_databases, run_test};
use uuid::Uuid;

use super::{copy, migrated};

const INSERT: Sql = sql!(
    "INSERT INTO kinds_values (flag, amount, ratio, label, \"order\", moment, day, token, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
);
const LIST: Sql = sql!(
    "SELECT id, flag, amount, ratio, label, \"order\" AS bytes, moment, day, token, document
     FROM kinds_values ORDER BY id"
);

/// A row of all kinds.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
struct Row {
    id: i64,
    flag: Option<bool>,
    amount: Option<i64>,
    ratio: Option<f64>,
    label: Option<String>,
    bytes: Option<Vec<u8>>,
    moment: Option<DateTime<Utc>>,
    day: Option<NaiveDate>,
    token: Option<Uuid>,
    document: Option<Json<Value>>,
}

/// More rows than are copied at once, with what is extreme in each kind.
fn samples() -> Vec<Row> {
    let labels = ["", "plain", "it's \"quoted\"; --", "Ünïcödé 🎁\n\ttab", "\u{feff}bom", "\\N", "null"];
    let documents = [
        json!({"b": 1, "a": [true, null, "x", {"deep": [1.5, -2, 1e300]}]}),
        json!([]),
        json!("text with \"quotes\" and \u{1f381}"),
        json!(null),
        json!(9_007_199_254_740_993_i64),
    ];
    let amounts = [i64::MIN, -1, 0, 1, i64::MAX];
    let ratios = [0.1, -1.5e-300, 1.797e308, 3.0, 0.0];
    let micros = [0, 1, -1, 1_768_478_400_123_456, 253_402_300_799_999_999, -62_135_596_800_000_000];
    let days = ["0001-01-01", "1970-01-01", "2024-02-29", "9999-12-31"];
    let sample = |n: usize| Row {
        id: i64::try_from(n).expect("a small number") + 1,
        flag: Some(n.is_multiple_of(2)),
        amount: Some(amounts[n % amounts.len()]),
        ratio: Some(ratios[n % ratios.len()]),
        label: Some(format!("{}{n}", labels[n % labels.len()])),
        bytes: Some(vec![0, 0xff, u8::try_from(n % 256).expect("a byte")]),
        moment: DateTime::from_timestamp_micros(micros[n % micros.len()]),
        day: days[n % days.len()].parse().ok(),
        token: Some(Uuid::from_u128(n as u128)),
        document: Some(Json(documents[n % documents.len()].clone())),
    };
    let empty = |n: usize| Row {
        id: i64::try_from(n).expect("a small number") + 1,
        flag: None,
        amount: None,
        ratio: None,
        label: None,
        bytes: None,
        moment: None,
        day: None,
        token: None,
        document: None,
    };
    (0..600).map(|n| if n % 7 == 3 { empty(n) } else { sample(n) }).collect()
}

async fn fill(db: &Db, rows: &[Row]) {
    let filled = db.write(async |tx| -> Result<(), DbError> {
        for row in rows.iter().cloned() {
            let insert = tx.run(INSERT).bind(row.flag).bind(row.amount.map(|amount| amount / 2)).bind(row.ratio);
            let insert = insert.bind(row.label).bind(row.bytes).bind(row.moment).bind(row.day);
            insert.bind(row.token).bind(row.document).execute().await?;
        }
        Ok(())
    });
    filled.await.expect("rows are written");
}

async fn list(db: &Db) -> Vec<Row> {
    db.read(LIST).all().await.expect("rows are read")
}

/// The samples as they are in the database: doubled amounts would not fit otherwise.
fn expected() -> Vec<Row> {
    let halved = |row: Row| Row { amount: row.amount.map(|amount| amount / 2), ..row };
    samples().into_iter().map(halved).collect()
}

async fn arrives(from: Backend, to: Backend) {
    let (source, target) = (TestDatabase::empty(from).await, TestDatabase::empty(to).await);
    let (source, target) = (migrated(&source).await, target.open(Clock::system()).await);
    fill(&source, &samples()).await;
    let report = copy(&source, &target).await.expect("it is copied");
    let copied = report.tables.iter().find(|table| table.table == "kinds_values").expect("it is reported");
    assert_eq!(copied.rows, 600);
    assert_eq!(report.left_out, Vec::<String>::new());
    assert_eq!(list(&target).await, expected());
}

both_databases!(values_arrive_as_they_were_in_sqlite);
async fn values_arrive_as_they_were_in_sqlite(source: Backend) {
    arrives(source, Backend::Sqlite).await;
}

#[test]
fn values_arrive_as_they_were_in_postgres() {
    run_test(Backend::Postgres, async |_| arrives(Backend::Sqlite, Backend::Postgres).await);
}

#[test]
fn a_copy_there_and_back_is_the_same_by_every_digest() {
    run_test(Backend::Postgres, async |_| {
        let databases = (
            TestDatabase::empty(Backend::Sqlite).await,
            TestDatabase::empty(Backend::Postgres).await,
            TestDatabase::empty(Backend::Sqlite).await,
            TestDatabase::empty(Backend::Postgres).await,
        );
        let first = migrated(&databases.0).await;
        fill(&first, &samples()).await;
        let there = databases.1.open(Clock::system()).await;
        let back = databases.2.open(Clock::system()).await;
        let there_again = databases.3.open(Clock::system()).await;
        let mut one = copy(&first, &there).await.expect("it is copied there");
        let mut two = copy(&there, &back).await.expect("it is copied back");
        copy(&back, &there_again).await.expect("it is copied there again");
        // Each database is filled in the order of its own references.
        for report in [&mut one, &mut two] {
            report.tables.sort_by(|table, other| table.table.cmp(&other.table));
        }
        assert_eq!(one.tables, two.tables);
        assert_eq!(list(&back).await, expected());
        let digests = async |db: &Db| db.snapshot().await.expect("it is read").digests().await.expect("it is read");
        assert_eq!(digests(&there).await, digests(&there_again).await);
    });
}

both_databases!(a_digest_shows_any_change);
async fn a_digest_shows_any_change(backend: Backend) {
    const CHANGE: Sql = sql!("UPDATE kinds_values SET label = 'other' WHERE id = 100");
    let database = TestDatabase::empty(backend).await;
    let db = migrated(&database).await;
    fill(&db, &samples()).await;
    let digests = async || db.snapshot().await.expect("it is read").digests().await.expect("it is read");
    let before = digests().await;
    assert_eq!(digests().await, before);
    db.write(async |tx| tx.run(CHANGE).execute().await).await.expect("a row is changed");
    let after = digests().await;
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).map(|(_, after)| &*after.table);
    assert_eq!(changed.collect::<Vec<_>>(), ["kinds_values"]);
}

#[tokio::test]
async fn a_value_of_another_kind_than_its_column_is_named() {
    const WRONG: Sql = sql!("INSERT INTO kinds_values (amount) VALUES ($1)");
    let (source, target) = (TestDatabase::empty(Backend::Sqlite).await, TestDatabase::empty(Backend::Sqlite).await);
    let (source, target) = (migrated(&source).await, target.open(Clock::system()).await);
    source.write(async |tx| tx.run(WRONG).bind("many").execute().await).await.expect("SQLite allows it");
    let refused = copy(&source, &target).await.expect_err("it cannot be copied").to_string();
    assert!(refused.contains("kinds_values.amount"), "{refused}");
}

#[test]
fn a_value_that_postgres_refuses_leaves_the_target_empty() {
    const FIX: Sql = sql!("UPDATE kinds_values SET label = 'fine' WHERE id = 601");
    run_test(Backend::Postgres, async |_| {
        let (source, target) =
            (TestDatabase::empty(Backend::Sqlite).await, TestDatabase::empty(Backend::Postgres).await);
        let (source, target) = (migrated(&source).await, target.open(Clock::system()).await);
        let mut rows = samples();
        rows.push(Row { label: Some(String::from("nul \0 byte")), ..rows[0].clone() });
        fill(&source, &rows).await;
        let refused = copy(&source, &target).await.expect_err("PostgreSQL keeps no NUL in a text").to_string();
        assert!(refused.contains("kinds_values"), "{refused}");
        assert!(list(&target).await.is_empty(), "rows are left behind");
        source.write(async |tx| tx.run(FIX).execute().await).await.expect("it is mended");
        copy(&source, &target).await.expect("the target is as good as new");
        assert_eq!(list(&target).await.len(), 601);
    });
}

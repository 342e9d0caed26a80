//! Transactions, errors and change watching of the database facade.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use sqlx::Connection;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode};
use stoa_core::config::DatabaseUrl;
use stoa_core::db::{Backend, Missing, OpenOptions};
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, both_databases, run_test};
use tokio::sync::{Semaphore, mpsc};

const PUT: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, $2)");
const GET: Sql = sql!("SELECT value FROM installation WHERE name = $1");
const SET: Sql = sql!("UPDATE installation SET value = $2 WHERE name = $1");
const ORPHAN: Sql =
    sql!("INSERT INTO customers (user_id, name, created_at, updated_at) VALUES (4711, 'nobody', $1, $1)");
const RAISE_VERSION: Sql = sql!("UPDATE catalog_state SET version = version + 1");

async fn get(db: &Db, name: &str) -> Option<String> {
    db.read(GET).bind(name).optional_scalar().await.expect("the table can be read")
}

async fn put(tx: &mut Tx, name: &str, value: &str) -> Result<(), DbError> {
    tx.run(PUT).bind(name).bind(value).execute().await.map(drop)
}

async fn add_orphan(db: &Db) -> Result<u64, DbError> {
    db.write(async |tx| {
        let now = tx.now();
        tx.run(ORPHAN).bind(now).execute().await
    })
    .await
}

both_databases!(what_returns_ok_is_committed);
async fn what_returns_ok_is_committed(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let written = db.write(async |tx| -> Result<i32, DbError> {
        put(tx, "color", "red").await?;
        Ok(7)
    });
    assert_eq!(written.await.expect("it commits"), 7);
    let other = database.open(Clock::system()).await;
    assert_eq!(get(&other, "color").await.as_deref(), Some("red"));
}

both_databases!(what_returns_an_error_is_rolled_back);
async fn what_returns_an_error_is_rolled_back(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let written = db.write(async |tx| -> Result<(), ApiError> {
        put(tx, "color", "red").await?;
        Err(ApiError::not_found())
    });
    assert_eq!(written.await.expect_err("it fails").status(), 404);
    assert_eq!(get(&db, "color").await, None);
}

both_databases!(a_veto_rolls_back);
async fn a_veto_rolls_back(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let written = db.write(async |tx| -> Result<(), ListenerError> {
        put(tx, "color", "red").await?;
        Err(Veto { field: String::from("items"), message: Message::CartEmpty, reason: None }.into())
    });
    assert!(matches!(written.await, Err(ListenerError::Veto(veto)) if veto.field == "items"));
    assert_eq!(get(&db, "color").await, None);
}

both_databases!(a_panic_rolls_back_and_the_connection_serves_on);
async fn a_panic_rolls_back_and_the_connection_serves_on(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let written = db.write(async |tx| -> Result<(), DbError> {
        put(tx, "color", "red").await?;
        panic!("in the middle of a transaction");
    });
    assert!(std::panic::AssertUnwindSafe(written).catch_unwind().await.is_err());
    assert_eq!(get(&db, "color").await, None);
    db.write(async |tx| put(tx, "color", "blue").await).await.expect("the next write succeeds");
    assert_eq!(get(&db, "color").await.as_deref(), Some("blue"));
}

const OPEN_TRANSACTIONS: Sql = sql!(
    sqlite: "SELECT CAST(0 AS INTEGER)",
    postgres: "SELECT COUNT(*) FROM pg_stat_activity
               WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
);

both_databases!(a_write_that_is_dropped_half_way_leaves_no_transaction_open);
async fn a_write_that_is_dropped_half_way_leaves_no_transaction_open(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let watching = database.open(Clock::system()).await;
    // Dropped at every stage: before it begins, while it begins, and inside.
    for steps in (0..6_000).step_by(100) {
        let written = db.write(async |tx| -> Result<(), DbError> {
            put(tx, "color", "red").await?;
            std::future::pending().await
        });
        {
            let mut written = std::pin::pin!(written);
            for _ in 0..steps {
                assert!(futures_util::poll!(written.as_mut()).is_pending(), "it never ends by itself");
                tokio::task::yield_now().await;
            }
        }
        assert!(soon_has_no_open_transaction(&watching).await, "left open when dropped after {steps} steps");
    }
    assert_eq!(get(&db, "color").await, None);
    db.write(async |tx| put(tx, "color", "blue").await).await.expect("the next write succeeds");
    assert_eq!(get(&watching, "color").await.as_deref(), Some("blue"));
}

/// The connection is cleaned beside the test, which takes a moment.
async fn soon_has_no_open_transaction(watching: &Db) -> bool {
    for _ in 0..200 {
        if watching.read(OPEN_TRANSACTIONS).scalar::<i64>().await.expect("the server tells") == 0 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

both_databases!(a_third_of_the_connections_write_at_once_and_reads_have_the_rest);
async fn a_third_of_the_connections_write_at_once_and_reads_have_the_rest(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let options = OpenOptions::new(database.url(), Missing::Refuse, 9);
    let db = Db::open(&options, Clock::system()).await.expect("it opens");
    let at_once = match backend {
        Backend::Sqlite => 1,
        Backend::Postgres => 3,
    };
    let (entered, mut seen) = mpsc::unbounded_channel();
    let go_on = Semaphore::new(0);
    let writes = (0..=at_once).map(|_| {
        db.write(async |_| -> Result<(), DbError> {
            entered.send(()).expect("somebody looks");
            go_on.acquire().await.expect("it stays open").forget();
            Ok(())
        })
    });
    let watching = async {
        for _ in 0..at_once {
            seen.recv().await.expect("it is entered");
        }
        // More ways to the database than the next one needs to enter.
        for _ in 0..20 {
            assert_eq!(get(&db, "color").await, None);
        }
        assert!(seen.try_recv().is_err(), "it has to wait");
        go_on.add_permits(1);
        seen.recv().await.expect("it is entered");
        go_on.add_permits(at_once);
    };
    let (written, ()) = join(join_all(writes), watching).await;
    assert!(written.iter().all(Result::is_ok));
    db.close().await;
}

both_databases!(violations_are_told_apart);
async fn violations_are_told_apart(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    db.write(async |tx| put(tx, "color", "red").await).await.expect("the first is written");

    let twice = db.write(async |tx| put(tx, "color", "blue").await).await.expect_err("the second is refused");
    assert!(twice.is_unique_violation() && !twice.is_foreign_key_violation() && !twice.is_transient());

    let orphan = add_orphan(&db).await.expect_err("no such user");
    assert!(orphan.is_foreign_key_violation() && !orphan.is_unique_violation());
}

both_databases!(a_failed_statement_is_named_by_its_place);
async fn a_failed_statement_is_named_by_its_place(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let error = add_orphan(&db).await.expect_err("no such user");
    let place = format!("{}:{}", ORPHAN.file, ORPHAN.line);
    assert!(error.to_string().contains(&place), "{error}");
}

/// Reads a number, and writes it back increased by one.
async fn count_up(db: &Db) -> Result<(), DbError> {
    db.write(async |tx| {
        let count = tx.run(GET).bind("count").scalar::<String>().await?;
        let next = count.parse::<u32>().expect("a number") + 1;
        tx.run(SET).bind("count").bind(next.to_string()).execute().await.map(drop)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_of_two_programs_wait_for_each_other_on_sqlite() {
    let database = TestDatabase::new(Backend::Sqlite).await;
    let one = Arc::new(database.open(Clock::system()).await);
    let other = Arc::new(database.open(Clock::system()).await);
    one.write(async |tx| put(tx, "count", "0").await).await.expect("the counter is made");
    let writers = (0..20).map(|n| if n % 2 == 0 { Arc::clone(&one) } else { Arc::clone(&other) });
    let counting = writers.map(|db| tokio::spawn(async move { count_up(&db).await }));
    for done in counting.collect::<Vec<_>>() {
        done.await.expect("the task ends").expect("no writer is refused as locked");
    }
    assert_eq!(get(&one, "count").await.as_deref(), Some("20"));
}

/// The control of the test above: transactions that take the lock only when they write are refused.
#[tokio::test]
async fn a_transaction_that_takes_the_lock_late_is_refused_on_sqlite() {
    let database = TestDatabase::new(Backend::Sqlite).await;
    let DatabaseUrl::SqliteFile(file) = database.url() else { unreachable!("SQLite keeps its database in a file") };
    let options = SqliteConnectOptions::new().filename(file).journal_mode(SqliteJournalMode::Wal);
    let options = options.busy_timeout(Duration::from_secs(10));
    let mut one = SqliteConnection::connect_with(&options).await.expect("it opens");
    let mut other = SqliteConnection::connect_with(&options).await.expect("it opens");
    for connection in [&mut one, &mut other] {
        sqlx::query("BEGIN DEFERRED").execute(&mut *connection).await.expect("it begins");
        sqlx::query("SELECT * FROM catalog_state").execute(&mut *connection).await.expect("it reads");
    }
    let write = "UPDATE catalog_state SET version = version + 1";
    sqlx::query(write).execute(&mut one).await.expect("the first gets the lock");
    sqlx::query("COMMIT").execute(&mut one).await.expect("it commits");
    let refused = sqlx::query(write).execute(&mut other).await.expect_err("the second has read what is old now");
    assert!(refused.to_string().contains("locked"), "{refused}");
}

#[tokio::test]
async fn a_statement_outside_a_transaction_cannot_write_on_sqlite() {
    let database = TestDatabase::new(Backend::Sqlite).await;
    let db = database.open(Clock::system()).await;
    assert!(db.read(PUT).bind("color").bind("red").execute().await.is_err());
    assert_eq!(get(&db, "color").await, None);
}

/// Whether a change is noticed before the watch would look by itself.
async fn notices_at_once(watch: &mut stoa_core::db::ChangeWatch) -> bool {
    tokio::time::timeout(Duration::from_millis(700), watch.changed()).await.is_ok()
}

both_databases!(a_watch_notices_what_another_handle_commits);
async fn a_watch_notices_what_another_handle_commits(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let watching = database.open(Clock::system()).await;
    let writing = database.open(Clock::system()).await;
    let mut watch = watching.watch().await.expect("changes can be watched");
    assert!(!notices_at_once(&mut watch).await, "nothing has changed yet");
    for _ in 0..3 {
        writing.write(async |tx| tx.run(RAISE_VERSION).execute().await).await.expect("the catalog changes");
        assert!(notices_at_once(&mut watch).await, "the commit was not noticed");
    }
}

both_databases!(a_watch_does_not_wake_for_what_is_rolled_back);
async fn a_watch_does_not_wake_for_what_is_rolled_back(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let watching = database.open(Clock::system()).await;
    let writing = database.open(Clock::system()).await;
    let mut watch = watching.watch().await.expect("changes can be watched");
    let undone = writing.write(async |tx| -> Result<(), ApiError> {
        tx.run(RAISE_VERSION).execute().await?;
        Err(ApiError::not_found())
    });
    assert!(undone.await.is_err());
    assert!(!notices_at_once(&mut watch).await);
}

/// How far PostgreSQL's log has been written, in bytes.
const WRITTEN: Sql = sql!(
    sqlite: "SELECT CAST(0 AS BIGINT)",
    postgres: "SELECT CAST(pg_current_wal_insert_lsn() - CAST('0/0' AS pg_lsn) AS BIGINT)",
);

/// How much of it is on disk.
const ON_DISK: Sql = sql!(
    sqlite: "SELECT CAST(0 AS BIGINT)",
    postgres: "SELECT CAST(pg_current_wal_flush_lsn() - CAST('0/0' AS pg_lsn) AS BIGINT)",
);

/// Opens it as a shop does, whose connections wait for the disk; those of tests do not.
async fn open_durable(database: &TestDatabase, connections: u32) -> Db {
    let DatabaseUrl::Postgres(url) = database.url() else { unreachable!("it is a database of PostgreSQL") };
    let url = url.expose().replace("synchronous_commit%3Doff", "synchronous_commit%3Don");
    let url = DatabaseUrl::parse(&url).expect("only an option has changed");
    let options = OpenOptions::new(url, Missing::Refuse, connections);
    Db::open(&options, Clock::system()).await.expect("the database can be opened")
}

#[test]
fn on_postgresql_what_was_written_is_on_disk_before_the_write_returns() {
    run_test(Backend::Postgres, async |backend| {
        let database = TestDatabase::new(backend).await;
        let db = open_durable(&database, 4).await;
        for number in 0..20 {
            let written = db.write(async |tx| -> Result<i64, DbError> {
                put(tx, &format!("color {number}"), "red").await?;
                tx.run(WRITTEN).scalar().await
            });
            let written = written.await.expect("it commits");
            let on_disk = db.read(ON_DISK).scalar::<i64>().await.expect("the server tells");
            assert!(on_disk >= written, "{on_disk} of {written} bytes are on disk");
        }
    });
}

const WAITS_FOR_THE_DISK: Sql = sql!(
    sqlite: "SELECT ''",
    postgres: "SELECT current_setting('synchronous_commit')",
);

#[test]
fn on_postgresql_only_transactions_leave_the_wait_for_the_disk_to_others() {
    run_test(Backend::Postgres, async |backend| {
        let database = TestDatabase::new(backend).await;
        let db = open_durable(&database, 4).await;
        let inside = db.write(async |tx| tx.run(WAITS_FOR_THE_DISK).scalar::<String>().await);
        assert_eq!(inside.await.expect("it commits"), "off");
        // Migrations run on such a connection, and nobody waits for the disk after them.
        assert_eq!(db.read(WAITS_FOR_THE_DISK).scalar::<String>().await.expect("the server tells"), "on");
    });
}

const END_WHO_ASKS_FOR_THE_DISK: Sql = sql!(
    sqlite: "SELECT CAST(0 AS BIGINT)",
    postgres: "SELECT COUNT(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
               WHERE datname = current_database() AND query LIKE '%pg_logical_emit_message%' AND pid <> pg_backend_pid()",
);

/// Writes, and meanwhile others write; in between the session may be lost that asks for the disk.
async fn write_around(db: &Db, is_lost: bool) -> Result<(), DbError> {
    let name = |part: &str| format!("{part}, lost: {is_lost}");
    db.write(async |tx| put(tx, &name("before"), "1").await).await.expect("nothing is lost yet");
    db.write(async |tx| {
        put(tx, &name("around"), "1").await?;
        if is_lost {
            // Whoever waits for the disk would be told of the loss.
            assert_eq!(db.look(END_WHO_ASKS_FOR_THE_DISK).scalar::<i64>().await?, 1);
            // Whether it holds is unknown to this one too, unless the loss was noticed before it began.
            let _ = db.write(async |tx| put(tx, &name("first to notice"), "1").await).await;
        }
        db.write(async |tx| put(tx, &name("later"), "1").await).await
    })
    .await
}

#[test]
fn on_postgresql_a_commit_is_not_confirmed_by_a_session_that_began_after_it() {
    run_test(Backend::Postgres, async |backend| {
        let database = TestDatabase::new(backend).await;
        let db = open_durable(&database, 4).await;
        let error = write_around(&db, true).await.expect_err("the server may have lost it in a crash");
        let told = format!("{error:?}");
        assert!(told.contains("nobody knows whether it holds"), "{told}");
        assert_eq!(get(&db, "later, lost: true").await.as_deref(), Some("1"));
        // The control: with the same session all along, the same is confirmed.
        write_around(&db, false).await.expect("nothing was lost");
    });
}

both_databases!(two_watches_leave_a_connection_to_read_however_few_are_configured);
async fn two_watches_leave_a_connection_to_read_however_few_are_configured(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    for connections in 1..=5 {
        let options = OpenOptions::new(database.url(), Missing::Refuse, connections);
        let db = Db::open(&options, Clock::system()).await.expect("the database can be opened");
        let watches = [db.watch().await.expect("it is watched"), db.watch().await.expect("it is watched")];
        db.read(WRITTEN).scalar::<i64>().await.expect("a connection is left");
        drop(watches);
        db.close().await;
    }
}

const FILL: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "INSERT INTO installation (name, value) SELECT 'name ' || number, 'value' FROM generate_series(1, 5000) AS number",
);

const PLAN_OF_A_FEW: Sql = sql!(
    sqlite: "SELECT ''",
    postgres: "EXPLAIN SELECT value FROM installation
               WHERE name IN (SELECT value ->> 'name' FROM json_each('[{\"name\": \"name 7\"}]'))",
);

#[test]
fn on_postgresql_a_few_rows_are_read_by_an_index_even_of_a_table_that_was_never_analyzed() {
    run_test(Backend::Postgres, async |backend| {
        let database = TestDatabase::new(backend).await;
        let db = database.open(Clock::system()).await;
        let filled = db.write(async |tx| tx.run(FILL).execute().await);
        assert_eq!(filled.await.expect("the table can be filled"), 5000);
        let plan = db.read(PLAN_OF_A_FEW).scalars::<String>().await.expect("it is planned").join("\n");
        assert!(plan.contains("Index") && !plan.contains("Seq Scan on installation"), "{plan}");
    });
}

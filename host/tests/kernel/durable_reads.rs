//! On PostgreSQL a transaction can be seen before it is on disk. Nobody is told of it before.
//!
//! The disk is played by functions in front of PostgreSQL's own: it is as slow as a test wants, and says what it has.

use std::future::Future;
use std::pin::Pin;

use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::http::error::ApiError;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, run_test};

use crate::probe;

/// How often somebody else looks while a read has to wait: one that does not wait is done after a few.
const LOOKS: usize = 100;

/// How often while it need not wait.
const MANY_LOOKS: usize = 100_000;

const OURS_FIRST: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "DO $$ BEGIN
                   EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
               END $$",
);

/// Asking for the disk waits while somebody holds it.
const SLOW_DISK: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "CREATE FUNCTION public.pg_logical_emit_message(BOOLEAN, TEXT, TEXT) RETURNS pg_lsn LANGUAGE plpgsql AS $$
               BEGIN
                   PERFORM pg_catalog.pg_advisory_xact_lock_shared(4711);
                   RETURN pg_catalog.pg_logical_emit_message($1, $2, $3);
               END $$",
);

/// What is committed is never on disk by itself.
const LAZY_DISK: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "CREATE FUNCTION public.pg_current_wal_flush_lsn() RETURNS pg_lsn LANGUAGE sql AS $$ SELECT '0/0'::pg_lsn $$",
);

/// It is at once.
const QUICK_DISK: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "CREATE FUNCTION public.pg_current_wal_flush_lsn() RETURNS pg_lsn LANGUAGE sql AS $$
                   SELECT 'FFFFFFFF/0'::pg_lsn $$",
);

const HOLD_DISK: Sql = sql!(sqlite: "SELECT 1", postgres: "SELECT 1 FROM pg_advisory_xact_lock(4711)");

const LOSE_DISK: Sql = sql!(
    sqlite: "SELECT TRUE",
    postgres: "SELECT COALESCE(bool_or(pg_terminate_backend(pid, 10000)), FALSE) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%emit_message%'",
);

const NOTHING: Sql = sql!("SELECT 1");
const WRITE: Sql = sql!("INSERT INTO installation (name, value) VALUES ('test', '')");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM installation WHERE name = 'test'");

async fn run(db: &Db, sql: Sql) -> Result<(), DbError> {
    db.write(async |tx| tx.run(sql).execute().await).await.map(drop)
}

/// A database whose disk is slow, and has or has not what was committed.
async fn database(disk: Sql) -> TestDatabase {
    let database = TestDatabase::new(Backend::Postgres).await;
    let db = database.open(Clock::system()).await;
    for sql in [OURS_FIRST, SLOW_DISK, disk] {
        run(&db, sql).await.expect("it is prepared");
    }
    db.close().await;
    database
}

/// The same database, its connections made, so that nothing but the disk is waited for.
async fn warm(db: &Db) -> Db {
    run(db, NOTHING).await.expect("it is reached");
    db.read(COUNT).scalar::<i64>().await.expect("it is reached");
    db.clone()
}

type Pending<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Writes through `writer` and has `read` read while the disk is held, for at most so many looks; says how many it waited.
async fn read_while_written<T: Send>(
    database: &TestDatabase,
    writer: &Db,
    read: Pending<T>,
    looks: usize,
) -> (Pending<T>, usize) {
    let other = database.open(Clock::system()).await;
    let mut read = read;
    let mut waited = 0;
    let held = other.write(async |tx| -> Result<(), DbError> {
        tx.run(HOLD_DISK).execute().await?;
        let writing = tokio::spawn({
            let writer = writer.clone();
            async move { run(&writer, WRITE).await }
        });
        // From its commit on it can be seen.
        while other.look(COUNT).scalar::<i64>().await? == 0 {
            assert!(!writing.is_finished(), "the write has ended, and nobody can see it");
        }
        for _ in 0..looks {
            tokio::select! {
                biased;
                _ = &mut read => return Ok(()),
                looked = other.look(COUNT).scalar::<i64>() => assert_eq!(looked?, 1),
            }
            waited += 1;
        }
        assert!(!writing.is_finished(), "the write was answered before it is on disk");
        Ok(())
    });
    held.await.expect("the disk is held");
    (read, waited)
}

#[test]
fn a_read_on_postgresql_tells_nothing_that_is_not_on_disk_whoever_has_written_it() {
    run_test(Backend::Postgres, async |_| {
        for own in [true, false] {
            let database = database(LAZY_DISK).await;
            let (db, another) = (database.open(Clock::system()).await, database.open(Clock::system()).await);
            let reader = warm(&db).await;
            let read = Box::pin(async move { reader.read(COUNT).scalar::<i64>().await });
            let (read, waited) = read_while_written(&database, if own { &db } else { &another }, read, LOOKS).await;
            assert_eq!(waited, LOOKS, "written by the same program: {own}");
            assert_eq!(read.await.expect("it is on disk now"), 1);
        }
    });
}

#[test]
fn a_transaction_on_postgresql_that_is_refused_tells_nothing_that_is_not_on_disk() {
    run_test(Backend::Postgres, async |_| {
        let database = database(LAZY_DISK).await;
        let db = database.open(Clock::system()).await;
        let reader = warm(&db).await;
        let read = Box::pin(async move {
            let refused = reader.write(async |tx| -> Result<(), ApiError> {
                let count = tx.run(COUNT).scalar::<i64>().await?;
                assert_eq!(count, 1);
                Err(ApiError::not_found())
            });
            refused.await.expect_err("it is refused").status().as_u16()
        });
        let (read, waited) = read_while_written(&database, &db, read, LOOKS).await;
        assert_eq!((waited, read.await), (LOOKS, 404));
    });
}

#[test]
fn a_snapshot_on_postgresql_is_taken_of_what_is_on_disk() {
    run_test(Backend::Postgres, async |_| {
        let database = database(LAZY_DISK).await;
        let db = database.open(Clock::system()).await;
        let reader = warm(&db).await;
        let read = Box::pin(async move { reader.snapshot().await.map(drop) });
        let (read, waited) = read_while_written(&database, &db, read, LOOKS).await;
        assert_eq!(waited, LOOKS);
        read.await.expect("it is on disk now");
    });
}

#[test]
fn a_request_on_postgresql_is_answered_once_what_it_tells_is_on_disk() {
    run_test(Backend::Postgres, async |backend| {
        let database = database(LAZY_DISK).await;
        let shop = probe::shop(backend).on(&database).open().await;
        let client = probe::client(&shop).await;
        client.get("/probes").await.expect_status(200);
        let writer = warm(&shop.parts.db).await;
        let read = Box::pin(async move { client.get("/probes").await.status.as_u16() });
        let (read, waited) = read_while_written(&database, &writer, read, LOOKS).await;
        assert_eq!((waited, read.await), (LOOKS, 200));
    });
}

#[test]
fn what_is_on_disk_is_read_on_postgresql_without_waiting_for_it() {
    run_test(Backend::Postgres, async |_| {
        let database = database(QUICK_DISK).await;
        let db = database.open(Clock::system()).await;
        let reader = warm(&db).await;
        let read = Box::pin(async move {
            assert!(reader.read(COUNT).scalar::<i64>().await.is_ok());
        });
        let writer = database.open(Clock::system()).await;
        let (_, waited) = read_while_written(&database, &writer, read, MANY_LOOKS).await;
        assert!(waited < MANY_LOOKS, "it waited for a disk that has everything");
    });
}

#[test]
fn a_server_that_was_lost_after_it_was_read_from_on_postgresql_is_an_outage() {
    run_test(Backend::Postgres, async |_| {
        let database = database(LAZY_DISK).await;
        let (db, other) = (database.open(Clock::system()).await, database.open(Clock::system()).await);
        run(&other, WRITE).await.expect("it is written");
        let held = other.write(async |tx| -> Result<DbError, DbError> {
            tx.run(HOLD_DISK).execute().await?;
            let mut read = Box::pin(db.read(COUNT).scalar::<i64>());
            loop {
                tokio::select! {
                    biased;
                    lost = &mut read => return Ok(lost.expect_err("nobody knows whether it holds")),
                    lost = other.look(LOSE_DISK).scalar::<bool>() => drop(lost?),
                }
            }
        });
        let error = held.await.expect("the disk is held");
        assert!(error.is_outage(), "{error:?}");
        assert_eq!(ApiError::from(error).status(), 503);
    });
}

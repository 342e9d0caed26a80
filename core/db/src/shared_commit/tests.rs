//! What a shared commit promises, write by write; commits are counted by SQLite itself.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{FutureExt, poll};
use stoa_base::config::DatabaseUrl;
use stoa_sql::sql;
use tempfile::TempDir;
use tokio::sync::{Notify, oneshot};

use crate::pool::Pools;
use crate::{Database, DbError, Missing, Notifier, Notifiers, OpenOptions, Sql, Write};

const MAKE: Sql = sql!("CREATE TABLE notes (text TEXT PRIMARY KEY)");
const MAKE_DEFERRED: Sql = sql!("CREATE TABLE owned (note TEXT REFERENCES notes (text) DEFERRABLE INITIALLY DEFERRED)");
const INSERT: Sql = sql!("INSERT INTO notes (text) VALUES ($1)");
const INSERT_OWNED: Sql = sql!("INSERT INTO owned (note) VALUES ($1)");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM notes");
const ALL: Sql = sql!("SELECT text FROM notes ORDER BY text");
const END: Sql = sql!(sqlite: "ROLLBACK", postgres: "ROLLBACK");

/// A database in a file, whose commits are counted.
struct Fixture {
    db: Database,
    commits: Arc<AtomicUsize>,
    _folder: TempDir,
}

#[derive(Debug)]
enum Failed {
    Database(DbError),
    Refused,
}

impl From<DbError> for Failed {
    fn from(error: DbError) -> Self {
        Self::Database(error)
    }
}

impl Fixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let url = DatabaseUrl::SqliteFile(folder.path().join("shop.db"));
        let options = OpenOptions::new(url, Missing::Create, 2);
        let mut db = Database::open(&options).await.expect("the folder is ours");
        // A busy machine must not end a transaction that a test is about.
        if let Some(Pools::Sqlite { line, .. }) = Arc::get_mut(&mut db.pools) {
            line.longest = Duration::from_hours(1);
        }
        db.write(async |tx| -> Result<(), DbError> {
            tx.run(MAKE).execute().await?;
            tx.run(MAKE_DEFERRED).execute().await.map(drop)
        })
        .await
        .expect("valid SQL");
        let commits = Arc::new(AtomicUsize::new(0));
        let Pools::Sqlite { write, .. } = &*db.pools else { panic!("it is SQLite") };
        let mut connection = write.acquire().await.expect("nobody has it");
        let counter = Arc::clone(&commits);
        connection.lock_handle().await.expect("it lives").set_commit_hook(move || {
            counter.fetch_add(1, Ordering::SeqCst);
            true
        });
        drop(connection);
        Self { db, commits, _folder: folder }
    }

    fn commits(&self) -> usize {
        self.commits.load(Ordering::SeqCst)
    }

    /// Has the turn until the answer is awaited; whoever writes meanwhile stands in line.
    async fn hold(&self) -> impl Future<Output = Result<(), Failed>> + use<> {
        let (begun, wait) = oneshot::channel();
        let release = Arc::new(Notify::new());
        let (db, released) = (self.db.clone(), Arc::clone(&release));
        let mut write = Box::pin(async move {
            db.write(async move |tx| {
                note(tx, "first").await?;
                begun.send(()).expect("somebody waits");
                released.notified().await;
                Ok(())
            })
            .await
        });
        tokio::select! {
            _ = &mut write => panic!("it was not released"),
            begun = wait => begun.expect("it begins"),
        }
        async move {
            release.notify_one();
            write.await
        }
    }

    async fn note(&self, text: &str) -> Result<(), Failed> {
        self.db.write(async |tx| note(tx, text).await).await
    }

    async fn refused(&self, text: &str) -> Result<(), Failed> {
        self.db
            .write(async |tx| {
                note(tx, text).await?;
                Err(Failed::Refused)
            })
            .await
    }

    /// What a reader sees.
    async fn notes(&self) -> Vec<String> {
        self.db.read(ALL).scalars().await.expect("valid SQL")
    }
}

async fn note(tx: &mut Write, text: &str) -> Result<(), Failed> {
    Ok(tx.run(INSERT).bind(text).execute().await.map(drop)?)
}

#[tokio::test]
async fn writes_that_wait_share_one_commit() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let texts = (0..20).map(|number| format!("note {number:02}")).collect::<Vec<_>>();
    let others = join_all(texts.iter().map(|text| shop.note(text)));
    let (first, others) = tokio::join!(biased; async { tokio::task::yield_now().await; held.await }, others);
    first.and_then(|()| others.into_iter().collect::<Result<(), _>>()).expect("nothing is in its way");
    assert_eq!(shop.notes().await.len(), 21);
    assert_eq!(shop.commits(), 1);
}

#[tokio::test]
async fn a_lone_write_is_committed_alone_and_at_once() {
    let shop = Fixture::new().await;
    for number in 1..=3 {
        shop.note(&number.to_string()).await.expect("nothing is in its way");
        assert_eq!((shop.commits(), shop.notes().await.len()), (number, number));
    }
}

#[tokio::test]
async fn a_commit_takes_a_bounded_number_of_writes() {
    let shop = Fixture::new().await;
    let writes = usize::try_from(super::MOST_WRITES).expect("a small number") * 2;
    let texts = (0..writes).map(|number| number.to_string()).collect::<Vec<_>>();
    for written in join_all(texts.iter().map(|text| shop.note(text))).await {
        written.expect("nothing is in its way");
    }
    assert!(shop.commits() >= 2, "{} commits", shop.commits());
    assert_eq!(shop.notes().await.len(), writes);
}

#[tokio::test]
async fn a_write_that_fails_takes_back_its_own_rows_only() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let (first, before, refused, violating, after) = tokio::join!(
        biased;
        async { tokio::task::yield_now().await; held.await },
        shop.note("before"),
        shop.refused("refused"),
        shop.note("before"),
        shop.note("after"),
    );
    assert!(matches!((first, before, after), (Ok(()), Ok(()), Ok(()))));
    assert!(matches!(refused, Err(Failed::Refused)));
    assert!(matches!(violating, Err(Failed::Database(error)) if error.is_unique_violation()));
    assert_eq!(shop.notes().await, ["after", "before", "first"]);
    assert!(shop.commits() <= 2, "{} commits", shop.commits());
}

#[tokio::test]
async fn a_first_write_that_fails_leaves_nothing_and_the_next_succeeds() {
    let shop = Fixture::new().await;
    assert!(matches!(shop.refused("a").await, Err(Failed::Refused)));
    assert_eq!(shop.notes().await, [""; 0]);
    let (refused, kept) = tokio::join!(shop.refused("a"), shop.note("b"));
    assert!(matches!((refused, kept), (Err(Failed::Refused), Ok(()))));
    assert_eq!(shop.notes().await, ["b"]);
}

#[tokio::test]
async fn nothing_is_seen_or_answered_before_the_commit() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let slow = Notify::new();
    let mut second = Box::pin(shop.note("second"));
    let mut refused = Box::pin(shop.refused("refused"));
    let (begun, wait) = oneshot::channel();
    let mut third = Box::pin(shop.db.write(async |tx| -> Result<(), Failed> {
        // It sees what those before it have written, as if they had been committed.
        assert_eq!(tx.run(COUNT).scalar::<i64>().await?, 2);
        begun.send(()).expect("somebody waits");
        slow.notified().await;
        Ok(())
    }));
    assert!(poll!(&mut second).is_pending());
    assert!(poll!(&mut refused).is_pending());
    assert!(poll!(&mut third).is_pending());
    let mut first = Box::pin(held);
    tokio::select! {
        biased;
        _ = &mut third => panic!("it waits"),
        begun = wait => begun.expect("its turn comes"),
        _ = &mut first => panic!("it was answered before the commit"),
        _ = &mut second => panic!("it was answered before the commit"),
        _ = &mut refused => panic!("it was answered before the commit"),
    }
    assert_eq!((shop.commits(), shop.notes().await.len()), (0, 0));
    slow.notify_one();
    let (third, first, second, refused) = tokio::join!(third, first, second, refused);
    for kept in [third, first, second] {
        kept.expect("nothing is in its way");
    }
    assert!(matches!(refused, Err(Failed::Refused)));
    assert_eq!((shop.commits(), shop.notes().await), (1, vec![String::from("first"), String::from("second")]));
}

#[tokio::test]
async fn a_commit_that_fails_fails_for_all() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let dangling = shop.db.write(async |tx| -> Result<(), Failed> {
        Ok(tx.run(INSERT_OWNED).bind("no such note").execute().await.map(drop)?)
    });
    let (first, second, dangling, refused) = tokio::join!(
        biased;
        async { tokio::task::yield_now().await; held.await },
        shop.note("second"),
        dangling,
        shop.refused("refused"),
    );
    for failed in [first, second, dangling, refused] {
        assert!(matches!(failed, Err(Failed::Database(error)) if error.is_foreign_key_violation()));
    }
    assert_eq!(shop.notes().await, [""; 0]);
    shop.note("later").await.expect("nothing is in its way");
    assert_eq!(shop.notes().await, ["later"]);
}

#[tokio::test]
async fn a_transaction_that_sqlite_has_ended_fails_for_all() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let ending = shop.db.write(async |tx| -> Result<(), Failed> { Ok(tx.run(END).execute().await.map(drop)?) });
    let (first, second, ending, fourth) = tokio::join!(
        biased;
        async { tokio::task::yield_now().await; held.await },
        shop.note("second"),
        ending,
        shop.note("fourth"),
    );
    for failed in [first, second, ending, fourth] {
        assert!(matches!(failed, Err(Failed::Database(_))));
    }
    assert_eq!(shop.notes().await, [""; 0]);
    shop.note("later").await.expect("nothing is in its way");
    assert_eq!(shop.notes().await, ["later"]);
}

#[tokio::test]
async fn a_write_that_is_dropped_halfway_is_undone_alone() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let mut second = Box::pin(shop.note("second"));
    let (begun, wait) = oneshot::channel();
    let mut dropped = Box::pin(shop.db.write(async |tx| -> Result<(), Failed> {
        note(tx, "dropped").await?;
        begun.send(()).expect("somebody waits");
        std::future::pending().await
    }));
    let mut fourth = Box::pin(shop.note("fourth"));
    assert!(poll!(&mut second).is_pending());
    assert!(poll!(&mut dropped).is_pending());
    assert!(poll!(&mut fourth).is_pending());
    let mut first = Box::pin(held);
    tokio::select! {
        _ = &mut dropped => panic!("it has no end"),
        begun = wait => begun.expect("its turn comes"),
        _ = &mut first => panic!("it was answered before the commit"),
        _ = &mut second => panic!("it was answered before the commit"),
    }
    drop(dropped);
    let (first, second, fourth) = tokio::join!(first, second, fourth);
    [first, second, fourth].into_iter().collect::<Result<(), _>>().expect("nothing is in its way");
    assert_eq!(shop.notes().await, ["first", "fourth", "second"]);
}

/// Wherever a write is dropped, whoever comes after it is served, and what it wrote is there as a whole or not at all.
#[tokio::test]
async fn a_write_may_be_dropped_at_any_moment() {
    for polls in 0..40 {
        let shop = Fixture::new().await;
        let held = shop.hold().await;
        let (text, second) = (format!("dropped {polls}"), format!("dropped {polls} too"));
        let mut dropped = Box::pin(shop.db.write(async |tx| -> Result<(), Failed> {
            note(tx, &text).await?;
            note(tx, &second).await
        }));
        let after = format!("after {polls}");
        let mut next = Box::pin(shop.note(&after));
        assert!(poll!(&mut dropped).is_pending());
        assert!(poll!(&mut next).is_pending());
        let mut first = Box::pin(held);
        assert!(poll!(&mut first).is_pending());
        for _ in 0..polls {
            if poll!(&mut dropped).is_ready() {
                break;
            }
            let _ = poll!(&mut first);
            tokio::task::yield_now().await;
            std::thread::sleep(std::time::Duration::from_micros(20));
        }
        drop(dropped);
        drop(first);
        next.await.expect("nothing is in its way");
        let notes = shop.notes().await;
        let is_there = |text: &String| notes.contains(text);
        assert!(is_there(&after), "after {polls} polls");
        assert_eq!(is_there(&text), is_there(&second), "after {polls} polls");
    }
}

#[tokio::test]
async fn whoever_leaves_the_line_last_leaves_nothing_uncommitted() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let mut leaving = Box::pin(shop.note("leaving"));
    assert!(poll!(&mut leaving).is_pending());
    let mut first = Box::pin(held);
    // The first has handed on, or is about to; then nobody is there any more who would take the turn.
    assert!(poll!(&mut first).is_pending());
    drop(leaving);
    first.await.expect("it is committed all the same");
    assert!(shop.notes().await.contains(&String::from("first")));
}

#[tokio::test]
async fn a_write_that_panics_is_undone_alone() {
    let shop = Fixture::new().await;
    let held = shop.hold().await;
    let panicking = AssertUnwindSafe(shop.db.write(async |tx| -> Result<(), Failed> {
        note(tx, "panicking").await?;
        panic!("on purpose")
    }));
    let (first, second, panicked, fourth) = tokio::join!(
        biased;
        async { tokio::task::yield_now().await; held.await },
        shop.note("second"),
        panicking.catch_unwind(),
        shop.note("fourth"),
    );
    for kept in [first, second, fourth] {
        kept.expect("nothing is in its way");
    }
    assert!(panicked.is_err());
    assert_eq!(shop.notes().await, ["first", "fourth", "second"]);
}

#[tokio::test]
async fn the_runner_is_woken_by_the_commit_even_of_a_write_that_nobody_waits_for() {
    let shop = Fixture::new().await;
    let (runner, mut notifiers) = (Arc::new(Notifier::default()), Notifiers::default());
    notifiers.add(&runner);
    let mut subscription = runner.subscribe();
    let held = shop.hold().await;
    let mut waking = Box::pin(shop.db.write_for(notifiers, async |tx| note(tx, "waking").await));
    let (begun, wait) = oneshot::channel();
    let go = Notify::new();
    let mut last = Box::pin(shop.db.write(async |_| -> Result<(), Failed> {
        begun.send(()).expect("somebody waits");
        go.notified().await;
        Ok(())
    }));
    assert!(poll!(&mut waking).is_pending());
    assert!(poll!(&mut last).is_pending());
    let mut first = Box::pin(held);
    tokio::select! {
        _ = &mut first => panic!("it was answered before the commit"),
        _ = &mut waking => panic!("it was answered before the commit"),
        _ = &mut last => panic!("it waits"),
        begun = wait => begun.expect("its turn comes"),
    }
    drop(waking);
    assert!(subscription.notified().now_or_never().is_none(), "before the commit");
    go.notify_one();
    let (first, last) = tokio::join!(first, last);
    first.and(last).expect("nothing is in its way");
    subscription.notified().await;
    assert_eq!(shop.notes().await, ["first", "waking"]);
}

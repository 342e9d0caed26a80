//! What is not copied, and what is not copied into.

use stoa_core::db::Backend;
use stoa_core::db::copy::{CopyError, copy_database};
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, both_databases};

use super::{copy, migrated, sets};

const INSERT: Sql = sql!("INSERT INTO kinds_values (label) VALUES ('mine')");
const LABELS: Sql = sql!("SELECT label FROM kinds_values");
const STRANGERS: Sql = sql!("CREATE TABLE strangers (id BIGINT)");
const MEET: Sql = sql!("INSERT INTO strangers (id) VALUES (1)");
const FINGERPRINT: Sql = sql!("INSERT INTO installation (name, value) VALUES ('key_fingerprint', $1)");
const FACTS: Sql = sql!("SELECT value FROM installation");
const REMOVE: Sql = sql!("DELETE FROM _migrations_kinds");

async fn tables(db: &Db) -> Vec<String> {
    let counts = db.snapshot().await.expect("it is read").counts().await.expect("it is read");
    counts.into_iter().map(|(table, _)| table).collect()
}

async fn run(db: &Db, statement: Sql) {
    db.write(async |tx| tx.run(statement).execute().await).await.expect("the statement runs");
}

async fn note_key(db: &Db, fingerprint: &str) {
    db.write(async |tx| tx.run(FINGERPRINT).bind(fingerprint).execute().await).await.expect("it is noted");
}

/// A migrated source and an empty target, with the databases, which last as long as this does.
struct Pair {
    source: Db,
    target: Db,
    _databases: [TestDatabase; 2],
}

/// A migrated source, and an empty target of this kind.
async fn pair(backend: Backend) -> Pair {
    let databases = [TestDatabase::empty(Backend::Sqlite).await, TestDatabase::empty(backend).await];
    let (source, target) = (migrated(&databases[0]).await, databases[1].open(Clock::system()).await);
    Pair { source, target, _databases: databases }
}

both_databases!(a_target_with_rows_is_refused_and_left_alone);
async fn a_target_with_rows_is_refused_and_left_alone(backend: Backend) {
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    target.migrate(&sets()).await.expect("it migrates");
    run(target, INSERT).await;
    let refused = copy(source, target).await.expect_err("there is a row");
    assert!(matches!(&refused, CopyError::NotEmpty(tables) if *tables == ["kinds_values"]), "{refused:?}");
    assert_eq!(target.read(LABELS).scalars::<String>().await.expect("it is read"), ["mine"]);
}

both_databases!(a_target_that_was_only_migrated_is_empty);
async fn a_target_that_was_only_migrated_is_empty(backend: Backend) {
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    target.migrate(&sets()).await.expect("it migrates");
    note_key(source, "the shop's").await;
    note_key(target, "made while migrating").await;
    copy(source, target).await.expect("it is copied");
    assert_eq!(target.read(FACTS).scalars::<String>().await.expect("it is read"), ["the shop's"]);
}

both_databases!(other_peoples_tables_are_not_mixed_with_the_shops);
async fn other_peoples_tables_are_not_mixed_with_the_shops(backend: Backend) {
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    run(target, STRANGERS).await;
    let refused = copy(source, target).await.expect_err("the database is somebody's");
    assert!(matches!(&refused, CopyError::ForeignTarget(tables) if *tables == ["strangers"]), "{refused:?}");
    assert_eq!(tables(target).await, ["strangers"], "nothing was added");
}

both_databases!(tables_of_no_migration_are_left_out_and_told);
async fn tables_of_no_migration_are_left_out_and_told(backend: Backend) {
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    run(source, STRANGERS).await;
    run(source, MEET).await;
    let report = copy(source, target).await.expect("the shop is copied");
    assert_eq!(report.left_out, ["strangers"]);
    assert!(!tables(target).await.contains(&String::from("strangers")));
}

both_databases!(tables_of_a_module_that_is_not_linked_are_not_left_behind);
async fn tables_of_a_module_that_is_not_linked_are_not_left_behind(backend: Backend) {
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    let core_only = &sets()[..1];
    let refused = copy_database(source, target, core_only, &[], &mut |_| {}).await.expect_err("rows would be lost");
    assert!(matches!(&refused, CopyError::UnknownModules(modules) if *modules == ["kinds"]), "{refused:?}");
}

both_databases!(tables_of_a_module_that_is_switched_off_are_copied);
async fn tables_of_a_module_that_is_switched_off_are_copied(backend: Backend) {
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    run(source, INSERT).await;
    let sets = sets();
    let copied = copy_database(source, target, &sets[..1], &sets[1..], &mut |_| {}).await;
    copied.expect("it is copied");
    assert_eq!(target.read(LABELS).scalars::<String>().await.expect("it is read"), ["mine"]);
}

both_databases!(a_module_that_never_was_on_brings_no_tables);
async fn a_module_that_never_was_on_brings_no_tables(backend: Backend) {
    let databases = [TestDatabase::new(Backend::Sqlite).await, TestDatabase::empty(backend).await];
    let (source, target) = (databases[0].open(Clock::system()).await, databases[1].open(Clock::system()).await);
    let sets = sets();
    let copied = copy_database(&source, &target, &sets[..1], &sets[1..], &mut |_| {}).await;
    copied.expect("it is copied");
    assert!(!tables(&target).await.contains(&String::from("kinds_values")));
}

both_databases!(outdated_tables_of_a_module_that_is_switched_off_are_refused);
async fn outdated_tables_of_a_module_that_is_switched_off_are_refused(backend: Backend) {
    const INVENT: Sql = sql!(
        "INSERT INTO _migrations_kinds (version, description, success, checksum, execution_time)
         VALUES (9999, 'from the future', TRUE, $1, 0)"
    );
    let pair = pair(backend).await;
    let (source, target) = (&pair.source, &pair.target);
    run(source, REMOVE).await;
    source.write(async |tx| tx.run(INVENT).bind(vec![1_u8; 48]).execute().await).await.expect("a row is invented");
    let sets = sets();
    let refused = copy_database(source, target, &sets[..1], &sets[1..], &mut |_| {}).await;
    let refused = refused.expect_err("the tables are not those that the program knows");
    assert!(matches!(refused, CopyError::OutdatedModule("kinds")), "{refused:?}");
}

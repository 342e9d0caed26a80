//! Migrations: both databases come out the same, twice is once, and a foreign database is refused.

use std::collections::BTreeSet;
use std::path::Path;

use stoa as _; // this line links the modules of the stock program
use stoa_core::db::{Backend, MigrationState, MigrationStatus};
use stoa_core::module::Linked;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, both_databases, run_test};

use crate::module_host::notes_migrations;

const COLUMNS: Sql = sql!(
    sqlite: "SELECT t.name AS \"table\", c.name AS name,
                    CAST(c.\"notnull\" = 0 AND c.pk = 0 AS INTEGER) AS nullable
             FROM sqlite_master t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'",
    postgres: "SELECT table_name::text AS \"table\", column_name::text AS name,
                      CASE WHEN is_nullable = 'YES' THEN 1 ELSE 0 END::bigint AS nullable
               FROM information_schema.columns
               WHERE table_schema = current_schema() AND table_name IN (SELECT tablename FROM pg_tables)",
);
const APPLIED: Sql = sql!("SELECT COUNT(*) FROM _migrations_core");
const INVENT: Sql = sql!(
    "INSERT INTO _migrations_core (version, description, success, checksum, execution_time)
     VALUES (9999, 'from the future', TRUE, $1, 0)"
);
const CHANGE: Sql = sql!("UPDATE _migrations_core SET checksum = $1 WHERE version = 1");

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::FromRow)]
struct Column {
    table: String,
    name: String,
    nullable: i64,
}

/// The migrations of core and of all modules that this test links.
fn migrations() -> Vec<MigrationSet> {
    let program = TestShop::builder(Backend::Sqlite).all_modules().enabled(&Linked::collect().names()).freeze();
    program.unwrap_or_else(|problems| panic!("{problems}")).registry.migrations
}

async fn columns(db: &Db) -> BTreeSet<Column> {
    db.read(COLUMNS).all::<Column>().await.expect("the schema can be read").into_iter().collect()
}

async fn status(db: &Db) -> Vec<MigrationStatus> {
    db.migration_status(&migrations()).await.expect("the bookkeeping can be read")
}

/// All migration files of one database, as `set/file`.
fn files(database: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = ["modules", "examples"].map(|folder| root.join(folder)).into_iter().flat_map(|folder| {
        std::fs::read_dir(folder).expect("the folder is there").map(|found| found.expect("it can be read").path())
    });
    let sets = crates.chain([root.join("core/shop")]).map(|folder| (folder.join("migrations").join(database), folder));
    let files = sets.filter(|(set, _)| set.is_dir()).flat_map(|(set, folder)| {
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let files = std::fs::read_dir(set).expect("a set is a folder");
        files.map(move |file| format!("{name}/{}", file.expect("it can be read").file_name().to_string_lossy()))
    });
    files.collect()
}

#[test]
fn both_databases_have_the_same_migration_files() {
    assert!(files("sqlite").len() > 8);
    assert_eq!(files("sqlite"), files("postgres"));
}

#[test]
fn a_migration_for_one_database_only_is_refused() {
    struct Unpaired;
    impl Module for Unpaired {
        const NAME: &'static str = "unpaired";
        type Config = ();
        fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
            cx.migrations(migrations!(
                sqlite: "tests/migrations/unpaired/sqlite",
                postgres: "tests/migrations/unpaired/postgres",
            ));
            Ok(())
        }
    }
    let refused = TestShop::builder(Backend::Sqlite).module::<Unpaired>().freeze().err().expect("it is refused");
    assert_eq!(
        refused.registration,
        [
            "migrations of `unpaired`: 0003_index is missing for SQLite",
            "migrations of `unpaired`: 0002_index is missing for PostgreSQL",
        ]
    );
}

#[test]
fn tables_columns_and_nullability_are_the_same_on_both() {
    run_test(Backend::Postgres, |_| async {
        let (sqlite, postgres) = (migrated(Backend::Sqlite).await, migrated(Backend::Postgres).await);
        assert!(sqlite.iter().any(|column| column.name == "price_amount" && column.nullable == 0));
        let only_sqlite = sqlite.difference(&postgres).collect::<Vec<_>>();
        let only_postgres = postgres.difference(&sqlite).collect::<Vec<_>>();
        assert!(
            only_sqlite.is_empty() && only_postgres.is_empty(),
            "only on SQLite: {only_sqlite:#?}\nonly on PostgreSQL: {only_postgres:#?}"
        );
    });
}

/// The schema of a database with all migrations.
async fn migrated(backend: Backend) -> BTreeSet<Column> {
    let database = TestDatabase::empty(backend).await;
    let db = database.open(Clock::system()).await;
    db.migrate(&migrations()).await.expect("migrations apply");
    columns(&db).await
}

both_databases!(migrating_twice_changes_nothing_more);
async fn migrating_twice_changes_nothing_more(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let db = database.open(Clock::system()).await;
    db.migrate(&migrations()).await.expect("the first time");
    let (before, count) = (columns(&db).await, db.read(APPLIED).scalar::<i64>().await.expect("a count"));
    db.migrate(&migrations()).await.expect("the second time");
    assert_eq!(columns(&db).await, before);
    assert_eq!(db.read(APPLIED).scalar::<i64>().await.expect("a count"), count);
}

both_databases!(two_programs_that_migrate_at_once_both_succeed);
async fn two_programs_that_migrate_at_once_both_succeed(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let (one, other) = (database.open(Clock::system()).await, database.open(Clock::system()).await);
    let sets = migrations();
    let (first, second) = tokio::join!(one.migrate(&sets), other.migrate(&sets));
    first.expect("one succeeds");
    second.expect("so does the other");
    assert!(status(&one).await.iter().all(|migration| migration.state == MigrationState::Applied));
}

both_databases!(a_database_with_a_newer_migration_is_refused);
async fn a_database_with_a_newer_migration_is_refused(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    db.write(async |tx| tx.run(INVENT).bind(vec![1_u8; 48]).execute().await).await.expect("a row is invented");
    db.migrate(&migrations()).await.expect_err("it is newer than the program");
    let newer = status(&db).await.into_iter().find(|migration| migration.version == 9999).expect("it is listed");
    assert_eq!((newer.set, newer.state), ("core", MigrationState::Unknown));
}

both_databases!(a_database_whose_migration_was_changed_is_refused);
async fn a_database_whose_migration_was_changed_is_refused(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    db.write(async |tx| tx.run(CHANGE).bind(vec![1_u8; 48]).execute().await).await.expect("a checksum is changed");
    db.migrate(&migrations()).await.expect_err("the file is another one");
    let states = status(&db).await.into_iter().map(|migration| (migration.version, migration.state));
    let changed = states.filter(|(_, state)| *state == MigrationState::Changed).collect::<Vec<_>>();
    assert_eq!(changed, [(1, MigrationState::Changed)]);
}

both_databases!(a_refused_database_is_left_as_it_was);
async fn a_refused_database_is_left_as_it_was(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let db = database.open(Clock::system()).await;
    let sets = migrations();
    db.migrate(&sets[..1]).await.expect("core migrates");
    db.write(async |tx| tx.run(CHANGE).bind(vec![1_u8; 48]).execute().await).await.expect("a checksum is changed");
    let before = columns(&db).await;
    // A set that could be applied comes first; the refusal of the next one undoes it.
    db.migrate(&[notes_migrations(), sets[0].clone()]).await.expect_err("core's file is another one");
    assert_eq!(columns(&db).await, before);
}

both_databases!(the_status_tells_pending_from_applied);
async fn the_status_tells_pending_from_applied(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let db = database.open(Clock::system()).await;
    let listed = status(&db).await;
    assert_eq!((listed[0].set, listed[0].version, listed[0].description.as_str()), ("core", 1, "catalog"));
    assert!(listed.iter().all(|migration| migration.state == MigrationState::Pending));
    assert!(columns(&db).await.is_empty(), "asking changes nothing");
    db.migrate(&migrations()).await.expect("it migrates");
    assert!(status(&db).await.iter().all(|migration| migration.state == MigrationState::Applied));
}

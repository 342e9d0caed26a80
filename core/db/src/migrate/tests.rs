//! Migrations in one database after the other.

use std::borrow::Cow;

use sqlx::migrate::MigrationType;
use stoa_base::config::DatabaseUrl;

use super::*;
use crate::{DatabaseFacts, Missing, OpenOptions};

const PARENTS: &str = "CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
     CREATE TABLE children (parent INTEGER NOT NULL REFERENCES parents (id));
     INSERT INTO parents VALUES (1, 'Ada'), (2, 'Eve');
     INSERT INTO children VALUES (1), (2);";

/// A set of these files.
fn set(files: &[&'static str]) -> MigrationSet {
    let made = files.iter().zip(1..).map(|(text, version)| {
        Migration::new(version, Cow::Borrowed("made"), MigrationType::Simple, (*text).into_sql_str(), false)
    });
    let migrations = Cow::Owned(made.collect());
    let migrator: &'static Migrator = Box::leak(Box::new(Migrator { migrations, ..Migrator::DEFAULT }));
    MigrationSet::new(migrator, migrator).named("families")
}

#[test]
fn a_migration_is_translated_by_whole_words() {
    let renamed = Renamed { version: 2, old: "order_items", new: "order_lines" };
    let text = "my_order_items REFERENCES order_items (id), order_items_ids; order_items";
    assert_eq!(renamed.translate(text), "my_order_items REFERENCES order_lines (id), order_items_ids; order_lines");
}

#[tokio::test]
async fn a_module_that_comes_later_may_call_a_table_by_its_former_name() {
    const RENAME: &str = "ALTER TABLE parents RENAME TO elders;";
    const LATER: &str = "CREATE TABLE notes_notes (parent INTEGER NOT NULL REFERENCES parents (id));
         INSERT INTO notes_notes SELECT id FROM parents;";
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let db = migrated(&folder).await;
    let renaming = set(&[PARENTS, RENAME]).renames(2, &[("parents", "elders")]);
    db.migrate(std::slice::from_ref(&renaming)).await.expect("it applies");
    let notes = set(&[LATER]).named("notes");
    let both = [renaming, notes];
    db.migrate(&both).await.expect("it applies, with the name of today");
    assert_eq!(db.damage().await.expect("it answers"), [] as [String; 0]);
    let states = db.migration_status(&both).await.expect("it answers");
    assert!(states.iter().all(|status| status.state == MigrationState::Applied), "{states:?}");
}

async fn migrated(folder: &tempfile::TempDir) -> Database {
    let file = DatabaseUrl::SqliteFile(folder.path().join("shop.db"));
    let options = OpenOptions::new(file, Missing::Create, 1);
    let db = Database::open(&options).await.expect("the folder is ours");
    db.migrate(&[set(&[PARENTS])]).await.expect("it applies");
    db
}

async fn keeps_references(db: &Database) -> bool {
    let DatabaseFacts::Sqlite(facts) = db.facts().await.expect("it answers") else { panic!("it is SQLite") };
    facts.foreign_keys
}

#[tokio::test]
async fn a_table_that_others_refer_to_can_be_made_anew() {
    const ANEW: &str = "CREATE TABLE families (id INTEGER PRIMARY KEY, name TEXT);
         INSERT INTO families SELECT id, name FROM parents;
         DROP TABLE parents;
         ALTER TABLE families RENAME TO parents;";
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let db = migrated(&folder).await;
    db.migrate(&[set(&[PARENTS, ANEW])]).await.expect("it applies");
    assert_eq!(db.damage().await.expect("it answers"), [] as [String; 0]);
    assert!(keeps_references(&db).await);
}

#[tokio::test]
async fn a_migration_that_leaves_rows_without_their_parents_is_undone() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let db = migrated(&folder).await;
    let careless = set(&[PARENTS, "DELETE FROM parents WHERE id = 2;"]);
    let refused = db.migrate(std::slice::from_ref(&careless)).await.expect_err("a child is left");
    assert!(format!("{refused:?}").contains("refer to others"), "{refused:?}");
    let states = db.migration_status(&[careless]).await.expect("it answers");
    assert_eq!(
        states.iter().map(|status| status.state).collect::<Vec<_>>(),
        [MigrationState::Applied, MigrationState::Pending]
    );
    assert_eq!(db.damage().await.expect("it answers"), [] as [String; 0]);
    assert!(keeps_references(&db).await);
}

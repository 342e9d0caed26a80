//! Copying a whole database into another: every kind of value, every kind of reference, and what is refused.

mod kinds;
mod numbering;
mod references;
mod refusals;
mod shop;

use stoa_core::db::copy::{CopyError, CopyReport, copy_database};
use stoa_core::prelude::*;
use stoa_core::testing::TestDatabase;

/// A module with tables of every kind.
struct Kinds;

impl Module for Kinds {
    const NAME: &'static str = "kinds";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(
            migrations!(sqlite: "tests/migrations/kinds/sqlite", postgres: "tests/migrations/kinds/postgres"),
        );
        Ok(())
    }
}

/// The migrations of core and of the module.
fn sets() -> Vec<MigrationSet> {
    let program = stoa_core::testing::TestShop::builder(stoa_core::db::Backend::Sqlite).module::<Kinds>().freeze();
    program.unwrap_or_else(|problems| panic!("{problems}")).registry.migrations
}

/// A migrated database, open.
async fn migrated(database: &TestDatabase) -> Db {
    let db = database.open(Clock::system()).await;
    db.migrate(&sets()).await.expect("migrations apply");
    db
}

/// Copies without anybody looking on.
async fn copy(source: &Db, target: &Db) -> Result<CopyReport, CopyError> {
    copy_database(source, target, &sets(), &[], &mut |_| {}).await
}

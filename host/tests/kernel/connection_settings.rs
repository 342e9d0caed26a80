//! What connections to PostgreSQL are set to, whatever the server's own settings are.

use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, run_test};

const CONTRARY: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "DO $$ BEGIN
                   EXECUTE format('ALTER DATABASE %I SET jit = on', current_database());
                   EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Tokyo''', current_database());
               END $$",
);

const SETTINGS: Sql = sql!(
    sqlite: "SELECT ''",
    postgres: "SELECT current_setting('jit') || ' ' || current_setting('timezone')",
);

#[test]
fn no_statement_is_compiled_on_postgresql_and_times_are_those_of_utc() {
    run_test(Backend::Postgres, async |_| {
        let database = TestDatabase::empty(Backend::Postgres).await;
        let before = database.open(Clock::system()).await;
        before.write(async |tx| tx.run(CONTRARY).execute().await).await.expect("the database is ours");
        let db = database.open(Clock::system()).await;
        assert_eq!(db.read(SETTINGS).scalar::<String>().await.expect("it tells"), "off UTC");
        let inside = db.write(async |tx| tx.run(SETTINGS).scalar::<String>().await).await;
        assert_eq!(inside.expect("it commits"), "off UTC");
    });
}

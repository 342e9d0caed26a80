//! What modules read of the shop is as `docs/reference/views.md` promises it.

use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, both_databases};

const PAGE: &str = include_str!("../../../docs/reference/views.md");

const COLUMNS: Sql = sql!(
    sqlite: "SELECT v.name, c.name, c.type FROM sqlite_master v, pragma_table_info(v.name) c
             WHERE v.type = 'view' ORDER BY v.rowid, c.cid",
    postgres: "SELECT c.table_name::text, c.column_name::text, c.data_type::text
               FROM information_schema.columns c
               JOIN pg_class v ON v.relname = c.table_name AND v.relkind = 'v'
                AND v.relnamespace = current_schema()::regnamespace
               WHERE c.table_schema = current_schema() ORDER BY v.oid, c.ordinal_position",
);

/// What the page says of each view: view, column and type of this database.
fn promised(backend: Backend) -> Vec<(String, String, String)> {
    let mut view = String::new();
    let mut promised = Vec::new();
    for line in PAGE.lines() {
        if let Some(heading) = line.strip_prefix("## `") {
            heading.trim_end_matches('`').clone_into(&mut view);
        }
        let Some((column, rest)) = line.strip_prefix("| `").and_then(|row| row.split_once("` | ")) else { continue };
        let word = rest.split(" | ").next().unwrap_or_default().trim_end_matches(" or null");
        let (sqlite, postgres) = match word {
            "number" => ("INTEGER", "bigint"),
            "flag" => ("BOOLEAN", "boolean"),
            "text" => ("TEXT", "text"),
            "time" => ("TEXT", "timestamp with time zone"),
            "JSON" => ("TEXT", "jsonb"),
            other => panic!("`{other}` is no type"),
        };
        let type_name = if backend == Backend::Sqlite { sqlite } else { postgres };
        promised.push((view.clone(), column.to_owned(), type_name.to_owned()));
    }
    promised
}

both_databases!(published_views_have_the_columns_and_types_that_are_promised);
async fn published_views_have_the_columns_and_types_that_are_promised(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    let columns = db.read(COLUMNS).all::<(String, String, String)>().await.expect("they can be read");
    let promised = promised(backend);
    assert!(promised.len() > 100, "the page was read: {}", promised.len());
    let missing = promised.iter().filter(|column| !columns.contains(column)).collect::<Vec<_>>();
    assert!(missing.is_empty(), "what was promised is gone, or of another type: {missing:#?}");
    assert_eq!(columns, promised, "new columns are described too, in their order");
}

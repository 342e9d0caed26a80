//! `stoa module check` on the command line.

use stoa_core::db::Backend;

use super::place::ShopFolder;

#[tokio::test]
async fn with_postgresql_everything_is_looked_at_on_both_databases_and_nothing_is_left_there() {
    let place = ShopFolder::migrated(Backend::Postgres).await;
    let url = place.database_url();
    let told = place.run(["module", "check", "--postgres", &url, "--json"]).await.succeeded().data();
    assert_eq!(told.len(), 8, "all modules are looked at: {told:?}");
    for report in &told {
        for rule in ["columns", "reads", "statements"] {
            let rules = report["rules"].as_array().expect("rules");
            let looked = rules.iter().find(|looked| looked["rule"] == rule).expect("the rule is there");
            assert!(looked["left_out"].is_null(), "{}: {looked}", report["module"]);
        }
    }
    let schemas = place.db().await.read(SCHEMAS).scalar::<i64>().await.expect("it answers");
    assert_eq!(schemas, 0, "what was made for the check is dropped again");
}

#[tokio::test]
async fn without_postgresql_it_says_what_was_not_looked_at_and_an_address_of_none_is_refused() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let told = place.run(["module", "check", "inventory"]).await.succeeded();
    assert!(told.out.contains("not looked at: columns: no PostgreSQL database was given"), "{}", told.out);
    let unknown = place.run(["module", "check", "invntory"]).await;
    unknown.refused(2, &["`invntory`; did you mean `inventory`? It contains", "`downloads`", "`stoa new-module`"]);
    let refused = place.run(["module", "check", "--postgres", "sqlite://shop.db"]).await;
    refused.refused(2, &["--postgres", "postgres://USER@HOST/DATABASE"]);
}

const SCHEMAS: stoa_core::db::Sql = stoa_core::sql!(
    sqlite: "SELECT 0",
    postgres: "SELECT COUNT(*) FROM pg_namespace WHERE nspname LIKE 'stoa\\_check\\_%'",
);

//! Every SQL statement of every linked crate is understood by both databases.

use stoa as _; // this line links all modules of the stock program
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Sql};
use stoa_core::module::Linked;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};

/// A few statements cannot be shared, such as those about a database's own catalog. More than this
/// many, and more than this share of all, means that the dialect rules are not followed.
const MAX_DIFFERING: usize = 9;
const MAX_DIFFERING_PERCENT: usize = 3;

/// The statements, in the order in which people read them.
fn catalogue() -> Vec<Sql> {
    let mut statements = stoa_core::__private::CATALOGUE.to_vec();
    statements.sort_by_key(|sql| (sql.file, sql.line));
    statements
}

#[test]
fn the_catalogue_holds_the_statements_of_core() {
    let statements = catalogue();
    assert!(statements.len() >= 30, "only {} statements are registered", statements.len());
    assert!(statements.iter().any(|sql| sql.file.ends_with("auth/queries.rs")));
}

#[test]
fn nearly_all_statements_are_shared_by_both_databases() {
    let statements = catalogue();
    let differing = statements.iter().filter(|sql| !sql.is_shared()).collect::<Vec<_>>();
    let allowed = MAX_DIFFERING.max(statements.len() * MAX_DIFFERING_PERCENT / 100);
    let places = differing.iter().map(|sql| format!("{}:{}", sql.file, sql.line)).collect::<Vec<_>>();
    assert!(differing.len() <= allowed, "{} of {} statements differ: {places:#?}", differing.len(), statements.len());
}

both_databases!(every_statement_is_understood);
async fn every_statement_is_understood(backend: Backend) {
    let program = TestShop::builder(backend).all_modules().enabled(&Linked::collect().names()).freeze();
    let program = program.unwrap_or_else(|problems| panic!("{problems}"));
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await;
    db.migrate(&program.registry.migrations).await.expect("migrations apply");

    let mut refused = Vec::new();
    for sql in catalogue() {
        if let Err(error) = db.prepare(sql).await {
            let reason = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            refused.push(format!("{}:{}: {reason}", sql.file, sql.line));
        }
    }
    assert!(refused.is_empty(), "{} refuses:\n{}", backend.as_str(), refused.join("\n"));
}

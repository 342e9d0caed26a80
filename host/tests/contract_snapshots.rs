//! What clients and operators rely on, written down: a change of it has to be meant.
//!
//! After a change that is meant, `INSTA_UPDATE=always cargo test -p stoa --test contract_snapshots` writes the files in
//! `snapshots` anew; look at the difference before you commit it.

use serde_json::Value;
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::program::Program;
use stoa_core::testing::TestShop;

/// The stock program with every module on.
fn program() -> Program {
    let linked = TestShop::builder(Backend::Sqlite).all_modules().freeze().expect("a program without configuration");
    let modules = linked.registry.modules.iter().map(|module| module.entry.name);
    let enabled = modules.map(|name| ["[modules.", name, "]\nenabled = true\n"].concat()).collect::<String>();
    let builder = TestShop::builder(Backend::Sqlite).all_modules().config(&enabled);
    builder.freeze().unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn the_route_table_is_the_one_that_was_published() {
    let routes = program()
        .registry
        .routes
        .entries
        .iter()
        .map(|owned| {
            let route = &owned.route;
            format!("{:6} {} {:?} {} {}", route.method, route.full_path(), route.access, route.name, owned.owner)
        })
        .collect::<Vec<_>>();
    insta::assert_snapshot!(routes.join("\n"));
}

#[test]
fn the_document_is_the_one_that_was_published() {
    let mut document = program().document("https://shop.example.com");
    document["info"]["version"] = Value::from("[version]");
    insta::assert_json_snapshot!(document);
}

//! What clients and operators rely on, written down: a change of it has to be meant.
//!
//! After a change that is meant, `INSTA_UPDATE=always cargo test -p stoa-commerce --test contract_snapshots` writes the files in
//! `snapshots` anew; look at the difference before you commit it.

use serde_json::Value;
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::module::Linked;
use stoa_core::program::Program;
use stoa_core::testing::TestShop;

/// With it there are the routes for withdrawals.
const EU: &str = "[shop]\nconsumer_rights = \"eu\"\n";

/// The stock program with every module on.
fn program() -> Program {
    let builder = TestShop::builder(Backend::Sqlite).all_modules().enabled(&Linked::collect().names()).config(EU);
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

#[test]
fn no_schema_has_a_name_that_generators_of_clients_need_or_languages_have() {
    let document = program().document("https://shop.example.com");
    let schemas = document["components"]["schemas"].as_object().expect("there are schemas");
    let operations = document["paths"].as_object().into_iter().flatten();
    let operations = operations.flat_map(|(_, path)| path.as_object().into_iter().flatten());
    let ids = operations.filter_map(|(_, operation)| operation["operationId"].as_str()).collect::<Vec<_>>();
    assert!(ids.contains(&"checkout_requirements"), "{ids:?}");
    for id in ids {
        let words = id.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..]));
        let id = words.collect::<String>();
        for part in ["Data", "Error", "Errors", "Response", "Responses"] {
            assert!(!schemas.contains_key(&format!("{id}{part}")), "{id}{part}");
        }
    }
    for taken in
        ["Error", "Object", "Array", "String", "Number", "Boolean", "Date", "Map", "Promise", "Request", "Response"]
    {
        assert!(!schemas.contains_key(taken), "{taken}");
    }
}

/// The commands below this one, itself included, that do not take `--json`.
fn without_json(command: &clap::Command, path: &str, found: &mut Vec<String>) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        without_json(below, &format!("{path} {}", below.get_name()), found);
    }
    let takes_json = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
    if !takes_json && !command.has_subcommands() {
        found.push(path.to_owned());
    }
}

#[test]
fn whatever_a_modules_command_reads_or_changes_it_prints_as_json_too() {
    let mut found = Vec::new();
    for command in program().registry.commands.iter() {
        let mut described = command.describe();
        described.build();
        without_json(&described, command.name, &mut found);
    }
    // What is no object: files.
    assert_eq!(found, ["event-tickets pdf", "storefront theme"]);
}

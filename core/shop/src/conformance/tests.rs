//! Reading migrations and schemas.

use std::path::Path;

use super::both_databases::compare;
use super::reads::OfCore;
use super::report::Report;
use super::sample_rows::value;
use super::schema::{Column, Table, look_at_text};
use super::statements::{tables_after, touched};
use super::writes::is_of;

const TEXT: &str = "-- CREATE TABLE not_this (x);
    CREATE TABLE IF NOT EXISTS tea_leaves(id INTEGER, -- an INSERT INTO comment
        kind TEXT);
    CREATE UNIQUE INDEX tea_kind ON tea_leaves (kind);
    INSERT INTO tea_leaves (kind) SELECT name FROM products ON CONFLICT DO UPDATE SET kind = 'x';
    ALTER TABLE \"tea_leaves\" RENAME TO tea_kinds;
    UPDATE orders SET note = NULL;
    CREATE TABLE tea_gone (id INTEGER);
    DROP TABLE tea_gone;
    SELECT 1;";

#[test]
fn what_a_migration_touches_is_read_from_its_statements() {
    let touched = touched(TEXT).into_iter().map(|touched| format!("{} {}", touched.what.join(" "), touched.name));
    assert_eq!(
        touched.collect::<Vec<_>>(),
        [
            "CREATE TABLE tea_leaves",
            "CREATE UNIQUE INDEX tea_kind",
            "INSERT INTO tea_leaves",
            "ALTER TABLE tea_leaves",
            "UPDATE orders",
            "CREATE TABLE tea_gone",
            "DROP TABLE tea_gone",
        ]
    );
}

#[test]
fn a_migration_leaves_tables_of_others_alone_but_may_tell_what_was_used() {
    let breaches = |text: &str| {
        let mut report = Report::of("tea");
        look_at_text("tea", "migration 0001", text, &mut report);
        report.breaches.into_iter().map(|breach| breach.problem).collect::<Vec<_>>()
    };
    assert_eq!(breaches("INSERT INTO unit_uses (unit) SELECT 1 FROM tea_cups; DELETE FROM tea_cups"), [""; 0]);
    assert_eq!(breaches("DELETE FROM unit_uses"), ["it has `DELETE FROM unit_uses`"]);
    assert_eq!(breaches("INSERT INTO orders (id) VALUES (1)"), ["it has `INSERT INTO orders`"]);
}

#[test]
fn tables_are_followed_through_renaming_and_dropping() {
    assert_eq!(tables_after([TEXT].into_iter()).into_iter().collect::<Vec<_>>(), ["tea_kinds"]);
}

#[test]
fn a_state_is_one_of_those_that_are_allowed() {
    let sql = "CREATE TABLE tea_cups (state TEXT NOT NULL CHECK (state\n   IN ('full', 'empty')), size INTEGER)";
    assert_eq!(value(sql, "state", "TEXT", "1"), "'full'");
    assert_eq!(value(sql, "size", "INTEGER", "{}"), "1");
    assert_eq!(value(sql, "name", "TEXT", "{}"), "'{}'");
    assert_eq!(value(sql, "filled_at", "TEXT", "1"), "'2026-01-15T12:00:00+00:00'");
}

#[test]
fn a_file_belongs_to_the_crate_that_it_lies_in() {
    let is_of = |file: &str| is_of(Path::new("/home/ada/shop/modules/tea"), Path::new(file));
    assert!(is_of("modules/tea/src/queries.rs") && is_of("modules/tea/src/cups/queries.rs"));
    assert!(is_of("/home/ada/shop/modules/tea/src/queries.rs"));
    // A crate that is compiled alone is its own workspace.
    assert!(is_of("src/queries.rs"));
    assert!(!is_of("modules/green-tea/src/queries.rs") && !is_of("core/src/db/queries.rs"));
    assert!(!is_of("/home/eve/shop/modules/tea/src/queries.rs"));
}

#[test]
fn who_reads_a_table_of_cores_is_told_which_view_has_its_rows() {
    let core = OfCore::of(&crate::program::core_migrations());
    assert!(core.tables.contains("orders") && !core.tables.contains("shop_orders"), "{:?}", core.tables);
    assert_eq!(core.mend("orders"), "read `shop_orders`, which is published");
    assert_eq!(core.mend("users"), "read `shop_customers`, which is published");
    assert!(core.mend("mail_messages").contains("`shop_orders`"), "{}", core.mend("mail_messages"));
}

#[test]
fn columns_and_their_types_are_compared() {
    let column = |name: &str, kind: &str| Column { name: name.to_owned(), kind: kind.to_owned(), required: 0 };
    let columns = vec![
        column("id", "INTEGER"),
        column("filled_at", "TEXT"),
        column("is_full", "INTEGER"),
        column("kind", "VARCHAR"),
        column("label", "TEXT"),
        column("size", "INTEGER"),
        column("only_here", "TEXT"),
    ];
    let cups = Table { name: String::from("tea_cups"), sql: String::new(), columns, parents: Vec::new(), is_own: true };
    let postgres = [
        ("id", "bigint"),
        ("filled_at", "timestamp with time zone"),
        ("is_full", "boolean"),
        ("kind", "text COLLATE \"C\""),
        ("label", "text"),
        ("size", "integer"),
        ("only_there", "text"),
    ];
    let postgres = postgres.map(|(name, type_name)| (name.to_owned(), type_name.to_owned()));
    let mut report = Report::of("tea");
    compare(&cups, &postgres, &mut report);
    let found = report.breaches.iter().map(|breach| format!("{} {}", breach.place, breach.problem));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            "column `tea_cups.is_full` it is INTEGER on sqlite and boolean on postgres",
            "column `tea_cups.kind` it is VARCHAR on sqlite and text COLLATE \"C\" on postgres",
            "column `tea_cups.label` it is TEXT on sqlite and text on postgres",
            "column `tea_cups.size` it is INTEGER on sqlite and integer on postgres",
            "column `tea_cups.only_here` only sqlite has it",
            "column `tea_cups.only_there` only postgres has it",
        ]
    );
}

//! Rules of this project that a program can check.

use std::fs;
use std::path::{Path, PathBuf};

/// What everything else stands on. It knows no feature.
const KERNEL: [&str; 9] = ["auth", "commands", "db", "events", "gateways", "http", "jobs", "module", "templates"];

/// What the shop can do; features register themselves through the kernel's tables.
const FEATURES: [&str; 27] = [
    "account",
    "addresses",
    "cart",
    "catalog",
    "checkout",
    "conformance",
    "credit_notes",
    "customers",
    "discounts",
    "entitlements",
    "idempotency",
    "invoices",
    "links",
    "mail",
    "order_mails",
    "orders",
    "payments",
    "pricing",
    "refunds",
    "retention",
    "sessions",
    "shop_currency",
    "site",
    "support_tickets",
    "tokens",
    "verification",
    "webhooks",
];

/// What both use, besides single files.
const FOUNDATION: [&str; 7] = ["config", "encryption", "i18n", "metrics", "money", "pdf", "testing"];

/// Most lines of a file with one subject.
const MAX_LINES: usize = 400;

/// What only the database facade may name.
const DRIVERS: [&str; 10] = [
    "sqlx::sqlite",
    "sqlx::postgres",
    "sqlx::Sqlite",
    "sqlx::Postgres",
    "SqlitePool",
    "PgPool",
    "PgRow",
    "SqliteRow",
    "SqliteConnection",
    "PgConnection",
];

/// How statements begin.
const VERBS: [&str; 8] =
    ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE FROM ", "\"WITH ", "\"CREATE ", "\"DROP ", "\"ALTER "];

/// Files outside `core/src/db` that name a database's driver, and why.
const NAMING_DRIVERS: [(&str, &str); 2] = [
    ("core/src/testing/postgres.rs", "creates and drops whole databases, which no statement of the shop does"),
    ("host/tests/kernel/database.rs", "shows what happens without the facade"),
];

/// Files outside `queries.rs` that hold statements, and why.
const HOLDING_STATEMENTS: [(&str, &str); 2] = [
    ("core/src/catalog/export.rs", "its statements stand beside the rows they fill"),
    ("host/src/cli/doctor/database.rs", "tells operators what to run on their server"),
];

/// A text file of the project.
struct Source {
    /// The path from the top of the project, with slashes.
    path: String,
    text: String,
}

impl Source {
    fn is_rust(&self) -> bool {
        std::path::Path::new(&self.path).extension().is_some_and(|extension| extension == "rs")
    }

    /// Whether it is part of a library or program, rather than of its tests and benchmarks.
    fn is_program(&self) -> bool {
        self.is_rust() && self.path.split('/').any(|folder| folder == "src")
    }

    fn is_excused(&self, list: &[(&str, &str)]) -> bool {
        list.iter().any(|(path, _)| *path == self.path)
    }

    /// The lines that hold one of these texts, as `path:line: text`.
    fn lines_with(&self, texts: &[&str]) -> Vec<String> {
        let numbered = self.text.lines().enumerate();
        let holding = numbered.filter(|(_, line)| texts.iter().any(|text| line.contains(text)));
        holding.map(|(number, line)| format!("{}:{}: {}", self.path, number + 1, line.trim())).collect()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All text files of the project, sorted by path.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root(), "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.iter().any(|source| source.path == "host/tests/tidy.rs"), "this very file is among them");
    found
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of the project can be read") {
        let entry = entry.expect("it can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type().expect("it has a type").is_dir() {
            let is_foreign = matches!(name.as_str(), "target" | "data" | ".git" | "swagger-ui");
            if !is_foreign {
                collect(&entry.path(), &format!("{path}/"), found);
            }
        } else if has_text(&name) {
            let text = fs::read_to_string(entry.path()).unwrap_or_else(|error| panic!("{path}: {error}"));
            found.push(Source { path, text });
        }
    }
}

fn has_text(name: &str) -> bool {
    let kinds = ["rs", "toml", "md", "sql", "sh", "yml", "html", "js", "css", "service"];
    let kind = Path::new(name).extension().and_then(|kind| kind.to_str());
    matches!(name, "run" | "Dockerfile") || kind.is_some_and(|kind| kinds.contains(&kind))
}

#[track_caller]
fn assert_none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn the_kernel_knows_no_feature() {
    let in_kernel = |path: &str| KERNEL.iter().any(|folder| path.starts_with(&format!("core/src/{folder}/")));
    let features = FEATURES.map(|feature| format!("crate::{feature}"));
    let features = features.iter().map(String::as_str).collect::<Vec<_>>();
    let kernel = sources().into_iter().filter(|source| in_kernel(&source.path)).collect::<Vec<_>>();
    assert!(kernel.len() > 20);
    let found = kernel.iter().flat_map(|source| source.lines_with(&features)).collect::<Vec<_>>();
    assert_none(&found, "the kernel must not name features");
}

#[test]
fn every_folder_of_core_is_kernel_feature_or_foundation() {
    let folders =
        fs::read_dir(root().join("core/src")).expect("it can be read").map(|entry| entry.expect("it can be read"));
    let folders = folders.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let known = [&KERNEL[..], &FEATURES, &FOUNDATION].concat();
    let unknown = names.filter(|name| !known.contains(&name.as_str())).collect::<Vec<_>>();
    assert_none(&unknown, "add these folders to a list of this test");
}

#[test]
fn core_names_no_module() {
    let modules = [
        "stoa_gift_wrap",
        "stoa_subscriptions",
        "stoa_services",
        "stoa_downloads",
        "stoa_digital_secrets",
        "stoa_event_tickets",
        "stoa_inventory",
    ];
    let core = sources().into_iter().filter(|source| source.path.starts_with("core/src/"));
    let found = core.flat_map(|source| source.lines_with(&modules)).collect::<Vec<_>>();
    assert_none(&found, "core must not name modules");
}

#[test]
fn no_file_has_more_than_one_subject() {
    let programs = sources().into_iter().filter(Source::is_program);
    let long = programs.filter(|source| source.text.lines().count() > MAX_LINES);
    let found =
        long.map(|source| format!("{}: {} lines", source.path, source.text.lines().count())).collect::<Vec<_>>();
    assert_none(&found, "split files with more than 400 lines");
}

#[test]
fn every_file_says_what_it_is_about() {
    let silent =
        |source: &Source| !source.text.starts_with("//!") && !source.text.starts_with("#![doc = include_str!(");
    let found = sources().into_iter().filter(|source| source.is_rust() && silent(source)).map(|source| source.path);
    assert_none(&found.collect::<Vec<_>>(), "begin each file with a line `//! …`");
}

#[test]
fn statements_stand_in_queries_files() {
    let belongs = |source: &Source| source.path.starts_with("core/src/db/") || source.path.ends_with("/queries.rs");
    let tests = |source: &Source| source.path.contains("/tests/") || source.path.ends_with("/tests.rs");
    let others = sources().into_iter().filter(|source| source.is_program() && !belongs(source) && !tests(source));
    let others = others
        .filter(|source| !source.path.starts_with("core/src/testing/") && !source.is_excused(&HOLDING_STATEMENTS));
    let found = others.flat_map(|source| source.lines_with(&VERBS)).collect::<Vec<_>>();
    assert_none(&found, "put SQL into a file `queries.rs`, made with `sql!`");
}

#[test]
fn drivers_are_named_by_the_facade_only() {
    let others = sources().into_iter().filter(|source| source.is_rust() && !source.path.starts_with("core/src/db/"));
    let others = others.filter(|source| source.path != "host/tests/tidy.rs" && !source.is_excused(&NAMING_DRIVERS));
    let found = others.flat_map(|source| source.lines_with(&DRIVERS)).collect::<Vec<_>>();
    assert_none(&found, "use the database through `Db`");
}

/// SQLite checks a deferred constraint with the commit, which several writes share: it would fail for all.
#[test]
fn no_constraint_is_deferred() {
    let sources = sources();
    let migrations = sources.iter().filter(|source| source.path.contains("migrations/sqlite/"));
    let deferred = migrations.flat_map(|source| source.lines_with(&["DEFERRABLE", "deferrable"])).collect::<Vec<_>>();
    assert_none(&deferred, "constraints of SQLite are immediate");
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("db", "g!("),
    ];
    let found = sources().iter().flat_map(|source| source.lines_with(&marks)).collect::<Vec<_>>();
    assert_none(&found, "finish it, or leave it out");
}

/// Test runners hide what a passing test prints, so that nobody would see it.
#[test]
fn a_test_that_is_left_out_says_so_through_the_test_kit() {
    let sources = sources();
    let tests = sources.iter().filter(|source| source.path.split('/').any(|folder| folder == "tests"));
    let told = tests.flat_map(|source| source.lines_with(&[concat!("left", " out")]));
    let found = told.filter(|line| line.contains("println!(") || line.contains("writeln!(")).collect::<Vec<_>>();
    assert_none(&found, "say with `leave_out` why tests do not run");
}

#[test]
fn package_registries_are_not_named() {
    // Whoever builds Stoa behind a mirror of their own must not be sent elsewhere.
    let registries =
        [concat!("crates", ".io"), concat!("docker", ".io"), concat!("ghcr", ".io"), concat!("npmjs", ".")];
    let found = sources().iter().flat_map(|source| source.lines_with(&registries)).collect::<Vec<_>>();
    assert_none(&found, "do not name registries");
}

#[test]
fn the_excuses_are_still_needed() {
    let sources = sources();
    let needed = |path: &str, texts: &[&str]| {
        sources.iter().any(|source| source.path == path && !source.lines_with(texts).is_empty())
    };
    let drivers = NAMING_DRIVERS.iter().filter(|(path, _)| !needed(path, &DRIVERS));
    let statements = HOLDING_STATEMENTS.iter().filter(|(path, _)| !needed(path, &VERBS));
    let found = drivers.chain(statements).map(|(path, _)| (*path).to_owned()).collect::<Vec<_>>();
    assert_none(&found, "take these files off the lists");
}

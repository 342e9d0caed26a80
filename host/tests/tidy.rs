//! Rules of this project that a program can check.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// The storeys of core, each with those that it may stand on. Cargo refuses whatever else one would import.
const STOREYS: [(&str, &[&str]); 13] = [
    ("base", &[]),
    ("sql", &[]),
    ("db", &["base", "sql"]),
    ("kernel", &["base", "sql", "db"]),
    ("catalog", &["kernel"]),
    ("customers", &["kernel"]),
    ("documents", &["kernel"]),
    ("gateways", &["kernel"]),
    ("notices", &["kernel"]),
    ("pages", &["kernel"]),
    ("staff", &["kernel"]),
    ("selling", &["kernel", "catalog", "customers", "documents", "notices"]),
    (
        "shop",
        &["sql", "kernel", "catalog", "customers", "documents", "gateways", "notices", "pages", "selling", "staff"],
    ),
];

/// Most lines of a file with one subject.
const MAX_LINES: usize = 400;

/// Where the pages of the guide for authors of modules lie, and most lines of one.
const GUIDE: (&str, usize) = ("core/guide/", 350);

/// What only the database's crate may name.
const DRIVERS: [&str; 8] =
    ["sqlx_sqlite", "sqlx_postgres", "SqlitePool", "PgPool", "PgRow", "SqliteRow", "SqliteConnection", "PgConnection"];

/// How statements begin.
const VERBS: [&str; 8] =
    ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE FROM ", "\"WITH ", "\"CREATE ", "\"DROP ", "\"ALTER "];

/// Files outside `core/db` that name a database's driver, and why.
const NAMING_DRIVERS: [(&str, &str); 3] = [
    ("core/shop/src/testing/dump.rs", "fills a database with what another version has left behind"),
    ("core/shop/src/testing/postgres.rs", "creates and drops whole databases, which no statement of the shop does"),
    ("host/tests/kernel/database.rs", "shows what happens without the facade"),
];

/// Files outside `queries.rs` that hold statements, and why.
const HOLDING_STATEMENTS: [(&str, &str); 4] = [
    ("core/catalog/src/export.rs", "its statements stand beside the rows they fill"),
    ("core/sql/src/macros.rs", "shows how statements are written, and puts those together that look for something"),
    ("core/shop/src/conformance/both_databases.rs", "makes and drops a schema, whose name no statement can bind"),
    ("host/src/cli/doctor/database.rs", "tells operators what to run on their server"),
];

/// The pages with the rules that comments cite by number.
const REFERENCE: &str = "docs/reference/";

/// There are more citations than this, or else they are not found.
const FEWEST_CITATIONS: usize = 200;

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

    /// The numbers of rules that are cited, each behind where it is, as `path:line: number`.
    fn citations(&self) -> Vec<(String, String)> {
        let numbered = self.text.lines().enumerate();
        let rules = numbered.flat_map(|(number, line)| cited(line).into_iter().map(move |rule| (number, rule)));
        rules.map(|(number, rule)| (format!("{}:{}: {rule}", self.path, number + 1), rule)).collect()
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
            let is_foreign =
                matches!(name.as_str(), "target" | "data" | ".git" | "swagger-ui" | "node_modules" | "dist");
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

/// The numbers of rules that a line cites: `S4.2` and `C2.3` as they are written, "contract 2.3" as `C2.3`.
fn cited(line: &str) -> Vec<String> {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '.' | '_'));
    let words = words.map(|word| word.trim_matches('.')).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    // "contract 1 and 2.2" are two rules, "contract 1: 10 seconds" is one.
    let (mut is_expected, mut was_expected) = (false, false);
    for word in words {
        let is_of_contract = is_expected && is_number(word);
        let is_name = word.strip_prefix('S').is_some_and(is_number)
            || word.strip_prefix('C').is_some_and(|number| number.contains('.') && is_number(number));
        if is_of_contract {
            found.push(format!("C{word}"));
        } else if is_name {
            found.push(word.to_owned());
        }
        is_expected = word == "contract" || (was_expected && word == "and");
        was_expected = is_of_contract;
    }
    found
}

/// Whether this is the number of a rule, such as `4.2`.
fn is_number(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The first word of a heading, if the line is one.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix('#')?.trim_start_matches('#').split_whitespace().next()
}

#[track_caller]
fn assert_none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn a_storey_stands_on_lower_ones_and_on_no_neighbour() {
    let sources = sources();
    let manifests = sources.iter().filter_map(|source| {
        let storey = source.path.strip_prefix("core/")?.strip_suffix("/Cargo.toml")?;
        Some((storey, source))
    });
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for (storey, manifest) in manifests {
        let allowed = STOREYS.iter().find(|(name, _)| *name == storey).map_or(&[][..], |(_, below)| below);
        let below = manifest.text.lines().filter_map(|line| line.strip_prefix("stoa-")?.split_once(['.', ' ']));
        let wrong = below.filter(|(below, _)| !allowed.contains(below));
        found.extend(wrong.map(|(below, _)| format!("{}: stoa-{below}", manifest.path)));
        seen.push(storey);
    }
    let mut known = STOREYS.map(|(storey, _)| storey);
    known.sort_unstable();
    assert_eq!(seen, known, "each folder of core is a storey of the list");
    assert_none(&found, "a storey stands on lower ones only");
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
    let core = sources().into_iter().filter(|source| source.path.starts_with("core/") && source.is_program());
    let found = core.flat_map(|source| source.lines_with(&modules)).collect::<Vec<_>>();
    assert_none(&found, "core must not name modules");
}

#[test]
fn the_configuration_that_is_compiled_in_is_the_one_at_the_top() {
    // A package brings its own files only, so `core/base` has a copy.
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file is there");
    let is_same = read("config.toml") == read("core/base/config.toml");
    assert!(is_same, "change `config.toml`, then `cp config.toml core/base/config.toml`");
}

fn toml_of(path: &str) -> Table {
    let text = fs::read_to_string(root().join(path)).expect("the file is there");
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_oldest_compiler_that_will_do_is_the_one_that_is_used() {
    let manifest = toml_of("Cargo.toml");
    let oldest = manifest["workspace"]["package"]["rust-version"].as_str().expect("it is a text");
    let toolchain = toml_of("rust-toolchain.toml");
    let used = toolchain["toolchain"]["channel"].as_str().expect("it is a text");
    assert_eq!(
        used.rsplit_once('.').map(|(release, _)| release),
        Some(oldest),
        "`rust-version` is not tried by anybody"
    );
    let image = fs::read_to_string(root().join("Dockerfile")).expect("the file is there");
    for line in [format!("FROM rust:{oldest}-slim"), format!("ENV RUSTUP_TOOLCHAIN={used}\n")] {
        assert!(image.contains(&line), "the Dockerfile lacks `{line}`");
    }
}

#[test]
fn the_guide_for_authors_names_the_versions_that_the_core_is_built_with() {
    let manifest = toml_of("Cargo.toml");
    let ours = &manifest["workspace"]["dependencies"];
    let version = |dependency: &Value| {
        let text = dependency.as_str().or_else(|| dependency.get("version")?.as_str());
        text.map(|text| text.trim_start_matches('=').to_owned())
    };
    let guide = sources().into_iter().filter(|source| source.path.starts_with(GUIDE.0));
    let guide = guide.map(|page| page.text).collect::<String>();
    let blocks = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks = blocks.filter_map(|block| block.parse::<Table>().ok()).collect::<Vec<_>>();
    let named = blocks.iter().filter_map(|block| block.get("dependencies")?.as_table()).flatten();
    let ours = named.filter_map(|(name, named)| Some((name, version(named)?, version(ours.get(name)?)?)));
    let ours = ours.collect::<Vec<_>>();
    assert!(ours.iter().any(|(name, ..)| *name == "sqlx"), "the versions are not found any more");
    let wrong = ours.iter().filter(|(_, named, ours)| !ours.starts_with(named.as_str()));
    let found = wrong.map(|(name, named, ours)| format!("{name} {named}: the core has {ours}")).collect::<Vec<_>>();
    assert_none(&found, "name the versions of Cargo.toml in core/guide");
}

#[test]
fn each_page_of_the_guide_for_authors_is_short_compiled_and_named_by_the_overview() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file is there");
    let (overview, compiled) = (read("core/README.md"), read("core/src/guide.rs"));
    let pages =
        sources().into_iter().filter_map(|source| Some((source.path.strip_prefix(GUIDE.0)?.to_owned(), source.text)));
    let pages = pages.collect::<Vec<_>>();
    assert!(pages.iter().any(|(name, _)| name == "first-module.md"), "the pages are not found any more");
    let is_fine = |name: &str, text: &str| {
        let is_compiled = compiled.contains(&format!("include_str!(\"../guide/{name}\")"));
        is_compiled && overview.contains(&format!("](guide/{name})")) && text.lines().count() <= GUIDE.1
    };
    let found = pages.into_iter().filter(|(name, text)| !is_fine(name, text)).map(|(name, _)| name);
    assert_none(
        &found.collect::<Vec<_>>(),
        "split pages of more than 350 lines; name each in core/src/guide.rs and core/README.md",
    );
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
    let belongs = |source: &Source| source.path.starts_with("core/db/src/") || source.path.ends_with("/queries.rs");
    let tests = |source: &Source| source.path.contains("/tests/") || source.path.ends_with("/tests.rs");
    let others = sources().into_iter().filter(|source| source.is_program() && !belongs(source) && !tests(source));
    let others = others
        .filter(|source| !source.path.starts_with("core/shop/src/testing/") && !source.is_excused(&HOLDING_STATEMENTS));
    let found = others.flat_map(|source| source.lines_with(&VERBS)).collect::<Vec<_>>();
    assert_none(&found, "put SQL into a file `queries.rs`, made with `sql!`");
}

#[test]
fn drivers_are_named_by_the_facade_only() {
    let others = sources().into_iter().filter(|source| source.is_rust() && !source.path.starts_with("core/db/src/"));
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

/// `println!` and its like panic when nobody reads any longer, as in `stoa doctor 2>&1 | head -1`.
#[test]
fn commands_print_in_a_way_that_nobody_has_to_read() {
    let sources = sources();
    let ours = |source: &Source| ["core/", "host/", "modules/"].iter().any(|root| source.path.starts_with(root));
    let tests = |source: &Source| source.path.contains("/tests/") || source.path.contains("/testing/");
    let programs = sources.iter().filter(|source| source.is_program() && ours(source) && !tests(source));
    let found = programs.flat_map(|source| source.lines_with(&["print!(", "println!("])).collect::<Vec<_>>();
    assert_none(&found, "print with `Output`");
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
fn every_rule_that_is_cited_stands_in_the_reference() {
    let sources = sources();
    let (pages, others): (Vec<_>, Vec<_>) = sources.iter().partition(|source| source.path.starts_with("docs/"));
    let pages = pages.into_iter().filter(|page| page.path.starts_with(REFERENCE));
    let rules = pages.flat_map(|page| page.text.lines()).filter_map(heading).collect::<HashSet<_>>();
    let citations = others.into_iter().flat_map(Source::citations).collect::<Vec<_>>();
    assert!(citations.len() > FEWEST_CITATIONS, "only {} were found", citations.len());
    let unknown = citations.into_iter().filter(|(_, rule)| !rules.contains(rule.as_str()));
    let found = unknown.map(|(place, _)| place).collect::<Vec<_>>();
    assert_none(&found, "say what the rule is in docs/reference, below a heading that begins with its number");
}

#[test]
fn citations_are_found_however_they_are_written() {
    assert_eq!(cited("//! Carts (S4.2 rule 6, contract 1 and 2.2): see C2.3."), ["S4.2", "C1", "C2.2", "C2.3"]);
    assert_eq!(cited("/// Time that is left (contract 1: 10 seconds), in `S3Config`."), ["C1"]);
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

//! `stoa new-module`: the crate of a new module.
//!
//! What it writes is `examples/guest-book` under another name, which is linted and tested like everything else; here is shown
//! that another name does no harm. `STOA_FIRE=full` compiles and tests one more, in a folder of its own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::Command;

use super::authors_mistakes;
use super::place::{Outcome, ShopFolder};

/// The shortest and the longest name: lines of the template are as long as the name makes them.
const NAMES: [&str; 3] = ["ab", "guest_book", "a_name_of_just_thirty_letters9"];

/// What can be asked for: each part, the smallest that has what another needs, and several together.
const SUBSETS: [&str; 13] = [
    "route",
    "table",
    "job",
    "mail",
    "console",
    "page",
    "event",
    "command",
    "watch",
    "table,mail",
    "route,job",
    "mail,event",
    "page,job,mail",
];

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the sources are there")
}

fn stoa() -> String {
    checkout().display().to_string()
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[expect(clippy::disallowed_methods, reason = "where Rust is belongs to the machine, not to a shop")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// A tool that comes with the compiler, run to its end.
async fn ended(tool: &str, arguments: &[&str], folder: &Path, variables: &[(&str, &Path)]) -> (bool, String, String) {
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).envs(variables.iter().copied());
    let output = command.output().await.unwrap_or_else(|error| panic!("{tool}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// The same to its success: what it printed.
async fn run(tool: &str, arguments: &[&str], folder: &Path, variables: &[(&str, &Path)]) -> String {
    let (succeeded, out, err) = ended(tool, arguments, folder, variables).await;
    assert!(succeeded, "{tool} {arguments:?}:\n{out}{err}");
    out
}

fn cargo() -> String {
    let cargo = variable("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    cargo.to_string_lossy().into_owned()
}

async fn written(place: &ShopFolder, name: &str) -> Outcome {
    place.run(["new-module", name, "--dir", name, "--stoa", &stoa(), "--json"]).await.succeeded()
}

#[tokio::test]
async fn a_crate_is_written_and_told_with_the_two_lines_that_link_it() {
    let place = ShopFolder::empty();
    let told = place.run(["new-module", "tea_house", "--stoa", &stoa()]).await.succeeded().out;
    let folder = place.path().canonicalize().expect("it is there").join("modules/tea_house");
    assert!(told.contains(&format!("stoa-tea-house = {{ path = \"{}\" }}", folder.display())), "{told}");
    for part in [
        "use stoa_tea_house as _;",
        "config.toml             [modules.tea_house]\n                          enabled = true\n",
        &format!("It compiles against the checkout {}.", stoa()),
        &format!("{}/core/README.md", stoa()),
    ] {
        assert!(told.contains(part), "{part:?} is missing in {told}");
    }
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("there is a manifest");
    assert!(manifest.contains(&format!("{}/core", stoa())), "{manifest}");
    let library = fs::read_to_string(folder.join("src/lib.rs")).expect("there is a library");
    assert!(library.contains("pub struct TeaHouseModule;"), "{library}");
}

#[tokio::test]
async fn a_crate_in_the_workspace_of_stoa_takes_versions_and_style_from_there() {
    let place = ShopFolder::empty();
    fs::create_dir(place.path().join("core")).expect("the folder is ours");
    place.write("core/Cargo.toml", "[package]\nname = \"stoa-commerce-core\"\n");
    let told = place.run(["new-module", "tea"]).await.succeeded().out;
    for line in
        ["host/Cargo.toml", "stoa-tea = { path = \"../modules/tea\" }", "host/src/modules.rs", "use stoa_tea as _;"]
    {
        assert!(told.contains(line), "{line:?} is missing in {told}");
    }
    let folder = place.path().join("modules/tea");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("there is a manifest");
    assert!(manifest.contains("stoa-core.workspace = true") && !manifest.contains("path"), "{manifest}");
    assert!(!folder.join("rustfmt.toml").exists());
}

#[tokio::test]
async fn nothing_is_overwritten() {
    let place = ShopFolder::empty();
    written(&place, "tea").await;
    let before = files(&place.path().join("tea"));
    let again = place.run(["new-module", "coffee", "--dir", "tea", "--stoa", &stoa()]).await;
    again.refused(1, &["tea", "not empty", "--dir"]);
    assert_eq!(files(&place.path().join("tea")), before);
    place.write("file", "");
    place.run(["new-module", "coffee", "--dir", "file", "--stoa", &stoa()]).await.refused(1, &["file"]);
}

#[tokio::test]
async fn a_name_that_cannot_be_is_refused_before_anything_is_written() {
    let place = ShopFolder::empty();
    place.run(["new-module", "Guest-Book"]).await.refused(2, &["lower-case", "`guest_book`"]);
    place.run(["new-module", "inventory"]).await.refused(2, &["there is a module of this name"]);
    place.run(["new-module", "order"]).await.refused(2, &["`stoa order` is a command"]);
    place.run(["new-module", "tea", "--stoa", "."]).await.refused(2, &["no checkout", "core/Cargo.toml"]);
    place.run(["new-module"]).await.refused(2, &["<NAME>"]);
    assert!(files(place.path()).is_empty());
}

#[tokio::test]
async fn a_crate_of_any_name_and_parts_is_formatted() {
    let place = ShopFolder::empty();
    for name in NAMES {
        written(&place, name).await;
        for with in SUBSETS {
            let folder = format!("{name}-{with}");
            let arguments = ["new-module", name, "--dir", &folder, "--with", with, "--stoa", &stoa()];
            place.run(arguments).await.succeeded();
        }
    }
    let sources = files(place.path()).into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
    let sources = sources.map(|path| path.display().to_string()).collect::<Vec<_>>();
    let style = checkout().join("rustfmt.toml").display().to_string();
    let arguments = ["--check", "--edition", "2024", "--config-path", &style].into_iter();
    let arguments = arguments.chain(sources.iter().map(String::as_str));
    run("rustfmt", &arguments.collect::<Vec<_>>(), place.path(), &[]).await;
}

#[tokio::test]
async fn a_crate_has_the_parts_that_are_asked_for_and_what_they_need() {
    let place = ShopFolder::empty();
    let told = async |folder: &str, with: &[&str]| {
        let stoa = stoa();
        let mut arguments = vec!["new-module", "tea", "--dir", folder, "--stoa", &stoa, "--json"];
        arguments.extend(with.iter().flat_map(|parts| ["--with", *parts]));
        place.run(arguments).await.succeeded().json()
    };
    let of_all = ["Cargo.toml", "README.md", "src/lib.rs", "tests/module/main.rs", "tests/module/shelf.rs"];
    let alone = [".gitignore", "clippy.toml", "rustfmt.toml"];
    for (folder, with, parts, own) in [
        (
            "mail",
            ["mail"].as_slice(),
            ["mail"].as_slice(),
            [
                "src/mails.rs",
                "src/templates/thanks.de.txt",
                "src/templates/thanks.en.txt",
                "src/templates/thanks.nl.txt",
                "tests/module/mails.rs",
            ]
            .as_slice(),
        ),
        (
            "job",
            &["job"],
            &["table", "job"],
            &[
                "build.rs",
                "migrations/postgres/0001_entries.sql",
                "migrations/sqlite/0001_entries.sql",
                "src/config.rs",
                "src/jobs.rs",
                "src/model.rs",
                "src/personal.rs",
                "src/queries.rs",
                "tests/module/jobs.rs",
                "tests/module/personal.rs",
            ],
        ),
    ] {
        let json = told(folder, with).await;
        assert_eq!(json["parts"], serde_json::json!(parts));
        let expected = of_all.iter().chain(&alone).chain(own).map(|path| place.path().join(folder).join(path));
        assert_eq!(files(&place.path().join(folder)), sorted(expected.collect()), "{with:?}");
    }
    let several = told("several", &["page,job", "mail"]).await;
    assert_eq!(several["parts"], serde_json::json!(["route", "table", "job", "mail", "page"]));
    let manifest = fs::read_to_string(place.path().join("mail/Cargo.toml")).expect("there is a manifest");
    for name in ["sqlx", "serde", "schemars", "clap", "storefront"] {
        assert!(!manifest.contains(name), "{name} is in {manifest}");
    }
}

fn sorted(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths
}

#[tokio::test]
async fn without_a_terminal_and_without_parts_a_crate_has_all() {
    let place = ShopFolder::empty();
    let told = place.run(["new-module", "tea", "--stoa", &stoa()]).await.succeeded().out;
    assert!(told.contains("It has: route, table, job, mail, page, console, event, command, watch\n"), "{told}");
}

#[tokio::test]
async fn an_unknown_part_is_refused_with_those_there_are() {
    let place = ShopFolder::empty();
    let refused = place.run(["new-module", "tea", "--with", "table,rout"]).await;
    refused.refused(
        2,
        &["'rout'", "route, table, job, mail, page, console, event, command, watch", "a similar value exists: 'route'"],
    );
    assert!(files(place.path()).is_empty());
}

/// With the versions that Stoa itself is compiled with, and nothing from the network.
#[tokio::test]
async fn the_manifest_of_a_crate_that_stands_alone_can_be_resolved() {
    let place = ShopFolder::empty();
    written(&place, "tea").await;
    let folder = place.path().join("tea");
    fs::copy(checkout().join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock file");
    let described = run(&cargo(), &["tree", "--offline", "--depth", "1"], &folder, &[]).await;
    for name in
        ["stoa-tea v0.1.0", "stoa-commerce-core v", "sqlx v", "[dev-dependencies]", "stoa-commerce-storefront v"]
    {
        assert!(described.contains(name), "{name} is missing in {described}");
    }
}

/// Modules of the second core would be linked and never found.
#[tokio::test]
async fn a_second_core_in_a_program_is_refused_by_name() {
    let place = ShopFolder::empty();
    written(&place, "tea").await;
    let folder = place.path().join("tea");
    fs::create_dir_all(place.path().join("kernel/src")).expect("the folder is ours");
    place.write("kernel/src/lib.rs", "");
    place.write("kernel/build.rs", "fn main() {}\n");
    let kernel = fs::read_to_string(checkout().join("core/kernel/Cargo.toml")).expect("the manifest is there");
    let links = kernel.lines().find(|line| line.starts_with("links = ")).expect("the kernel is there but once");
    let package =
        format!("[package]\nname = \"stoa-commerce-kernel\"\nversion = \"9.9.9\"\nedition = \"2024\"\n{links}\n");
    place.write("kernel/Cargo.toml", package);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("there is a manifest");
    let second = "[dependencies]\nsecond = { package = \"stoa-commerce-kernel\", path = \"../kernel\" }";
    place.write("tea/Cargo.toml", manifest.replacen("[dependencies]", second, 1));
    let (succeeded, _, said) = ended(&cargo(), &["tree", "--offline", "--depth", "1"], &folder, &[]).await;
    assert!(!succeeded, "a program has two cores");
    let ours = format!("stoa-commerce-core v{}", env!("CARGO_PKG_VERSION"));
    for name in [ours.as_str(), "stoa-commerce-kernel v9.9.9"] {
        assert!(said.contains(name), "{name} is missing in {said}");
    }
}

/// Compiling the shop once more takes minutes, so this is done where time does not matter. What the compiler says about mistakes is
/// looked at here too, since all that the crate needs is compiled then.
#[tokio::test]
async fn a_crate_that_stands_alone_passes_its_own_tests_and_lints_and_mistakes_in_it_are_explained() {
    if variable("STOA_FIRE").is_none_or(|fire| fire != "full") {
        return;
    }
    let place = ShopFolder::empty();
    written(&place, "tea").await;
    let folder = place.path().join("tea");
    fs::copy(checkout().join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock file");
    let target = TempDir::new().expect("a temporary folder can be made");
    let cargo = cargo();
    let variables = [("CARGO_TARGET_DIR", target.path())];
    run(&cargo, &["test", "--offline"], &folder, &variables).await;
    run(&cargo, &["clippy", "--offline", "--all-targets", "--", "-D", "warnings"], &folder, &variables).await;
    run(&cargo, &["fmt", "--check"], &folder, &variables).await;
    authors_mistakes::are_explained(&folder, async || {
        let (compiles, _, said) = ended(&cargo, &["check", "--offline", "--lib"], &folder, &variables).await;
        (compiles, said)
    })
    .await;
}

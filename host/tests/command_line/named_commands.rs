//! Commands that pages and messages name are commands, with the options that stand beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::place::ShopFolder;
use super::readme::{page, top};

/// Where commands are named: in pages, in messages, in comments, in texts of the console.
const NAMING: [&str; 11] = [
    "AGENTS.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "clients/typescript/README.md",
    "core",
    "docs",
    "examples",
    "host/console/src",
    "host/src",
    "modules",
];

const KINDS: [&str; 4] = ["ftl", "html", "md", "rs"];

/// Folders with programs of others, and with tests, which name what is none on purpose.
const PASSED_OVER: [&str; 3] = ["dist", "node_modules", "tests"];

const CONFIG: &str = "
[modules.digital_secrets]
enabled = true
[modules.downloads]
enabled = true
[modules.event_tickets]
enabled = true
[modules.inventory]
enabled = true
[modules.services]
enabled = true
[modules.storefront]
enabled = true
[modules.subscriptions]
enabled = true
";

/// Commands of modules that are examples, one that is mistyped to say what happens then, and the name of an instance.
const OF_NO_PROGRAM: [&str; 6] = ["gift-wrap", "guest-book", "loyalty", "notes", "ordr", "web1"];

/// All texts in which commands may be named, each with its path.
fn texts(path: &Path, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("the folder is there") {
            let entry = entry.expect("it can be read");
            if !PASSED_OVER.iter().any(|name| entry.file_name() == *name) {
                texts(&entry.path(), found);
            }
        }
    } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
        found.push((path.display().to_string(), fs::read_to_string(path).expect("it is a text")));
    }
}

/// What stands after `stoa` in code and in blocks of commands.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split("`stoa ").skip(1).filter_map(|rest| rest.split('`').next());
    let lines = text.lines().map(str::trim_start);
    spans.chain(lines.filter_map(|line| line.strip_prefix("$ stoa ").or_else(|| line.strip_prefix("# stoa "))))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The manual pages by the commands that they are about, without how their letters look.
async fn manual() -> BTreeMap<String, String> {
    let place = ShopFolder::with(CONFIG);
    place.run(["man", "pages"]).await.succeeded();
    let pages = fs::read_dir(place.path().join("pages")).expect("they are written").map(|entry| {
        let entry = entry.expect("it can be read");
        let name = entry.file_name().to_string_lossy().trim_end_matches(".1").to_owned();
        let page = fs::read_to_string(entry.path()).expect("it is a text");
        let page = ["\\fB", "\\fI", "\\fR"].iter().fold(page.replace("\\-", "-"), |page, look| page.replace(look, " "));
        (name, page)
    });
    pages.collect()
}

/// What is wrong with a command as it is named; none if it is one.
fn problem(named: &str, manual: &BTreeMap<String, String>) -> Option<String> {
    // The words of one that goes on below, in a comment or in a text.
    let between = |word: &&str| ["*", "//", "//!", "///", "\\"].contains(word);
    let ends = |word: &&str| ["|", "&&", ";", "<", ">"].contains(word) || word.starts_with('#');
    let words = named.split_whitespace().filter(|word| !between(word)).take_while(|word| !ends(word));
    let words = words.collect::<Vec<_>>();
    let first = *words.first().filter(|first| is_name(first) && **first != "help")?;
    if OF_NO_PROGRAM.contains(&first) {
        return None;
    }
    let mut command = String::from("stoa");
    let mut rest = words.as_slice();
    while let [word, after @ ..] = rest {
        // `suspend|resume` are two.
        let commands = word.split('|').map(|name| format!("{command}-{name}")).collect::<Vec<_>>();
        if !commands.iter().all(|name| manual.contains_key(name)) {
            let has_others = manual.keys().any(|known| known.starts_with(&format!("{command}-")));
            let is_none = word.split('|').all(is_name) && (command == "stoa" || has_others);
            if is_none {
                return Some(format!("`{word}` is no command of `{command}`"));
            }
            break;
        }
        command = commands.into_iter().next_back()?;
        rest = after;
    }
    // Its examples are no proof of what it takes.
    let page = manual[&command].split(".SH EXTRA").next().unwrap_or_default();
    let outside = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '-');
    let known = page.split(outside).collect::<Vec<_>>();
    let asked = rest.iter().filter_map(|word| {
        let option = word.trim_start_matches(['[', '(']).split(outside).next()?;
        (option.len() > 2 && option.starts_with("--")).then_some(option)
    });
    let unknown = asked.filter(|option| !known.contains(option)).collect::<Vec<_>>();
    (!unknown.is_empty()).then(|| format!("`{command}` has no {}", unknown.join(", ")))
}

#[tokio::test]
async fn every_command_that_is_named_is_one_and_has_the_options_beside_it() {
    let manual = manual().await;
    let mut texts_found = Vec::new();
    for path in NAMING {
        texts(&top().join(path), &mut texts_found);
    }
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for (path, text) in &texts_found {
        for command in named(text) {
            looked_at += 1;
            wrong.extend(problem(command, &manual).map(|problem| format!("{path}: stoa {command}: {problem}")));
        }
    }
    assert!(looked_at > 500, "{looked_at} were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_command_or_an_option_that_is_none_would_be_noticed() {
    let manual = manual().await;
    for (named, expected) in [
        ("serv", "`serv` is no command of `stoa`"),
        ("order refnd N", "`refnd` is no command of `stoa-order`"),
        ("services suspend|resum N", "`suspend|resum` is no command of `stoa-services`"),
        ("order refund N [--reson TEXT]", "`stoa-order-refund` has no --reson"),
        ("inventory list --jsno", "`stoa-inventory-list` has no --jsno"),
    ] {
        assert_eq!(problem(named, &manual).as_deref(), Some(expected));
    }
    for named in
        ["order refund N (--amount A | --line L) --reason '…'", "services suspend|resume N [--by-hand]", "help N"]
    {
        assert_eq!(problem(named, &manual), None, "{named}");
    }
}

#[test]
fn packages_and_scripts_that_pages_name_are_there() {
    let packages = page("Cargo.lock");
    let mut pages = Vec::new();
    for path in NAMING {
        texts(&top().join(path), &mut pages);
    }
    let (mut of_cargo, mut of_npm) = (0, 0);
    for (path, text) in pages.iter().filter(|(path, _)| path.strip_suffix(".md").is_some()) {
        for line in text.lines().filter(|line| line.starts_with("$ ")) {
            let words = line.split_whitespace().collect::<Vec<_>>();
            for pair in words.windows(2).filter(|pair| pair[0] == "-p" && words.contains(&"cargo")) {
                let is_there = packages.contains(&format!("\nname = \"{}\"\n", pair[1]));
                assert!(is_there, "{path}: {line}: there is no package {}", pair[1]);
                of_cargo += 1;
            }
        }
        let Ok(manifest) = fs::read_to_string(Path::new(path).with_file_name("package.json")) else { continue };
        let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
        for rest in text.split("npm run ").skip(1) {
            let script = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
            assert!(manifest["scripts"][script].is_string(), "{path}: there is no script {script}");
            of_npm += 1;
        }
    }
    assert!(of_cargo >= 3 && of_npm >= 2, "{of_cargo} and {of_npm} were found");
}

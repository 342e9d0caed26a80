//! What of the example belongs to a module that has some of its parts.
//!
//! Nearly every file belongs to one part. In the few that several share, that is left out which names what is left out, or what nothing
//! names any more: so a statement goes with the last route that uses it, and the example needs no marks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::manifest::MANIFEST;
use super::parts::{Part, Parts};

/// Files by path, with their texts.
pub(super) type Files<'a> = BTreeMap<&'a str, String>;

const LIBRARY: &str = "src/lib.rs";
const TESTS: &str = "tests/module/main.rs";
const README: &str = "README.md";

/// Files whose items stay while another file of their folder names them; the first may name items of the second.
const SHARED: [&str; 3] = ["src/model.rs", "src/queries.rs", "tests/module/shelf.rs"];

/// The words that want a crate which the sources do not name otherwise: its derives come through the prelude.
const DERIVES: [(&str, &[&str]); 2] = [("serde", &["Serialize", "Deserialize"]), ("schemars", &["JsonSchema"])];

/// What is said otherwise in a module without a part.
const WITHOUT: [(Part, &str, &str, &str); 4] = [
    (Part::Job, LIBRARY, "type Config = Config;", "type Config = ();"),
    (Part::Job, LIBRARY, "register(config: Config, ", "register((): (), "),
    (Part::Route, "src/model.rs", "Serialize, JsonSchema, ", "Serialize, "),
    (Part::Route, "src/model.rs", "#[schemars(rename = \"GuestBookEntry\")]\n", ""),
];

/// The part that a file belongs to; none for those that each module has.
fn part_of(path: &str) -> Option<Part> {
    Some(match stem(path) {
        "routes" | "en" | "de" | "nl" => Part::Route,
        "0001_entries" | "build" | "model" | "personal" | "queries" => Part::Table,
        "jobs" | "config" => Part::Job,
        "mails" | "thanks" => Part::Mail,
        "panel" | "account" => Part::Page,
        "console" => Part::Console,
        "0002_bought" | "bought" => Part::Event,
        "command" => Part::Command,
        "watching" => Part::Watch,
        _ => return None,
    })
}

/// The part that a section of the README is about.
fn part_of_section(title: &str) -> Option<Part> {
    Some(match title {
        "Customers" => Part::Table,
        "Routes" => Part::Route,
        "Storefront" => Part::Page,
        "Console" => Part::Console,
        "Products" => Part::Event,
        "Mails" => Part::Mail,
        "Job" => Part::Job,
        "Command" => Part::Command,
        "What is watched" => Part::Watch,
        _ => return None,
    })
}

/// The example's files as a module with these parts has them.
pub(super) fn select<'a>(example: &'a BTreeMap<String, String>, parts: &Parts) -> Files<'a> {
    let is_kept = |path: &str| part_of(path).is_none_or(|part| parts.has(part));
    let kept = example.iter().filter(|(path, _)| is_kept(path));
    let mut files = kept.map(|(path, text)| (path.as_str(), text.clone())).collect::<Files<'_>>();
    for (part, path, text, instead) in WITHOUT {
        if let Some(file) = files.get_mut(path).filter(|_| !parts.has(part)) {
            *file = file.replace(text, instead);
        }
    }
    let gone = gone(example, &files);
    for path in [LIBRARY, TESTS] {
        change(&mut files, path, |text| without_lines_of(text, &gone));
    }
    for path in SHARED {
        let others = code(&files, |other| other != path && folder(other) == folder(path) && is_rust(other));
        change(&mut files, path, |text| without_unnamed_items(text, &others));
    }
    for path in paths(&files, is_rust) {
        change(&mut files, path, without_unnamed_uses);
    }
    let shown = code(&files, |path| is_rust(path) || ends_with(path, "html"));
    for path in paths(&files, |path| ends_with(path, "ftl")) {
        change(&mut files, path, |text| without_unnamed_texts(text, &shown));
    }
    let sources = ["src", "tests"].map(|of| code(&files, |path| folder(path) == of && is_rust(path)));
    change(&mut files, MANIFEST, |text| without_unnamed_crates(text, &sources));
    change(&mut files, README, |text| sections_of(text, parts));
    files
}

fn change(files: &mut Files<'_>, path: &str, change: impl FnOnce(&str) -> String) {
    if let Some(text) = files.get_mut(path) {
        *text = change(text);
        // Where something was taken out, one empty line is enough.
        while text.contains("\n\n\n") {
            *text = text.replace("\n\n\n", "\n\n");
        }
    }
}

fn paths<'a>(files: &Files<'a>, which: impl Fn(&str) -> bool) -> Vec<&'a str> {
    files.keys().copied().filter(|path| which(path)).collect()
}

fn ends_with(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

fn is_rust(path: &str) -> bool {
    ends_with(path, "rs")
}

/// The folder of the crate that a file lies in.
fn folder(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// A file without what follows the first dot, and without folders.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// The files as one text, without comments.
fn code(files: &Files<'_>, which: impl Fn(&str) -> bool) -> String {
    let lines = files.iter().filter(|(path, _)| which(path)).flat_map(|(_, text)| text.lines());
    lines.filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n")
}

/// The words of a text; keys of texts are words too.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '_' | '-'))
}

fn names(text: &str, name: &str) -> bool {
    words(text).any(|word| word == name)
}

/// The words by which the library and the tests name what is left out: files, folders, and what is imported from the files.
fn gone<'a>(example: &'a BTreeMap<String, String>, files: &Files<'_>) -> BTreeSet<&'a str> {
    let left_out = example.keys().filter(|path| !files.contains_key(path.as_str()));
    let mut gone = left_out
        .filter_map(|path| match folder(path) {
            _ if is_rust(path) => Some(stem(path)),
            folder => files.keys().all(|kept| self::folder(kept) != folder).then_some(folder),
        })
        .collect::<BTreeSet<_>>();
    let imports = example.get(LIBRARY).into_iter().flat_map(|text| text.lines());
    for line in imports {
        if let Some((file, names)) = line.split_once("use crate::").and_then(|(_, import)| import.split_once("::"))
            && gone.contains(file)
        {
            gone.extend(words(names).filter(|word| !word.is_empty()));
        }
    }
    gone
}

/// Without the lines that name one of these words; a type's settings are another matter.
fn without_lines_of(text: &str, gone: &BTreeSet<&str>) -> String {
    let is_kept = |line: &&str| {
        let is_statement = line.ends_with(';') && !is_comment(line) && !line.trim_start().starts_with("type ");
        !is_statement || words(line).all(|word| !gone.contains(word))
    };
    lines(text.lines().filter(is_kept))
}

/// Without the items that the others do not name.
fn without_unnamed_items(text: &str, others: &str) -> String {
    let kept = text.split("\n\n").filter(|item| item_name(item).is_none_or(|name| names(others, name)));
    format!("{}\n", kept.collect::<Vec<_>>().join("\n\n").trim_end())
}

/// What an item is called that other files can name.
fn item_name(item: &str) -> Option<&str> {
    let declared = item.lines().find_map(|line| line.strip_prefix("pub(crate) "))?;
    words(declared).find(|word| !matches!(*word, "async" | "const" | "fn" | "struct"))
}

/// Without imports of what the file does not name.
fn without_unnamed_uses(text: &str) -> String {
    let is_use = |line: &str| line.starts_with("use ");
    let rest = lines(text.lines().filter(|line| !is_use(line) && !is_comment(line)));
    let is_named = |name: &&str| *name == "*" || names(&rest, name.rsplit(' ').next().unwrap_or(name));
    lines(text.lines().filter_map(|line| {
        let Some((path, imported)) = line.trim_end_matches(';').rsplit_once("::").filter(|_| is_use(line)) else {
            return Some(String::from(line));
        };
        let imported = imported.trim_matches(['{', '}']).split(", ").filter(is_named).collect::<Vec<_>>();
        match imported.as_slice() {
            [] => None,
            [one] => Some(format!("{path}::{one};")),
            several => Some(format!("{path}::{{{}}};", several.join(", "))),
        }
    }))
}

/// Without the texts that nothing shows.
fn without_unnamed_texts(text: &str, shown: &str) -> String {
    lines(text.lines().filter(|line| line.split_once(" = ").is_none_or(|(key, _)| names(shown, key))))
}

/// Without the dependencies that the library, and those that the tests do not name.
fn without_unnamed_crates(text: &str, [library, tests]: &[String; 2]) -> String {
    let mut sources = None;
    lines(text.lines().filter(|line| {
        if line.starts_with('[') {
            sources = match *line {
                "[dependencies]" => Some(library),
                "[dev-dependencies]" => Some(tests),
                _ => None,
            };
        }
        let name = line.split(['.', ' ']).next().unwrap_or_default();
        let derives = DERIVES.iter().find(|(known, _)| *known == name).map(|(_, derives)| *derives);
        let is_named = |source: &String| match derives {
            Some(derives) => derives.iter().any(|derive| names(source, derive)),
            None => names(source, &name.replace('-', "_")),
        };
        line.is_empty() || line.starts_with('[') || sources.is_none_or(is_named)
    }))
}

/// The README's sections about these parts.
fn sections_of(text: &str, parts: &Parts) -> String {
    let title = |section: &str| section.lines().next().unwrap_or_default().to_owned();
    let mut sections = text.split("\n## ");
    let first = sections.next().unwrap_or_default();
    let kept = sections.filter(|section| part_of_section(&title(section)).is_none_or(|part| parts.has(part)));
    kept.fold(String::from(first), |text, section| format!("{}\n\n## {section}", text.trim_end()))
}

fn lines<T: AsRef<str>>(kept: impl Iterator<Item = T>) -> String {
    kept.fold(String::new(), |text, line| text + line.as_ref() + "\n")
}

#[cfg(test)]
mod tests;

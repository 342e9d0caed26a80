//! Every module that can be asked for, looked at without compiling it: nothing is named that is not there, nothing is there that is
//! not named.

use std::sync::LazyLock;

use super::super::template::example;
use super::*;

/// Each module that can be written, with its files.
static ALL: LazyLock<Vec<(Parts, Files<'static>)>> = LazyLock::new(|| {
    let all = Parts::all_possible().into_iter();
    all.map(|parts| (parts.clone(), select(example(), &parts))).collect()
});

/// What follows a beginning, up to the end of the word, wherever it stands.
fn after<'a>(text: &'a str, beginning: &str) -> BTreeSet<&'a str> {
    text.split(beginning).skip(1).filter_map(|rest| words(rest).next()).collect()
}

#[test]
fn a_module_of_all_parts_is_the_whole_example() {
    let files = select(example(), &Parts::whole());
    let expected = example().iter().map(|(path, text)| (path.as_str(), text.clone())).collect::<Files<'_>>();
    assert_eq!(files, expected);
}

#[test]
fn each_file_and_section_belongs_to_a_part_or_to_all_modules() {
    let of_all = example().keys().filter(|path| part_of(path).is_none()).map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of_all, ["Cargo.toml", "README.md", LIBRARY, TESTS, "tests/module/shelf.rs"]);
    let titles = example()[README].lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(titles.filter(|title| part_of_section(title).is_none()).collect::<Vec<_>>(), ["Settings"]);
}

#[test]
fn every_mod_has_its_file_and_every_file_its_mod() {
    for (parts, files) in ALL.iter() {
        for (root, folder) in [(LIBRARY, "src/"), (TESTS, "tests/module/")] {
            let mods = files[root].lines().filter_map(|line| line.strip_prefix("mod "));
            let mods = mods.map(|line| format!("{folder}{}.rs", line.trim_end_matches(';'))).collect::<Vec<_>>();
            let there = paths(files, |path| is_rust(path) && path.starts_with(folder) && path != root);
            assert_eq!(mods, there, "{parts:?}");
        }
    }
}

#[test]
fn what_is_imported_from_another_file_is_in_it_and_named() {
    for (parts, files) in ALL.iter() {
        for path in paths(files, is_rust) {
            let text = &files[path];
            for line in text.lines().filter_map(|line| line.split_once("use crate::").map(|(_, import)| import)) {
                let Some((module, names)) = line.trim_end_matches(';').split_once("::") else { continue };
                let source = LIBRARY.replace("src/lib", &format!("{}/{module}", folder_of(path)));
                for name in words(names).filter(|name| !name.is_empty()) {
                    assert!(super::names(&code(files, |other| other == source), name), "{parts:?}: {path}: {line}");
                }
            }
            assert_eq!(*text, without_unnamed_uses(text), "{parts:?}: {path}");
        }
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[test]
fn constants_that_are_named_are_there() {
    let is_constant = |name: &&str| !name.is_empty() && !name.contains(|sign: char| sign.is_ascii_lowercase());
    for (parts, files) in ALL.iter() {
        for path in SHARED {
            let constants = after(&example()[path], "pub(crate) const ");
            let text = code(files, |other| other == path);
            let kept = after(&text, "pub(crate) const ");
            let rest =
                code(files, |other| folder(other) == folder(path) && is_rust(other) && other != "src/queries.rs");
            let named = words(&rest).filter(is_constant).filter(|name| constants.contains(name)).collect();
            assert_eq!(kept, named, "{parts:?}: {path}");
        }
    }
}

#[test]
fn what_tests_share_is_what_they_import() {
    for (parts, files) in ALL.iter() {
        let tests = code(files, |path| folder(path) == "tests" && is_rust(path));
        let imported = tests.lines().filter_map(|line| line.strip_prefix("use crate::shelf::"));
        let imported = imported.flat_map(words).filter(|name| !name.is_empty()).collect::<BTreeSet<_>>();
        let items = files["tests/module/shelf.rs"].split("\n\n").filter_map(item_name).collect::<BTreeSet<_>>();
        assert_eq!(items, imported, "{parts:?}");
    }
}

#[test]
fn statements_are_those_that_are_run() {
    for (parts, files) in ALL.iter() {
        let statements = files.get("src/queries.rs").map(|text| after(text, "pub(crate) const ")).unwrap_or_default();
        let sources = code(files, |path| path.starts_with("src/") && is_rust(path));
        assert_eq!(statements, after(&sources, "queries::"), "{parts:?}");
        assert_eq!(statements.is_empty(), !parts.has(Part::Table), "{parts:?}");
    }
}

#[test]
fn crates_are_those_that_are_used() {
    let whole = example()[MANIFEST].parse::<toml::Table>().expect("it is TOML");
    for (parts, files) in ALL.iter() {
        let manifest = files[MANIFEST].parse::<toml::Table>().unwrap_or_else(|error| panic!("{parts:?}: {error}"));
        for (section, folder) in [("dependencies", "src/"), ("dev-dependencies", "tests/")] {
            let sources = code(files, |path| path.starts_with(folder) && is_rust(path));
            for name in whole[section].as_table().expect("a table").keys() {
                let is_used = match name.as_str() {
                    "serde" => sources.contains("Serialize") || sources.contains("Deserialize"),
                    "schemars" => sources.contains("JsonSchema"),
                    name => sources.contains(&format!("{}::", name.replace('-', "_"))),
                };
                assert_eq!(manifest[section].get(name).is_some(), is_used, "{parts:?}: {name}");
            }
        }
    }
}

#[test]
fn texts_are_those_that_are_shown() {
    for (parts, files) in ALL.iter() {
        let shown = code(files, |path| is_rust(path) || ends_with(path, "html"));
        let shown = after(&shown, "text!(\"").into_iter().chain(after(&shown, "t('")).collect::<BTreeSet<_>>();
        for language in ["en", "de", "nl"] {
            let text = files.get(format!("texts/{language}.ftl").as_str()).map(String::as_str).unwrap_or_default();
            let keys = text.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key).collect();
            assert_eq!(shown, keys, "{parts:?}");
        }
        assert_eq!(files[LIBRARY].contains("texts!"), files.contains_key("texts/en.ftl"), "{parts:?}");
    }
}

#[test]
fn tables_are_those_that_statements_name() {
    for (parts, files) in ALL.iter() {
        for backend in ["sqlite", "postgres"] {
            let folder = format!("migrations/{backend}/");
            let made = code(files, |path| path.starts_with(&folder));
            let statements = code(files, |path| path == "src/queries.rs");
            let named = words(&statements).filter(|word| word.starts_with("guest_book_")).collect::<BTreeSet<_>>();
            assert_eq!(after(&made, "CREATE TABLE "), named, "{parts:?}");
            assert_eq!(files[LIBRARY].contains("cx.migrations("), !made.is_empty(), "{parts:?}");
        }
    }
}

#[test]
fn what_is_registered_is_what_was_asked_for() {
    for (parts, files) in ALL.iter() {
        let registered = |call: &str| files[LIBRARY].contains(call);
        for (part, calls) in [
            (Part::Route, ["routes::register(cx)?;"].as_slice()),
            (Part::Table, &["cx.personal_data(", "cx.claims_from"]),
            (Part::Job, &["cx.job(", "type Config = Config;", "register(config: Config,"]),
            (Part::Mail, &["cx.mail_template(", "guest_book.thank"]),
            (Part::Page, &["cx.storefront_panel("]),
            (Part::Event, &["guest_book.add_bought", "cx.product_settings"]),
            (Part::Command, &["cx.command::<"]),
            (Part::Watch, &["cx.invariant(", "cx.examine(", "cx.measure("]),
        ] {
            for call in calls {
                assert_eq!(registered(call), parts.has(part), "{parts:?}: {call}");
            }
            let mut titles = files[README].lines().filter_map(|line| line.strip_prefix("## "));
            assert_eq!(
                titles.any(|title| part_of_section(title) == Some(part)),
                parts.has(part),
                "{parts:?}: {part:?}"
            );
        }
    }
}

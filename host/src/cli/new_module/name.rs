//! Names of modules: which are possible, and which are taken.

use std::sync::Arc;

use stoa_core::clock::Clock;
use stoa_core::config::Config;
use stoa_core::conformance::tables_of;
use stoa_core::module::Linked;
use stoa_core::program::{Program, ProgramParts};
use stoa_core::random::Random;

use crate::cli::own_commands;
use crate::failure::Failure;
use crate::modules::STOCK_MODULES;

/// Longer ones make names of indexes that PostgreSQL cuts off.
const LONGEST: usize = 30;
const SHORTEST: usize = 2;

/// Words that Rust keeps for itself, and a few that would mislead.
const RESERVED: [&str; 55] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "migrations",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "stoa",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "use",
    "virtual",
    "where",
    "yield",
];

/// A name that a new module can have.
#[derive(Debug, Clone)]
pub(super) struct ModuleName(String);

impl ModuleName {
    /// The name, or why no module can be called so.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let refused = |why: String| Err(Failure::usage(format!("a module cannot be called `{text}`: {why}")));
        if !is_snake_case(text) {
            let mut expected = String::from(
                "a name is lower-case words of a-z and 0-9 that begin with a letter, with `_` between them, \
                 such as `guest_book`",
            );
            let proposed = proposed(text);
            if is_snake_case(&proposed) {
                expected = format!("{expected}; did you mean `{proposed}`?");
            }
            return refused(expected);
        }
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return refused(format!("a name has {SHORTEST} to {LONGEST} characters, this one has {}", text.len()));
        }
        if text == "while" || RESERVED.contains(&text) {
            return refused(String::from("the word is reserved; choose another, such as `guest_book`"));
        }
        if let Some(by) = taken(text)? {
            return refused(format!("{by}; choose another name"));
        }
        Ok(Self(text.to_owned()))
    }

    #[cfg(test)]
    pub(super) fn unchecked(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// `guest_book`.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// `guest-book`.
    pub(super) fn dashed(&self) -> String {
        self.0.replace('_', "-")
    }

    /// `GuestBook`.
    pub(super) fn camel(&self) -> String {
        let words = self.0.split('_').map(|word| {
            let (first, rest) = word.split_at(1);
            format!("{}{rest}", first.to_ascii_uppercase())
        });
        words.collect()
    }

    /// `stoa-guest-book`.
    pub(super) fn crate_name(&self) -> String {
        format!("stoa-{}", self.dashed())
    }
}

fn is_snake_case(text: &str) -> bool {
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit());
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split('_').all(word)
}

/// What may have been meant: `Guest Book` and `guest-book` are `guest_book`.
fn proposed(text: &str) -> String {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

/// Whose the name is already, as a clause.
fn taken(name: &str) -> Result<Option<String>, Failure> {
    let linked = Linked::collect();
    if linked.names().contains(&name) || STOCK_MODULES.contains(&name) {
        return Ok(Some(String::from("there is a module of this name")));
    }
    let dashed = name.replace('_', "-");
    if dashed == "help" || own_commands().has(&dashed) {
        return Ok(Some(format!("`stoa {dashed}` is a command of the shop itself")));
    }
    // The program without any module tells what is core's.
    let program = Program::freeze(ProgramParts {
        config: Arc::new(Config::default()),
        linked: Linked::default(),
        reserved: &[],
        clock: Clock::system(),
        random: Random::system(),
        console: None,
    })
    .map_err(|problems| Failure::operation(problems.to_string()))?;
    let registry = &program.registry;
    let path = format!("/{dashed}");
    let below = format!("{path}/");
    let mut routes = registry.routes.entries.iter().map(|owned| owned.route.path);
    if let Some(route) = routes.find(|route| *route == path || route.starts_with(&below)) {
        return Ok(Some(format!("`{route}` is a path of the shop itself")));
    }
    let is_own = |ability: &&str| ability.split('.').next() == Some(name);
    if let Some(ability) = registry.abilities.names().find(is_own) {
        return Ok(Some(format!("`{ability}` is an ability of the shop itself")));
    }
    let prefix = format!("{name}_");
    let table = registry.migrations.iter().flat_map(tables_of).find(|table| table.starts_with(&prefix));
    Ok(table.map(|table| format!("`{table}` is a table of the shop itself")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(name: &str) -> String {
        ModuleName::parse(name).err().unwrap_or_else(|| panic!("{name:?} is taken as a name")).to_string()
    }

    #[test]
    fn a_name_is_lower_case_words() {
        for good in ["tea", "guest_book", "b2b", "x1_2"] {
            ModuleName::parse(good).unwrap_or_else(|failure| panic!("{failure}"));
        }
        for wrong in ["", "Tea", "guest-book", "_tea", "tea_", "tea__cups", "2tea", "tee ", "tée", "../tea", "tea.cups"]
        {
            assert!(refused(wrong).contains("lower-case words"), "{wrong}");
        }
        assert!(refused("Guest-Book").contains("did you mean `guest_book`"));
        assert!(!refused("42").contains("did you mean"));
    }

    #[test]
    fn a_name_has_a_length() {
        assert!(refused("t").contains("2 to 30 characters, this one has 1"));
        assert!(refused(&"t".repeat(31)).contains("this one has 31"));
        ModuleName::parse(&"t".repeat(30)).unwrap_or_else(|failure| panic!("{failure}"));
    }

    #[test]
    fn a_name_is_not_taken() {
        for (name, by) in [
            ("type", "reserved"),
            ("while", "reserved"),
            ("core", "reserved"),
            ("inventory", "a module of this name"),
            ("order", "`stoa order` is a command"),
            ("credit_note", "`stoa credit-note` is a command"),
            ("help", "`stoa help` is a command"),
            ("cart", "`/cart` is a path"),
            ("addresses", "`/addresses` is a path"),
            ("mail", "`stoa mail` is a command"),
        ] {
            assert!(refused(name).contains(by), "{name}: {}", refused(name));
        }
    }

    #[test]
    fn the_name_is_written_as_its_place_wants_it() {
        let name = ModuleName::unchecked("guest_book_2");
        assert_eq!((name.dashed().as_str(), name.camel().as_str()), ("guest-book-2", "GuestBook2"));
        assert_eq!(name.crate_name(), "stoa-guest-book-2");
    }
}

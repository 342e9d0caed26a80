//! Gathers the program's texts and the operator's, with all that is wrong with them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use fluent_bundle::FluentResource;

use super::Language;
use super::entries::{Mistake, Parsed};
use super::source::{TextSource, UsedText};
use crate::config::{ConfigProblem, Origin, Position};
use crate::suggestion::{closest, did_you_mean};

/// What is wrong with texts.
#[derive(Debug, Default)]
pub struct TextProblems {
    /// In the operator's folder.
    pub config: Vec<ConfigProblem>,
    /// In the program.
    pub registration: Vec<String>,
}

/// The program's texts.
pub(super) struct BuiltIn {
    /// In each language.
    pub(super) texts: Vec<(Language, Vec<Arc<FluentResource>>)>,
    /// Every text with the variables that it has.
    pub(super) variables: BTreeMap<String, BTreeSet<String>>,
    pub(super) mistakes: Vec<String>,
}

/// The operator's texts.
#[derive(Default)]
pub(super) struct Own {
    pub(super) texts: Vec<(Language, FluentResource)>,
    pub(super) problems: Vec<ConfigProblem>,
}

/// Reads what the crates of this program bring.
pub(super) fn built_in() -> BuiltIn {
    let mut sources = inventory::iter::<TextSource>.into_iter().collect::<Vec<_>>();
    sources.sort_by_key(|source| (source.package, source.place));
    let mut uses = inventory::iter::<UsedText>.into_iter().collect::<Vec<_>>();
    uses.sort_by_key(|used| (used.file, used.line));
    gather(&sources, &uses)
}

fn gather(sources: &[&TextSource], uses: &[&UsedText]) -> BuiltIn {
    let mut texts = Language::BUILT_IN.map(|language| (language, Vec::new()));
    let mut variables = BTreeMap::new();
    let mut owners = BTreeMap::new();
    let mut mistakes = Vec::new();
    for source in sources {
        let parsed = source.files().map(|(language, file)| (language, Parsed::read(file)));
        let english = parsed[0].1.entries.clone();
        for (language, file) in &parsed {
            let told = |line: usize, message: &str| format!("{}:{line}: {message}", source.file(*language));
            mistakes.extend(file.mistakes.iter().map(|mistake| told(mistake.line, &mistake.message)));
            mistakes.extend(differences(file, &english).into_iter().map(|(line, message)| told(line, &message)));
        }
        for (key, names) in english {
            if let Some(other) = owners.insert(key.clone(), source.package) {
                mistakes.push(format!("the text `{key}` is brought by both `{other}` and `{}`", source.package));
            }
            variables.insert(key, names);
        }
        for ((_, file), (_, all)) in parsed.into_iter().zip(&mut texts) {
            all.push(Arc::new(file.resource));
        }
    }
    for used in uses {
        mistakes.extend(misuse(used, &variables).map(|message| format!("{}:{}: {message}", used.file, used.line)));
    }
    BuiltIn { texts: texts.into(), variables, mistakes }
}

/// How a translation differs from the English file, with lines.
fn differences(file: &Parsed, english: &BTreeMap<String, BTreeSet<String>>) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (key, names) in english {
        match file.entries.get(key) {
            None => found.push((1, format!("the text `{key}` is missing"))),
            Some(own) => found.extend(names.difference(own).map(|name| {
                let message = format!("the variable `${name}` is missing in `{key}`");
                (file.line(key), message)
            })),
        }
    }
    for (key, names) in &file.entries {
        match english.get(key) {
            None => found.push((file.line(key), unknown_key(key, english))),
            Some(known) => found.extend(names.difference(known).map(|name| {
                let message = unknown_variable(key, name, known);
                (file.place_of(key, name).0, message)
            })),
        }
    }
    found
}

fn misuse(used: &UsedText, variables: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let key = used.key;
    let Some(names) = variables.get(key) else { return Some(unknown_key(key, variables)) };
    let name = names.iter().find(|name| !used.variables.contains(&name.as_str()))?;
    Some(format!("the text `{key}` names `${name}`, which is not given here"))
}

fn unknown_key(key: &str, known: &BTreeMap<String, BTreeSet<String>>) -> String {
    let meant = closest(key, known.keys().map(String::as_str));
    format!("there is no text `{key}`{}", did_you_mean(meant))
}

fn unknown_variable(key: &str, name: &str, known: &BTreeSet<String>) -> String {
    let names = known.iter().map(|name| format!("`${name}`")).collect::<Vec<_>>().join(", ");
    let there = if names.is_empty() { "no variables".to_owned() } else { names };
    format!("`{key}` has no variable `${name}`; it has {there}")
}

/// Reads the files of the operator's folder.
pub(super) fn own(folder: Option<&Path>, built_in: &BuiltIn) -> Own {
    let mut own = Own::default();
    let Some(folder) = folder else { return own };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let message = format!("`shop.texts`: the folder of texts cannot be read: {error}");
            own.problems.push(ConfigProblem::new(origin(folder, None), message));
            return own;
        }
    };
    let mut files = entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "ftl"));
    files.sort();
    for file in files {
        if let Err(problems) = own_file(&file, built_in).map(|text| own.texts.push(text)) {
            own.problems.extend(problems);
        }
    }
    own
}

fn own_file(path: &Path, built_in: &BuiltIn) -> Result<(Language, FluentResource), Vec<ConfigProblem>> {
    let refused = |message: String| vec![ConfigProblem::new(origin(path, None), message)];
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let language = Language::parse(name).filter(|language| language.tag() == name).ok_or_else(|| {
        refused("the name of a file of texts is that of a language (ISO 639), such as de.ftl or fr.ftl".to_owned())
    })?;
    let source = fs::read_to_string(path).map_err(|error| refused(format!("the texts cannot be read: {error}")))?;
    let file = Parsed::read(&source);
    let mut mistakes = Vec::new();
    for (key, names) in &file.entries {
        match built_in.variables.get(key) {
            None => {
                let message = unknown_key(key, &built_in.variables);
                mistakes.push(Mistake { line: file.line(key), column: 1, message });
            }
            Some(known) => mistakes.extend(names.difference(known).map(|variable| {
                let (line, column) = file.place_of(key, variable);
                Mistake { line, column, message: unknown_variable(key, variable, known) }
            })),
        }
    }
    let mut mistakes = file.mistakes.into_iter().chain(mistakes).collect::<Vec<_>>();
    mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
    if mistakes.is_empty() {
        return Ok((language, file.resource));
    }
    let told = mistakes.into_iter().map(|Mistake { line, column, message }| {
        ConfigProblem::new(origin(path, Some(Position { line, column })), message)
    });
    Err(told.collect())
}

fn origin(path: &Path, position: Option<Position>) -> Origin {
    Origin::File { file: path.display().to_string().into(), position }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: TextSource = TextSource {
        package: "lamps",
        place: "texts",
        en: "lamp-on = { $lamp } is on.\nlamp-off = Off.\n",
        de: "lamp-off = Aus.\nlamp-on = { $lamp } ist an.\n",
        nl: "lamp-on = { $lamp } is aan.\nlamp-off = Uit.\n",
    };

    #[test]
    fn each_language_has_the_texts_and_variables_of_english() {
        assert_eq!(gather(&[&SOUND], &[]).mistakes, Vec::<String>::new());
        let wrong = TextSource { de: "lamp-on = An.\nlamp-of = Aus.\n", nl: "lamp-on = { $lap }\nlamp-off", ..SOUND };
        assert_eq!(
            gather(&[&wrong], &[]).mistakes,
            [
                "texts of `lamps`: de.ftl:1: the text `lamp-off` is missing",
                "texts of `lamps`: de.ftl:1: the variable `$lamp` is missing in `lamp-on`",
                "texts of `lamps`: de.ftl:2: there is no text `lamp-of`; did you mean `lamp-off`?",
                "texts of `lamps`: nl.ftl:2: this is no Fluent: Expected a token starting with \"=\"",
                "texts of `lamps`: nl.ftl:1: the text `lamp-off` is missing",
                "texts of `lamps`: nl.ftl:1: the variable `$lamp` is missing in `lamp-on`",
                "texts of `lamps`: nl.ftl:1: `lamp-on` has no variable `$lap`; it has `$lamp`",
            ]
        );
    }

    #[test]
    fn a_key_belongs_to_one_crate() {
        let other = TextSource { package: "candles", ..SOUND };
        let mistakes = gather(&[&other, &SOUND], &[]).mistakes;
        assert_eq!(mistakes[0], "the text `lamp-off` is brought by both `candles` and `lamps`");
    }

    #[test]
    fn whoever_says_a_text_gives_what_it_names() {
        let used = |key, variables| UsedText { key, variables, file: "src/lib.rs", line: 7 };
        let uses = [used("lamp-on", &["lamp", "room"]), used("lamp-on", &[]), used("lamp-onn", &[])];
        assert_eq!(
            gather(&[&SOUND], &uses.iter().collect::<Vec<_>>()).mistakes,
            [
                "src/lib.rs:7: the text `lamp-on` names `$lamp`, which is not given here",
                "src/lib.rs:7: there is no text `lamp-onn`; did you mean `lamp-on`?",
            ]
        );
    }

    #[test]
    fn the_operators_mistakes_are_told_with_file_and_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("it can be written");
        write("de.ftl", "# Ours\nlamp-on = An: { $lap }\nlamp-of = Aus\n");
        write("fr.ftl", "lamp-off = Éteinte.\n");
        write("deutsch.ftl", "");
        write("notes.txt", "");
        let own = own(Some(folder.path()), &gather(&[&SOUND], &[]));
        let told = own.problems.iter().map(ToString::to_string);
        let told = told.map(|problem| problem.replace(&format!("{}/", folder.path().display()), ""));
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "de.ftl:2:17: `lamp-on` has no variable `$lap`; it has `$lamp`",
                "de.ftl:3:1: there is no text `lamp-of`; did you mean `lamp-off`?",
                "deutsch.ftl: the name of a file of texts is that of a language (ISO 639), such as de.ftl or fr.ftl",
            ]
        );
        assert_eq!(own.texts.len(), 1);
    }
}

//! The templates of all mails: those that come with the shop, and the operator's own over them.

use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::kind::MailKind;
use super::template::{Template, TemplateProblem};
use crate::config::{ConfigProblem, Origin, Position};
use crate::i18n::Language;

/// Bytes of the longest template.
const MAX_LENGTH: u64 = 64 << 10;

/// The templates of all mails in all languages.
#[derive(Debug)]
pub(crate) struct Templates(HashMap<String, Template>);

impl Templates {
    /// Reads the templates in this folder, and takes the built-in ones for what is not there. Tells all that is wrong.
    pub(crate) fn load(folder: Option<&Path>) -> Result<Self, Vec<ConfigProblem>> {
        let mut templates = HashMap::new();
        let mut problems = folder.map(unknown_files).unwrap_or_default();
        for kind in MailKind::ALL {
            for language in Language::ALL {
                let name = kind.file_name(language);
                let path = folder.map(|folder| folder.join(&name));
                let own = match path.as_deref().map(read).transpose() {
                    Ok(own) => own.flatten(),
                    Err(problem) => {
                        problems.push(problem);
                        continue;
                    }
                };
                let text = own.as_deref().unwrap_or_else(|| kind.built_in(language));
                match Template::parse(text, kind.placeholders()) {
                    Ok(template) => drop(templates.insert(name, template)),
                    Err(found) => {
                        let file = path.map_or(name, |path| path.display().to_string());
                        problems.extend(found.into_iter().map(|problem| placed(&file, problem)));
                    }
                }
            }
        }
        if problems.is_empty() { Ok(Self(templates)) } else { Err(problems) }
    }

    /// The template of a mail in a language.
    pub(super) fn get(&self, kind: MailKind, language: Language) -> &Template {
        self.0.get(&kind.file_name(language)).expect("every mail has a template in every language")
    }
}

/// Texts whose names say nothing: whoever misspells one would wonder why it is not sent.
fn unknown_files(folder: &Path) -> Vec<ConfigProblem> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let message = format!("`mail.templates`: the folder of templates cannot be read: {error}");
            return vec![ConfigProblem::new(file(folder), message)];
        }
    };
    let names = MailKind::ALL.into_iter().flat_map(|kind| Language::ALL.map(|language| kind.file_name(language)));
    let names = names.collect::<Vec<_>>();
    let mut unknown = entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    unknown.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        path.extension().is_some_and(|ending| ending == "txt") && !names.iter().any(|own| own == name)
    });
    unknown.sort();
    let message = format!("this is the text of no mail; there are {}", names.join(", "));
    unknown.iter().map(|path| ConfigProblem::new(file(path), message.clone())).collect()
}

/// The text of a file; none when it is not there.
fn read(path: &Path) -> Result<Option<String>, ConfigProblem> {
    let refused = |reason: &str| ConfigProblem::new(file(path), format!("the template cannot be read: {reason}"));
    let opened = match fs::File::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(&error.to_string())),
    };
    let mut bytes = Vec::new();
    opened.take(MAX_LENGTH + 1).read_to_end(&mut bytes).map_err(|error| refused(&error.to_string()))?;
    if bytes.len() as u64 > MAX_LENGTH {
        return Err(refused("it is longer than 64 KiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| refused("it is not UTF-8"))
}

fn file(path: &Path) -> Origin {
    Origin::File { file: path.display().to_string().into(), position: None }
}

fn placed(file: &str, problem: TemplateProblem) -> ConfigProblem {
    let position = Some(Position { line: problem.line, column: problem.column });
    ConfigProblem::new(Origin::File { file: file.into(), position }, problem.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shop_comes_with_a_text_for_every_mail_in_every_language() {
        let templates = Templates::load(None).expect("they are sound");
        for kind in MailKind::ALL {
            let values = kind.placeholders().iter().map(|name| (*name, format!("<{name}>"))).collect();
            let texts = Language::ALL.map(|language| templates.get(kind, language).fill(&values));
            for (subject, body) in &texts {
                assert!(subject.contains("<order_number>") && subject.contains("<shop_name>"), "{subject}");
                for name in ["<order_number>", "<name>", "<shop_name>"] {
                    assert!(body.contains(name), "{body}");
                }
            }
            assert!(texts[0] != texts[1] && texts[1] != texts[2] && texts[0] != texts[2]);
        }
    }
}

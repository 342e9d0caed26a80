//! The mails that features and modules register.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::declared::{MailAbout, MailTemplate};
use super::folder::{OwnText, own_text, placed, unknown_files};
use super::template::Template;
use crate::config::ConfigProblem;
use crate::db::{DbError, Tx};
use crate::from_shop::ShopParts;
use crate::i18n::Language;
use crate::mail::reader::{ErasedMailReaders, MailReader, MailReaders};

/// The owner of core's own features, whose mails have names without a prefix.
const CORE: &str = "core";

/// Characters of the longest name.
const MAX_NAME: usize = 60;

/// Collects mails while features and modules register, those of modules included that are off.
#[derive(Default)]
pub struct MailTemplateTable {
    entries: Vec<(&'static str, MailTemplate)>,
    readers: HashMap<MailAbout, Arc<dyn ErasedMailReaders>>,
}

impl MailTemplateTable {
    /// Adds a mail of a feature (`core`) or of a module.
    pub fn add(&mut self, owner: &'static str, template: MailTemplate) -> Result<(), String> {
        let name = template.name;
        let is_name = (1..=MAX_NAME).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_name {
            return Err(format!(
                "the mail `{name}` of `{owner}` is not 1 to {MAX_NAME} lower-case letters, digits and `_`"
            ));
        }
        if let Some((other, _)) = self.entries.iter().find(|(_, known)| known.name == name) {
            return Err(format!("the mail `{name}` is registered by both `{other}` and `{owner}`"));
        }
        let is_own = name.strip_prefix(owner).is_some_and(|rest| rest.len() > 1 && rest.starts_with('_'));
        if owner != CORE && !is_own {
            return Err(format!("the mail `{name}` of `{owner}` must be called `{owner}_…`"));
        }
        let placeholders = template.all_placeholders();
        if let Some(twice) = placeholders.iter().enumerate().find(|(at, one)| placeholders[..*at].contains(one)) {
            return Err(format!("the mail `{name}` of `{owner}` has two placeholders `{}`", twice.1));
        }
        self.entries.push((owner, template));
        Ok(())
    }

    /// Adds who reads the mails about something.
    pub fn add_readers(&mut self, about: MailAbout, readers: impl MailReaders) -> Result<(), String> {
        match self.readers.insert(about, Arc::new(readers)) {
            None => Ok(()),
            Some(_) => Err(format!("the readers of mails about {about:?} are registered twice")),
        }
    }

    /// The names of an owner's mails, as they were registered.
    pub fn names_of(&self, owner: &str) -> Vec<&'static str> {
        self.entries.iter().filter(|(known, _)| *known == owner).map(|(_, template)| template.name).collect()
    }

    /// Reads all texts, with those in this folder and in these languages in place of the ones that were registered. Mistakes of the operator, in
    /// the folder, and of authors are told apart.
    pub fn load(
        mut self,
        folder: Option<&Path>,
        languages: &[Language],
    ) -> Result<MailTemplates, MailTemplateProblems> {
        self.entries.sort_by_key(|(owner, _)| *owner != CORE);
        let mut problems = MailTemplateProblems::default();
        if let Some(folder) = folder {
            problems.config.extend(unknown_files(folder, &self.file_names(languages)));
        }
        let mut texts = HashMap::new();
        for (owner, template) in &self.entries {
            let known = template.all_placeholders();
            for language in languages.iter().copied() {
                let name = template.file_name(language);
                let own = match own_text(folder, &name) {
                    Ok(own) => own,
                    Err(problem) => {
                        problems.config.push(problem);
                        None
                    }
                };
                // What comes with the mail is looked at in any case: its author must not rely on the operator.
                let built_in = template.texts.text(language).map(|text| {
                    Template::parse(text, &known).map_err(|found| {
                        let told = found.into_iter().map(|problem| {
                            let (line, column, message) = (problem.line, problem.column, problem.message);
                            format!("the mail `{}` of `{owner}`: {name}:{line}:{column}: {message}", template.name)
                        });
                        problems.registration.extend(told);
                    })
                });
                let chosen = match own {
                    None => built_in.unwrap_or(Err(())),
                    Some(OwnText { file, text }) => Template::parse(&text, &known)
                        .map_err(|found| problems.config.extend(found.into_iter().map(|one| placed(&file, one)))),
                };
                if let Ok(text) = chosen {
                    texts.insert((template.name, language), text);
                }
            }
        }
        if problems.config.is_empty() && problems.registration.is_empty() {
            Ok(MailTemplates { texts, readers: self.readers })
        } else {
            Err(problems)
        }
    }

    fn file_names(&self, languages: &[Language]) -> Vec<String> {
        let templates = self.entries.iter().map(|(_, template)| template);
        templates.flat_map(|template| languages.iter().map(|language| template.file_name(*language))).collect()
    }
}

/// What is wrong with the texts of mails.
#[derive(Debug, Default)]
pub struct MailTemplateProblems {
    /// In the operator's folder.
    pub config: Vec<ConfigProblem>,
    /// In what was registered.
    pub registration: Vec<String>,
}

/// The texts of all mails in all languages, and who reads them, frozen.
#[derive(Default)]
pub struct MailTemplates {
    texts: HashMap<(&'static str, Language), Template>,
    readers: HashMap<MailAbout, Arc<dyn ErasedMailReaders>>,
}

impl MailTemplates {
    /// The text of a mail in a language, else in English, and the language that it is in; none of a mail that nobody has
    /// registered.
    pub fn find(&self, name: &'static str, language: Language) -> Option<(&Template, Language)> {
        let find = |language| Some((self.texts.get(&(name, language))?, language));
        find(language).or_else(|| find(Language::EN))
    }

    /// The reader of a mail about something; none who was anonymized.
    pub(crate) async fn find_reader(
        &self,
        tx: &mut Tx,
        shop: &ShopParts,
        about: MailAbout,
        id: i64,
    ) -> Result<Option<MailReader>, DbError> {
        match self.readers.get(&about) {
            Some(readers) => readers.find(tx, shop, id).await,
            None => Ok(None),
        }
    }
}

//! The mails that features and modules register.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::declared::{MailAbout, MailTemplate};
use super::folder::{OwnText, own_text, placed, unknown_files};
use super::html::{Blocks, as_template, content, preview};
use super::page::{LAYOUT, Page};
use super::piece::TemplateProblem;
use super::template::{Template, Values};
use crate::config::ConfigProblem;
use crate::db::{DbError, Tx};
use crate::from_shop::ShopParts;
use crate::i18n::Language;
use crate::mail::file::{ErasedMailFile, RenderMailFile};
use crate::mail::part::{MailPartWriter, WriteMailPart};
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
    files: HashMap<&'static str, Arc<dyn ErasedMailFile>>,
    parts: Vec<MailPartWriter>,
}

/// The name of the file with a layout of the operator's own.
const LAYOUT_FILE: &str = "layout.html";

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

    /// Adds what makes files that go along with mails, under a name.
    pub fn add_file(&mut self, name: &'static str, file: impl RenderMailFile) -> Result<(), String> {
        match self.files.insert(name, Arc::new(file)) {
            None => Ok(()),
            Some(_) => Err(format!("the file `{name}` of mails is registered twice")),
        }
    }

    /// Adds a module's part of the mail about what was paid.
    pub fn add_part(&mut self, owner: &'static str, part: impl WriteMailPart) {
        self.parts.push(MailPartWriter::of(owner, part));
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
        let mut pages = HashMap::new();
        let layout = own_page(folder, LAYOUT_FILE, Page::layout, &mut problems);
        for (owner, template) in &self.entries {
            let known = template.all_placeholders();
            for language in languages.iter().copied() {
                let page = template.page_name(language);
                let page = own_page(folder, &page, |text| Page::parse(text, &known), &mut problems);
                pages.extend(page.map(|page| ((template.name, language), page)));
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
            self.parts.sort_by_key(|part| (part.owner() != CORE, part.owner()));
            let layout = layout.or_else(|| Page::layout(LAYOUT).ok());
            let entries = self.entries.into_iter().map(|(_, template)| template).collect();
            let (readers, files, parts) = (self.readers, self.files, self.parts);
            Ok(MailTemplates { entries, texts, pages, layout, readers, files, parts })
        } else {
            Err(problems)
        }
    }

    fn file_names(&self, languages: &[Language]) -> Vec<String> {
        let templates = self.entries.iter().map(|(_, template)| template);
        let of = |template: &MailTemplate, language: &Language| {
            [template.file_name(*language), template.page_name(*language)]
        };
        let names = templates.flat_map(|template| languages.iter().flat_map(move |language| of(template, language)));
        names.chain([LAYOUT_FILE.to_owned()]).collect()
    }
}

/// The operator's own HTML of this name, if there is some.
fn own_page(
    folder: Option<&Path>,
    name: &str,
    parse: impl FnOnce(&str) -> Result<Page, Vec<TemplateProblem>>,
    problems: &mut MailTemplateProblems,
) -> Option<Page> {
    match own_text(folder, name) {
        Ok(own) => {
            let OwnText { file, text } = own?;
            let found = parse(&text).map_err(|found| found.into_iter().map(|one| placed(&file, one)));
            found.map_err(|found| problems.config.extend(found)).ok()
        }
        Err(problem) => {
            problems.config.push(problem);
            None
        }
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

/// The texts of all mails in all languages, who reads them, and what modules add to them, frozen.
#[derive(Default)]
pub struct MailTemplates {
    entries: Vec<MailTemplate>,
    texts: HashMap<(&'static str, Language), Template>,
    pages: HashMap<(&'static str, Language), Page>,
    layout: Option<Page>,
    readers: HashMap<MailAbout, Arc<dyn ErasedMailReaders>>,
    files: HashMap<&'static str, Arc<dyn ErasedMailFile>>,
    parts: Vec<MailPartWriter>,
}

/// A mail in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// What it is called, in one line.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same as an HTML document.
    pub html: String,
    /// The language of all that.
    pub language: Language,
}

/// What the layout says of the shop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letterhead<'a> {
    pub(crate) shop_name: &'a str,
    /// Lines.
    pub(crate) shop_address: &'a str,
}

/// Whether the HTML of mails is written too, when templates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithPages {
    /// Texts and the layout; the HTML of each mail follows from its text.
    No,
    /// The HTML of each mail as well, which is then independent of its text.
    Yes,
}

impl MailTemplates {
    /// The templates that come with the shop and its modules, in the shop's own languages: names of files, and what belongs into them.
    pub fn built_in(&self, pages: WithPages) -> Vec<(String, String)> {
        let mut files = vec![(LAYOUT_FILE.to_owned(), LAYOUT.to_owned())];
        for template in &self.entries {
            let known = template.all_placeholders();
            for language in Language::BUILT_IN {
                let Some(text) = template.texts.text(language) else { continue };
                files.push((template.file_name(language), text.to_owned()));
                if pages == WithPages::Yes
                    && let Ok(parsed) = Template::parse(text, &known)
                {
                    files.push((template.page_name(language), as_template(&parsed)));
                }
            }
        }
        files.sort();
        files
    }

    /// The mail of this name in words; none of a mail that nobody has registered.
    pub(crate) fn write(
        &self,
        name: &'static str,
        language: Language,
        letterhead: Letterhead<'_>,
        values: &Values,
        blocks: &Blocks,
    ) -> Option<Written> {
        let (template, language) = self.find(name, language)?;
        let (subject, text) = template.fill(values);
        let own = self.pages.get(&(name, language));
        let html = match own {
            Some(page) => page.fill(values, blocks),
            None => content(template, values, blocks, None),
        };
        let html = match own {
            Some(page) if page.is_whole() => html,
            Some(_) | None => self.laid_out(html, &subject, &text, language, letterhead),
        };
        Some(Written { subject, text, html, language })
    }

    /// A mail whose words come from elsewhere. An address in a paragraph of its own becomes a button that says `action`.
    pub(crate) fn write_words(
        &self,
        subject: &str,
        text: String,
        action: Option<&str>,
        language: Language,
        letterhead: Letterhead<'_>,
    ) -> Written {
        let template = Template::of_words(subject, &text);
        let html = content(&template, &Values::new(), &Blocks::new(), action);
        let html = self.laid_out(html, subject, &text, language, letterhead);
        Written { subject: subject.to_owned(), text, html, language }
    }

    fn laid_out(
        &self,
        content: String,
        subject: &str,
        text: &str,
        language: Language,
        letterhead: Letterhead<'_>,
    ) -> String {
        let values = Values::from([
            ("language", language.tag().to_owned()),
            ("subject", subject.to_owned()),
            ("preview", preview(text)),
            // Not empty; the block says what it is.
            ("content", String::from("content")),
            ("shop_name", letterhead.shop_name.to_owned()),
            ("shop_address", letterhead.shop_address.to_owned()),
        ]);
        match &self.layout {
            Some(layout) => layout.fill(&values, &Blocks::from([("content", content)])),
            None => content,
        }
    }

    /// What makes files of this name.
    pub(crate) fn file(&self, name: &str) -> Option<&Arc<dyn ErasedMailFile>> {
        self.files.get(name)
    }

    /// What modules say in the mail about what was paid, in the order in which it is said.
    pub(crate) fn parts(&self) -> &[MailPartWriter] {
        &self.parts
    }

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

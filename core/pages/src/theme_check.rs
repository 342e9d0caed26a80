//! What is wrong in an operator's own templates, and in modules' parts of pages, beyond their syntax: names that nothing has, told with
//! file and line before anybody looks at a page.
//!
//! A template does not say what it needs, and a page that is made once takes one of its ways only. So its instructions are looked
//! through, all of them, for what they name: filters, tests, functions, variables, members, other templates and their blocks. Whose
//! member one is, is known only when a page is made; so one is taken if anything has it that the API answers or takes.

use std::collections::BTreeSet;
use std::path::PathBuf;

use minijinja::machinery::{CompiledTemplate, Instruction, Instructions, get_compiled_template};
use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, ErrorKind, Template};

use stoa_kernel::http::openapi::ApiMembers;
use stoa_kernel::suggestion::{closest, did_you_mean};

use crate::theme::ThemeError;

/// Names that templates have without anybody giving them.
const BUILT_IN: [&str; 4] = ["loop", "self", "super", "caller"];

/// Members that `loop` and macros have.
const BUILT_IN_MEMBERS: [&str; 14] = [
    "arguments",
    "caller",
    "depth",
    "depth0",
    "first",
    "index",
    "index0",
    "last",
    "length",
    "name",
    "nextitem",
    "previtem",
    "revindex",
    "revindex0",
];

/// Members of what every page has, beside those that the API answers and takes.
const PAGE_MEMBERS: [&str; 8] = ["currency", "data", "errors", "form", "message", "meta", "name", "url"];

/// Looks through an operator's own templates in an environment. What comes along, `original`, shows what pages are given. The first
/// mistake is told.
pub(crate) fn find_mistake(
    templates: &Environment<'static>,
    original: &Environment<'static>,
    own: &[(String, PathBuf)],
    api: &ApiMembers,
) -> Result<(), ThemeError> {
    let mut known = BUILT_IN.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    known.extend(templates.globals().map(|(name, _)| name.to_owned()));
    for (_, template) in original.templates() {
        known.extend(names_in(&template, |instruction| match instruction {
            Instruction::StoreLocal(name) | Instruction::Lookup(name) => Some(*name),
            _ => None,
        }));
    }
    // A part is given what the template has set that includes it.
    for (_, template) in templates.templates() {
        known.extend(names_in(&template, |instruction| match instruction {
            Instruction::StoreLocal(name) => Some(*name),
            _ => None,
        }));
    }
    let members = members_of(templates, original, api);
    for (name, path) in own {
        let template = templates.get_template(name).map_err(|error| crate::theme::problem(name, &error))?;
        let compiled = get_compiled_template(&template);
        let look = Look { templates, known: &known, members: &members, compiled, has_all: true };
        let mistakes = streams(compiled).filter_map(|stream| look.mistake_in(stream));
        // The first by its line: the blocks of a template are apart from what is around them.
        if let Some((line, message)) = mistakes.chain(look.lost_block()).min_by_key(|(line, _)| *line) {
            return Err(ThemeError::Template { place: format!("{}:{line}", path.display()), message });
        }
    }
    Ok(())
}

/// Looks through a module's part of a page, which is alone in its environment and is given these values. The first mistake is told.
pub(crate) fn find_mistake_in_panel(
    templates: &Environment<'static>,
    name: &str,
    values: &[&str],
    api: &ApiMembers,
) -> Result<(), ThemeError> {
    let template = templates.get_template(name).map_err(|error| crate::theme::problem(name, &error))?;
    let compiled = get_compiled_template(&template);
    let mut known = BUILT_IN.iter().chain(values).map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    known.extend(templates.globals().map(|(name, _)| name.to_owned()));
    known.extend(names_in(&template, |instruction| match instruction {
        Instruction::StoreLocal(name) => Some(*name),
        _ => None,
    }));
    let mut members = members_of(templates, &Environment::new(), api);
    members.extend(PAGE_MEMBERS.iter().map(|name| (*name).to_owned()));
    let look = Look { templates, known: &known, members: &members, compiled, has_all: false };
    let mistakes = streams(compiled).filter_map(|stream| look.mistake_in(stream)).chain(look.missing_text());
    match mistakes.min_by_key(|(line, _)| *line) {
        Some((line, message)) => Err(ThemeError::Template { place: format!("{name}:{line}"), message }),
        None => Ok(()),
    }
}

type Mistake = (usize, String);

/// A template that is looked through.
struct Look<'a> {
    templates: &'a Environment<'static>,
    known: &'a BTreeSet<String>,
    members: &'a BTreeSet<String>,
    compiled: &'a CompiledTemplate<'a>,
    /// Whether all templates are there that it may name: a module's part is looked through without the storefront's.
    has_all: bool,
}

impl Look<'_> {
    fn mistake_in(&self, stream: &Instructions<'_>) -> Option<Mistake> {
        instructions(stream).find_map(|(at, instruction, line)| {
            let message = match instruction {
                Instruction::ApplyFilter(name, ..) => {
                    self.unknown(&format!("''|{name}"), ErrorKind::UnknownFilter, name)
                }
                Instruction::PerformTest(name, ..) => {
                    self.unknown(&format!("'' is {name}"), ErrorKind::UnknownTest, name)
                }
                Instruction::CallFunction(name, _) => unless_known("function", name, self.known),
                Instruction::Lookup(name) => unless_known("variable", name, self.known),
                Instruction::GetAttr(name) => unless_known("member", name, self.members),
                Instruction::Include(may_be_missing) if self.has_all => {
                    let name = constant_before(stream, at)?;
                    self.missing_template(&name)
                        .filter(|_| !may_be_missing)
                        .or_else(|| self.missing_import(stream, at, &name))
                }
                Instruction::LoadBlocks if self.has_all => self.missing_template(&constant_before(stream, at)?),
                _ => None,
            };
            message.map(|message| (line, message))
        })
    }

    /// A filter or a test that is not there: the environment tells by trying it alone.
    fn unknown(&self, tried: &str, kind: ErrorKind, name: &str) -> Option<String> {
        let failed = self.templates.render_str(&format!("{{{{ {tried} }}}}"), ()).err()?;
        let what = if kind == ErrorKind::UnknownTest { "test" } else { "filter" };
        (failed.kind() == kind).then(|| format!("there is no {what} `{name}`"))
    }

    /// A text that is not there: the environment tells by saying it alone. A key that is put together is known only when the page is made.
    fn missing_text(&self) -> Option<Mistake> {
        let source = self.compiled.instructions.source();
        source.match_indices("t(").find_map(|(at, call)| {
            let (before, after) = (&source[..at], &source[at + call.len()..]);
            if before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_') {
                return None;
            }
            let quote = after.chars().next().filter(|sign| ['\'', '"'].contains(sign))?;
            let (key, rest) = after[1..].split_once(quote)?;
            let is_whole = rest.trim_start().starts_with([',', ')']);
            let is_missing = is_whole && self.templates.render_str(&format!("{{{{ t('{key}') }}}}"), ()).is_err();
            is_missing.then(|| (before.matches('\n').count() + 1, format!("there is no text `{key}`")))
        })
    }

    fn missing_template(&self, name: &str) -> Option<String> {
        let hint = || did_you_mean(closest(name, self.templates.templates().map(|(known, _)| known)));
        self.templates.get_template(name).is_err().then(|| format!("there is no template `{name}`{}", hint()))
    }

    /// What is imported from a template that has nothing of this name.
    fn missing_import(&self, stream: &Instructions<'_>, include: u32, from: &str) -> Option<String> {
        let template = self.templates.get_template(from).ok()?;
        let compiled = get_compiled_template(&template);
        let there = instructions(&compiled.instructions).filter_map(|(_, instruction, _)| match instruction {
            Instruction::StoreLocal(name) => Some(*name),
            _ => None,
        });
        let there = there.collect::<BTreeSet<_>>();
        // The names of an import are looked up in the frame that it has opened before.
        let opened = include.checked_sub(2).and_then(|at| stream.get(at));
        if !matches!(opened, Some(Instruction::PushWith)) {
            return None;
        }
        let imported = (include + 1..).map_while(|at| match stream.get(at) {
            Some(Instruction::Lookup(name)) => Some(*name),
            _ => None,
        });
        let missing = imported.into_iter().find(|name| !there.contains(name))?;
        Some(format!("`{from}` has no `{missing}`{}", did_you_mean(closest(missing, there.iter().copied()))))
    }

    /// A block that no template has in which this one is put: nobody would ever see it.
    fn lost_block(&self) -> Option<Mistake> {
        let mut above = BTreeSet::new();
        let mut parent = parent_of(self.compiled)?;
        loop {
            let template = self.templates.get_template(&parent).ok()?;
            let compiled = get_compiled_template(&template);
            above.extend(compiled.blocks.keys().map(|name| (*name).to_owned()));
            match parent_of(compiled) {
                Some(next) if next != parent => parent = next,
                _ => break,
            }
        }
        let own =
            self.compiled.blocks.values().flat_map(instructions).filter_map(|(_, instruction, _)| match instruction {
                Instruction::CallBlock(name) => Some(*name),
                _ => None,
            });
        let inside = own.collect::<BTreeSet<_>>();
        let root = instructions(&self.compiled.instructions);
        root.into_iter().find_map(|(_, instruction, line)| match instruction {
            Instruction::CallBlock(name) if !above.contains(*name) && !inside.contains(name) => {
                let hint = did_you_mean(closest(name, above.iter().map(String::as_str)));
                // Its instruction stands where the block ends.
                let source = self.compiled.instructions.source();
                let begin = source.lines().position(|text| text.contains("block") && text.contains(*name));
                let line = begin.map_or(line, |begin| begin + 1);
                Some((line, format!("there is no block `{name}` to put this into{hint}")))
            }
            _ => None,
        })
    }
}

fn unless_known(what: &str, name: &str, known: &BTreeSet<String>) -> Option<String> {
    let hint = || did_you_mean(closest(name, known.iter().map(String::as_str)));
    (!known.contains(name)).then(|| format!("there is no {what} `{name}`{}", hint()))
}

/// The members that anything has which templates show: of the API's answers and bodies, of what the pages that come along show, and of
/// what templates make themselves.
fn members_of(templates: &Environment<'static>, original: &Environment<'static>, api: &ApiMembers) -> BTreeSet<String> {
    let mut members = api.names();
    members.extend(BUILT_IN_MEMBERS.iter().map(|name| (*name).to_owned()));
    for (_, template) in original.templates() {
        members.extend(names_in(&template, |instruction| match instruction {
            Instruction::GetAttr(name) => Some(*name),
            _ => None,
        }));
    }
    for (_, template) in templates.templates() {
        // What a template sets is a member of it for whoever imports it.
        members.extend(names_in(&template, |instruction| match instruction {
            Instruction::StoreLocal(name) | Instruction::SetAttr(name) => Some(*name),
            _ => None,
        }));
        for (_, instruction, _) in streams(get_compiled_template(&template)).flat_map(instructions) {
            if let Instruction::LoadConst(value) = instruction {
                add_texts(value, &mut members);
            }
        }
    }
    members
}

/// Adds the texts in a value that can be names. The keys of what a template makes itself stand there as texts.
fn add_texts(value: &Value, found: &mut BTreeSet<String>) {
    let is_name = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    found.extend(value.as_str().filter(is_name).map(str::to_owned));
    if matches!(value.kind(), ValueKind::Map | ValueKind::Seq) {
        for item in value.try_iter().into_iter().flatten() {
            add_texts(&item, found);
            if let Ok(inner) = value.get_item(&item) {
                add_texts(&inner, found);
            }
        }
    }
}

fn names_in(
    template: &Template<'_, '_>,
    named: for<'i> fn(&'i Instruction<'_>) -> Option<&'i str>,
) -> BTreeSet<String> {
    let compiled = get_compiled_template(template);
    let found = streams(compiled).flat_map(instructions).filter_map(|(_, instruction, _)| named(instruction));
    found.map(str::to_owned).collect()
}

fn streams<'a>(compiled: &'a CompiledTemplate<'a>) -> impl Iterator<Item = &'a Instructions<'a>> {
    std::iter::once(&compiled.instructions).chain(compiled.blocks.values())
}

fn instructions<'a>(stream: &'a Instructions<'a>) -> impl Iterator<Item = (u32, &'a Instruction<'a>, usize)> {
    (0..).map_while(|at| Some((at, stream.get(at)?, stream.get_line(at).unwrap_or(1))))
}

/// The template that another one is put into, if its name stands there.
fn parent_of(compiled: &CompiledTemplate<'_>) -> Option<String> {
    let mut root = instructions(&compiled.instructions);
    let (at, ..) = root.find(|(_, instruction, _)| matches!(instruction, Instruction::LoadBlocks))?;
    constant_before(&compiled.instructions, at)
}

/// The name that an instruction works with; none for one that is known only when the page is made.
fn constant_before(stream: &Instructions<'_>, at: u32) -> Option<String> {
    match stream.get(at.checked_sub(1)?)? {
        Instruction::LoadConst(name) => name.as_str().map(str::to_owned),
        _ => None,
    }
}

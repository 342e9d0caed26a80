//! What a Fluent file holds, and what is wrong with it by itself.

use std::collections::{BTreeMap, BTreeSet};

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

/// A parsed file.
pub(super) struct Parsed {
    pub(super) resource: FluentResource,
    /// Its texts in the order of their keys, with the variables that each names.
    pub(super) entries: BTreeMap<String, BTreeSet<String>>,
    pub(super) mistakes: Vec<Mistake>,
}

/// Something wrong in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    /// Counted from 1.
    pub(super) line: usize,
    /// Counted from 1, in characters.
    pub(super) column: usize,
    pub(super) message: String,
}

/// What a pattern refers to.
#[derive(Default)]
struct References {
    variables: BTreeSet<String>,
    terms: Vec<String>,
    /// What texts cannot do, in words.
    refused: Vec<String>,
}

impl Parsed {
    /// Reads a file, whatever is wrong with it.
    pub(super) fn read(source: &str) -> Self {
        // Carriage returns and a byte order mark are an editor's, not the text's.
        let source = source.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let mut mistakes = Vec::new();
        let resource = FluentResource::try_new(source).unwrap_or_else(|(resource, errors)| {
            for error in errors {
                let (line, column) = place(resource.source(), error.pos.start);
                mistakes.push(Mistake { line, column, message: format!("this is no Fluent: {error}") });
            }
            resource
        });
        let terms = resource.entries().filter_map(|entry| match entry {
            Entry::Term(term) => Some(term.id.name.to_owned()),
            _ => None,
        });
        let terms = terms.collect::<BTreeSet<_>>();
        let mut entries = BTreeMap::new();
        for entry in resource.entries() {
            let Entry::Message(message) = entry else { continue };
            let key = message.id.name;
            // Looked for where something is wrong only: a start reads every text of every file.
            let line = || line_of_key(resource.source(), key);
            let mut wrong = |message: String| mistakes.push(Mistake { line: line(), column: 1, message });
            let mut found = References::default();
            match &message.value {
                Some(pattern) => found.look_at(pattern),
                None => wrong(format!("`{key}` has no text")),
            }
            if !message.attributes.is_empty() {
                wrong(format!("`{key}` has attributes, which nobody reads"));
            }
            for reason in found.refused {
                wrong(format!("`{key}` {reason}"));
            }
            for unknown in found.terms.iter().filter(|term| !terms.contains(*term)) {
                wrong(format!("`{key}` names the term `-{unknown}`, which is not in this file"));
            }
            if entries.insert(key.to_owned(), found.variables).is_some() {
                wrong(format!("there are two texts `{key}`"));
            }
        }
        Self { resource, entries, mistakes }
    }

    /// The line of a text, from 1.
    pub(super) fn line(&self, key: &str) -> usize {
        line_of_key(self.resource.source(), key)
    }

    /// Where a text names a variable.
    pub(super) fn place_of(&self, key: &str, variable: &str) -> (usize, usize) {
        let source = self.resource.source();
        let before = source.lines().take(self.line(key) - 1).map(|line| line.len() + 1).sum::<usize>();
        let at = source[before..].find(&format!("${variable}")).unwrap_or_default();
        place(source, before + at)
    }
}

impl References {
    fn look_at(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { .. } => {}
                PatternElement::Placeable { expression } => self.look_into(expression),
            }
        }
    }

    fn look_into(&mut self, expression: &Expression<&str>) {
        match expression {
            Expression::Inline(inline) => self.note(inline),
            Expression::Select { selector, variants } => {
                self.note(selector);
                for variant in variants {
                    self.look_at(&variant.value);
                }
            }
        }
    }

    fn note(&mut self, inline: &InlineExpression<&str>) {
        match inline {
            InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
            InlineExpression::VariableReference { id } => {
                self.variables.insert(id.name.to_owned());
            }
            InlineExpression::TermReference { id, .. } => self.terms.push(id.name.to_owned()),
            InlineExpression::Placeable { expression } => self.look_into(expression),
            InlineExpression::FunctionReference { id, .. } => {
                self.refused.push(format!("calls `{}`, but values are formatted already", id.name));
            }
            InlineExpression::MessageReference { id, .. } => {
                self.refused
                    .push(format!("names the text `{}`; only terms, such as `{{ -brand }}`, can be named", id.name));
            }
        }
    }
}

/// The line of a text, from 1.
fn line_of_key(source: &str, key: &str) -> usize {
    let is_key = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
    source.lines().position(is_key).map_or(1, |index| index + 1)
}

/// Line and column, both from 1, of a byte of the source.
fn place(source: &str, byte: usize) -> (usize, usize) {
    let mut end = byte.min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let before = &source[..end];
    let line = before.matches('\n').count() + 1;
    (line, before.chars().rev().take_while(|character| *character != '\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(source: &str) -> Vec<String> {
        let said = |Mistake { line, column, message }| format!("{line}:{column}: {message}");
        Parsed::read(source).mistakes.into_iter().map(said).collect()
    }

    #[test]
    fn variables_are_found_wherever_a_text_can_name_them() {
        let source = "a = { $one } { $two ->\n    [one] { $three }\n   *[other] { { $four } }\n}\n";
        let variables = Parsed::read(source).entries["a"].iter().cloned().collect::<Vec<_>>();
        assert_eq!(variables, ["four", "one", "three", "two"]);
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        for (source, told) in [
            ("a = A\nb { = B\n", "2:3: this is no Fluent: Expected a token starting with \"=\""),
            ("a = A\n\na = B\n", "1:1: there are two texts `a`"),
            ("# A\na =\n    .title = A\n", "2:1: `a` has no text"),
            ("a = A\n    .title = A\n", "1:1: `a` has attributes, which nobody reads"),
            ("a = { -brand }\n", "1:1: `a` names the term `-brand`, which is not in this file"),
            ("a = { NUMBER($max) }\n", "1:1: `a` calls `NUMBER`, but values are formatted already"),
            ("a = A\nb = { a }\n", "2:1: `b` names the text `a`; only terms, such as `{ -brand }`, can be named"),
        ] {
            assert_eq!(mistakes(source).first().map(String::as_str), Some(told));
        }
        assert_eq!(mistakes("-brand = Lamps\na = { -brand } { $b }\n"), Vec::<String>::new());
    }

    #[test]
    fn an_editors_marks_are_no_part_of_a_text() {
        let parsed = Parsed::read("\u{feff}a =\r\n    One\r\n    { $two }\r\n");
        assert_eq!(parsed.mistakes, []);
        assert_eq!(parsed.place_of("a", "two"), (3, 7));
    }
}

//! A template: a subject and a text with placeholders.
//!
//! The first line is `Subject: …`, the text follows. `{order_number}` stands for a value, `{{` and `}}` for braces. A
//! paragraph that names a value which is empty is left out, so nothing needs conditions.

use std::collections::BTreeMap;

use super::piece::{Piece, TemplateProblem, paragraph, paragraphs, pieces};

/// What the placeholders stand for.
pub type Values = BTreeMap<&'static str, String>;

const SUBJECT: &str = "Subject:";

/// A template that was read without a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    subject: Vec<Piece>,
    paragraphs: Vec<Vec<Piece>>,
}

impl Template {
    /// Reads a template that may name these placeholders, and tells all that is wrong with it.
    pub(super) fn parse(text: &str, known: &[&'static str]) -> Result<Self, Vec<TemplateProblem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut problems = Vec::new();
        let mut lines = text.lines();
        let subject = match lines.next().and_then(|line| line.trim_end().strip_prefix(SUBJECT)) {
            Some(subject) if !subject.trim().is_empty() => {
                let start = SUBJECT.len() + subject.len() - subject.trim_start().len();
                pieces(subject.trim(), (1, start), known, &mut problems)
            }
            _ => {
                let message =
                    String::from("the first line must be the subject, such as `Subject: Your order {order_number}`");
                problems.push(TemplateProblem { line: 1, column: 1, message });
                Vec::new()
            }
        };
        let lines = paragraphs(lines, 2);
        let paragraphs = lines.iter().map(|lines| paragraph(lines, known, &mut problems)).collect::<Vec<_>>();
        if paragraphs.is_empty() {
            let message = String::from("there is no text after the subject");
            problems.push(TemplateProblem { line: 1, column: 1, message });
        }
        if problems.is_empty() { Ok(Self { subject, paragraphs }) } else { Err(problems) }
    }

    /// A text that somebody else has put into words.
    pub(crate) fn of_words(subject: &str, body: &str) -> Self {
        let words = |lines: Vec<(usize, &str)>| {
            let lines = lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>();
            vec![Piece::Text(lines.join("\n"))]
        };
        let paragraphs = paragraphs(body.lines(), 1).into_iter().map(words).collect();
        Self { subject: vec![Piece::Text(subject.to_owned())], paragraphs }
    }

    /// The paragraphs that are said with these values.
    pub(super) fn said<'a>(&'a self, values: &'a Values) -> impl Iterator<Item = &'a [Piece]> {
        self.paragraphs.iter().map(Vec::as_slice).filter(|paragraph| has_all(paragraph, values))
    }

    /// All paragraphs.
    pub(super) fn paragraphs(&self) -> &[Vec<Piece>] {
        &self.paragraphs
    }

    /// Subject and text with these values. The subject is one line, whatever the values are.
    pub fn fill(&self, values: &Values) -> (String, String) {
        let subject = filled(&self.subject, values).replace(|letter: char| letter.is_control(), " ");
        let paragraphs = self.said(values).map(|paragraph| filled(paragraph, values)).collect::<Vec<_>>();
        (subject, paragraphs.join("\n\n") + "\n")
    }
}

pub(super) fn value<'a>(name: &str, values: &'a Values) -> &'a str {
    values.get(name).map(String::as_str).unwrap_or_default()
}

pub(super) fn has_all(pieces: &[Piece], values: &Values) -> bool {
    !pieces.iter().any(|piece| matches!(piece, Piece::Value(name) if value(name, values).is_empty()))
}

pub(super) fn filled(pieces: &[Piece], values: &Values) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text.as_str(),
        Piece::Value(name) => value(name, values),
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["number", "address"];

    fn fill(text: &str, number: &str, address: &str) -> (String, String) {
        let values = Values::from([("number", number.to_owned()), ("address", address.to_owned())]);
        Template::parse(text, KNOWN).expect("a template").fill(&values)
    }

    #[track_caller]
    fn assert_refused(text: &str, expected: &[(usize, usize, &str)]) {
        let problems = Template::parse(text, KNOWN).expect_err(text);
        let places = problems.iter().map(|problem| (problem.line, problem.column)).collect::<Vec<_>>();
        assert_eq!(places, expected.iter().map(|(line, column, _)| (*line, *column)).collect::<Vec<_>>(), "{text}");
        for (problem, (_, _, words)) in problems.iter().zip(expected) {
            assert!(problem.message.contains(words), "{}", problem.message);
        }
    }

    #[test]
    fn values_take_the_place_of_their_names() {
        let (subject, body) = fill("\u{feff}Subject: Order {number}\r\n\r\n{{a}} {number}{number}\r\nb\r\n", "7", "x");
        assert_eq!((subject.as_str(), body.as_str()), ("Order 7", "{a} 77\nb\n"));
    }

    #[test]
    fn values_are_not_templates() {
        assert_eq!(fill("Subject: {number}\n{number}", "{address}", "x").1, "{address}\n");
    }

    #[test]
    fn a_paragraph_without_its_value_is_left_out() {
        let text = "Subject: a\n\nfirst\n\nTo:\n{address}\n\n\n\nlast";
        assert_eq!(fill(text, "7", "").1, "first\n\nlast\n");
        assert_eq!(fill(text, "7", "Street\nCity").1, "first\n\nTo:\nStreet\nCity\n\nlast\n");
    }

    #[test]
    fn a_subject_is_one_line() {
        assert_eq!(fill("Subject: {number}\nx", "7\r\nBcc: a@b.example", "").0, "7  Bcc: a@b.example");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let subject = "the first line must be the subject";
        assert_refused("", &[(1, 1, subject), (1, 1, "no text")]);
        assert_refused("Hello\nx", &[(1, 1, subject)]);
        assert_refused("Subject: \nx", &[(1, 1, subject)]);
        assert_refused("Subject: a\n\n \n", &[(1, 1, "no text")]);
        let places = [(1, 13, "`{nummer}`"), (3, 3, "`{x y}`"), (3, 9, "lone `{`")];
        assert_refused("Subject: No {nummer}\n\né {x y} {number", &places);
        assert_refused("Subject: a\n}", &[(2, 1, "lone `}`")]);
        let unknown = Template::parse("Subject: {x}\ny", KNOWN).expect_err("it is unknown");
        assert_eq!(unknown[0].message, "there is no placeholder `{x}` here; there are {number}, {address}");
    }
}

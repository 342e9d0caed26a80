//! What lines of templates consist of: text, and placeholders in braces.

/// What is wrong with a template, and where; both numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TemplateProblem {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) message: String,
}

/// A part of a line, or the end of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Value(&'static str),
}

/// Takes a line apart; `(line, columns before it)` is where it stands.
pub(super) fn pieces(
    text: &str,
    (line, before): (usize, usize),
    known: &[&'static str],
    problems: &mut Vec<TemplateProblem>,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (start, tail) = rest.split_at(at);
        plain.push_str(start);
        let column = before + text[..text.len() - tail.len()].chars().count() + 1;
        let mut refuse = |message| problems.push(TemplateProblem { line, column, message });
        if let Some(after) = tail.strip_prefix("{{") {
            plain.push('{');
            rest = after;
        } else if let Some(after) = tail.strip_prefix("}}") {
            plain.push('}');
            rest = after;
        } else if let Some((name, after)) = tail.strip_prefix('{').and_then(|tail| tail.split_once('}')) {
            match known.iter().find(|own| **own == name) {
                Some(name) => {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(Piece::Value(name));
                }
                None => refuse(unknown(name, known)),
            }
            rest = after;
        } else {
            let brace = &tail[..1];
            refuse(format!("a lone `{brace}`: write `{brace}{brace}` where it is meant as such"));
            rest = &tail[1..];
        }
    }
    plain.push_str(rest);
    pieces.push(Piece::Text(plain));
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    pieces
}

fn unknown(name: &str, known: &[&str]) -> String {
    let known = known.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>();
    format!("there is no placeholder `{{{name}}}` here; there are {}", known.join(", "))
}

/// Lines by paragraphs, which an empty line ends; each line with its number, which counts from `first`. Lines end where their last
/// letter does.
pub(super) fn paragraphs<'a>(lines: impl Iterator<Item = &'a str>, first: usize) -> Vec<Vec<(usize, &'a str)>> {
    let mut paragraphs = vec![Vec::new()];
    for (number, line) in (first..).zip(lines.map(str::trim_end)) {
        match paragraphs.last_mut() {
            Some(current) if !line.is_empty() => current.push((number, line)),
            Some(current) if !current.is_empty() => paragraphs.push(Vec::new()),
            _ => {}
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// A paragraph taken apart; between its lines stands the end of one.
pub(super) fn paragraph(
    lines: &[(usize, &str)],
    known: &[&'static str],
    problems: &mut Vec<TemplateProblem>,
) -> Vec<Piece> {
    let mut found = Vec::new();
    for (number, line) in lines {
        if !found.is_empty() {
            found.push(Piece::Text(String::from("\n")));
        }
        found.extend(pieces(line, (*number, 0), known, problems));
    }
    found
}

//! Reading statements, as far as it takes to know which tables they read.

use std::collections::BTreeSet;

/// A word or sign of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A name or keyword in lower case, without quotes and without the schema before it.
    Word(String),
    Sign(char),
}

/// What a parenthesis is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// A list of tables goes on: after a comma comes another one.
    Tables,
    /// `EXTRACT(… FROM …)` and the like, whose `FROM` names no table.
    Call,
    Other,
}

/// Functions that have a `FROM` among their arguments.
const WITH_FROM: [&str; 4] = ["extract", "trim", "substring", "overlay"];

/// Words that end a list of tables.
const AFTER_TABLES: [&str; 13] = [
    "select",
    "where",
    "group",
    "order",
    "limit",
    "having",
    "union",
    "except",
    "intersect",
    "returning",
    "set",
    "values",
    "window",
];

/// The names of the tables and views that a statement reads, in lower case; not those that it gives names itself.
pub(super) fn tables_read(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let given = names_given(&tokens);
    let mut read = BTreeSet::new();
    let mut inside = vec![Inside::Other];
    let mut expects_table = false;
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let is_called = tokens.get(at + 1) == Some(&Token::Sign('('));
        match token {
            Token::Sign('(') => {
                let of_call = matches!(before, Some(Token::Word(word)) if WITH_FROM.contains(&word.as_str()));
                // Tables may stand in parentheses: `FROM (a JOIN b …)`.
                inside.push(match (of_call, expects_table) {
                    (true, _) => Inside::Call,
                    (false, true) => Inside::Tables,
                    (false, false) => Inside::Other,
                });
            }
            Token::Sign(')') => {
                inside.pop();
                expects_table = false;
            }
            Token::Sign(',') => expects_table = inside.last() == Some(&Inside::Tables),
            Token::Word(word) if word == "from" || word == "join" || word == "using" && !is_called => {
                let compares = matches!(before, Some(Token::Word(word)) if word == "distinct");
                if inside.last() != Some(&Inside::Call) && !compares {
                    set(&mut inside, Inside::Tables);
                    expects_table = true;
                }
            }
            Token::Word(word) if AFTER_TABLES.contains(&word.as_str()) => {
                if inside.last() == Some(&Inside::Tables) {
                    set(&mut inside, Inside::Other);
                }
                expects_table = false;
            }
            Token::Word(word) if expects_table && word != "only" && word != "lateral" => {
                if !is_called && !given.contains(word) {
                    read.insert(word.clone());
                }
                expects_table = false;
            }
            Token::Sign(_) | Token::Word(_) => {}
        }
    }
    read
}

fn set(inside: &mut Vec<Inside>, what: Inside) {
    inside.pop();
    inside.push(what);
}

/// The names before `AS (SELECT …`, with which a statement begins.
fn names_given(tokens: &[Token]) -> BTreeSet<String> {
    let is_word = |at: usize, expected: &str| matches!(tokens.get(at), Some(Token::Word(word)) if word == expected);
    let mut given = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(name) = token else { continue };
        // Columns may stand between the name and `AS`.
        let mut next = at + 1;
        if tokens.get(next) == Some(&Token::Sign('(')) {
            let end = tokens[next..].iter().position(|token| *token == Token::Sign(')'));
            next = end.map_or(next, |end| next + end + 1);
        }
        if is_word(next, "as") {
            next += 1;
            while is_word(next, "not") || is_word(next, "materialized") {
                next += 1;
            }
            if tokens.get(next) == Some(&Token::Sign('(')) {
                given.insert(name.clone());
            }
        }
    }
    given
}

fn tokens(text: &str) -> Vec<Token> {
    let code = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut tokens = Vec::new();
    let mut rest = code.chars().peekable();
    let mut after_dot = false;
    while let Some(sign) = rest.next() {
        match sign {
            '\'' => {
                // A doubled quotation mark begins the next part of the same text.
                rest.by_ref().find(|sign| *sign == '\'');
                tokens.push(Token::Sign('\''));
            }
            '"' | '`' => {
                let name = rest.by_ref().take_while(|other| *other != sign).collect::<String>();
                push_word(&mut tokens, &name, &mut after_dot);
            }
            '.' => after_dot = true,
            _ if sign.is_alphanumeric() || sign == '_' => {
                let mut name = String::from(sign);
                while let Some(next) = rest.next_if(|next| next.is_alphanumeric() || *next == '_') {
                    name.push(next);
                }
                push_word(&mut tokens, &name, &mut after_dot);
            }
            _ if sign.is_whitespace() => {}
            _ => tokens.push(Token::Sign(sign)),
        }
    }
    tokens
}

/// Of `public.orders` the last part counts.
fn push_word(tokens: &mut Vec<Token>, name: &str, after_dot: &mut bool) {
    if *after_dot {
        tokens.pop();
    }
    *after_dot = false;
    tokens.push(Token::Word(name.to_ascii_lowercase()));
}

#[cfg(test)]
mod tests;

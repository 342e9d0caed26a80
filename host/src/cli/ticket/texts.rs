//! What is said about tickets on the command line, and read from standard input.

use std::io::{IsTerminal, Read};

use stoa_core::support_tickets::{MAX_BODY, MAX_SUBJECT, stored_body, stored_subject};

use crate::failure::Failure;
use crate::output::print_remark;

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Bytes that are read at most: no accepted message is as long, even with blanks around it that do not count.
const MAX_BYTES: u64 = 1024 * 1024;

/// A message as it is given: itself, or `-` for standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    Given(String),
    StandardInput,
}

impl Body {
    /// The message.
    pub(super) fn read(&self) -> Result<String, Failure> {
        let text = match self {
            Self::Given(text) => return Ok(text.clone()),
            Self::StandardInput => {
                if std::io::stdin().is_terminal() {
                    print_remark("Type the text. Ctrl-D on a line of its own ends it.");
                }
                let mut bytes = Vec::new();
                std::io::stdin().take(MAX_BYTES).read_to_end(&mut bytes).map_err(|error| {
                    Failure::operation(format!("the body cannot be read from standard input: {error}"))
                })?;
                bytes
            }
        };
        let text = String::from_utf8(text)
            .map_err(|_| Failure::usage("--body: what comes from standard input must be UTF-8 text"))?;
        stored_body(&text).ok_or_else(|| Failure::usage(format!("--body: {}", expected_body())))
    }
}

fn expected_body() -> String {
    format!("a body has 1 to {MAX_BODY} characters, without control characters other than line breaks and tabs")
}

/// Reads the value of `--body`.
pub(super) fn body(text: &str) -> Result<Body, String> {
    if text.trim() == STANDARD_INPUT {
        return Ok(Body::StandardInput);
    }
    stored_body(text).map(Body::Given).ok_or_else(expected_body)
}

/// Reads the value of `--subject`.
pub(super) fn subject(text: &str) -> Result<String, String> {
    stored_subject(text)
        .ok_or_else(|| format!("a subject has 1 to {MAX_SUBJECT} characters, without control characters"))
}

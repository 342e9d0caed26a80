//! An error with its causes in one text.

use std::error::Error;

/// The error's text with those of all its causes, outermost first, for operators.
///
/// A cause that the text before it ends with is not repeated: many errors show their cause themselves.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

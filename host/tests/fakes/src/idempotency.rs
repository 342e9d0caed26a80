//! Answers that were given under an idempotency key.

use std::collections::BTreeMap;

use serde_json::Value;

/// What was answered to which request under a key.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    given: BTreeMap<String, (String, u16, Value)>,
}

/// What a key says about a request.
pub(crate) enum Known {
    /// It is new.
    New,
    /// The same request was answered like this.
    Answered(u16, Value),
    /// Another request was sent under the key.
    Other,
}

impl Answers {
    /// Looks a request up.
    pub(crate) fn find(&self, key: &str, request: &str) -> Known {
        match self.given.get(key) {
            None => Known::New,
            Some((first, status, answer)) if first == request => Known::Answered(*status, answer.clone()),
            Some(_) => Known::Other,
        }
    }

    /// Keeps an answer.
    pub(crate) fn keep(&mut self, key: &str, request: &str, status: u16, answer: &Value) {
        self.given.insert(key.to_owned(), (request.to_owned(), status, answer.clone()));
    }

    /// Forgets everything, as providers do after some hours.
    pub(crate) fn forget(&mut self) {
        self.given.clear();
    }
}

//! One request to a provider and what its answer means.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::StatusCode;
use reqwest::RequestBuilder;
use serde::de::DeserializeOwned;

use stoa_kernel::gateways::GatewayError;
use stoa_kernel::telemetry::Traced;

/// How long a provider may take. Some ask a bank before they answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Largest answer that is read.
const MAX_ANSWER: usize = 1024 * 1024;

/// Most characters that are kept of what a provider says about a failure.
const MAX_WORDS: usize = 300;

/// How a provider tells that it refuses.
pub(super) trait Problem: DeserializeOwned {
    /// The provider's own word for the reason, on which a gateway may decide.
    fn code(&self) -> &str;

    /// The provider's own words, for the operator.
    fn words(&self) -> String;
}

/// Why a request did not bring what it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The provider said no: for certain nothing has happened.
    Refused {
        /// The status of the answer.
        status: StatusCode,
        /// The provider's word for the reason.
        code: String,
        /// The provider's words.
        words: String,
    },
    /// Nobody knows what happened.
    Unknown(String),
}

impl Failure {
    /// Whether the provider refused for this reason.
    pub(super) fn is(&self, reason: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == reason)
    }

    /// Whether the provider knows nothing of what was asked about.
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { status: StatusCode::NOT_FOUND, .. })
    }
}

impl From<Failure> for GatewayError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused { words, .. } => Self::Refused(words),
            Failure::Unknown(words) => Self::Unknown(words),
        }
    }
}

/// An id of the provider's, as one part of a path. It may come from a callback that nobody has verified yet, and must not
/// lead to another address.
pub(super) fn path_segment(id: &str) -> Result<&str, Failure> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let refusal = || Failure::Refused {
        status: StatusCode::NOT_FOUND,
        code: String::new(),
        words: String::from("this is no id of the provider's"),
    };
    let is_id = (1..=255).contains(&id.len()) && id.bytes().all(is_plain);
    is_id.then_some(id).ok_or_else(refusal)
}

/// What happens without a key: nothing.
pub(super) fn missing_key(key: &str) -> Failure {
    let words = format!("`{key}` is not set");
    Failure::Refused { status: StatusCode::UNAUTHORIZED, code: String::new(), words }
}

/// Whether a provider is there and takes the shop's key, by what came of a request that changes nothing. Whatever else it has
/// to say about the request is an answer.
pub(super) fn is_reached<T>(answer: Result<T, Failure>) -> Result<(), GatewayError> {
    const REFUSED_KEY: [StatusCode; 2] = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
    match answer {
        Ok(_) => Ok(()),
        Err(Failure::Refused { status, .. }) if !REFUSED_KEY.contains(&status) => Ok(()),
        Err(failure) => Err(failure.into()),
    }
}

/// What cannot be understood, as an error.
pub(super) fn not_understood() -> GatewayError {
    GatewayError::Unknown(String::from("its answer says something that is not known here"))
}

/// Sends a request and reads its answer: as `T` when it was done, as `P` when it was refused.
pub(super) async fn exchange<T: DeserializeOwned, P: Problem>(request: RequestBuilder) -> Result<T, Failure> {
    let (status, body) = send(request).await?;
    if status.is_success() {
        return read(&body);
    }
    if !is_certain(status) {
        return Err(Failure::Unknown(format!("it answered {status}")));
    }
    let Ok(problem) = serde_json::from_slice::<P>(&body) else {
        return Err(Failure::Unknown(format!("it answered {status} without saying why")));
    };
    let words = plain_words(&problem.words());
    Err(Failure::Refused { status, code: problem.code().to_owned(), words: format!("{words} ({})", status.as_u16()) })
}

/// Whether a status says that nothing has happened. A conflict may be with the same request still being worked on, and
/// whoever asks too often or too slowly is to ask again.
fn is_certain(status: StatusCode) -> bool {
    let undecided =
        [StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    status.is_client_error() && !undecided.contains(&status)
}

async fn send(request: RequestBuilder) -> Result<(StatusCode, Bytes), Failure> {
    let mut response = request.timeout(PATIENCE).traced().send().await.map_err(|error| unknown(&error))?;
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unknown(&error))? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(Failure::Unknown(format!("its answer is larger than {MAX_ANSWER} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok((response.status(), body.freeze()))
}

/// What went wrong on the way, without the address, which may hold what is not for logs.
fn unknown(error: &reqwest::Error) -> Failure {
    let what = if error.is_timeout() {
        "it did not answer in time"
    } else if error.is_connect() {
        "it cannot be reached"
    } else if error.is_builder() {
        "the request cannot be written"
    } else {
        "the connection broke"
    };
    Failure::Unknown(what.to_owned())
}

/// Reads an answer. The place of a mistake is told, never the text, which may be somebody's address.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Failure::Unknown(format!("its answer cannot be understood (line {line}, column {column})"))
    })
}

/// One short line of what a provider says.
pub(super) fn plain_words(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|letter| !letter.is_control()).take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_nowhere_else() {
        for id in ["tr_7UhSN1zuXS", "5O190127TN364715T", "cs_test_a-1"] {
            assert_eq!(path_segment(id), Ok(id));
        }
        for id in ["", "..", ".", "a/b", "a%2fb", "a?b", "a#b", "é", " ", &"a".repeat(256)] {
            assert!(path_segment(id).is_err(), "{id}");
        }
    }

    #[test]
    fn only_a_clear_no_is_certain() {
        for (status, certain) in [
            (200, false),
            (302, false),
            (400, true),
            (401, true),
            (402, true),
            (404, true),
            (408, false),
            (409, false),
            (422, true),
            (425, false),
            (429, false),
            (500, false),
            (503, false),
        ] {
            assert_eq!(is_certain(StatusCode::from_u16(status).expect("a status")), certain, "{status}");
        }
    }
}

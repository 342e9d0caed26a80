//! What an answer of the operator's endpoint means.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::exchange::{Reply, shortened};
use crate::provider::{Credentials, ProviderAnswer, ProviderError, RemoteState, Report};

/// Most characters of an external reference.
const LONGEST_REFERENCE: usize = 255;

/// Most values that a customer signs in with, and most characters of each.
const MOST_CREDENTIALS: usize = 50;
const LONGEST_CREDENTIAL: usize = 4000;

/// The answer to all actions but `credentials` and `capacity`.
#[derive(Deserialize)]
struct State {
    status: RemoteState,
    external_ref: Option<String>,
    credentials: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Secrets {
    credentials: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Capacity {
    capacity: Option<i64>,
}

/// The body of a refusal.
#[derive(Deserialize)]
struct Problem {
    message: Option<String>,
}

/// What became of a service.
pub(super) fn report_of(reply: &Reply) -> ProviderAnswer {
    let State { status, external_ref, credentials } = accepted(reply)?;
    let external_ref = external_ref.filter(|text| !text.trim().is_empty());
    if external_ref.as_ref().is_some_and(|text| is_unfit(text, LONGEST_REFERENCE)) {
        let expected = "`external_ref` must be a line of at most 255 characters";
        return Err(ProviderError::Unknown(String::from(expected)));
    }
    Ok(Report { state: status, external_ref, credentials: fit(credentials)? })
}

/// What the customer signs in with.
pub(super) fn credentials_of(reply: &Reply) -> Result<Option<Credentials>, ProviderError> {
    fit(accepted::<Secrets>(reply)?.credentials)
}

/// How many services of a plan there can be.
pub(super) fn capacity_of(reply: &Reply) -> Result<Option<i64>, ProviderError> {
    match accepted::<Capacity>(reply)?.capacity {
        Some(negative) if negative < 0 => Err(ProviderError::Unknown(String::from("`capacity` is negative"))),
        capacity => Ok(capacity),
    }
}

fn fit(credentials: Option<BTreeMap<String, String>>) -> Result<Option<Credentials>, ProviderError> {
    let Some(values) = credentials.filter(|values| !values.is_empty()) else { return Ok(None) };
    let is_fit = |(name, value): (&String, &String)| {
        !name.is_empty() && !is_unfit(name, LONGEST_REFERENCE) && value.chars().count() <= LONGEST_CREDENTIAL
    };
    if values.len() > MOST_CREDENTIALS || !values.iter().all(is_fit) {
        return Err(ProviderError::Unknown(String::from("`credentials` has too many or too long members")));
    }
    Ok(Some(Credentials(values)))
}

fn is_unfit(text: &str, longest: usize) -> bool {
    text.chars().count() > longest || text.chars().any(char::is_control)
}

/// The body of an answer that says yes. 408, 425, 429 and 5xx may say yes later; that nothing has happened is known only of
/// 429, by which the endpoint says that it did not begin.
fn accepted<T: DeserializeOwned>(reply: &Reply) -> Result<T, ProviderError> {
    let told = || {
        let message = serde_json::from_slice::<Problem>(&reply.body).ok().and_then(|problem| problem.message);
        let message = message.map(|message| format!(": {}", shortened(&message))).unwrap_or_default();
        format!("it answered {}{message}", reply.status)
    };
    match reply.status {
        // What is wrong is not told, since it might hold credentials.
        200..=299 => serde_json::from_slice::<T>(&reply.body)
            .map_err(|_| ProviderError::Unknown(format!("it answered {} with an unexpected body", reply.status))),
        429 => Err(ProviderError::Unavailable(told())),
        408 | 425 | 500..=599 => Err(ProviderError::Unknown(told())),
        _ => Err(ProviderError::Refused(told())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, body: &str) -> Reply {
        Reply { status, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn a_complete_answer_is_understood() {
        let body = r#"{"status": "active", "external_ref": "vm-7", "credentials": {"user": "ada"}, "more": 1}"#;
        let report = report_of(&reply(200, body)).expect("it is fine");
        assert_eq!((report.state, report.external_ref.as_deref()), (RemoteState::Active, Some("vm-7")));
        assert_eq!(report.credentials.expect("there are some").0["user"], "ada");
    }

    #[test]
    fn what_cannot_be_understood_is_unknown_and_not_repeated() {
        for body in ["", "[]", "{}", r#"{"status": "ACTIVE"}"#, r#"{"status": "active", "credentials": "s3cret"}"#] {
            let Err(ProviderError::Unknown(text)) = report_of(&reply(200, body)) else { panic!("{body}") };
            assert!(!text.contains("s3cret"), "{text}");
        }
        let long = format!(r#"{{"status": "active", "external_ref": "{}"}}"#, "x".repeat(256));
        assert!(matches!(report_of(&reply(200, &long)), Err(ProviderError::Unknown(_))));
        assert!(matches!(capacity_of(&reply(200, r#"{"capacity": -1}"#)), Err(ProviderError::Unknown(_))));
    }

    #[test]
    fn only_a_refusal_is_final() {
        for (status, expected) in [
            (301, "refused"),
            (400, "refused"),
            (404, "refused"),
            (409, "refused"),
            (408, "unknown"),
            (500, "unknown"),
            (504, "unknown"),
            (503, "unknown"),
            (429, "unavailable"),
        ] {
            let told = match report_of(&reply(status, r#"{"message": "no\nroom"}"#)).expect_err("it is none") {
                ProviderError::Refused(text) => ("refused", text),
                ProviderError::Unknown(text) => ("unknown", text),
                ProviderError::Unavailable(text) => ("unavailable", text),
            };
            assert_eq!(told, (expected, format!("it answered {status}: no room")), "{status}");
        }
    }
}

//! What VIES, the register of VAT identification numbers of the European Union, is sent and answers: its REST interface,
//! `POST /check-vat-number`.

use serde::{Deserialize, Serialize};

use stoa_kernel::vat_id::VatId;

/// Longest name that is kept, in characters.
const MAX_NAME: usize = 500;

/// Longest consultation number that is kept, in characters.
const MAX_CONSULTATION_NUMBER: usize = 64;

/// What is sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Question<'a> {
    country_code: &'a str,
    vat_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester_member_state_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requester_number: Option<&'a str>,
}

impl<'a> Question<'a> {
    /// The question about a number. With one's own the answer has a consultation number, which proves that it was asked.
    pub(super) fn new(id: &'a VatId, own: Option<&'a VatId>) -> Self {
        Self {
            country_code: id.prefix(),
            vat_number: id.number(),
            requester_member_state_code: own.map(VatId::prefix),
            requester_number: own.map(VatId::number),
        }
    }
}

/// What VIES says of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was given to somebody.
    Valid {
        /// To whom, unless the member state keeps that to itself.
        name: Option<String>,
        /// What proves that it was asked.
        consultation_number: Option<String>,
    },
    /// It was given to nobody, or is not in force.
    Invalid,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    #[serde(alias = "isValid")]
    valid: Option<bool>,
    /// More than a verdict where there is none, such as `MS_UNAVAILABLE`.
    user_error: Option<String>,
    name: Option<String>,
    request_identifier: Option<String>,
    #[serde(default)]
    error_wrappers: Vec<Problem>,
}

#[derive(Debug, Deserialize)]
struct Problem {
    #[serde(default)]
    error: String,
}

/// Reads an answer; the reason when it is none.
pub(super) fn read(body: &[u8]) -> Result<Verdict, String> {
    // Both names of one member in one answer would be refused as a repetition.
    let mut value = serde_json::from_slice::<serde_json::Value>(body).map_err(|_| String::from("it is no JSON"))?;
    if let Some(members) = value.as_object_mut()
        && members.contains_key("valid")
    {
        members.remove("isValid");
    }
    let body = serde_json::from_value::<Body>(value).map_err(|_| String::from("it is no answer of VIES"))?;
    let problem = body.error_wrappers.into_iter().map(|problem| problem.error).next().or(body.user_error);
    match (body.valid, problem.as_deref()) {
        (Some(true), None | Some("VALID" | "")) => Ok(Verdict::Valid {
            name: told(body.name, MAX_NAME),
            consultation_number: told(body.request_identifier, MAX_CONSULTATION_NUMBER),
        }),
        // `INVALID_INPUT`: VIES finds the form of the number wrong.
        (Some(false), None | Some("INVALID" | "")) | (_, Some("INVALID_INPUT")) => Ok(Verdict::Invalid),
        (_, Some(problem)) => Err(problem.chars().filter(char::is_ascii_graphic).take(64).collect()),
        (None, None) => Err(String::from("it is no answer of VIES")),
    }
}

/// A text that says something: member states that keep a name to themselves write dashes.
fn told(text: Option<String>, max: usize) -> Option<String> {
    let text = text?.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.chars().filter(|letter| !letter.is_control()).take(max).collect::<String>();
    text.contains(char::is_alphanumeric).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_read_in_both_forms_of_the_interface() {
        let valid =
            Verdict::Valid { name: Some("Lampen AG".to_owned()), consultation_number: Some("WAPI1".to_owned()) };
        for body in [
            r#"{"valid": true, "name": " Lampen\nAG ", "requestIdentifier": "WAPI1"}"#,
            r#"{"isValid": true, "userError": "VALID", "name": "Lampen AG", "requestIdentifier": "WAPI1"}"#,
            r#"{"isValid": true, "valid": true, "userError": "VALID", "name": "Lampen AG", "requestIdentifier": "WAPI1"}"#,
        ] {
            assert_eq!(read(body.as_bytes()), Ok(valid.clone()), "{body}");
        }
        let silent = Verdict::Valid { name: None, consultation_number: None };
        assert_eq!(read(br#"{"valid": true, "name": "---", "requestIdentifier": ""}"#), Ok(silent));
        for body in [
            r#"{"valid": false}"#,
            r#"{"isValid": false, "userError": "INVALID"}"#,
            r#"{"actionSucceed": false, "errorWrappers": [{"error": "INVALID_INPUT"}]}"#,
        ] {
            assert_eq!(read(body.as_bytes()), Ok(Verdict::Invalid), "{body}");
        }
    }

    #[test]
    fn what_is_no_verdict_is_none() {
        for body in [
            "",
            "<html>",
            "{}",
            "null",
            "[1]",
            r#"{"valid": "yes"}"#,
            r#"{"isValid": false, "userError": "MS_UNAVAILABLE"}"#,
            r#"{"valid": true, "userError": "TIMEOUT"}"#,
            r#"{"actionSucceed": false, "errorWrappers": [{"error": "MS_MAX_CONCURRENT_REQ"}]}"#,
        ] {
            assert!(read(body.as_bytes()).is_err(), "{body}");
        }
    }
}

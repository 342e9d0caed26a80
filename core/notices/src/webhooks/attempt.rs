//! One attempt: signed, sent, and judged by the status alone (S3.1, S6.3, S6.4).

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use http::{HeaderName, HeaderValue, StatusCode, header};

use stoa_kernel::clock::Clock;
use stoa_kernel::error_chain;
use stoa_kernel::outbound::{Destination, HttpClient, Reach, Refusal, ResolveError};
use stoa_kernel::secret::Secret;
use stoa_kernel::telemetry::Traced;

use super::signature::{sign, sign_standard};

/// Attempts for one delivery (S8).
pub const MAX_ATTEMPTS: i64 = 5;

/// The headers of a delivery (S6.3).
pub mod headers {
    use http::HeaderName;

    /// The event's type.
    pub const EVENT: HeaderName = HeaderName::from_static("x-service-event");
    /// The delivery's UUID, the same in every attempt.
    pub const DELIVERY: HeaderName = HeaderName::from_static("x-service-delivery");
    /// Unix time in seconds of this attempt.
    pub const TIMESTAMP: HeaderName = HeaderName::from_static("x-service-timestamp");
    /// `v1=` and the signature; two of them, separated by a comma, while a secret is replaced.
    pub const SIGNATURE: HeaderName = HeaderName::from_static("x-service-signature");
    /// The delivery's UUID, as Standard Webhooks calls it.
    pub const STANDARD_ID: HeaderName = HeaderName::from_static("webhook-id");
    /// Unix time in seconds of this attempt, as Standard Webhooks calls it.
    pub const STANDARD_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
    /// The signature of Standard Webhooks; two of them, separated by a blank, while a secret is replaced.
    pub const STANDARD_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) event: String,
    pub(super) delivery_id: String,
    pub(super) body: String,
}

/// Where it is sent to, and what signs it.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) url: String,
    /// The secrets that sign: the present one, and for a while after a change the one before.
    pub(super) secrets: Vec<Secret>,
}

/// What became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The answer was 2xx.
    Delivered {
        /// Its status.
        status: u16,
    },
    /// It may work later: no answer, 429 or 5xx.
    Retryable {
        /// The answer's status, if there was one.
        status: Option<u16>,
        /// What went wrong, in words that hold nothing of the answer but its status.
        error: String,
    },
    /// It will not work later either: another answer, or a destination that nothing may be sent to.
    Final {
        /// The answer's status, if there was one.
        status: Option<u16>,
        /// What went wrong, in words that hold nothing of the answer but its status.
        error: String,
    },
}

/// An attempt, and what it took.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// What became of it.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
    /// The address that was connected to, if there was an answer.
    pub address: Option<SocketAddr>,
}

impl Attempt {
    /// One that nothing came of but this, and will not come.
    pub(super) fn not_made(error: String) -> Self {
        Self { outcome: Outcome::Final { status: None, error }, duration: Duration::ZERO, address: None }
    }
}

/// Sends once. The time is taken, and the signature made, right before.
pub(super) async fn attempt(
    client: &HttpClient,
    reach: Reach,
    clock: &Clock,
    target: &Target,
    request: &Request,
) -> Attempt {
    let started = Instant::now();
    let (outcome, address) = match prepare(client, reach, clock, target, request) {
        Err(refusal) => (Outcome::Final { status: None, error: refusal }, None),
        Ok(prepared) => match prepared.send().await {
            // The body is not read; dropping the answer closes the connection.
            Ok(response) => (judge(response.status()), response.remote_addr()),
            Err(error) => (explain(&error), None),
        },
    };
    Attempt { outcome, duration: started.elapsed(), address }
}

fn prepare(
    client: &HttpClient,
    reach: Reach,
    clock: &Clock,
    target: &Target,
    request: &Request,
) -> Result<reqwest::RequestBuilder, String> {
    let destination = Destination::parse(&target.url, reach).map_err(|refusal| refused(&refusal))?;
    let timestamp = clock.now().timestamp().to_string();
    let body = request.body.as_bytes();
    let signed = |sign: &dyn Fn(&str) -> String, separator: &str| {
        target.secrets.iter().map(|secret| sign(secret.expose())).collect::<Vec<_>>().join(separator)
    };
    let signatures = signed(&|secret| sign(secret, &timestamp, body), ",");
    let standard = signed(&|secret| sign_standard(secret, &request.delivery_id, &timestamp, body), " ");
    let mut prepared = client.client().post(destination.url().clone());
    let json = HeaderValue::from_static("application/json");
    prepared = prepared.header(header::CONTENT_TYPE, json).body(request.body.clone());
    let values: [(HeaderName, &str); 7] = [
        (headers::EVENT, &request.event),
        (headers::DELIVERY, &request.delivery_id),
        (headers::TIMESTAMP, &timestamp),
        (headers::SIGNATURE, &signatures),
        (headers::STANDARD_ID, &request.delivery_id),
        (headers::STANDARD_TIMESTAMP, &timestamp),
        (headers::STANDARD_SIGNATURE, &standard),
    ];
    for (name, value) in values {
        prepared = prepared.header(name, value);
    }
    Ok(prepared.traced())
}

fn refused(refusal: &Refusal) -> String {
    let told = format!("the destination is refused: {refusal}");
    // Whoever has just allowed it reads why nothing has come of that yet.
    if refusal.is_about_privacy() {
        return format!("{told}; `webhooks.allow_private_destinations` was off when this program started");
    }
    told
}

/// The table of S3.1.
fn judge(status: StatusCode) -> Outcome {
    let code = status.as_u16();
    if status.is_success() {
        return Outcome::Delivered { status: code };
    }
    let error = format!("the destination answered {code}");
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        Outcome::Retryable { status: Some(code), error }
    } else {
        Outcome::Final { status: Some(code), error }
    }
}

/// Why there was no answer. Only a destination that is refused is no failure of the transport.
fn explain(error: &reqwest::Error) -> Outcome {
    let mut source = error.source();
    let mut cause = None;
    while let Some(inner) = source {
        match inner.downcast_ref::<ResolveError>() {
            Some(ResolveError::Refused(refusal)) => {
                return Outcome::Final { status: None, error: refused(refusal) };
            }
            Some(failed @ ResolveError::Failed { .. }) => {
                return Outcome::Retryable { status: None, error: shortened(&error_chain(failed)) };
            }
            None => {}
        }
        cause = Some(inner);
        source = inner.source();
    }
    let error = match (error.is_timeout(), error.is_connect(), cause) {
        (true, true, _) => String::from("no connection within 5 seconds"),
        (true, false, _) => String::from("no answer within 10 seconds"),
        (false, true, Some(cause)) => format!("no connection: {}", error_chain(cause)),
        (false, _, Some(cause)) => format!("no answer: {}", error_chain(cause)),
        (false, _, None) => String::from("the request could not be sent"),
    };
    Outcome::Retryable { status: None, error: shortened(&error) }
}

/// Most characters of an error that are kept.
const LONGEST_ERROR: usize = 300;

fn shortened(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_ERROR).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(code: u16) -> &'static str {
        match judge(StatusCode::from_u16(code).expect("a status")) {
            Outcome::Delivered { .. } => "delivered",
            Outcome::Retryable { .. } => "retryable",
            Outcome::Final { .. } => "final",
        }
    }

    #[test]
    fn every_status_has_the_outcome_of_the_table() {
        for code in 100..1000 {
            let expected = match code {
                200..=299 => "delivered",
                429 | 500..=599 => "retryable",
                _ => "final",
            };
            assert_eq!(kind(code), expected, "{code}");
        }
    }
}

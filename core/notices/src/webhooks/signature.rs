//! Signing what is sent, and verifying it where it arrives (S6.4).

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// How far the clocks of sender and receiver may differ, in seconds (S8).
pub const TIMESTAMP_TOLERANCE_SECONDS: u64 = 300;

/// Why a request is not taken for one of the shop's (S6.4.4, S6.4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// Without a secret, everybody could sign.
    #[error("the secret is empty")]
    EmptySecret,
    /// The timestamp is not made of digits alone.
    #[error("the timestamp is no number of seconds")]
    MalformedTimestamp,
    /// The timestamp is more than 300 seconds away from the receiver's clock, in either direction.
    #[error("the timestamp is more than 300 seconds away from this clock")]
    StaleTimestamp,
    /// No candidate is the signature of this body at this time under this secret.
    #[error("no signature fits")]
    WrongSignature,
}

/// The value of `X-Service-Signature` for one secret: `v1=` and the lower-case hexadecimal HMAC-SHA256 over the timestamp,
/// a point and the body.
pub fn sign(secret: &str, timestamp: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length is fine");
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    format!("v1={}", hex::encode(mac.finalize().into_bytes()))
}

/// The value of `webhook-signature` for one secret, as Standard Webhooks has it: `v1,` and the HMAC-SHA256 in base64 over the id, the
/// timestamp and the body, with points between them. What stands behind `whsec_` is the key in base64; a secret of another form is
/// the key as it is.
pub fn sign_standard(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> String {
    let encoded = secret.strip_prefix("whsec_").and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
    let key = encoded.unwrap_or_else(|| secret.as_bytes().to_vec());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length is fine");
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// Verifies a request as receivers must (S6.4): `timestamp` and `signature` are the values of `X-Service-Timestamp` and
/// `X-Service-Signature`, `body` is the raw body, and `now` the receiver's own clock in Unix seconds.
///
/// ```
/// # mod stoa_core { pub use stoa_notices::webhooks; }
/// use stoa_core::webhooks::{VerifyError, sign, verify};
///
/// let body = br#"{"id": "1"}"#;
/// let signature = sign("whsec_x", "1768478400", body);
/// assert_eq!(verify("whsec_x", "1768478400", &signature, body, 1_768_478_700), Ok(()));
/// assert_eq!(verify("whsec_x", "1768478400", &signature, body, 1_768_478_701), Err(VerifyError::StaleTimestamp));
/// ```
pub fn verify(secret: &str, timestamp: &str, signature: &str, body: &[u8], now: i64) -> Result<(), VerifyError> {
    if secret.is_empty() {
        return Err(VerifyError::EmptySecret);
    }
    if timestamp.is_empty() || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(VerifyError::MalformedTimestamp);
    }
    // What is too long for a number is far away from any clock.
    let is_near = timestamp.parse::<i64>().is_ok_and(|time| now.abs_diff(time) <= TIMESTAMP_TOLERANCE_SECONDS);
    if !is_near {
        return Err(VerifyError::StaleTimestamp);
    }
    let expected = sign(secret, timestamp, body);
    // All candidates are compared, so that the time does not tell which one was right.
    let is_signed = signature.split([',', ';']).fold(subtle::Choice::from(0), |found, candidate| {
        found | candidate.trim().as_bytes().ct_eq(expected.as_bytes())
    });
    if bool::from(is_signed) { Ok(()) } else { Err(VerifyError::WrongSignature) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_9f3a";
    const TIME: &str = "1768478400";
    const NOW: i64 = 1_768_478_400;
    const BODY: &[u8] = "{\"note\":\"Größe / <b> 🙂\"}".as_bytes();

    /// The example of the specification of Standard Webhooks.
    #[test]
    fn libraries_for_standard_webhooks_know_the_signature() {
        let signature = sign_standard(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_of_the_operators_own_is_a_key_as_it_is() {
        let own = sign_standard("my own secret", "1", TIME, BODY);
        let encoded = format!("whsec_{}", BASE64_STANDARD.encode("my own secret"));
        assert_eq!(own, sign_standard(&encoded, "1", TIME, BODY));
        assert_ne!(own, sign_standard("my own secret", "2", TIME, BODY));
    }

    #[test]
    fn a_flipped_bit_anywhere_is_found() {
        let signature = sign(SECRET, TIME, BODY);
        assert_eq!(verify(SECRET, TIME, &signature, BODY, NOW), Ok(()));
        for place in 0..BODY.len() {
            let mut changed = BODY.to_vec();
            changed[place] ^= 1;
            assert_eq!(verify(SECRET, TIME, &signature, &changed, NOW), Err(VerifyError::WrongSignature));
        }
        assert_eq!(verify("whsec_9f3b", TIME, &signature, BODY, NOW), Err(VerifyError::WrongSignature));
        assert_eq!(verify(SECRET, "1768478401", &signature, BODY, NOW), Err(VerifyError::WrongSignature));
    }

    #[test]
    fn clocks_may_differ_by_three_hundred_seconds_in_either_direction() {
        let signature = sign(SECRET, TIME, BODY);
        for (now, verdict) in [
            (NOW + 300, Ok(())),
            (NOW - 300, Ok(())),
            (NOW + 301, Err(VerifyError::StaleTimestamp)),
            (NOW - 301, Err(VerifyError::StaleTimestamp)),
            (i64::MIN, Err(VerifyError::StaleTimestamp)),
        ] {
            assert_eq!(verify(SECRET, TIME, &signature, BODY, now), verdict, "{now}");
        }
    }

    #[test]
    fn only_digits_are_a_timestamp() {
        for text in
            ["", " ", "+1768478400", "-1", " 1768478400", "1768478400 ", "1_768", "1.5", "１７６８", "0x1f", "1e9"]
        {
            let signature = sign(SECRET, text, BODY);
            assert_eq!(verify(SECRET, text, &signature, BODY, NOW), Err(VerifyError::MalformedTimestamp), "{text:?}");
        }
        let long = "9".repeat(40);
        assert_eq!(verify(SECRET, &long, &sign(SECRET, &long, BODY), BODY, NOW), Err(VerifyError::StaleTimestamp));
    }

    #[test]
    fn an_empty_secret_verifies_nothing() {
        let signature = sign("", TIME, BODY);
        assert_eq!(verify("", TIME, &signature, BODY, NOW), Err(VerifyError::EmptySecret));
    }

    #[test]
    fn any_candidate_may_be_the_right_one_and_none_is_forgiven() {
        let right = sign(SECRET, TIME, BODY);
        let other = sign("whsec_other", TIME, BODY);
        for header in [
            format!("{other},{right}"),
            format!("{other} ; {right}"),
            format!(" {right} "),
            format!(";,{right},,"),
            format!("v0=abc,{right};{other}"),
        ] {
            assert_eq!(verify(SECRET, TIME, &header, BODY, NOW), Ok(()), "{header}");
        }
        for header in [
            String::new(),
            other.clone(),
            format!("{other},{other}"),
            right.replace("v1=", "V1="),
            right.replace("v1=", ""),
            right.to_uppercase(),
            right[..right.len() - 1].to_owned(),
            format!("{right}0"),
            format!("{other} {right}"),
        ] {
            assert_eq!(verify(SECRET, TIME, &header, BODY, NOW), Err(VerifyError::WrongSignature), "{header}");
        }
    }
}

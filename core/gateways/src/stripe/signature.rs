//! The header `Stripe-Signature`.

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use sha2::Sha256;

use stoa_kernel::secret::Secret;

/// How far the signed time may be from ours, in seconds, in both directions.
const TOLERANCE: u64 = 300;

/// Most signatures that are tried: Stripe sends one for each secret that is in use.
const MAX_SIGNATURES: usize = 8;

/// Checks that one of the signatures was made with `secret`, over this body and a time near `now`.
///
/// The header is `t=<seconds>,v1=<hex>`, with more `v1` while a secret is being replaced; other schemes are not looked at.
/// What is signed is the time, a point and the raw body; the key is the secret as it is written, `whsec_` included.
pub(super) fn verify(
    headers: &HeaderMap,
    body: &[u8],
    secret: &Secret,
    now: DateTime<Utc>,
) -> Result<(), &'static str> {
    let mut values = headers.get_all("stripe-signature").iter();
    let value = values.next().ok_or("there is no `Stripe-Signature`")?;
    if values.next().is_some() {
        return Err("there is more than one `Stripe-Signature`");
    }
    let (time, signatures) = value.to_str().ok().and_then(parse).ok_or("`Stripe-Signature` is malformed")?;
    let seconds = time.parse::<i64>().map_err(|_| "`Stripe-Signature` is malformed")?;
    let is_signed = signatures.iter().any(|signature| {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).expect("a key of any length is fine");
        for part in [time.as_bytes(), b".", body] {
            mac.update(part);
        }
        mac.verify_slice(signature).is_ok()
    });
    if !is_signed {
        return Err("no signature fits");
    }
    if now.timestamp().abs_diff(seconds) > TOLERANCE {
        return Err("the signed time is too far from ours");
    }
    Ok(())
}

/// The time as it is written, and the signatures of scheme `v1` that could be some.
fn parse(value: &str) -> Option<(&str, Vec<Vec<u8>>)> {
    let mut time = None;
    let mut signatures = Vec::new();
    for (scheme, text) in value.split(',').map(|part| part.split_once('=').unwrap_or((part, ""))) {
        match scheme.trim() {
            "t" if time.is_some() => return None,
            "t" => time = Some(text.trim()),
            "v1" => signatures.extend(hex::decode(text.trim()).ok()),
            _ => {}
        }
    }
    signatures.truncate(MAX_SIGNATURES);
    let time = time.filter(|time| !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some((time, signatures))
}

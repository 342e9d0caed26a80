//! Signing and verifying events.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use flate2::Crc;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use sha2::Sha256;

use crate::deliver::Callback;

/// Stands for the private key of PayPal's certificate.
const KEY: &[u8] = b"the private key of the fake";

/// What is signed: id and time of the transmission, the webhook, and a checksum of the raw body.
pub(super) fn signature(transmission_id: &str, time: &str, webhook_id: &str, body: &[u8]) -> String {
    let mut checksum = Crc::new();
    checksum.update(body);
    let message = format!("{transmission_id}|{time}|{webhook_id}|{}", checksum.sum());
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY).expect("a key of any length is fine");
    mac.update(message.as_bytes());
    STANDARD.encode(mac.finalize().into_bytes())
}

/// An event as it is sent.
pub(super) fn signed(event: &Value, webhook_id: &str) -> Callback {
    // Blanks that nobody who reads and writes the JSON anew would keep.
    let body = event.to_string().replacen("\":", "\" : ", 3);
    let (id, time) = ("69cd13f0-d67a-11e5-baa3-778b53f4ae55", "2026-01-15T12:02:01Z");
    let signature = signature(id, time, webhook_id, body.as_bytes());
    let certificate = "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270";
    let headers = [
        ("content-type", "application/json"),
        ("paypal-auth-algo", "SHA256withRSA"),
        ("paypal-cert-url", certificate),
        ("paypal-transmission-id", id),
        ("paypal-transmission-sig", &signature),
        ("paypal-transmission-time", time),
    ];
    let headers = headers
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).expect("it is ASCII")));
    Callback { headers: HeaderMap::from_iter(headers), body: Bytes::from(body) }
}

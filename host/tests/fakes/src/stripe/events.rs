//! Signing events.

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderValue};
use serde_json::Value;
use sha2::Sha256;

use crate::deliver::Callback;

/// An event as it is sent, with one signature for each secret.
pub(super) fn signed(event: &Value, secrets: &[&str], seconds: i64) -> Callback {
    let body = serde_json::to_vec_pretty(event).expect("an event serializes");
    let mut header = format!("t={seconds}");
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length is fine");
        mac.update(format!("{seconds}.").as_bytes());
        mac.update(&body);
        header.push_str(",v1=");
        header.push_str(&hex::encode(mac.finalize().into_bytes()));
    }
    // Test events carry one of an old scheme too, which nobody may take for a real one.
    header.push_str(",v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39");
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json; charset=utf-8"));
    headers.insert("user-agent", HeaderValue::from_static("Stripe/1.0 (+https://stripe.com/docs/webhooks)"));
    headers.insert("stripe-signature", HeaderValue::from_str(&header).expect("it is ASCII"));
    Callback { headers, body: Bytes::from(body) }
}

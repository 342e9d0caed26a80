//! Events of PayPal: whether they are real, and what they mean.
//!
//! PayPal itself is asked whether a signature fits (`verify-webhook-signature`), with the raw body as it came. It signs with
//! certificates of its own that it replaces from time to time; checking them here would need their chain, names and
//! revocation to be judged by code of ours. The address of the certificate in the headers is never opened.

use http::HeaderMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use url::Url;

use stoa_kernel::gateways::{AttemptReport, AttemptStatus, CallbackError, Notice, NoticeSubject, Notification};

use super::super::exchange::Failure;
use super::answers::{Capture, Order, PaymentToken, Refund};
use super::api::{Api, Call};

/// What PayPal is asked about a signature.
#[derive(Serialize)]
struct Question<'a> {
    auth_algo: &'a str,
    cert_url: &'a str,
    transmission_id: &'a str,
    transmission_sig: &'a str,
    transmission_time: &'a str,
    webhook_id: &'a str,
    /// The body, byte for byte: written anew it would not fit its signature.
    webhook_event: &'a RawValue,
}

#[derive(Deserialize)]
struct SignatureCheck {
    verification_status: String,
}

/// Lets PayPal say whether a callback is one of its own.
pub(super) async fn verify(headers: &HeaderMap, body: &[u8], webhook_id: &str, api: &Api) -> Result<(), CallbackError> {
    let question = question(headers, body, webhook_id).map_err(|reason| unverified(&reason))?;
    let call = Call {
        method: http::Method::POST,
        path: "/v1/notifications/verify-webhook-signature",
        request_id: None,
        body: Some(question),
    };
    match api.call::<SignatureCheck>(&call).await {
        Ok(verdict) if verdict.verification_status == "SUCCESS" => Ok(()),
        Ok(_) => Err(unverified("PayPal says that the signature does not fit")),
        // The headers are the caller's, and PayPal may find that they are none of its own.
        Err(Failure::Refused { status, .. }) if matches!(status.as_u16(), 400 | 422) => {
            Err(unverified("PayPal cannot read the signature"))
        }
        Err(Failure::Refused { words, .. } | Failure::Unknown(words)) => Err(CallbackError::Unavailable(words)),
    }
}

fn question(headers: &HeaderMap, body: &[u8], webhook_id: &str) -> Result<Box<RawValue>, String> {
    let header = |name: &str| {
        let mut values = headers.get_all(name).iter();
        let value = values.next().ok_or_else(|| format!("there is no `{name}`"))?;
        let text = value.to_str().ok().filter(|text| !text.is_empty() && values.next().is_none());
        text.ok_or_else(|| format!("`{name}` is malformed"))
    };
    let cert_url = header("paypal-cert-url")?;
    if !is_of_paypal(cert_url) {
        return Err(String::from("`paypal-cert-url` is not an address of PayPal's"));
    }
    // Whatever is more than one JSON value would become a part of the question itself.
    let event = std::str::from_utf8(body).ok().and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    let question = Question {
        auth_algo: header("paypal-auth-algo")?,
        cert_url,
        transmission_id: header("paypal-transmission-id")?,
        transmission_sig: header("paypal-transmission-sig")?,
        transmission_time: header("paypal-transmission-time")?,
        webhook_id,
        webhook_event: event.ok_or("the body is no JSON")?,
    };
    to_raw_value(&question).map_err(|_| String::from("the question cannot be written"))
}

fn is_of_paypal(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let is_own = |host: &str| host == "paypal.com" || host.ends_with(".paypal.com");
    url.scheme() == "https"
        && url.port().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && url.host_str().is_some_and(is_own)
}

/// An event.
#[derive(Debug, Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "event_type")]
    kind: String,
    #[serde(default)]
    resource: Value,
}

/// An approval that the customer took back.
#[derive(Debug, Deserialize)]
struct Reversal {
    order_id: Option<String>,
}

/// A dispute.
#[derive(Debug, Deserialize)]
struct Dispute {
    #[serde(rename = "dispute_id")]
    id: Option<String>,
    reason: Option<String>,
    status: Option<String>,
    #[serde(default)]
    disputed_transactions: Vec<DisputedTransaction>,
}

#[derive(Debug, Deserialize)]
struct DisputedTransaction {
    seller_transaction_id: Option<String>,
}

/// What an event tells, after PayPal has said that it is real.
pub(super) fn read(body: &[u8]) -> Result<Notification, CallbackError> {
    let event: Event = serde_json::from_slice(body).map_err(|_| not_understood("the event"))?;
    let (subject, notice) = meaning(&event.kind, event.resource)?;
    Ok(Notification { event_id: event.id, event_type: event.kind, subject, notice })
}

fn meaning(kind: &str, resource: Value) -> Result<(Option<NoticeSubject>, Notice), CallbackError> {
    Ok(match kind {
        // The money is still to be taken, which is done by whoever asks.
        "CHECKOUT.ORDER.APPROVED" | "CHECKOUT.ORDER.COMPLETED" | "CHECKOUT.ORDER.PROCESSED" => {
            (Some(decode::<Order>(resource)?.subject()), Notice::Ask)
        }
        "CHECKOUT.ORDER.VOIDED" => (Some(decode::<Order>(resource)?.subject()), cancelled()),
        "CHECKOUT.PAYMENT-APPROVAL.REVERSED" => {
            let gateway_attempt_id = decode::<Reversal>(resource)?.order_id;
            (Some(NoticeSubject { gateway_attempt_id, ..NoticeSubject::default() }), cancelled())
        }
        "PAYMENT.CAPTURE.COMPLETED"
        | "PAYMENT.CAPTURE.PENDING"
        | "PAYMENT.CAPTURE.DENIED"
        | "PAYMENT.CAPTURE.DECLINED" => {
            let capture: Capture = decode(resource)?;
            let report = capture.report().ok_or_else(|| not_understood("the state of a capture"))?;
            (Some(capture.subject()), Notice::Attempt(report))
        }
        "VAULT.PAYMENT-TOKEN.CREATED" => {
            let token: PaymentToken = decode(resource)?;
            match token.subject() {
                Some(subject) => (Some(subject), Notice::MethodSaved { method: Some(token.id) }),
                None => (None, Notice::Nothing),
            }
        }
        "PAYMENT.CAPTURE.REVERSED" => {
            let refund: Refund = decode(resource)?;
            (Some(refund.subject()), Notice::Review(format!("PayPal took a payment back ({})", refund.id)))
        }
        "PAYMENT.CAPTURE.REFUNDED" | "PAYMENT.REFUND.PENDING" | "PAYMENT.REFUND.FAILED" => {
            let refund: Refund = decode(resource)?;
            (Some(refund.subject()), refund_notice(&refund)?)
        }
        "CUSTOMER.DISPUTE.CREATED" | "CUSTOMER.DISPUTE.UPDATED" | "CUSTOMER.DISPUTE.RESOLVED" => {
            dispute(&decode(resource)?)
        }
        _ => (None, Notice::Nothing),
    })
}

fn cancelled() -> Notice {
    Notice::Attempt(AttemptReport::of(AttemptStatus::Cancelled))
}

fn refund_notice(refund: &Refund) -> Result<Notice, CallbackError> {
    let Some(reference) = refund.reference() else {
        return Ok(Notice::Review(refund.describe()));
    };
    let report = refund.report().ok_or_else(|| not_understood("the state of a refund"))?;
    Ok(Notice::Refund { reference: Some(reference), report })
}

fn dispute(dispute: &Dispute) -> (Option<NoticeSubject>, Notice) {
    let payment_id =
        dispute.disputed_transactions.iter().find_map(|transaction| transaction.seller_transaction_id.clone());
    let subject = payment_id.map(|id| NoticeSubject { payment_id: Some(id), ..NoticeSubject::default() });
    let word = |text: &Option<String>| text.clone().unwrap_or_else(|| String::from("unknown"));
    let (id, reason, status) = (word(&dispute.id), word(&dispute.reason), word(&dispute.status));
    (subject, Notice::Review(format!("the dispute {id} at PayPal ({reason}, now `{status}`)")))
}

fn decode<T: DeserializeOwned>(resource: Value) -> Result<T, CallbackError> {
    serde_json::from_value(resource).map_err(|_| not_understood("what the event is about"))
}

fn unverified(reason: &str) -> CallbackError {
    CallbackError::Unverified(reason.to_owned())
}

fn not_understood(what: &str) -> CallbackError {
    CallbackError::Unavailable(format!("{what} cannot be understood"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paypal_has_certificates_of_paypal() {
        for address in ["https://api.paypal.com/v1/notifications/certs/CERT-1", "https://api.sandbox.paypal.com/x"] {
            assert!(is_of_paypal(address), "{address}");
        }
        for address in [
            "http://api.paypal.com/x",
            "https://api.paypal.com.evil.example/x",
            "https://evilpaypal.com/x",
            "https://paypal.com@evil.example/x",
            "https://user@api.paypal.com/x",
            "https://api.paypal.com:8443/x",
            "https://evil.example/paypal.com",
            "api.paypal.com",
            "",
        ] {
            assert!(!is_of_paypal(address), "{address}");
        }
    }
}

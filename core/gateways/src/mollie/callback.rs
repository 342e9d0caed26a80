//! What Mollie tells by itself.
//!
//! The callback of a single payment is not signed and says nothing but its id; what proves it is that our key finds the
//! payment at Mollie. Events of a webhook subscription are signed, and are all that is taken where a secret for them is set.

use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;
use url::form_urlencoded;

use stoa_kernel::gateways::{CallbackError, Notice, NoticeSubject, Notification, RefundReport};
use stoa_kernel::secret::Secret;

use super::super::exchange::{Failure, path_segment};
use super::answers::{Payment, Refund, refund_status};
use super::api::Api;

/// The callback of a single payment: `id=tr_…`.
pub(super) async fn of_payment(body: &[u8], api: &Api) -> Result<Notification, CallbackError> {
    let payment = fetch(&payment_id(body)?, api).await?;
    Ok(Notification {
        event_id: payment.fingerprint(),
        event_type: format!("payment.{}", payment.status),
        subject: Some(payment.subject()),
        notice: notice(&payment)?,
    })
}

/// The one payment that a callback names.
pub(super) fn payment_id(body: &[u8]) -> Result<String, CallbackError> {
    let mut ids = form_urlencoded::parse(body).filter(|(name, _)| name == "id").map(|(_, id)| id);
    match (ids.next(), ids.next()) {
        (Some(id), None) => Ok(id.into_owned()),
        _ => Err(CallbackError::Unverified(String::from("it names no payment"))),
    }
}

async fn fetch(id: &str, api: &Api) -> Result<Payment, CallbackError> {
    let unknown = || CallbackError::Unverified(String::from("it is about no payment of this account"));
    let id = path_segment(id).map_err(|_| unknown())?;
    match api.get(&format!("/v2/payments/{id}?embed=refunds")).await {
        Ok(payment) => Ok(payment),
        Err(failure) if failure.is_not_found() => Err(unknown()),
        Err(Failure::Refused { words, .. } | Failure::Unknown(words)) => Err(CallbackError::Unavailable(words)),
    }
}

/// What the state of a payment means.
fn notice(payment: &Payment) -> Result<Notice, CallbackError> {
    let report = payment.report().ok_or_else(|| not_understood("the payment"))?;
    if let Some(amount) = payment.charged_back() {
        let amount = amount.money().map_or_else(|| amount.value().to_owned(), |money| money.to_string());
        return Ok(Notice::Review(format!("{amount} were charged back at Mollie")));
    }
    let foreign = payment.refunds().iter().find(|refund| refund.reference().is_none());
    Ok(match foreign {
        Some(refund) => Notice::Review(refund.describe()),
        None if payment.refunds().is_empty() => Notice::Attempt(report),
        None => Notice::Ask,
    })
}

/// An event of a subscription.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    entity_id: String,
    #[serde(rename = "_embedded")]
    embedded: Option<EmbeddedEntity>,
}

/// What the event is about, where the subscription sends it along.
#[derive(Debug, Deserialize)]
struct EmbeddedEntity {
    entity: Option<Value>,
}

/// An event that is signed over its raw body: `X-Mollie-Signature: sha256=<hex>`, or the digits alone.
pub(super) async fn of_subscription(
    headers: &HeaderMap,
    body: &[u8],
    secret: &Secret,
    api: &Api,
) -> Result<Notification, CallbackError> {
    verify(headers, body, secret).map_err(|reason| CallbackError::Unverified(reason.to_owned()))?;
    let event: Event = serde_json::from_slice(body).map_err(|_| not_understood("the event"))?;
    let (subject, notice) = match event.kind.split_once('.') {
        Some(("payment", _)) => {
            let payment = fetch(&event.entity_id, api).await?;
            (Some(payment.subject()), notice(&payment)?)
        }
        Some(("refund", status)) => refund(&event, status)?,
        Some(("chargeback", what)) => {
            (payment_of(&event), Notice::Review(format!("a chargeback at Mollie was {what} ({})", event.entity_id)))
        }
        Some(_) | None => (None, Notice::Nothing),
    };
    Ok(Notification { event_id: event.id, event_type: event.kind, subject, notice })
}

fn verify(headers: &HeaderMap, body: &[u8], secret: &Secret) -> Result<(), &'static str> {
    let mut values = headers.get_all("x-mollie-signature").iter();
    let value = values.next().ok_or("there is no `X-Mollie-Signature`")?;
    if values.next().is_some() {
        return Err("there is more than one `X-Mollie-Signature`");
    }
    let signature = value.to_str().ok().map(|text| text.strip_prefix("sha256=").unwrap_or(text));
    let signature = signature.and_then(|text| hex::decode(text).ok()).ok_or("`X-Mollie-Signature` is malformed")?;
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).expect("a key of any length is fine");
    mac.update(body);
    mac.verify_slice(&signature).map_err(|_| "the signature does not fit")
}

/// What an event says about a refund. Without the refund itself, its status follows from the name of the event, and
/// whether it is ours from its id.
fn refund(event: &Event, status: &str) -> Result<(Option<NoticeSubject>, Notice), CallbackError> {
    let entity = event.embedded.as_ref().and_then(|embedded| embedded.entity.clone());
    let subject = payment_of(event);
    let Some(entity) = entity else {
        let status = refund_status(status).ok_or_else(|| not_understood("the state of a refund"))?;
        let report = RefundReport { status, gateway_refund_id: Some(event.entity_id.clone()), detail: None };
        return Ok((subject, Notice::Refund { reference: None, report }));
    };
    let refund: Refund = serde_json::from_value(entity).map_err(|_| not_understood("the refund"))?;
    let Some(reference) = refund.reference() else {
        return Ok((subject, Notice::Review(refund.describe())));
    };
    let report = refund.report().ok_or_else(|| not_understood("the state of a refund"))?;
    Ok((subject, Notice::Refund { reference: Some(reference), report }))
}

fn payment_of(event: &Event) -> Option<NoticeSubject> {
    let entity = event.embedded.as_ref()?.entity.as_ref()?;
    let payment = entity.get("paymentId")?.as_str()?.to_owned();
    Some(NoticeSubject { reference: None, gateway_attempt_id: Some(payment.clone()), payment_id: Some(payment) })
}

fn not_understood(what: &str) -> CallbackError {
    CallbackError::Unavailable(format!("{what} cannot be understood"))
}

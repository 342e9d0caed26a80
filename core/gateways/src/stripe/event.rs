//! Events of Stripe, and what they mean.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use stoa_kernel::gateways::{AttemptReport, AttemptStatus, CallbackError, Notice, NoticeSubject, Notification};

use super::answers::{List, PaymentIntent, Refund, Session};
use super::api::Api;

/// What all events have in common.
#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    object: String,
    #[serde(rename = "type")]
    kind: String,
    livemode: Option<bool>,
    data: Option<Data>,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: Value,
}

/// What concerns the operator about a payment.
#[derive(Debug, Deserialize)]
struct Concern {
    payment_intent: Option<String>,
    reason: Option<String>,
    status: Option<String>,
}

/// What an event tells, after its signature was checked.
pub(super) async fn read(body: &[u8], api: &Api) -> Result<Notification, CallbackError> {
    let not_understood = |_| CallbackError::Unavailable(String::from("the event cannot be understood"));
    let event: Envelope = serde_json::from_slice(body).map_err(not_understood)?;
    let is_other_mode = matches!((event.livemode, api.is_live()), (Some(theirs), Some(ours)) if theirs != ours);
    if is_other_mode {
        let reason = "the event and `payments.stripe.secret_key` are not both of test mode or both live";
        return Err(CallbackError::Unverified(String::from(reason)));
    }
    let (subject, notice) = match event.data {
        Some(Data { object }) if event.object == "event" => meaning(&event.kind, object, api).await?,
        // A thin event names things without showing them; everything that is needed also comes in full.
        Some(_) | None => (None, Notice::Nothing),
    };
    Ok(Notification { event_id: event.id, event_type: event.kind, subject, notice })
}

async fn meaning(kind: &str, object: Value, api: &Api) -> Result<(Option<NoticeSubject>, Notice), CallbackError> {
    Ok(match kind {
        "checkout.session.completed"
        | "checkout.session.async_payment_succeeded"
        | "checkout.session.async_payment_failed"
        | "checkout.session.expired" => session(kind, &decode(object)?)?,
        // The customer may try again on the same page, so a failed try ends nothing.
        "payment_intent.succeeded" | "payment_intent.processing" | "payment_intent.canceled" => {
            (Some(decode::<PaymentIntent>(object)?.subject()), Notice::Ask)
        }
        "refund.created" | "refund.updated" | "refund.failed" | "charge.refund.updated" => {
            let refund: Refund = decode(object)?;
            (Some(refund.subject()), refund_notice(&refund)?)
        }
        "charge.refunded" => refunded(&decode(object)?, api).await?,
        "charge.dispute.created"
        | "charge.dispute.closed"
        | "charge.dispute.funds_withdrawn"
        | "charge.dispute.funds_reinstated" => concern("a dispute", &decode(object)?),
        "radar.early_fraud_warning.created" => concern("a warning of fraud", &decode(object)?),
        _ => (None, Notice::Nothing),
    })
}

fn session(kind: &str, session: &Session) -> Result<(Option<NoticeSubject>, Notice), CallbackError> {
    if !session.is_payment() {
        return Ok((None, Notice::Nothing));
    }
    let report = session.report().ok_or_else(unknown_state)?;
    let report = match kind {
        "checkout.session.async_payment_failed" => AttemptReport { status: AttemptStatus::Failed, ..report },
        _ => report,
    };
    Ok((Some(session.subject()), Notice::Attempt(report)))
}

fn refund_notice(refund: &Refund) -> Result<Notice, CallbackError> {
    let Some(reference) = refund.reference() else {
        return Ok(Notice::Review(refund.describe()));
    };
    let report = refund.report().ok_or_else(unknown_state)?;
    Ok(Notice::Refund { reference: Some(reference), report })
}

/// Which refunds a charge has is asked for, since newer events do not show them.
async fn refunded(charge: &Concern, api: &Api) -> Result<(Option<NoticeSubject>, Notice), CallbackError> {
    let Some(payment_intent) = &charge.payment_intent else {
        return Ok((None, Notice::Nothing));
    };
    let refunds: List<Refund> = super::list_refunds(payment_intent, api)
        .await
        .map_err(|failure| CallbackError::Unavailable(format!("{failure:?}")))?;
    let subject = NoticeSubject { payment_id: Some(payment_intent.clone()), ..NoticeSubject::default() };
    let foreign = refunds.data.iter().find(|refund| refund.reference().is_none());
    Ok((Some(subject), foreign.map_or(Notice::Nothing, |refund| Notice::Review(refund.describe()))))
}

fn concern(what: &str, concern: &Concern) -> (Option<NoticeSubject>, Notice) {
    let reason = concern.reason.as_deref().unwrap_or("no reason given");
    let status = concern.status.as_deref().map(|status| format!(", now `{status}`")).unwrap_or_default();
    let subject = NoticeSubject { payment_id: concern.payment_intent.clone(), ..NoticeSubject::default() };
    let subject = subject.payment_id.is_some().then_some(subject);
    (subject, Notice::Review(format!("{what} at Stripe ({reason}{status})")))
}

fn decode<T: DeserializeOwned>(object: Value) -> Result<T, CallbackError> {
    serde_json::from_value(object)
        .map_err(|_| CallbackError::Unavailable(String::from("what the event is about cannot be understood")))
}

fn unknown_state() -> CallbackError {
    CallbackError::Unavailable(String::from("the event tells of a state that is not known here"))
}

//! What can be done about an order, each by the function that the command line calls.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::StatusCode;
use http::request::Parts;
use stoa_core::db::Db;
use stoa_core::from_shop;
use stoa_core::gateways::RefundStatus;
use stoa_core::mail::{Mailer, ResendMailError, mails_of_order, resend_mail};
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{
    CancelOrderError, CancelReason, Carriage, MAX_TRACKING, OrderNumber, Reviewed, ShipOrderError, ShipmentLine,
    cancel_order, find_order, note_on_order, review_order, ship_order_with, stored_note,
};
use stoa_core::payments::{Payments, RecordPaymentError, record_payment};
use stoa_core::refunds::{
    MAX_REASON, NewRefund, RefundLine, RefundOrderError, RefundScope, Refunds, find_refund, preview_refund,
    reserve_refund, resume_refund,
};
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_kernel::http::shape::Takes;
use stoa_kernel::http::table::Operation;
use stoa_pages::answer::PageResponse;

use super::mails::MAILS;
use super::one::{ShownPreview, Told, seen, shown};
use crate::amount::positive_amount;
use crate::page::{ConsoleState, Frame, Named};
use crate::question::Question;

/// How long somebody waits for a provider to send money back.
const PATIENCE: Duration = Duration::from_secs(3);

from_shop! {
    /// What every act works with.
    pub(super) struct Desk {
        db: Db,
        money: Arc<MoneyFormatter>,
        payments: Payments,
        refunds: Refunds,
        mailer: Mailer,
    }
}

/// An act on an order: who does it, to which.
pub(super) struct Act {
    state: ConsoleState,
    frame: Frame,
    desk: Desk,
    number: OrderNumber,
}

impl FromRequestParts<ConsoleState> for Act {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ConsoleState) -> Result<Self, ApiError> {
        let frame = Frame::from_request_parts(parts, state).await?;
        let Uses(desk) = Uses::from_request_parts(parts, state).await?;
        let Named(number) = Named::from_request_parts(parts, state).await?;
        Ok(Self { state: state.clone(), frame, desk, number })
    }
}

impl Takes for Act {
    fn takes(operation: &mut Operation) {
        Named::<OrderNumber>::takes(operation);
    }
}

impl Act {
    /// Shows the order again with why nothing was done, and with what was typed.
    async fn refuse(&self, status: StatusCode, text: impl Into<String>) -> ApiResult<PageResponse> {
        self.tell(Told::problem(status, text)).await
    }

    async fn tell(&self, told: Told) -> ApiResult<PageResponse> {
        let Desk { db, money, .. } = &self.desk;
        shown(&self.state, &self.frame, db, money, self.number, told).await
    }

    async fn ask_to_cancel(&self) -> ApiResult<PageResponse> {
        let Self { frame, desk, number, .. } = self;
        find_order(&desk.db, &desk.money, number.id()).await?.ok_or_else(ApiError::not_found)?;
        let name = format!("Order {number}");
        frame.ask(Question {
            asks: format!("Cancel order {number}?"),
            says: "What was held for it can be sold again. This cannot be undone.",
            buttons: ["Cancel order", "Keep it"],
            ..Question::of_one(("orders", "Orders"), &name, &number.to_string(), "cancel")
        })
    }

    #[expect(clippy::unnecessary_wraps, reason = "it is the last word of acts, which may fail before")]
    fn done(&self, text: &str) -> ApiResult<PageResponse> {
        Ok(self.frame.done(&format!("/orders/{}", self.number), text))
    }

    /// What a form that was made from an older state is answered with.
    async fn is_stale(&self, form: &StaffForm) -> ApiResult<bool> {
        let made_from = form.get("seen").and_then(|seen| seen.parse::<usize>().ok());
        Ok(made_from != Some(seen(&self.desk.db, self.number).await?))
    }

    async fn refuse_stale(&self) -> ApiResult<PageResponse> {
        let text = "Somebody has changed this order meanwhile. Nothing was done: look at the order as it is now, and at what you \
                    typed, then send what is still to be done.";
        self.refuse(StatusCode::CONFLICT, text).await
    }
}

const NOT_TAKEN: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

/// `POST /console/orders/{number}/paid`.
pub(super) async fn mark_paid(act: Act) -> ApiResult<PageResponse> {
    match record_payment(&act.desk.payments, act.number.id()).await {
        Ok(recorded) => match recorded.still_open {
            None => act.done("The order is paid."),
            Some(reason) => act.done(&format!(
                "The order is paid. What the customer has begun to pay at a provider could not be ended ({reason}): a second \
                 payment has to go back."
            )),
        },
        Err(RecordPaymentError::NotFound) => Err(ApiError::not_found()),
        Err(RecordPaymentError::Paid) => act.refuse(StatusCode::CONFLICT, "The order is paid already.").await,
        Err(RecordPaymentError::Cancelled) => {
            act.refuse(StatusCode::CONFLICT, "The order is cancelled, and money does not revive it.").await
        }
        Err(RecordPaymentError::Db(error)) => Err(error.into()),
    }
}

/// `POST /console/orders/{number}/cancel`: first a question, and with `confirm` the order is cancelled.
pub(super) async fn cancel(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    if form.get("confirm").is_none() {
        return act.ask_to_cancel().await;
    }
    let refused = match cancel_order(&act.desk.payments, act.number.id(), CancelReason::Operator).await {
        Ok(()) => return act.done("The order is cancelled."),
        Err(CancelOrderError::NotFound) => return Err(ApiError::not_found()),
        Err(CancelOrderError::Db(error)) => return Err(error.into()),
        Err(CancelOrderError::Listener(error)) => return Err(error.into()),
        Err(CancelOrderError::Paid) => String::from("The order is paid. Its money goes back as a refund."),
        Err(CancelOrderError::Cancelled) => String::from("The order is cancelled already."),
        Err(CancelOrderError::Processing) => String::from(
            "A payment is on its way and cannot be stopped. Wait until the provider has said what became of it.",
        ),
        Err(CancelOrderError::Provider(reason)) => {
            format!(
                "The order stays as it is: the provider could not end what the customer has begun to pay ({reason})."
            )
        }
    };
    act.refuse(StatusCode::CONFLICT, refused).await
}

/// `POST /console/orders/{number}/ship`.
pub(super) async fn ship(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    if act.is_stale(&form).await? {
        return act.refuse_stale().await;
    }
    let lines = match quantities(&form) {
        Ok(lines) if !lines.is_empty() => lines,
        Ok(_) => return act.refuse(NOT_TAKEN, "Say of at least one item how many units are sent.").await,
        Err(text) => return act.refuse(NOT_TAKEN, text).await,
    };
    let lines = lines.into_iter().map(|(item_id, quantity)| ShipmentLine { item_id, quantity }).collect::<Vec<_>>();
    let (tracking, carrier) = (form.get("tracking"), form.get("carrier"));
    if tracking.is_some_and(|text| text.chars().count() > MAX_TRACKING || text.contains(char::is_control)) {
        return act.refuse(NOT_TAKEN, format!("A tracking number has at most {MAX_TRACKING} characters.")).await;
    }
    if carrier.is_some_and(|id| act.state.config.shipping.carrier(id).is_none()) {
        return act.refuse(NOT_TAKEN, "There is no such carrier any more.").await;
    }
    match ship_order_with(&act.desk.db, act.number, &lines, Carriage { tracking, carrier }).await {
        Ok(_) => act.done("The shipment is recorded."),
        Err(ShipOrderError::NotFound(_)) => Err(ApiError::not_found()),
        Err(ShipOrderError::Db(error)) => Err(error.into()),
        Err(refused) => act.refuse(StatusCode::CONFLICT, sentence(&refused.to_string())).await,
    }
}

/// The items of a form with how many units are meant, where it is more than none.
fn quantities(form: &StaffForm) -> Result<Vec<(i64, i64)>, String> {
    let mut found = Vec::new();
    for (name, value) in form.fields() {
        let Some(id) = name.strip_prefix("quantity-").and_then(|id| id.parse::<i64>().ok()) else { continue };
        let value = value.trim();
        let quantity = if value.is_empty() { Some(0) } else { value.parse::<i64>().ok().filter(|number| *number >= 0) };
        let quantity = quantity.ok_or_else(|| format!("“{value}” is no number of units."))?;
        if quantity > 0 {
            found.push((id, quantity));
        }
    }
    Ok(found)
}

/// `POST /console/orders/{number}/refund`: first what it comes to, and with `confirm` the refund itself.
pub(super) async fn refund(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    if act.is_stale(&form).await? {
        return act.refuse_stale().await;
    }
    let new = match new_refund(&act, &form) {
        Ok(new) => new,
        Err(text) => return act.refuse(NOT_TAKEN, text).await,
    };
    if form.get("confirm").is_none() {
        return match preview_refund(&act.desk.refunds, &new).await {
            Ok(preview) => {
                let kept = form.fields().filter(|(name, _)| !matches!(*name, "csrf" | "confirm"));
                let fields = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                act.tell(Told { preview: Some(ShownPreview { preview, fields }), ..Told::default() }).await
            }
            Err(error) => refused(&act, error.into()).await,
        };
    }
    let refunds = act.desk.refunds.clone();
    let id = match reserve_refund(&refunds, &new).await {
        Ok(id) => id,
        Err(error) => return refused(&act, error.into()).await,
    };
    // Whoever sees no answer sends the form again: it goes on without them.
    let sending = tokio::spawn(async move { resume_refund(&refunds, id).await });
    match tokio::time::timeout(PATIENCE, sending).await {
        Err(_) => {
            return act.done(
                "The provider has not answered yet. The refund is on its way: look at this page again later, and do not refund the same again.",
            );
        }
        Ok(Err(failed)) => return Err(ApiError::internal(failed)),
        Ok(Ok(Err(error))) => return refused(&act, error.into()).await,
        Ok(Ok(Ok(_))) => {}
    }
    let record = find_refund(&act.desk.db, &act.desk.money, id).await?.ok_or_else(ApiError::not_found)?;
    match record.refund.status {
        RefundStatus::Succeeded => {
            let amount = act.desk.money.format_in(record.refund.amount, &record.refund.currency);
            act.done(&format!("{amount} went back."))
        }
        RefundStatus::Failed => {
            let reason = record.refund.last_error.as_deref().unwrap_or("it gave no reason");
            act.refuse(StatusCode::CONFLICT, format!("The provider has refused, and no money went back: {reason}."))
                .await
        }
        RefundStatus::Pending => act.done("The refund is on its way; the credit note follows when it has arrived."),
    }
}

async fn refused(act: &Act, error: RefundOrderError) -> ApiResult<PageResponse> {
    use stoa_core::refunds::ReserveRefundError as Refused;

    match error {
        RefundOrderError::Reserve(Refused::NotFound) => Err(ApiError::not_found()),
        RefundOrderError::Reserve(Refused::Db(error)) => Err(error.into()),
        RefundOrderError::Reserve(Refused::Amount(stoa_core::pricing::RefundError::TooMuch { remaining_amount })) => {
            let left = act.desk.money.format(remaining_amount);
            act.refuse(StatusCode::CONFLICT, format!("Only {left} are left to refund.")).await
        }
        RefundOrderError::Reserve(refused) => act.refuse(StatusCode::CONFLICT, sentence(&refused.to_string())).await,
        RefundOrderError::Send(error) => {
            let text = format!(
                "Nobody knows yet whether the refund went through ({error}). It stays pending and is asked for again: do not \
                 refund the same again."
            );
            act.refuse(StatusCode::BAD_GATEWAY, text).await
        }
    }
}

fn new_refund(act: &Act, form: &StaffForm) -> Result<NewRefund, String> {
    let reason = form.get("reason").ok_or("Say why; the customer reads it on the credit note.")?.to_owned();
    if reason.chars().count() > MAX_REASON || reason.contains(char::is_control) {
        return Err(format!("A reason has at most {MAX_REASON} characters, on one line."));
    }
    let scope = if let Some(text) = form.get("amount") {
        let amount = positive_amount(text, &act.desk.money)?;
        if !quantities(form)?.is_empty() || form.get("shipping").is_some() {
            return Err(String::from("Enter either an amount or units, not both."));
        }
        RefundScope::Amount(amount)
    } else {
        let mut lines = Vec::new();
        for (item_id, quantity) in quantities(form)? {
            let units = units(form, item_id)?;
            lines.push(RefundLine { item_id, quantity, units });
        }
        let shipping = form.get("shipping").is_some();
        if lines.is_empty() && !shipping {
            return Err(String::from("Say of at least one item how many units go back, or enter an amount."));
        }
        RefundScope::Lines { lines, shipping }
    };
    Ok(NewRefund { order_id: act.number.id(), scope, reason })
}

/// Which units of an item were named: `1, 3`.
fn units(form: &StaffForm, item_id: i64) -> Result<Vec<i64>, String> {
    let Some(text) = form.get(&format!("units-{item_id}")) else { return Ok(Vec::new()) };
    let units = text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
    let numbers = units.map(|part| part.parse::<i64>().ok().filter(|unit| *unit > 0));
    numbers.collect::<Option<Vec<_>>>().ok_or_else(|| format!("“{text}” does not name units; write 1, 3."))
}

/// `POST /console/orders/{number}/note`.
pub(super) async fn note(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let Some(note) = form.get("note").and_then(stored_note) else {
        return act.refuse(NOT_TAKEN, "A note has 1 to 1000 characters.").await;
    };
    if !note_on_order(&act.desk.db, act.number, &note).await? {
        return Err(ApiError::not_found());
    }
    act.done("The note stands in the history.")
}

/// `POST /console/orders/{number}/mail`.
pub(super) async fn send_mail_again(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let id = form.get("mail").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
    // Only a mail about this order.
    let own = mails_of_order(&act.desk.db, act.number.id(), MAILS).await?;
    if !own.iter().any(|mail| mail.id == id) {
        return act.refuse(NOT_TAKEN, "There is no such mail about this order any more.").await;
    }
    match resend_mail(&act.desk.db, &act.desk.mailer, id).await {
        Ok((_, recipient)) => act.done(&format!("The mail is sent once more, to {recipient}.")),
        Err(ResendMailError::Db(error)) => Err(error.into()),
        Err(refused) => act.refuse(StatusCode::CONFLICT, sentence(&refused.to_string())).await,
    }
}

/// `POST /console/orders/{number}/reviewed`.
pub(super) async fn reviewed(act: Act) -> ApiResult<PageResponse> {
    match review_order(&act.desk.db, act.number).await? {
        Reviewed::TakenOff(_) => act.done("The order needs no review any more."),
        Reviewed::NotFlagged => act.done("Somebody else has looked at it already."),
        Reviewed::NotFound => Err(ApiError::not_found()),
    }
}

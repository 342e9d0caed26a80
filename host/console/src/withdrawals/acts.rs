//! What the shop says about a withdrawal, by the functions that the command line calls.

use http::StatusCode;
use stoa_core::gateways::RefundStatus;
use stoa_core::refunds::ReserveRefundError;
use stoa_core::withdrawals::{
    CompleteWhen, MAX_REFUSAL, WithdrawalChangeError, WithdrawalNumber, accept_withdrawal, complete_withdrawal,
    refund_withdrawal, refuse_withdrawal,
};
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use super::one::{Desk, Told, shown};
use crate::filled::Filled;
use crate::page::{Frame, Named};

/// `POST /console/withdrawals/{number}/accept`: and with `refund`, sends the money back. It may be sent back later as well.
pub(super) async fn accept(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<WithdrawalNumber>,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    if let Err(error) = accept_withdrawal(&desk.payments, number).await {
        return refused(&frame, &desk, number, error).await;
    }
    if form.get("refund").is_none() {
        return Ok(done(&frame, number, "The withdrawal is accepted. The money is still to go back."));
    }
    match refund_withdrawal(&desk.refunds, number).await {
        Ok(record) => {
            let amount = desk.money.format_in(record.refund.amount, &record.refund.currency);
            match record.refund.status {
                RefundStatus::Succeeded => Ok(done(&frame, number, &format!("Accepted. {amount} went back."))),
                RefundStatus::Pending => {
                    Ok(done(&frame, number, &format!("Accepted. {amount} are on their way back.")))
                }
                RefundStatus::Failed => {
                    let reason = record.refund.last_error.as_deref().unwrap_or("it gave no reason");
                    let told =
                        format!("The withdrawal is accepted, but the provider has refused the refund: {reason}.");
                    conflict(&frame, &desk, number, told).await
                }
            }
        }
        Err(WithdrawalChangeError::Reserve(ReserveRefundError::NotPaid | ReserveRefundError::Worthless)) => {
            Ok(done(&frame, number, "The withdrawal is accepted. Nothing was paid for it, so nothing goes back."))
        }
        Err(error) => refused(&frame, &desk, number, error).await,
    }
}

/// `POST /console/withdrawals/{number}/refuse`. The customer is told why by mail.
pub(super) async fn refuse(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<WithdrawalNumber>,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let reason = form.get("reason").unwrap_or_default();
    if !(1..=MAX_REFUSAL).contains(&reason.chars().count()) || reason.contains(char::is_control) {
        let mut form = Filled::of(&form);
        form.refuse("reason", format!("Say why in 1 to {MAX_REFUSAL} characters, on one line: the customer reads it."));
        return shown(&frame, &desk, number, Told { problem: None, form }).await;
    }
    match refuse_withdrawal(&desk.db, &desk.mailer, number, Some(reason)).await {
        Ok(record) if desk.mailer.is_configured() && record.customer_email.is_some() => {
            Ok(done(&frame, number, "The withdrawal is refused, and the customer is told why."))
        }
        Ok(_) => Ok(done(&frame, number, "The withdrawal is refused. Nobody is told, as there is no mail.")),
        Err(error) => refused(&frame, &desk, number, error).await,
    }
}

/// `POST /console/withdrawals/{number}/complete`.
pub(super) async fn complete(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<WithdrawalNumber>,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let when = if form.get("anyhow").is_some() { CompleteWhen::Anyhow } else { CompleteWhen::Refunded };
    match complete_withdrawal(&desk.db, number, when).await {
        Ok(_) => Ok(done(&frame, number, "The withdrawal is completed.")),
        Err(error) => refused(&frame, &desk, number, error).await,
    }
}

fn done(frame: &Frame, number: WithdrawalNumber, told: &str) -> PageResponse {
    frame.done(&format!("/withdrawals/{number}"), told)
}

async fn conflict(frame: &Frame, desk: &Desk, number: WithdrawalNumber, told: String) -> ApiResult<PageResponse> {
    shown(frame, desk, number, Told { problem: Some((StatusCode::CONFLICT, told)), form: Filled::default() }).await
}

async fn refused(
    frame: &Frame,
    desk: &Desk,
    number: WithdrawalNumber,
    error: WithdrawalChangeError,
) -> ApiResult<PageResponse> {
    let told = match error {
        WithdrawalChangeError::Unknown(_) => return Err(ApiError::not_found()),
        WithdrawalChangeError::Db(error) | WithdrawalChangeError::Reserve(ReserveRefundError::Db(error)) => {
            return Err(error.into());
        }
        WithdrawalChangeError::Send(error) => format!(
            "Nobody knows yet whether the refund went through ({error}). It stays pending and is asked for again: do not \
             refund the same again."
        ),
        WithdrawalChangeError::PartOfUnpaid(order) => format!(
            "Order {order} is not paid, and the withdrawal leaves a part of it. Cancel the order, or accept when it is paid."
        ),
        error => sentence(&error.to_string()),
    };
    conflict(frame, desk, number, told).await
}

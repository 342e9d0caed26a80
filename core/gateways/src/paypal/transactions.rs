//! Finding out among the account's transactions whether a charge was made that PayPal has not answered for hours.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use stoa_kernel::gateways::{AttemptRequest, GatewayError, StartedAttempt};

use super::super::exchange::{Failure, not_understood, path_segment};
use super::Paypal;
use super::answers::{Capture, Transactions};
use super::saved::{REPEATABLE, invoice_id};

/// How long a transaction can stay unseen: PayPal says three hours, and clocks differ.
const UNSEEN: TimeDelta = TimeDelta::hours(4);

/// How far PayPal's clock may be from ours.
const TOLERANCE: TimeDelta = TimeDelta::hours(1);

/// Most pages that are looked at, of 500 transactions each.
const MAX_PAGES: u32 = 40;

impl Paypal {
    /// The charge of this reference. That there is none is certain only once everything can be seen.
    pub(super) async fn find_charge(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let until = request.started_at + REPEATABLE;
        if self.clock.now() < until + UNSEEN {
            return Err(GatewayError::Unknown(String::from("PayPal does not show all transactions of that time yet")));
        }
        let (from, to) = (time(request.started_at - TOLERANCE), time(until + TOLERANCE));
        let name = invoice_id(request);
        for page in 1..=MAX_PAGES {
            let path = format!(
                "/v1/reporting/transactions?start_date={from}&end_date={to}&fields=transaction_info\
                 &balance_affecting_records_only=N&page_size=500&page={page}"
            );
            let found: Transactions = self.api.get(&path).await.map_err(unknown)?;
            if let Some(id) = found.capture_of(&name) {
                return self.captured(id).await;
            }
            if page >= found.total_pages {
                return Err(GatewayError::Refused(String::from("PayPal has not charged it")));
            }
        }
        Err(GatewayError::Unknown(String::from("there are too many transactions to find this one among them")))
    }

    async fn captured(&self, id: &str) -> Result<StartedAttempt, GatewayError> {
        let path = format!("/v2/payments/captures/{}", path_segment(id).map_err(unknown)?);
        let capture: Capture = self.api.get(&path).await.map_err(unknown)?;
        let gateway_attempt_id = capture.subject().gateway_attempt_id.ok_or_else(not_understood)?;
        let report = capture.report().ok_or_else(not_understood)?;
        Ok(StartedAttempt {
            gateway_attempt_id: Some(gateway_attempt_id),
            redirect_url: None,
            expires_at: None,
            report,
        })
    }
}

/// Who may not look has found nothing out.
fn unknown(failure: Failure) -> GatewayError {
    let (Failure::Refused { words, .. } | Failure::Unknown(words)) = failure;
    GatewayError::Unknown(format!("whether it was charged cannot be looked up: {words}"))
}

/// A time as a part of a query.
fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

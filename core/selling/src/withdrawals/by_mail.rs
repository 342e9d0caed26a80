//! Withdrawing by the number of an order and the e-mail address that it was placed with, for whoever has neither a login nor the link.
//!
//! What is asked for is written down, and looked into after the answer: neither the answer nor its time tells whether there is such an
//! order, nor whose it is. The receipt goes to the address of the order, and to no other.

use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;

use stoa_kernel::auth::{LimitClass, LimitReached, Limiter};
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::events::{AfterCommit, CommittedEvent, Event, ListenerError};
use stoa_kernel::from_shop;
use stoa_kernel::http::answer::Done;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientAddress, Uses};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::record_number::OrderNumber;
use stoa_kernel::text;

use super::declare::{Declaration, Declarations, DeclareError, declare};
use super::queries;
use super::rules::WithdrawalByMailRequest;
use crate::orders::{Actor, flag_order, subject_of};

from_shop! {
    /// What takes withdrawals from whoever names an order and an address.
    #[derive(Clone)]
    pub struct WithdrawalRequests {
        /// Where they are written down.
        pub db: Db,
        /// What counts them.
        pub limiter: Arc<Limiter>,
    }
}

/// Somebody withdraws from everything that can be withdrawn of an order, and names the address that it was placed with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WithdrawalRequested {
    /// The order; there may be none.
    order_id: i64,
    /// The address, in lower case; the order may be another's.
    email: String,
    /// What they write.
    statement: Option<String>,
    /// When.
    requested_at: DateTime<Utc>,
}

impl Event for WithdrawalRequested {
    const NAME: &'static str = "WithdrawalRequested";
}

impl CommittedEvent for WithdrawalRequested {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }
}

/// Why a withdrawal was not taken.
#[derive(Debug, thiserror::Error)]
pub enum RequestWithdrawalError {
    /// Too many were asked for.
    #[error(transparent)]
    Limit(#[from] LimitReached),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<RequestWithdrawalError> for ApiError {
    fn from(error: RequestWithdrawalError) -> Self {
        match error {
            RequestWithdrawalError::Limit(error) => error.into(),
            RequestWithdrawalError::Db(error) => error.into(),
        }
    }
}

/// Takes the withdrawal of whoever names an order's number and the e-mail address that it was placed with. What comes back says nothing
/// of the order: with an order and an address that belong together, everything that can be is withdrawn, and the receipt is sent.
/// Counted by the address of the client, and by the e-mail address.
pub async fn request_withdrawal(
    uses: &WithdrawalRequests,
    client: IpAddr,
    order: OrderNumber,
    email: &str,
    statement: Option<&str>,
) -> Result<(), RequestWithdrawalError> {
    let email = email.trim().to_lowercase();
    uses.limiter.count_address(LimitClass::Guests, client).await?;
    uses.limiter.count_email(LimitClass::Guests, &email).await?;
    let statement = statement.map(str::to_owned);
    let requested = uses.db.write(async |tx| {
        let requested_at = tx.now();
        tx.emit(&WithdrawalRequested { order_id: order.id(), email, statement, requested_at }).await
    });
    Ok(requested.await?)
}

pub(super) fn by_mail_routes() -> Routes<()> {
    routes()
        .post("withdrawal-requests.store", "/withdrawal-requests", request)
        .summary("Withdraw from an order by its number and e-mail address")
        .description(
            "Without a login: everything that can be withdrawn of the order is. The answer is the same whether there is such an order \
             with this address or not; the receipt goes to the address of the order.",
        )
        .body_example(|| json!({"order_number": "O-000042", "email": "ada@example.com"}))
        .example(|| json!({"ok": true}))
        .fails_with(&[422])
        .public(LimitClass::Protected)
}

async fn request(
    Uses(requests): Uses<WithdrawalRequests>,
    ClientAddress(client): ClientAddress,
    Body(request): Body<WithdrawalByMailRequest>,
) -> ApiResult<Done> {
    let number = request.order_number.parse::<OrderNumber>();
    let number = number.map_err(|_| ApiError::invalid_field("order_number", text!("withdrawal-no-order-number")))?;
    request_withdrawal(&requests, client, number, &request.email, request.statement.as_deref()).await?;
    Ok(Done::new())
}

/// Declares the withdrawal if order and address belong together.
pub(super) struct DeclareRequested;

impl AfterCommit<WithdrawalRequested> for DeclareRequested {
    type Uses = (Db, Declarations);

    async fn after_commit(
        &self,
        event: &WithdrawalRequested,
        (db, declarations): &Self::Uses,
    ) -> Result<(), ListenerError> {
        let address = db.read(queries::EMAIL_OF_ORDER).bind(event.order_id).optional_scalar::<String>().await?;
        if address.is_none_or(|address| address.to_lowercase() != event.email) {
            return Ok(());
        }
        let new = Declaration {
            order_id: event.order_id,
            customer_id: None,
            lines: None,
            statement: event.statement.clone(),
            declared_at: Some(event.requested_at),
        };
        let declared = db.write(async |tx| declare(tx, declarations, &new).await).await;
        match declared {
            // Told twice, or sent twice: the receipt of the first is there.
            Ok(_) | Err(DeclareError::Already) => Ok(()),
            Err(DeclareError::Db(error)) => Err(error.into()),
            // Nobody is told here that nothing can be withdrawn, so somebody has to write.
            Err(_) => Ok(flag(db, event.order_id).await?),
        }
    }
}

async fn flag(db: &Db, order_id: i64) -> Result<(), DbError> {
    const REASON: &str = "the customer has withdrawn, and nothing of the order can be withdrawn: tell the customer";
    db.write(async |tx| flag_order(tx, order_id, REASON, Actor::Customer).await).await
}

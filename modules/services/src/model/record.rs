//! A service as the database holds it.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use sqlx::types::Json;
use stoa_core::encryption::{Cipher, SealContext};

use super::number::ServiceNumber;
use super::status::{Action, OverReason, Status};
use crate::provider::{Credentials, RemoteState, ServiceRequest};

/// A time, or not.
pub(crate) type Since = Option<DateTime<Utc>>;

/// One unit that was sold and paid. What changes its life stands in `lifecycle`.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ProvisionedService {
    pub(crate) id: i64,
    pub(crate) order_id: i64,
    pub(crate) order_line_id: i64,
    /// Which of the item's units, from 1.
    pub(crate) unit: i64,
    pub(crate) customer_id: i64,
    pub(crate) product_id: i64,
    pub(crate) product_slug: String,
    pub(crate) product_name: String,
    pub(crate) provider: String,
    pub(crate) plan: String,
    pub(crate) service_key: String,
    pub(crate) parameters: Json<Map<String, Value>>,
    #[sqlx(try_from = "String")]
    pub(crate) status: Status,
    /// What the provider has confirmed last.
    #[sqlx(try_from = "String")]
    pub(crate) remote_state: RemoteState,
    /// A call whose outcome is not known.
    open_call: Option<String>,
    pub(crate) external_ref: Option<String>,
    /// Sealed.
    pub(crate) credentials: Option<Vec<u8>>,
    pub(crate) holds_capacity: bool,
    pub(crate) operator_suspended_at: Since,
    pub(crate) entitlement_suspended_at: Since,
    pub(crate) over_at: Since,
    over_reason: Option<String>,
    pub(crate) terminate_at: Since,
    pub(crate) hold_until: Since,
    /// Failed calls in a row.
    pub(crate) attempts: i64,
    pub(crate) last_error: Option<String>,
    pub(crate) needs_attention: bool,
    /// When a worker is to look at it: the time of its task.
    pub(crate) due_at: Since,
    /// Calls to the provider so far: what is answered to any but the last counts no more.
    pub(crate) calls: i64,
    pub(crate) drift: Option<String>,
    /// Changes at the provider so far.
    pub(crate) turn: i64,
    pub(crate) erased: bool,
    pub(crate) activated_at: Since,
    pub(crate) suspended_at: Since,
    pub(crate) terminated_at: Since,
    pub(crate) created_at: DateTime<Utc>,
    /// What counts as done without a provider having been called, since the row was read.
    #[sqlx(skip)]
    pub(crate) confirmed: Vec<Action>,
}

impl ProvisionedService {
    /// What people call it.
    pub(crate) fn number(&self) -> ServiceNumber {
        ServiceNumber::of(self.id)
    }

    /// The call whose outcome is not known.
    pub(crate) fn open_call(&self) -> Option<Action> {
        self.open_call.clone().and_then(|word| Action::try_from(word).ok())
    }

    /// Notes that a call begins, or that the outcome of the last one is known.
    pub(crate) fn set_open_call(&mut self, call: Option<Action>) {
        self.open_call = call.map(|call| call.as_str().to_owned());
    }

    /// Why it is over for good.
    pub(crate) fn over_reason(&self) -> Option<OverReason> {
        self.over_reason.clone().and_then(|word| OverReason::try_from(word).ok())
    }

    /// Notes that it is over for good; the first reason stays.
    pub(crate) fn set_over(&mut self, reason: OverReason, at: DateTime<Utc>) {
        if self.over_at.is_none() {
            self.over_at = Some(at);
            self.over_reason = Some(reason.as_str().to_owned());
        }
    }

    /// What its provider is told.
    pub(crate) fn request(&self) -> ServiceRequest {
        ServiceRequest {
            key: self.service_key.clone(),
            number: self.number().to_string(),
            plan: self.plan.clone(),
            external_ref: self.external_ref.clone(),
            order_id: self.order_id,
            customer_id: self.customer_id,
            product: self.product_slug.clone(),
            parameters: self.parameters.0.clone(),
            turn: self.turn,
        }
    }

    fn seal_context(&self) -> SealContext {
        SealContext { table: "services_services", column: "credentials", row: self.id }
    }

    /// Keeps what the customer signs in with, encrypted; not for one who was forgotten meanwhile.
    pub(crate) fn seal(&mut self, credentials: &Credentials, cipher: &Cipher) {
        if !self.erased
            && let Ok(text) = serde_json::to_vec(credentials)
        {
            self.credentials = Some(cipher.seal(self.seal_context(), &text));
        }
    }

    /// What the customer signs in with, if there is something; the error is for the log.
    pub(crate) fn open(&self, cipher: &Cipher) -> Result<Option<Credentials>, String> {
        let Some(sealed) = &self.credentials else { return Ok(None) };
        let opened = cipher.open(self.seal_context(), sealed).map_err(|error| error.to_string())?;
        serde_json::from_slice(&opened).map(Some).map_err(|_| String::from("the credentials are no JSON"))
    }
}

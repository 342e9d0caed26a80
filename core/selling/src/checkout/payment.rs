//! The payment method that a checkout chooses.

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::config::Config;
use stoa_kernel::gateways::{ErasedGateway, GatewayTable};
use stoa_kernel::i18n::Violation;

use super::error::CheckoutError;
use super::rules::PAYMENT_METHOD;

/// The payment method when none is named.
const DEFAULT: &str = "manual";

/// What a request says about paying.
#[derive(Clone, Copy)]
pub(super) struct ChosenPayment<'a> {
    /// The gateway's id, which the order keeps.
    pub(super) id: &'a str,
    /// None where nothing was named and the usual one is off: an order that costs nothing needs none.
    gateway: Option<&'a dyn ErasedGateway>,
}

impl<'a> ChosenPayment<'a> {
    /// What the request names, which has to be there, or what is usual.
    pub(super) fn of(gateways: &'a GatewayTable, named: Option<&str>) -> Result<Self, CheckoutError> {
        let gateway = match named {
            Some(named) => gateways.choose(named).map_err(refuse)?,
            None => return Ok(Self::usual(gateways)),
        };
        Ok(Self { id: gateway.id(), gateway: Some(gateway.as_ref()) })
    }

    /// What is taken when nothing is named.
    pub(super) fn usual(gateways: &'a GatewayTable) -> Self {
        Self { id: DEFAULT, gateway: gateways.find_enabled(DEFAULT).map(AsRef::as_ref) }
    }

    /// Refuses an order of this total that nobody could pay.
    pub(super) fn check(self, gateways: &GatewayTable, total_amount: i64) -> Result<(), CheckoutError> {
        if total_amount == 0 || self.gateway.is_some() { Ok(()) } else { Err(refuse(gateways.refusal())) }
    }

    /// When an order that is placed now ends unless it is paid: after the time that is usual for this payment method, or else in
    /// the shop; it may get more when the customer begins to pay. Never where orders do not end.
    pub(super) fn expires_at(self, config: &Config, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let usual = config.orders.unpaid_expiry_minutes;
        let own = self.gateway.and_then(ErasedGateway::expiry_minutes);
        let minutes = own.filter(|_| usual > 0).unwrap_or(usual);
        (minutes > 0).then(|| now + TimeDelta::minutes(i64::from(minutes)))
    }
}

fn refuse(violation: Violation) -> CheckoutError {
    CheckoutError::Field(PAYMENT_METHOD, violation)
}

//! The gateway that settles everything at once, without money.

use uuid::Uuid;

use stoa_kernel::config::DevelopmentConfig;
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Gateway, GatewayError, RefundReport, RefundRequest, RefundStatus,
    StartedAttempt,
};
use stoa_kernel::i18n::Message;
use stoa_kernel::money::{Currency, Money};
use stoa_kernel::text;

/// The gateway for trying a shop out. It has no memory: what was paid stands in the ids that it gives.
#[derive(Debug)]
pub(super) struct Development {
    enabled: bool,
}

impl Development {
    /// As it is configured.
    pub(super) fn new(config: &DevelopmentConfig) -> Self {
        Self { enabled: config.enabled }
    }

    /// Nothing passes for paid in a shop that does not say so.
    fn require_enabled(&self) -> Result<(), GatewayError> {
        let refusal = || GatewayError::Refused(String::from("`payments.development.enabled` is off"));
        self.enabled.then_some(()).ok_or_else(refusal)
    }
}

impl Gateway for Development {
    const ID: &'static str = "development";

    fn label(&self) -> Message {
        text!("gateway-development")
    }

    fn icon(&self) -> Option<&'static str> {
        Some("test")
    }

    fn settles_at_once(&self) -> bool {
        true
    }

    fn saves_methods(&self) -> bool {
        true
    }

    async fn saved_method(&self, gateway_attempt_id: &str) -> Result<Option<String>, GatewayError> {
        Ok(Paid::of_id(gateway_attempt_id).map(|paid| paid.reference.to_string()))
    }

    async fn charge_saved(&self, request: &AttemptRequest, _method: &str) -> Result<StartedAttempt, GatewayError> {
        self.start(request).await
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        self.require_enabled()?;
        let paid = Paid { reference: request.reference, amount: request.amount };
        Ok(StartedAttempt {
            gateway_attempt_id: Some(paid.id()),
            redirect_url: None,
            expires_at: None,
            report: paid.report(),
        })
    }

    async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.require_enabled()?;
        let paid = Paid::of_id(gateway_attempt_id).ok_or_else(|| unknown_payment(gateway_attempt_id))?;
        Ok(paid.report())
    }

    /// Always comes too late.
    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.look_up(gateway_attempt_id).await
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        let paid =
            Paid::of_id(&request.gateway_attempt_id).ok_or_else(|| unknown_payment(&request.gateway_attempt_id))?;
        let is_possible =
            request.amount.currency == paid.amount.currency && request.amount.amount <= paid.amount.amount;
        if !is_possible {
            return Err(GatewayError::Refused(format!("{} cannot go back of {}", request.amount, paid.amount)));
        }
        let gateway_refund_id = Some(request.reference.to_string());
        Ok(RefundReport { status: RefundStatus::Succeeded, gateway_refund_id, detail: None })
    }
}

/// A payment of this gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Paid {
    reference: Uuid,
    amount: Money,
}

impl Paid {
    /// The id that says everything about it, such as `0192…-1999-EUR`.
    fn id(self) -> String {
        format!("{}-{}-{}", self.reference, self.amount.amount, self.amount.currency)
    }

    fn of_id(id: &str) -> Option<Self> {
        let (rest, currency) = id.rsplit_once('-')?;
        let (reference, amount) = rest.rsplit_once('-')?;
        let amount = Money::new(amount.parse().ok()?, Currency::from_code(currency).ok()?);
        Some(Self { reference: reference.parse().ok()?, amount })
    }

    fn report(self) -> AttemptReport {
        AttemptReport {
            status: AttemptStatus::Succeeded,
            amount: Some(self.amount),
            payment_id: Some(self.reference.to_string()),
            detail: None,
        }
    }
}

fn unknown_payment(gateway_attempt_id: &str) -> GatewayError {
    GatewayError::Refused(format!("`{gateway_attempt_id}` is no payment of this gateway"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_says_what_was_paid(reference in any::<u128>(), amount in 0..=i64::MAX) {
            let paid = Paid { reference: Uuid::from_u128(reference), amount: Money::new(amount, Currency::EUR) };
            prop_assert_eq!(Paid::of_id(&paid.id()), Some(paid));
        }

        #[test]
        fn any_text_is_read_or_refused_without_panic(id in "[0-9a-f-]{0,50}[-A-Z0-9]{0,20}") {
            if let Some(paid) = Paid::of_id(&id) {
                prop_assert_eq!(Paid::of_id(&paid.id()), Some(paid));
            }
        }
    }
}

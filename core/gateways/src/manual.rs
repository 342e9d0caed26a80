//! Payment by bank transfer or in cash: the customer transfers or brings the money, and the operator confirms it.

use stoa_kernel::config::{ManualConfig, SellerConfig};
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Gateway, GatewayError, RefundReport, RefundRequest, RefundStatus,
    StartedAttempt,
};
use stoa_kernel::i18n::Message;
use stoa_kernel::text;

/// Payment by bank transfer or in cash. Nobody is asked anything: an attempt is pending until the operator says otherwise.
#[derive(Debug)]
pub(super) struct Manual {
    expiry_minutes: u32,
    instructions: Option<String>,
}

impl Manual {
    /// As it is configured. Without instructions, the seller's account says where the money goes.
    pub(super) fn new(config: &ManualConfig, seller: &SellerConfig) -> Self {
        let instructions = config.instructions.clone().or_else(|| transfer_to(seller));
        Self { expiry_minutes: config.expiry_minutes, instructions }
    }
}

/// What a transfer needs, in words of no language.
fn transfer_to(seller: &SellerConfig) -> Option<String> {
    let iban = seller.iban.as_ref()?;
    let lines = [
        seller.account_name.clone().or_else(|| seller.name.clone()),
        Some(format!("IBAN {iban}")),
        seller.bic.as_ref().map(|bic| format!("BIC {bic}")),
        Some("{order} · {amount}".to_owned()),
    ];
    Some(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

impl Gateway for Manual {
    const ID: &'static str = "manual";

    fn label(&self) -> Message {
        text!("gateway-manual")
    }

    fn icon(&self) -> Option<&'static str> {
        Some("bank")
    }

    fn expiry_minutes(&self) -> Option<u32> {
        Some(self.expiry_minutes)
    }

    fn instructions(&self, order_number: &str, amount: &str) -> Option<String> {
        let text = self.instructions.as_ref()?;
        Some(text.replace("{order}", order_number).replace("{amount}", amount))
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        Ok(StartedAttempt {
            gateway_attempt_id: Some(request.reference.to_string()),
            redirect_url: None,
            expires_at: None,
            report: AttemptReport { amount: Some(request.amount), ..AttemptReport::of(AttemptStatus::Pending) },
        })
    }

    async fn look_up(&self, _gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        Ok(AttemptReport::of(AttemptStatus::Pending))
    }

    async fn cancel(&self, _gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        Ok(AttemptReport::of(AttemptStatus::Cancelled))
    }

    /// The operator sends the money; what is written here is that they do.
    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        Ok(RefundReport {
            status: RefundStatus::Succeeded,
            gateway_refund_id: Some(request.reference.to_string()),
            detail: None,
        })
    }
}

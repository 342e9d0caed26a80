//! The gateway that plays a provider, without money: customers choose on a page of its own how their payment ends.
//!
//! All that follows goes the way of real gateways: customers are sent there and come back, the provider calls back, and the shop
//! asks it. What the provider knows is in memory; it has forgotten it once the program is started anew, and the payment is over.

mod page;
mod provider;

use serde_json::Value;
use uuid::Uuid;

use stoa_kernel::config::SimulatedConfig;
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Callback, CallbackError, Gateway, GatewayError, Notice,
    NoticeSubject, Notification, RefundReport, RefundRequest, RefundStatus, StartedAttempt,
};
use stoa_kernel::i18n::Message;
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::text;

use page::page_of;
use provider::{Payment, Provider};

/// Where the provider calls back, below the shop's public URL.
const CALLBACK: &str = "/webhooks/payments/simulated";

/// The gateway for trying out what a payment can come to.
#[derive(Debug)]
struct Simulated {
    enabled: bool,
    provider: Provider,
}

/// Registers the gateway, and its page while it is on.
pub(super) fn register(cx: &mut ModuleContext<'_>, config: &SimulatedConfig) -> Result<(), RegisterError> {
    let provider = Provider::default();
    cx.gateway_if(config.enabled, Simulated { enabled: config.enabled, provider: provider.clone() });
    if config.enabled { cx.routes(provider, page::simulated_pages()) } else { Ok(()) }
}

impl Simulated {
    /// Nothing passes for paid in a shop that does not say so.
    fn require_enabled(&self) -> Result<(), GatewayError> {
        let refusal = || GatewayError::Refused(String::from("`payments.simulated.enabled` is off"));
        self.enabled.then_some(()).ok_or_else(refusal)
    }

    /// The payment of this id, if it was not forgotten.
    fn find(&self, gateway_attempt_id: &str) -> Option<Payment> {
        self.provider.find(gateway_attempt_id.parse().ok()?)
    }
}

impl Gateway for Simulated {
    const ID: &'static str = "simulated";

    fn label(&self) -> Message {
        text!("gateway-simulated")
    }

    fn icon(&self) -> Option<&'static str> {
        Some("test")
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        self.require_enabled()?;
        let payment = self.provider.begin(request);
        let shop = request.callback_url.strip_suffix(CALLBACK).unwrap_or_default();
        Ok(StartedAttempt {
            gateway_attempt_id: Some(payment.reference.to_string()),
            redirect_url: Some(format!("{shop}{}", page_of(payment.reference))),
            expires_at: request.expires_at,
            report: payment.report(),
        })
    }

    async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.require_enabled()?;
        Ok(self.find(gateway_attempt_id).map_or_else(forgotten, |payment| payment.report()))
    }

    /// Comes too late once the customer has agreed.
    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.require_enabled()?;
        let ended = gateway_attempt_id.parse().ok().and_then(|reference| {
            self.provider.choose(reference, AttemptStatus::Cancelled);
            self.provider.find(reference)
        });
        Ok(ended.map_or_else(forgotten, |payment| payment.report()))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        let gateway_refund_id = Some(request.reference.to_string());
        Ok(RefundReport { status: RefundStatus::Succeeded, gateway_refund_id, detail: None })
    }

    fn has_callbacks(&self) -> bool {
        true
    }

    fn unproven_payment(&self, callback: &Callback<'_>) -> Option<String> {
        Some(named(callback.body).map(|reference| reference.to_string()).unwrap_or_default())
    }

    /// A callback names a payment, and the provider is asked what became of it: so nobody can make one up.
    async fn verify(&self, callback: &Callback<'_>) -> Result<Notification, CallbackError> {
        let payment = named(callback.body).and_then(|reference| self.provider.find(reference));
        let payment = payment.ok_or_else(|| CallbackError::Unverified(String::from("it names no payment")))?;
        let status = payment.status.as_str();
        Ok(Notification {
            event_id: format!("{}-{status}", payment.reference),
            event_type: format!("payment.{status}"),
            subject: Some(NoticeSubject { reference: Some(payment.reference), ..NoticeSubject::default() }),
            notice: Notice::Attempt(payment.report()),
        })
    }
}

/// The one payment that a callback names: `{"id": "…"}`.
fn named(body: &[u8]) -> Option<Uuid> {
    serde_json::from_slice::<Value>(body).ok()?["id"].as_str()?.parse().ok()
}

/// A payment that nobody remembers brings no money any more.
fn forgotten() -> AttemptReport {
    AttemptReport {
        detail: Some(String::from("the program was started anew, and the simulated payment is forgotten")),
        ..AttemptReport::of(AttemptStatus::Expired)
    }
}

//! A gateway of a shop, asked directly.

use std::sync::Arc;

use http::HeaderMap;

use stoa_kernel::clock::Clock;
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, Callback, CallbackError, ErasedGateway, GatewayError, GatewayTable, Notification,
    RefundReport, RefundRequest, StartedAttempt,
};
use stoa_kernel::i18n::{Language, Texts};
use stoa_kernel::money::Money;

/// A gateway with the clock of its shop. Tests of gateways talk to it as payments do.
#[derive(Clone)]
pub struct TestGateway {
    gateway: Arc<dyn ErasedGateway>,
    clock: Clock,
}

impl TestGateway {
    /// The gateway of this id, also when customers may not choose it.
    pub(super) fn of(clock: &Clock, gateways: &GatewayTable, id: &str) -> Self {
        let gateway = gateways.find(id).unwrap_or_else(|| panic!("there is no gateway `{id}`"));
        Self { gateway: Arc::clone(gateway), clock: clock.clone() }
    }

    /// What customers read.
    pub fn label(&self, language: Language) -> String {
        Texts::built_in().say(&self.gateway.label(), language)
    }

    /// Whether an amount can be paid this way.
    pub fn accepts(&self, amount: Money) -> bool {
        self.gateway.accepts(amount)
    }

    /// Minutes after which an order ends unpaid.
    pub fn expiry_minutes(&self) -> Option<u32> {
        self.gateway.expiry_minutes()
    }

    /// What the customer is to do when there is no page.
    pub fn instructions(&self, order_number: &str, amount: &str) -> Option<String> {
        self.gateway.instructions(order_number, amount)
    }

    /// Whether the provider calls back.
    pub fn has_callbacks(&self) -> bool {
        self.gateway.has_callbacks()
    }

    /// Begins an attempt.
    pub async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        self.gateway.start(request).await
    }

    /// What an attempt has saved.
    pub async fn saved_method(&self, gateway_attempt_id: &str) -> Result<Option<String>, GatewayError> {
        self.gateway.saved_method(gateway_attempt_id).await
    }

    /// Charges what was saved.
    pub async fn charge_saved(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        self.gateway.charge_saved(request, method).await
    }

    /// Asks what became of an attempt.
    pub async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.gateway.look_up(gateway_attempt_id).await
    }

    /// Makes sure that an attempt cannot be paid any more.
    pub async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.gateway.cancel(gateway_attempt_id).await
    }

    /// Sends money back.
    pub async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        self.gateway.refund(request).await
    }

    /// Verifies a callback that comes at the time of the shop's clock.
    pub async fn verify(&self, headers: &HeaderMap, body: &[u8]) -> Result<Notification, CallbackError> {
        let callback = Callback { headers, body, now: self.clock.now() };
        self.gateway.verify(&callback).await
    }
}

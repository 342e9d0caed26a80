//! The gateways that features and modules register.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tracing::Instrument;

use super::callback::{Callback, CallbackError, Notification};
use super::gateway::{AttemptRequest, ExaminedProvider, Gateway, GatewayError, RefundRequest, StartedAttempt};
use super::report::{AttemptReport, RefundReport};
use crate::db::UnconfirmedReads;
use crate::error_chain;
use crate::i18n::{Message, Violation};
use crate::money::Money;

type Answer<'a, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// The object-safe twin of [`Gateway`].
#[expect(missing_docs, reason = "each method is the one of `Gateway` with its name")]
pub trait ErasedGateway: Send + Sync {
    fn id(&self) -> &'static str;
    fn label(&self) -> Message;
    fn icon(&self) -> Option<&'static str>;
    fn expiry_minutes(&self) -> Option<u32>;
    fn settles_at_once(&self) -> bool;
    fn accepts(&self, amount: Money) -> bool;
    fn instructions(&self, order_number: &str, amount: &str) -> Option<String>;
    fn has_callbacks(&self) -> bool;
    fn unproven_payment(&self, callback: &Callback<'_>) -> Option<String>;
    fn examine<'a>(&'a self) -> Pin<Box<dyn Future<Output = Option<ExaminedProvider>> + Send + 'a>>;
    fn saves_methods(&self) -> bool;
    fn saved_method<'a>(&'a self, gateway_attempt_id: &'a str) -> Answer<'a, Option<String>, GatewayError>;
    fn charge_saved<'a>(
        &'a self,
        request: &'a AttemptRequest,
        method: &'a str,
    ) -> Answer<'a, StartedAttempt, GatewayError>;
    fn start<'a>(&'a self, request: &'a AttemptRequest) -> Answer<'a, StartedAttempt, GatewayError>;
    fn look_up<'a>(&'a self, gateway_attempt_id: &'a str) -> Answer<'a, AttemptReport, GatewayError>;
    fn cancel<'a>(&'a self, gateway_attempt_id: &'a str) -> Answer<'a, AttemptReport, GatewayError>;
    fn refund<'a>(&'a self, request: &'a RefundRequest) -> Answer<'a, RefundReport, GatewayError>;
    fn verify<'a>(&'a self, callback: &'a Callback<'a>) -> Answer<'a, Notification, CallbackError>;
}

/// Asks a provider, once what it is asked because of is on disk: a server that crashes must not forget why money moves.
async fn settled<T>(
    gateway: &'static str,
    call: &'static str,
    asked: impl Future<Output = Result<T, GatewayError>>,
) -> Result<T, GatewayError> {
    match UnconfirmedReads::collect().wait_until_durable().await {
        Ok(()) => asked.instrument(tracing::info_span!("gateway", gateway, call)).await,
        Err(error) => Err(GatewayError::Unknown(format!("it was not asked: {}", error_chain(&error)))),
    }
}

impl<G: Gateway> ErasedGateway for G {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn label(&self) -> Message {
        Gateway::label(self)
    }

    fn icon(&self) -> Option<&'static str> {
        Gateway::icon(self)
    }

    fn expiry_minutes(&self) -> Option<u32> {
        Gateway::expiry_minutes(self)
    }

    fn settles_at_once(&self) -> bool {
        Gateway::settles_at_once(self)
    }

    fn accepts(&self, amount: Money) -> bool {
        Gateway::accepts(self, amount)
    }

    fn instructions(&self, order_number: &str, amount: &str) -> Option<String> {
        Gateway::instructions(self, order_number, amount)
    }

    fn has_callbacks(&self) -> bool {
        Gateway::has_callbacks(self)
    }

    fn unproven_payment(&self, callback: &Callback<'_>) -> Option<String> {
        Gateway::unproven_payment(self, callback)
    }

    fn examine<'a>(&'a self) -> Pin<Box<dyn Future<Output = Option<ExaminedProvider>> + Send + 'a>> {
        Box::pin(Gateway::examine(self))
    }

    fn saves_methods(&self) -> bool {
        Gateway::saves_methods(self)
    }

    fn saved_method<'a>(&'a self, gateway_attempt_id: &'a str) -> Answer<'a, Option<String>, GatewayError> {
        Box::pin(Gateway::saved_method(self, gateway_attempt_id))
    }

    fn charge_saved<'a>(
        &'a self,
        request: &'a AttemptRequest,
        method: &'a str,
    ) -> Answer<'a, StartedAttempt, GatewayError> {
        Box::pin(settled(G::ID, "charge_saved", Gateway::charge_saved(self, request, method)))
    }

    fn start<'a>(&'a self, request: &'a AttemptRequest) -> Answer<'a, StartedAttempt, GatewayError> {
        Box::pin(settled(G::ID, "start", Gateway::start(self, request)))
    }

    fn look_up<'a>(&'a self, gateway_attempt_id: &'a str) -> Answer<'a, AttemptReport, GatewayError> {
        Box::pin(settled(G::ID, "look_up", Gateway::look_up(self, gateway_attempt_id)))
    }

    fn cancel<'a>(&'a self, gateway_attempt_id: &'a str) -> Answer<'a, AttemptReport, GatewayError> {
        Box::pin(settled(G::ID, "cancel", Gateway::cancel(self, gateway_attempt_id)))
    }

    fn refund<'a>(&'a self, request: &'a RefundRequest) -> Answer<'a, RefundReport, GatewayError> {
        Box::pin(settled(G::ID, "refund", Gateway::refund(self, request)))
    }

    fn verify<'a>(&'a self, callback: &'a Callback<'a>) -> Answer<'a, Notification, CallbackError> {
        Box::pin(Gateway::verify(self, callback))
    }
}

struct Entry {
    owner: &'static str,
    enabled: bool,
    gateway: Arc<dyn ErasedGateway>,
}

/// Collects gateways while features and modules register.
#[derive(Default)]
pub struct GatewayTableBuilder {
    entries: Vec<Entry>,
    owners: BTreeMap<&'static str, &'static str>,
}

impl GatewayTableBuilder {
    /// Adds a gateway; one that is not enabled is known by its id, so that money can still go back through it.
    pub(crate) fn add<G: Gateway>(&mut self, owner: &'static str, enabled: bool, gateway: G) -> Result<(), String> {
        let is_id = (1..=40).contains(&G::ID.len())
            && G::ID.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_id {
            return Err(format!("the gateway id `{}` is not 1 to 40 lower-case letters, digits and `_`", G::ID));
        }
        if let Some(other) = self.owners.insert(G::ID, owner) {
            return Err(format!("the gateway `{}` is registered by both `{other}` and `{owner}`", G::ID));
        }
        self.entries.push(Entry { owner, enabled, gateway: Arc::new(gateway) });
        Ok(())
    }

    /// Core's gateways first, then those of modules, each in the order of registration.
    pub(crate) fn build(self, core: &'static str) -> GatewayTable {
        let (mut entries, others): (Vec<_>, Vec<_>) = self.entries.into_iter().partition(|entry| entry.owner == core);
        entries.extend(others);
        GatewayTable { entries }
    }
}

/// The gateways of a program, frozen.
#[derive(Default)]
pub struct GatewayTable {
    entries: Vec<Entry>,
}

impl fmt::Debug for GatewayTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| (entry.gateway.id(), entry.enabled))).finish()
    }
}

impl GatewayTable {
    /// The ids of those that customers may choose.
    pub fn ids(&self) -> Vec<&'static str> {
        self.enabled().map(|gateway| gateway.id()).collect()
    }

    /// Asks the providers behind those that customers may choose, all at once, each for no longer than `patience`.
    pub async fn examine(&self, patience: Duration) -> Vec<(&'static str, ExaminedProvider)> {
        let asked = self.enabled().map(|gateway| async move {
            let answer = tokio::time::timeout(patience, gateway.examine()).await;
            let silent = || {
                let reason = format!("it did not answer within {} seconds", patience.as_secs());
                Some(ExaminedProvider {
                    place: String::from("the provider"),
                    key: "payments",
                    answer: Err(GatewayError::Unknown(reason)),
                })
            };
            answer.unwrap_or_else(|_| silent()).map(|examined| (gateway.id(), examined))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    /// Those that customers may choose.
    pub fn enabled(&self) -> impl Iterator<Item = &Arc<dyn ErasedGateway>> {
        self.entries.iter().filter(|entry| entry.enabled).map(|entry| &entry.gateway)
    }

    /// The one of that id that customers may choose.
    pub fn find_enabled(&self, id: &str) -> Option<&Arc<dyn ErasedGateway>> {
        self.enabled().find(|gateway| gateway.id() == id)
    }

    /// The one of that id that customers may choose; otherwise what is wrong with a field that names it.
    pub fn choose(&self, id: &str) -> Result<&Arc<dyn ErasedGateway>, Violation> {
        self.find_enabled(id).ok_or_else(|| self.refusal())
    }

    /// What is wrong with a field that names none of those that customers may choose.
    pub fn refusal(&self) -> Violation {
        let allowed = self.ids().into_iter().map(Into::into).collect::<Vec<_>>();
        if allowed.is_empty() { Violation::NoWayToPay } else { Violation::OneOf { allowed } }
    }

    /// The ids of all that the program contains.
    pub fn known(&self) -> Vec<&'static str> {
        self.entries.iter().map(|entry| entry.gateway.id()).collect()
    }

    /// The one of that id, even if customers may not choose it any more.
    pub fn find(&self, id: &str) -> Option<&Arc<dyn ErasedGateway>> {
        self.entries.iter().find(|entry| entry.gateway.id() == id).map(|entry| &entry.gateway)
    }
}

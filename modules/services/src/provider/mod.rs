//! The adapter between the shop and whatever runs services.

mod context;
pub(crate) mod http;
mod registry;

use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, ready};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use stoa_core::prelude::*;

pub use context::ProviderContext;
pub use registry::ProviderEntry;
pub(crate) use registry::{ErasedProvider, MANUAL, ProviderKind, Providers, known_names};

/// Which service a provider is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServiceRequest {
    /// What the shop calls the service in every call: a UUID that never changes. Nothing is created twice under one key.
    pub key: String,
    /// The service's number, for people: `SV-000042`.
    pub number: String,
    /// The plan that was sold, as the product's settings name it.
    pub plan: String,
    /// What the provider itself calls it, once it has said so.
    pub external_ref: Option<String>,
    /// The order that it was sold with.
    pub order_id: i64,
    /// Whose it is.
    pub customer_id: i64,
    /// The product's name in URLs, as it was sold.
    pub product: String,
    /// What the customer selected, by the key of the option: its label, the value, and what the customer read.
    pub parameters: Map<String, Value>,
    /// How often the service has changed at the provider: the same whenever one change is asked for again, and another for the
    /// next. With the key and the action it makes an idempotency key.
    #[serde(skip)]
    pub turn: i64,
}

/// What a provider says has become of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RemoteState {
    /// There is none under this key.
    Absent,
    /// It is being made; the shop asks again.
    Creating,
    /// It runs.
    Active,
    /// It is there and does not run.
    Suspended,
    /// It was there and is gone for good.
    Terminated,
}

impl RemoteState {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Creating => "creating",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Terminated => "terminated",
        }
    }
}

impl fmt::Display for RemoteState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for RemoteState {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        [Self::Absent, Self::Creating, Self::Active, Self::Suspended, Self::Terminated]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no state of a service at its provider"))
    }
}

/// What a customer signs in with. Nothing shows the values.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials(pub BTreeMap<String, String>);

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A provider's answer about one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What has become of it.
    pub state: RemoteState,
    /// What the provider calls it; none keeps what was said before.
    pub external_ref: Option<String>,
    /// What the customer signs in with; none keeps what was said before.
    pub credentials: Option<Credentials>,
}

impl Report {
    /// A service in this state, about which nothing else is said.
    pub fn of(state: RemoteState) -> Self {
        Self { state, external_ref: None, credentials: None }
    }
}

/// Why a provider did not do what it was asked for. The text is for the operator and must hold nothing secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It will not do this, now or later: for certain nothing has happened, and the operator has to look.
    #[error("the provider refused: {0}")]
    Refused(String),
    /// It cannot do this now: for certain nothing has happened. It is asked again later.
    #[error("the provider cannot do this now: {0}")]
    Unavailable(String),
    /// Nobody knows whether it happened: no answer, or one that cannot be understood. The shop inspects before it asks
    /// again.
    #[error("the provider gave no usable answer: {0}")]
    Unknown(String),
}

/// What a provider answers to a call about one service.
pub type ProviderAnswer = Result<Report, ProviderError>;

/// An adapter to something that runs services. Link it with [`provider!`](crate::provider!).
///
/// Each call names the service by its key and may come again with the same key: after a crash, and whenever the outcome of
/// an earlier one is not known. It must come to the same end then; above all, nothing is created twice. No call is made while a
/// transaction is open. One that takes longer than `modules.services.call_seconds` counts as [`ProviderError::Unknown`].
pub trait ServiceProvider: Sized + Send + Sync + 'static {
    /// The lasting name that settings of products use: 1 to 40 lower-case letters, digits and `_`.
    const NAME: &'static str;

    /// The settings in `[modules.services.providers.<NAME>]`. Use `#[serde(deny_unknown_fields)]`.
    type Config: DeserializeOwned;

    /// The adapter with its settings; an error stops the start, or the import of a product that wants the provider. No I/O.
    fn configure(config: Self::Config) -> Result<Self, String>;

    /// Whether what a customer has selected can be provided, before the order is placed. The message is for the customer.
    fn check(&self, plan: &str, selections: &Map<String, Value>) -> Result<(), Message> {
        let _ = (plan, selections);
        Ok(())
    }

    /// Makes the service, or finds the one that was made under this key before.
    fn create(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> impl Future<Output = ProviderAnswer> + Send;

    /// What has become of the service. Changes nothing.
    fn inspect(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> impl Future<Output = ProviderAnswer> + Send;

    /// Keeps the service and its data, but lets nobody use it.
    fn suspend(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> impl Future<Output = ProviderAnswer> + Send;

    /// Lets a suspended service be used again.
    fn resume(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> impl Future<Output = ProviderAnswer> + Send;

    /// Removes the service with its data.
    fn terminate(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> impl Future<Output = ProviderAnswer> + Send;

    /// What the customer signs in with, for providers that do not say so in a [`Report`].
    fn credentials(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> impl Future<Output = Result<Option<Credentials>, ProviderError>> + Send {
        let _ = (request, context);
        ready(Ok(None))
    }

    /// How many services of a plan can be there at once, those that are there included; none without a limit.
    fn capacity(
        &self,
        plan: &str,
        context: &ProviderContext,
    ) -> impl Future<Output = Result<Option<i64>, ProviderError>> + Send {
        let _ = (plan, context);
        ready(Ok(None))
    }
}

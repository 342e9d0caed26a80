//! The providers that a program links, and those that are configured.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};
use stoa_core::prelude::*;
use stoa_core::suggestion::instead;

use super::http::{HTTP, HttpProvider};
use super::{Credentials, ProviderContext, ProviderError, Report, ServiceProvider, ServiceRequest};
use crate::config::Config;
use crate::lifecycle::Hands;

type Call<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + Send + 'a>>;

/// The provider whose services a person makes, saying so with `stoa services activate`. It has no adapter, since there is
/// nobody to call: what the shop decides is so at once.
pub(crate) const MANUAL: &str = "manual";

/// The object-safe twin of [`ServiceProvider`].
pub(crate) trait ErasedProvider: Send + Sync {
    fn check(&self, plan: &str, selections: &Map<String, Value>) -> Result<(), Message>;
    fn create<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report>;
    fn inspect<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report>;
    fn suspend<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report>;
    fn resume<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report>;
    fn terminate<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report>;
    fn credentials<'a>(
        &'a self,
        request: &'a ServiceRequest,
        context: &'a ProviderContext,
    ) -> Call<'a, Option<Credentials>>;
    fn capacity<'a>(&'a self, plan: &'a str, context: &'a ProviderContext) -> Call<'a, Option<i64>>;
}

impl<P: ServiceProvider> ErasedProvider for P {
    fn check(&self, plan: &str, selections: &Map<String, Value>) -> Result<(), Message> {
        ServiceProvider::check(self, plan, selections)
    }

    fn create<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report> {
        Box::pin(ServiceProvider::create(self, request, context))
    }

    fn inspect<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report> {
        Box::pin(ServiceProvider::inspect(self, request, context))
    }

    fn suspend<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report> {
        Box::pin(ServiceProvider::suspend(self, request, context))
    }

    fn resume<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report> {
        Box::pin(ServiceProvider::resume(self, request, context))
    }

    fn terminate<'a>(&'a self, request: &'a ServiceRequest, context: &'a ProviderContext) -> Call<'a, Report> {
        Box::pin(ServiceProvider::terminate(self, request, context))
    }

    fn credentials<'a>(
        &'a self,
        request: &'a ServiceRequest,
        context: &'a ProviderContext,
    ) -> Call<'a, Option<Credentials>> {
        Box::pin(ServiceProvider::credentials(self, request, context))
    }

    fn capacity<'a>(&'a self, plan: &'a str, context: &'a ProviderContext) -> Call<'a, Option<i64>> {
        Box::pin(ServiceProvider::capacity(self, plan, context))
    }
}

type Configured = Result<Arc<dyn ErasedProvider>, String>;

/// What [`provider!`](crate::provider!) submits: how a provider is named and made.
#[derive(Clone, Copy)]
pub struct ProviderEntry {
    name: &'static str,
    configure: fn(Value) -> Configured,
}

impl ProviderEntry {
    /// The entry of this provider.
    pub const fn of<P: ServiceProvider>() -> Self {
        Self { name: P::NAME, configure: configure::<P> }
    }
}

inventory::collect!(ProviderEntry);

fn configure<P: ServiceProvider>(settings: Value) -> Configured {
    let config = serde_json::from_value::<P::Config>(settings).map_err(|error| error.to_string())?;
    Ok(Arc::new(P::configure(config)?))
}

/// The names of all providers that this program contains, sorted.
pub(crate) fn known_names() -> Vec<&'static str> {
    let linked = inventory::iter::<ProviderEntry>.into_iter().map(|entry| entry.name);
    let mut names = [MANUAL, HTTP].into_iter().chain(linked).collect::<Vec<_>>();
    names.sort_unstable();
    names
}

/// How a provider is reached.
#[derive(Clone)]
pub(crate) enum ProviderKind {
    /// A person does what is to be done.
    ByHand,
    /// It is called.
    Remote(Arc<dyn ErasedProvider>),
    /// It cannot be called, for this reason.
    Missing(String),
}

impl ProviderKind {
    /// Who does what is decided. One that cannot be called is waited for.
    pub(crate) fn hands(&self) -> Hands {
        match self {
            Self::ByHand => Hands::Person,
            Self::Remote(_) | Self::Missing(_) => Hands::Provider,
        }
    }
}

/// The providers of a program, configured. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Providers(Arc<BTreeMap<&'static str, ProviderKind>>);

impl Providers {
    /// All that are linked, with their settings; tells every mistake at once.
    pub(crate) fn configure(config: &Config) -> Result<Self, RegisterError> {
        let mut mistakes = Vec::new();
        let mut adapters = BTreeMap::from([(MANUAL, ProviderKind::ByHand), (HTTP, http(config))]);
        for entry in inventory::iter::<ProviderEntry> {
            if !is_name(entry.name) {
                mistakes.push(format!("the provider name `{}` is not 1 to 40 of a-z, 0-9 and `_`", entry.name));
            }
            let settings = config.providers.get(entry.name);
            let empty = || Value::Object(Map::new());
            let adapter = match ((entry.configure)(settings.cloned().unwrap_or_else(empty)), settings) {
                (Ok(provider), _) => ProviderKind::Remote(provider),
                // What is not mentioned is not used, so nothing of it can be wrong.
                (Err(problem), None) => {
                    ProviderKind::Missing(format!("[modules.services.providers.{}] is not set: {problem}", entry.name))
                }
                (Err(problem), Some(_)) => {
                    mistakes.push(format!("`modules.services.providers.{}`: {problem}", entry.name));
                    ProviderKind::Missing(problem)
                }
            };
            if adapters.insert(entry.name, adapter).is_some() {
                mistakes.push(format!("two providers are named `{}`", entry.name));
            }
        }
        let unknown = config.providers.keys().filter(|name| !adapters.contains_key(name.as_str()));
        mistakes.extend(unknown.map(|name| {
            let meant = instead(name, adapters.keys().copied());
            format!("`modules.services.providers.{name}`: there is no such provider{meant}")
        }));
        if mistakes.is_empty() { Ok(Self(Arc::new(adapters))) } else { Err(RegisterError(mistakes.join("; "))) }
    }

    /// The provider of this name.
    pub(crate) fn find(&self, name: &str) -> ProviderKind {
        let missing = || ProviderKind::Missing(format!("this program contains no provider `{name}`"));
        self.0.get(name).cloned().unwrap_or_else(missing)
    }

    /// Those that can be called, by name.
    pub(crate) fn remote(&self) -> impl Iterator<Item = (&'static str, &Arc<dyn ErasedProvider>)> {
        self.0.iter().filter_map(|(name, adapter)| match adapter {
            ProviderKind::Remote(provider) => Some((*name, provider)),
            ProviderKind::ByHand | ProviderKind::Missing(_) => None,
        })
    }
}

fn http(config: &Config) -> ProviderKind {
    HttpProvider::of(config).map_or_else(
        || {
            ProviderKind::Missing(String::from(
                "`modules.services.http.url` and `modules.services.http.secret` are not set",
            ))
        },
        |provider| ProviderKind::Remote(Arc::new(provider)),
    )
}

fn is_name(name: &str) -> bool {
    (1..=40).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

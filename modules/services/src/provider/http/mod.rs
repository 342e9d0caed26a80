//! The provider `http`: an endpoint of the operator's own, called with signed requests.
//!
//! What is sent and what is expected stands in the module's README, since others program against it.

mod answers;
mod exchange;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::json;
use stoa_core::outbound::HttpClient;
use stoa_core::prelude::*;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{Destination, Reach, destination_client};

use self::answers::{capacity_of, credentials_of, report_of};
use self::exchange::{Exchange, Reply};
use super::{
    Credentials, ProviderAnswer, ProviderContext, ProviderError, RemoteState, Report, ServiceProvider, ServiceRequest,
};
use crate::config::{Config, HttpConfig};

/// Its name in the settings of products.
pub(crate) const HTTP: &str = "http";

/// The provider.
pub(crate) struct HttpProvider {
    url: String,
    secret: Secret,
    reach: Reach,
    limit: Duration,
    /// Made with the first call: registering does no I/O.
    client: OnceLock<Arc<HttpClient>>,
}

/// The body of a request about one service.
#[derive(Serialize)]
struct ProviderRequest<'a> {
    action: &'static str,
    service: &'a ServiceRequest,
}

impl HttpProvider {
    /// The provider, if it is configured.
    pub(crate) fn of(config: &Config) -> Option<Self> {
        let HttpConfig { url: Some(url), secret: Some(secret), .. } = &config.http else { return None };
        Some(Self {
            url: url.clone(),
            secret: secret.clone(),
            reach: config.http.reach(),
            limit: config.call_limit(),
            client: OnceLock::new(),
        })
    }

    fn client(&self, config: &stoa_core::config::Config) -> Result<Arc<HttpClient>, ProviderError> {
        if let Some(client) = self.client.get() {
            return Ok(Arc::clone(client));
        }
        // Nothing was sent, and the operator can mend what is wrong while the shop goes on.
        let made = destination_client(&config.webhooks, self.reach).map_err(ProviderError::Unavailable)?;
        Ok(Arc::clone(self.client.get_or_init(|| Arc::new(made))))
    }

    async fn send(
        &self,
        idempotency_key: Option<String>,
        body: &impl Serialize,
        context: &ProviderContext,
    ) -> Result<Reply, ProviderError> {
        let refused = |refusal: &dyn std::fmt::Display| {
            ProviderError::Refused(format!("modules.services.http.url is not sent to: {refusal}"))
        };
        let destination = Destination::parse(&self.url, self.reach).map_err(|refusal| refused(&refusal))?;
        let body = serde_json::to_vec(body).map_err(|error| ProviderError::Refused(error.to_string()))?;
        let client = self.client(&context.config)?;
        let exchange = Exchange { destination, secret: &self.secret, limit: self.limit, idempotency_key, body };
        exchange.run(&client, context.clock.now()).await
    }

    async fn ask(&self, action: &'static str, service: &ServiceRequest, context: &ProviderContext) -> ProviderAnswer {
        report_of(&self.change(action, service, context).await?)
    }

    /// Has something done. The key tells repetitions of one change from the next change of the same kind.
    async fn change(
        &self,
        action: &'static str,
        service: &ServiceRequest,
        context: &ProviderContext,
    ) -> Result<Reply, ProviderError> {
        let key = format!("{}:{action}:{}", service.key, service.turn);
        self.send(Some(key), &ProviderRequest { action, service }, context).await
    }
}

impl ServiceProvider for HttpProvider {
    const NAME: &'static str = HTTP;
    type Config = ();

    /// Its settings are typed, in `[modules.services.http]`.
    fn configure((): ()) -> Result<Self, String> {
        Err(String::from("the provider `http` is configured in [modules.services.http]"))
    }

    async fn create(&self, request: &ServiceRequest, context: &ProviderContext) -> ProviderAnswer {
        self.ask("create", request, context).await
    }

    async fn inspect(&self, request: &ServiceRequest, context: &ProviderContext) -> ProviderAnswer {
        match self.send(None, &ProviderRequest { action: "inspect", service: request }, context).await? {
            Reply { status: 404, .. } => Ok(Report::of(RemoteState::Absent)),
            reply => report_of(&reply),
        }
    }

    async fn suspend(&self, request: &ServiceRequest, context: &ProviderContext) -> ProviderAnswer {
        self.ask("suspend", request, context).await
    }

    async fn resume(&self, request: &ServiceRequest, context: &ProviderContext) -> ProviderAnswer {
        self.ask("resume", request, context).await
    }

    async fn terminate(&self, request: &ServiceRequest, context: &ProviderContext) -> ProviderAnswer {
        match self.change("terminate", request, context).await? {
            // What is not there need not be removed.
            Reply { status: 404 | 410, .. } => Ok(Report::of(RemoteState::Terminated)),
            reply => report_of(&reply),
        }
    }

    async fn credentials(
        &self,
        request: &ServiceRequest,
        context: &ProviderContext,
    ) -> Result<Option<Credentials>, ProviderError> {
        match self.send(None, &ProviderRequest { action: "credentials", service: request }, context).await? {
            // An endpoint need not know this action.
            Reply { status: 400 | 404 | 405 | 422 | 501, .. } => Ok(None),
            reply => credentials_of(&reply),
        }
    }

    async fn capacity(&self, plan: &str, context: &ProviderContext) -> Result<Option<i64>, ProviderError> {
        match self.send(None, &json!({"action": "capacity", "plan": plan}), context).await? {
            Reply { status: 400 | 404 | 405 | 422 | 501, .. } => Ok(None),
            reply => capacity_of(&reply),
        }
    }
}

//! Clients that connect to what an operator or a partner has named, and to nothing that may not be reached.

use std::fs;
use std::sync::Arc;

use super::destination::Reach;
use super::resolver::{Resolve, Resolver};
use super::{DestinationRules, HttpClient};
use crate::config::WebhooksConfig;

/// Makes connections, and to where.
#[derive(Clone)]
pub struct Connector {
    /// What connects.
    pub client: HttpClient,
    /// What looks names up, and judges the addresses.
    pub resolver: Resolver,
    /// Which destinations are allowed.
    pub reach: Reach,
}

impl Connector {
    /// Prepares connections as configured; reads `webhooks.extra_ca_file`.
    pub fn new(config: &WebhooksConfig, source: Option<&Arc<dyn Resolve>>) -> Result<Self, String> {
        Self::reaching(Reach::of(config), config, source)
    }

    /// The same to other destinations than those that are configured for webhooks.
    pub(crate) fn reaching(
        reach: Reach,
        config: &WebhooksConfig,
        source: Option<&Arc<dyn Resolve>>,
    ) -> Result<Self, String> {
        let resolver = match source {
            Some(source) => Resolver::asking(Arc::clone(source), reach),
            None => {
                Resolver::new(&config.dns_servers, reach).map_err(|error| format!("webhooks.dns_servers: {error}"))?
            }
        };
        let read = |file| fs::read(file).map_err(|error| format!("webhooks.extra_ca_file: {error}"));
        let rules = DestinationRules {
            resolver: Arc::new(resolver.clone()),
            http: reach != Reach::Public,
            extra_authorities: config.extra_ca_file.as_ref().map(read).transpose()?,
        };
        let client = HttpClient::for_destinations(rules).map_err(|error| {
            let cause = crate::error_chain(&error);
            format!("deliveries cannot be prepared (webhooks.extra_ca_file, or the system's authorities): {cause}")
        })?;
        Ok(Self { client, resolver, reach })
    }
}

/// A client for destinations that an operator has chosen, for modules that call somebody: it connects to what `reach` allows
/// and to nothing else, whatever a name leads to, follows no redirects and takes no proxy from the environment. Names are looked
/// up, and certificates trusted, as `[webhooks]` says.
pub fn destination_client(config: &WebhooksConfig, reach: Reach) -> Result<HttpClient, String> {
    Ok(Connector::reaching(reach, config, None)?.client)
}

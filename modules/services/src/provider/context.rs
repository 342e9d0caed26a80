//! What adapters to providers work with.

use std::sync::Arc;

use stoa_core::clock::Clock;
use stoa_core::config::Config;
use stoa_core::from_shop;
use stoa_core::outbound::HttpClient;

from_shop! {
    /// What an adapter to a provider may use.
    #[derive(Clone)]
    pub struct ProviderContext {
        /// The time.
        pub clock: Clock,
        /// Outbound HTTP.
        pub http: HttpClient,
        /// The checked configuration.
        pub config: Arc<Config>,
    }
}

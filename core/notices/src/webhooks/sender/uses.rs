//! What delivering webhooks works with.

use std::sync::Arc;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::encryption::Cipher;
use stoa_kernel::events::EventBus;
use stoa_kernel::from_shop;
use stoa_kernel::random::Random;

from_shop! {
    /// What delivering webhooks works with.
    pub struct WebhookDelivery {
        /// Where deliveries wait.
        pub db: Db,
        /// The time that is signed.
        pub clock: Clock,
        /// What names leases.
        pub random: Random,
        /// What opens the secrets that sign.
        pub cipher: Cipher,
        /// How deliveries are sent.
        pub config: Arc<Config>,
        /// What tells that something was written.
        pub events: Arc<EventBus>,
    }
}

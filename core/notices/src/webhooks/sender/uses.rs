//! What delivering webhooks works with.

use std::sync::Arc;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::encryption::Cipher;
use stoa_kernel::from_shop;

from_shop! {
    /// What delivering webhooks works with.
    pub(in crate::webhooks) struct WebhookDelivery {
        /// Where deliveries wait.
        pub db: Db,
        /// The time that is signed.
        pub clock: Clock,
        /// What opens the secrets that sign.
        pub cipher: Cipher,
        /// How deliveries are sent.
        pub config: Arc<Config>,
    }
}

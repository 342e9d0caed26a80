//! What sending links works with.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::from_shop;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::mail::Mailer;
use stoa_kernel::random::Random;

from_shop! {
    /// What makes links and sends them.
    pub(crate) struct EmailTokenSender {
        pub(super) db: Db,
        pub(super) random: Random,
        pub(super) config: Arc<Config>,
        pub(super) base_url: BaseUrl,
        pub(super) mailer: Mailer,
    }
}

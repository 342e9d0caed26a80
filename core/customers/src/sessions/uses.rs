//! What sessions of browsers work with.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::encryption::Cipher;
use stoa_kernel::from_shop;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::random::Random;

from_shop! {
    /// What begins and ends sessions of browsers, and writes their cookies.
    pub(super) struct Sessions {
        pub(super) db: Db,
        pub(super) random: Random,
        pub(super) cipher: Cipher,
        pub(super) config: Arc<Config>,
        pub(super) base_url: BaseUrl,
    }
}

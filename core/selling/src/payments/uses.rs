//! What payments work with.

use std::sync::Arc;

use stoa_kernel::db::Db;
use stoa_kernel::encryption::Cipher;
use stoa_kernel::from_shop;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::random::Random;

from_shop! {
    /// What payments work with: begin, ask, charge and end attempts through the gateways.
    #[derive(Clone)]
    pub struct Payments {
        /// Where they are written down.
        pub db: Db,
        /// What names attempts.
        pub random: Random,
        /// What seals saved methods.
        pub cipher: Cipher,
        /// Where providers call back.
        pub base_url: BaseUrl,
        /// The gateways.
        pub gateways: Arc<GatewayTable>,
    }
}

//! What refunds work with.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::from_shop;
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::random::Random;

from_shop! {
    /// What refunds work with: money goes back through the gateways, and a credit note says so.
    #[derive(Clone)]
    pub struct Refunds {
        /// Where they are written down.
        pub db: Db,
        /// What names them.
        pub random: Random,
        /// What credit notes say.
        pub config: Arc<Config>,
        /// The gateways.
        pub gateways: Arc<GatewayTable>,
        /// What writes amounts.
        pub money: Arc<MoneyFormatter>,
    }
}

//! What carts and the prices in them come from.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::encryption::Cipher;
use stoa_kernel::events::EventBus;
use stoa_kernel::from_shop;
use stoa_kernel::from_shop::{BaseUrl, Capabilities};
use stoa_kernel::i18n::Texts;
use stoa_kernel::module::{ProductDetailsReader, SellingRules};
use stoa_kernel::money::{Currency, MoneyFormatter};
use stoa_kernel::random::Random;

from_shop! {
    /// What the lines of a cart are priced and shown by.
    #[derive(Clone)]
    pub struct Prices {
        /// The settings.
        pub config: Arc<Config>,
        /// Where images lie.
        pub base_url: BaseUrl,
        /// What products can be bought for.
        pub capabilities: Capabilities,
        /// What modules have a say in.
        pub selling: Arc<SellingRules>,
        /// What options are said in.
        pub texts: Texts,
    }
}

from_shop! {
    /// What carts work with.
    #[derive(Clone)]
    pub(super) struct Carts {
        pub(super) db: Db,
        pub(super) random: Random,
        pub(super) cipher: Cipher,
        pub(super) events: Arc<EventBus>,
        pub(super) currency: Currency,
        pub(super) money: Arc<MoneyFormatter>,
        pub(super) prices: Prices,
        pub(super) details: ProductDetailsReader,
    }
}

//! `/console/products`.

pub(super) mod acts;
pub(super) mod bulk;
pub(super) mod delete;
mod draft;
pub(super) mod list;
mod options;
mod page;
mod record;
mod settings;
mod stored;

use std::sync::Arc;

use stoa_core::config::Config;
use stoa_core::db::Db;
use stoa_core::from_shop::FromShop;
use stoa_core::money::MoneyFormatter;
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::module::ProductModules;

/// What pages about products work with.
pub(super) struct Workbench {
    pub(super) db: Db,
    pub(super) config: Arc<Config>,
    pub(super) money: Arc<MoneyFormatter>,
    pub(super) modules: Arc<ProductModules>,
}

impl FromShop for Workbench {
    fn from_shop(shop: &ShopParts) -> Self {
        Self {
            db: Db::from_shop(shop),
            config: FromShop::from_shop(shop),
            money: FromShop::from_shop(shop),
            modules: FromShop::from_shop(shop),
        }
    }
}

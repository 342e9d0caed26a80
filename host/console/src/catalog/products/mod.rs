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
use stoa_core::from_shop;
use stoa_core::money::MoneyFormatter;
use stoa_kernel::module::ProductModules;

from_shop! {
    /// What pages about products work with.
    pub(super) struct Workbench {
        pub(super) db: Db,
        pub(super) config: Arc<Config>,
        pub(super) money: Arc<MoneyFormatter>,
        pub(super) modules: Arc<ProductModules>,
    }
}

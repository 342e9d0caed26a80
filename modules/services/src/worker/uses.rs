//! What the worker works with.

use stoa_core::db::Db;
use stoa_core::encryption::Cipher;
use stoa_core::from_shop;

use crate::provider::ProviderContext;

from_shop! {
    /// What the worker works with.
    #[derive(Clone)]
    pub(crate) struct WorkerUses {
        /// Where services are written down.
        pub(crate) db: Db,
        /// What seals what customers sign in with.
        pub(crate) cipher: Cipher,
        /// What adapters to providers may use.
        pub(crate) provider: ProviderContext,
    }
}

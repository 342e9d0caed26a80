//! What handlers, listeners and jobs may ask a running shop for.
//!
//! Nobody gets the shop as a whole: each says by a type what it works with, so that its signature tells what it may touch.

mod parts;

#[doc(hidden)]
pub use parts::{ShopParts, ShownTables};

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::auth::{AbilityCatalog, Limiter};
use crate::clock::Clock;
use crate::config::Config;
use crate::console::ConsoleAbilities;
use crate::db::Db;
use crate::doctor::Examination;
use crate::encryption::Cipher;
use crate::events::EventBus;
use crate::gateways::GatewayTable;
use crate::http::openapi::ApiMembers;
use crate::i18n::Texts;
use crate::jobs::JobTable;
use crate::mail::MailTemplates;
use crate::module::{ModuleDescription, ProductModules, SellingRules, WebhookTypes};
use crate::money::{Currency, MoneyFormatter};
use crate::outbound::HttpClient;
use crate::pages::{PageTemplates, PanelTable};
use crate::queue::TaskKinds;
use crate::random::Random;

/// Something that a running shop has, asked for by its type: `Db`, `Clock`, `Arc<Config>`, tuples of such, or a struct of
/// one's own made with [`from_shop!`](crate::from_shop!).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a shop has",
    note = "a shop has `Db`, `Clock`, `Arc<Config>` and the like, tuples of them, and structs that `from_shop!` makes of them",
    note = "the settings of a module come to its `register`, which hands them on: as the state of routes, or as a field of a job or listener"
)]
pub trait FromShop: Send + Sync + 'static {
    /// Takes it from the shop. It costs a few counters.
    fn from_shop(shop: &ShopParts) -> Self;
}

/// The public URL of the shop, without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(pub Arc<str>);

/// Capability keys that are available, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities(pub Arc<[&'static str]>);

/// The version of the catalog that this instance answers with. What is made from the catalog is current as long as it stays the same.
#[derive(Debug, Clone, Default)]
pub struct CatalogVersion(Arc<AtomicI64>);

impl CatalogVersion {
    /// The version now.
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Acquire)
    }

    /// Notes the version that is answered with from now on.
    #[doc(hidden)]
    pub fn set(&self, version: i64) {
        self.0.store(version, Ordering::Release);
    }
}

/// The path of the shop's own page that shows one order to whoever has its link, such as `/order/{number}`; none without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OrderPage(pub Option<&'static str>);

impl Deref for BaseUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Deref for Capabilities {
    type Target = [&'static str];

    fn deref(&self) -> &[&'static str] {
        &self.0
    }
}

macro_rules! has {
    ($($kind:ty => $($field:ident).+),+ $(,)?) => {
        $(impl FromShop for $kind {
            fn from_shop(shop: &ShopParts) -> Self {
                shop.$($field).+.clone()
            }
        })+
    };
}

has! {
    Db => db,
    Clock => clock,
    Random => random,
    Cipher => cipher,
    HttpClient => http,
    Arc<Config> => config,
    Arc<EventBus> => events,
    Arc<TaskKinds> => tasks,
    Arc<GatewayTable> => gateways,
    Currency => currency,
    Arc<MoneyFormatter> => money,
    Arc<AbilityCatalog> => abilities,
    Arc<ConsoleAbilities> => console,
    Arc<Limiter> => limiter,
    Texts => texts,
    Arc<MailTemplates> => mail_templates,
    Arc<SellingRules> => selling,
    Arc<ProductModules> => products,
    PanelTable => shown.panels,
    PageTemplates => shown.page_templates,
    Arc<JobTable> => shown.jobs,
    Arc<Vec<ModuleDescription>> => shown.modules,
    Arc<Vec<Examination>> => shown.examinations,
    Arc<WebhookTypes> => shown.webhook_types,
    ApiMembers => shown.members,
    OrderPage => order_page,
    CatalogVersion => catalog_version,
}

impl FromShop for BaseUrl {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(Arc::clone(&shop.base_url))
    }
}

impl FromShop for Capabilities {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(Arc::clone(&shop.capabilities))
    }
}

impl FromShop for () {
    fn from_shop(_: &ShopParts) -> Self {}
}

macro_rules! tuple {
    ($($part:ident),*) => {
        impl<$($part: FromShop),*> FromShop for ($($part,)*) {
            fn from_shop(shop: &ShopParts) -> Self {
                ($($part::from_shop(shop),)*)
            }
        }
    };
}

tuple!(A);
tuple!(A, B);
tuple!(A, B, C);
tuple!(A, B, C, D);

crate::from_shop! {
    /// What is there once a program is frozen, before it has a database.
    #[derive(Clone)]
    pub struct Frozen {
        /// The checked configuration.
        pub config: Arc<Config>,
        /// Where the shop is.
        pub base_url: BaseUrl,
        /// All texts, with the operator's own among them.
        pub texts: Texts,
        /// What writes amounts.
        pub money: Arc<MoneyFormatter>,
        /// The modules' parts of the storefront's pages.
        pub panels: PanelTable,
        /// The templates of the modules' own pages.
        pub page_templates: PageTemplates,
        /// The names of what the API answers and takes, which templates show.
        pub members: ApiMembers,
    }
}

/// Makes a struct of what a feature or module works with. Each field is taken from the shop by its type.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::prelude::*;
///
/// from_shop! {
///     /// What sealing notes needs.
///     #[derive(Clone)]
///     pub struct Notes {
///         /// Where they are kept.
///         pub db: Db,
///         /// What seals them.
///         pub cipher: stoa_core::encryption::Cipher,
///     }
/// }
/// ```
#[macro_export]
macro_rules! from_shop {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $kind:ty),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $kind),+
        }

        impl $crate::from_shop::FromShop for $name {
            fn from_shop(shop: &$crate::from_shop::ShopParts) -> Self {
                Self { $($field: <$kind as $crate::from_shop::FromShop>::from_shop(shop)),+ }
            }
        }
    };
}

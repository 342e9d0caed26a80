//! The module host: how crates join the shop at compile time.
//!
//! A module is a type that implements [`Module`], submitted with [`module!`](macro@crate::module) and
//! linked by one `use the_crate as _;` line in the host. Its `register` puts routes, abilities,
//! listeners, jobs and migrations into tables; it does no I/O and spawns nothing.

mod console;
mod context;
mod description;
mod entry;
mod facets;
mod fields;
mod product_details;
mod product_modules;
mod product_settings;
mod registry;
mod selling;
mod starting;
mod storefront;
mod tables;
mod unknown;
mod webhook_types;

pub use context::{BackupFolder, Given, ModuleContext, RegisterError};
pub use description::ModuleDescription;
pub use entry::{Module, ModuleConfig, ModuleEntry};
pub(crate) use facets::FacetTable;
pub use facets::{FacetReader, FacetValue, ProductFacet, ReadFacet};
pub use product_details::{Details, DetailsTable, ProductDetailsReader, ShownProduct, TellDetails};
pub use product_modules::{ProductModule, ProductModules};
pub use product_settings::{ProductSettings, SettingField, SettingKind, SettingsProblem};
pub use registry::{Linked, Registry, RegistryProblems};
pub use selling::{
    AddLines, AddedLine, Buyer, CartToPrice, LineToPrice, ListedUnits, SellingRules, UnitPrice, UnitToPrice,
    WithdrawalRight,
};
pub use starting::{StartCheck, StartHook, Starting};
pub use webhook_types::{WebhookType, WebhookTypes, no_such_event};

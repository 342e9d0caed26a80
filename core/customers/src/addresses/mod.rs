//! Saved addresses of customers (S2.4, S3.3, S4.4).

mod defaults;
mod model;
mod personal;
mod properties;
mod queries;
mod routes;
mod rules;
mod store;

pub use model::{Address, AddressDraft, AddressProperties, AddressResource, PostalAddress};
pub use properties::{SetPropertiesError, set_properties};
pub use rules::AddressRequest;
pub use store::{
    CreateAddressError, MAX_ADDRESSES, create_address, delete_address, erase_addresses, find_address, list_addresses,
    update_address,
};

pub use rules::{check_country, named_country};

use stoa_kernel::module::{ModuleContext, RegisterError};

use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// The routes and listeners of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.on_transaction::<CustomerAnonymizing>("addresses.erase", personal::EraseAddresses);
    cx.on_preflight::<CustomerExporting>("addresses.export", personal::ExportAddresses);
    cx.routes((), routes::address_routes())
}

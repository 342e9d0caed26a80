//! Logging in and out from the shop's own pages, and registering (contract 2.4).

mod answer;
mod routes;
mod rules;
mod uses;

use stoa_kernel::config::AccountsConfig;
use stoa_kernel::module::{ModuleContext, RegisterError};

use crate::customers::Credentials;

/// The routes of this feature.
pub(crate) fn register(
    cx: &mut ModuleContext<'_>,
    credentials: Credentials,
    accounts: &AccountsConfig,
) -> Result<(), RegisterError> {
    cx.routes(credentials, routes::session_routes(accounts))
}

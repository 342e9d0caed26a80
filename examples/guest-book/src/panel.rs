//! The module's part of a page of the storefront.

use stoa_core::prelude::*;

use crate::routes::PATH;

/// The customer's own entries on the first page of the account. The form in it calls the API by itself. A theme may bring another
/// template as `guest_book/account.html`.
pub(crate) const OWN_ENTRIES: Panel = Panel::new(PanelOn::Account, include_str!("../pages/account.html")).path(PATH);

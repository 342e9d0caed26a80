//! The module's part of a page of the storefront.

use stoa_core::prelude::*;

use crate::routes::PATH;

/// The customer's own entries on the first page of the account. The form in it calls the API by itself.
pub(crate) const OWN_ENTRIES: Panel = Panel {
    on: PanelOn::Account,
    path: Some(PATH),
    own: None,
    // A theme may bring another as `guest_book/account.html`.
    template: include_str!("../pages/account.html"),
};

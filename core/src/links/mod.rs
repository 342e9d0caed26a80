//! Links that are sent by mail and open an account once: confirming an address, and choosing a new password.
//!
//! The secret of a link is in the mail and nowhere else; the database holds its SHA-256. Using a link deletes its row in
//! the transaction of its effect, so it works once, whoever else uses it at the same time. Opening the page of a link
//! does nothing, since programs that look for harmful mails open links too: its button does.

mod forgotten;
mod pages;
mod queries;
mod routes;
mod rules;
mod store;
mod uses;

pub(crate) use forgotten::SendResetLink;
pub(crate) use pages::link_pages;
pub(crate) use routes::{Mail, link_routes};
pub(crate) use store::{Purpose, send_link, void_reset_links};

use crate::customers::CustomerAnonymizing;
use crate::module::ModuleContext;
use crate::retention::Expired;

/// The listeners of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.on_transaction::<CustomerAnonymizing>("links.erase", store::EraseLinks);
}

/// What this feature need not keep for ever.
pub(crate) const EXPIRED: &[Expired] =
    &[Expired { what: "links that have expired", delete: queries::PRUNE, before: |_, now| now }];

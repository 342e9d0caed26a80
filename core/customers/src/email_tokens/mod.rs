//! Links that are sent by mail and open an account once: confirming an address, and choosing a new password.
//!
//! The secret of a link is in the mail and nowhere else; the database holds its SHA-256. Using a link deletes its row in
//! the transaction of its effect, so it works once, whoever else uses it at the same time. Opening the page of a link
//! does nothing, since programs that look for harmful mails open links too: its button does.

mod error;
mod forgotten;
mod pages;
mod queries;
mod routes;
mod rules;
mod sending;
mod store;
mod uses;

pub(crate) use sending::EmailTokenSender;
pub(crate) use store::{EmailTokenPurpose, void_reset_tokens};

use std::sync::Arc;

use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::retention::Expired;

use crate::customers::{Credentials, CustomerAnonymizing};
use forgotten::SendResetLink;

/// The routes and listeners of this feature, and what it need not keep for ever.
pub(crate) fn register(
    cx: &mut ModuleContext<'_>,
    credentials: Credentials,
    sends_mail: bool,
) -> Result<(), RegisterError> {
    cx.on_committed(SendResetLink::ID, SendResetLink { limiter: Arc::clone(&credentials.limiter) });
    cx.on_transaction::<CustomerAnonymizing>("links.erase", store::EraseEmailTokens);
    cx.expires(EXPIRED);
    cx.routes(credentials.clone(), pages::email_token_pages())?;
    cx.routes(credentials, routes::email_token_routes(sends_mail))
}

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] =
    &[Expired { what: "links that have expired", delete: queries::PRUNE, before: |_, now| now }];

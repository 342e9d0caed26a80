//! Access tokens: created by password (`POST /auth/tokens`, S5.2), listed and revoked by their owner and the operator.

mod create;
mod network;
mod personal;
mod queries;
mod records;
mod routes;
mod rules;

use chrono::TimeDelta;

pub use create::{MAX_TOKEN_DAYS, MAX_TOKEN_NAME, create_token, granted};
pub use network::{AllowedNetwork, allowed_network};
pub use records::{
    TokenRecord, find_token, list_tokens, list_tokens_of, revoke_all_tokens, revoke_tokens, revoke_tokens_of,
};

use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::retention::Expired;

use crate::customers::{Credentials, CustomerAnonymizing, CustomerExporting};

/// How long an expired token is still listed, so that whoever wonders why it fails can see it.
const KEPT_AFTER_END: TimeDelta = TimeDelta::days(30);

/// The routes and listeners of this feature, and what it need not keep for ever.
pub(crate) fn register(
    cx: &mut ModuleContext<'_>,
    credentials: Credentials,
    guests: bool,
) -> Result<(), RegisterError> {
    cx.on_transaction::<CustomerAnonymizing>("tokens.revoke", personal::RevokeTokens);
    cx.on_preflight::<CustomerExporting>("tokens.export", personal::ExportTokens);
    cx.expires(EXPIRED);
    cx.routes(credentials, routes::token_routes(guests))
}

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] = &[
    Expired { what: "expired tokens", delete: queries::PRUNE_EXPIRED, before: |_, now| now - KEPT_AFTER_END },
    Expired { what: "tokens of anonymized users", delete: queries::PRUNE_ANONYMIZED, before: |_, now| now },
];

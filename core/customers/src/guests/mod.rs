//! Guests: customers who buy without an account. Several may have one e-mail address, and none sees what another has bought.
//! Whoever registers with the address and confirms it gets what they have bought.

mod claim;
mod left_behind;
mod queries;
mod rules;
mod store;

use std::net::IpAddr;

use chrono::TimeDelta;

use stoa_kernel::auth::{LimitClass, LimitReached, LimitState, Limiter};

pub use claim::count_guests;
pub use left_behind::{GuestLeftBehind, GuestLoggedOut};
pub use store::{GuestIsGone, confirm_guest};

pub(crate) use claim::claim_guests;
pub(crate) use left_behind::guest_of_session;
pub(crate) use rules::GuestRequest;
pub(crate) use store::insert_guest;

/// How long a guest may take to buy, by a token.
pub(crate) const TOKEN_LIFETIME: TimeDelta = TimeDelta::hours(24);

/// Counts somebody who wants to buy as a guest: by their address, and apart from that by the e-mail address, in lower case.
pub(crate) async fn count_guest(
    limiter: &Limiter,
    client: IpAddr,
    email: &str,
) -> Result<Option<LimitState>, LimitReached> {
    let standing = limiter.count_address(LimitClass::Guests, client).await?;
    limiter.count_email(LimitClass::Guests, email).await?;
    Ok(standing)
}

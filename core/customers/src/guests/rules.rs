//! The rule table of whoever buys as a guest.

use serde::Deserialize;

use stoa_kernel::http::extract::Input;
use stoa_kernel::http::rules::{Rules, field};

/// The body of `POST /session/guest` and `POST /auth/guest-tokens`.
#[derive(Debug, Deserialize)]
pub(crate) struct GuestRequest {
    pub(crate) email: String,
    pub(crate) name: String,
}

impl Input for GuestRequest {
    const NAME: &'static str = "GuestRequest";

    fn rules() -> Rules {
        Rules::new([
            field("email").required().email().max(255).describe("Where mails about what is bought are sent."),
            field("name").required().string().max(255).describe("The guest's name."),
        ])
    }
}

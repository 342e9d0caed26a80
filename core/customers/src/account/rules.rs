//! The rule table of an account (S4.3).

use serde::Deserialize;

use stoa_kernel::http::extract::Input;
use stoa_kernel::http::rules::{Rules, field};

/// The body of `PATCH /me`. Nothing else of an account can be changed here.
#[derive(Debug, Deserialize)]
pub(super) struct AccountRequest {
    pub(super) name: String,
}

impl Input for AccountRequest {
    const NAME: &'static str = "AccountRequest";

    fn rules() -> Rules {
        Rules::new([field("name").required().string().max(255).describe("The customer's name.")])
    }
}

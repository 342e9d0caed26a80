//! The rule table of token creation (S5.2).

use serde::Deserialize;

use crate::http::extract::Input;
use crate::http::rules::{Rules, field};

/// The body of `POST /auth/tokens`.
#[derive(Debug, Deserialize)]
pub(super) struct TokenRequest {
    pub(super) email: String,
    pub(super) password: String,
    pub(super) name: String,
    /// Absent for full access; empty for no route at all.
    pub(super) abilities: Option<Vec<String>>,
}

impl Input for TokenRequest {
    const NAME: &'static str = "TokenRequest";

    fn rules() -> Rules {
        Rules::new([
            field("email").required().email().describe("The account's e-mail address, in any case."),
            field("password").required().string().max(4096).untrimmed().describe("The account's password."),
            field("name").required().string().max(80).describe("A name by which the customer knows the token."),
            field("abilities")
                .array(field("ability").required().string().max(80), 50)
                .describe("What the token opens. Omitted: everything (`*`). Empty: no route at all."),
        ])
    }
}

//! The rule tables of what goes by mail (contract 2.4).

use serde::Deserialize;

use stoa_kernel::http::extract::Input;
use stoa_kernel::http::rules::{Field, Rules, field};

use crate::customers::new_password;

fn token() -> Field {
    field("token").required().string().max(255).describe("The secret of the link.")
}

/// The body of `POST /session/password/forgot`.
#[derive(Debug, Deserialize)]
pub(super) struct ForgottenRequest {
    pub(super) email: String,
}

impl Input for ForgottenRequest {
    const NAME: &'static str = "ForgottenPasswordRequest";

    fn rules() -> Rules {
        Rules::new([field("email").required().email().max(255).describe("The account's e-mail address, in any case.")])
    }
}

/// The body of `POST /session/password/reset`.
#[derive(Debug, Deserialize)]
pub(super) struct ResetRequest {
    pub(super) token: String,
    pub(super) password: String,
}

impl Input for ResetRequest {
    const NAME: &'static str = "PasswordResetRequest";

    fn rules() -> Rules {
        Rules::new([token(), new_password().describe("The new password.")])
    }
}

/// The body of `POST /session/email/verify`.
#[derive(Debug, Deserialize)]
pub(super) struct VerifyRequest {
    pub(super) token: String,
}

impl Input for VerifyRequest {
    const NAME: &'static str = "EmailVerificationRequest";

    fn rules() -> Rules {
        Rules::new([token()])
    }
}

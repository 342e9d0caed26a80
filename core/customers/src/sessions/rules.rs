//! The rule tables of login and registration (contract 2.4).

use serde::Deserialize;
use serde_json::Value;

use stoa_kernel::http::error::{FieldProblem, FieldProblems};
use stoa_kernel::http::extract::{Input, Settings};
use stoa_kernel::http::rules::{Rules, field};
use stoa_kernel::i18n::Violation;

use crate::customers::{is_guessable, new_password};

/// The body of `POST /session`.
#[derive(Debug, Deserialize)]
pub(super) struct LoginRequest {
    pub(super) email: String,
    pub(super) password: String,
}

impl Input for LoginRequest {
    const NAME: &'static str = "LoginRequest";

    fn rules() -> Rules {
        Rules::new([
            field("email").required().email().describe("The account's e-mail address, in any case."),
            field("password").required().string().max(4096).untrimmed().describe("The account's password."),
        ])
    }
}

/// The body of `POST /session/register`.
#[derive(Debug, Deserialize)]
pub(super) struct RegistrationRequest {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) password: String,
}

impl Input for RegistrationRequest {
    const NAME: &'static str = "RegistrationRequest";

    fn rules() -> Rules {
        Rules::new([
            field("name").required().string().max(255).describe("The customer's name."),
            field("email").required().email().max(255).describe("The e-mail address to log in with."),
            new_password().describe("The password to log in with; none that is tried first by whoever guesses."),
        ])
    }

    fn check_settings(body: &Value, shop: &Settings<'_>) -> FieldProblems {
        let [email, password] = ["email", "password"].map(|name| body[name].as_str().unwrap_or_default());
        let mut problems = FieldProblems::new();
        if is_guessable(password, email, &shop.config.shop.name) {
            let message = Violation::GuessablePassword.on("password");
            problems.insert(String::from("password"), vec![FieldProblem::Message(message)]);
        }
        problems
    }
}

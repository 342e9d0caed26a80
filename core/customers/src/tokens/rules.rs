//! The rule table of token creation (S5.2).

use serde::Deserialize;
use serde_json::Value;

use stoa_kernel::http::error::{FieldProblem, FieldProblems};
use stoa_kernel::http::extract::{Input, Settings};
use stoa_kernel::http::openapi::ABILITY;
use stoa_kernel::http::rules::{Rules, field};
use stoa_kernel::i18n::Violation;

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
                .array(field("ability").required().string().max(80).named(ABILITY), 50)
                .describe("What the token opens. Omitted: everything (`*`). Empty: no route at all."),
        ])
    }

    /// Which abilities there are depends on the modules that are on.
    fn check_settings(body: &Value, shop: &Settings<'_>) -> FieldProblems {
        let asked = body["abilities"].as_array().into_iter().flatten().enumerate();
        let asked = asked.filter_map(|(index, name)| Some((index, name.as_str()?)));
        let unknown = asked.filter(|(_, name)| !shop.abilities.contains(name));
        let problems = unknown.map(|(index, name)| {
            let field = format!("abilities.{index}");
            let message = Violation::UnknownAbility { ability: name.to_owned().into() }.on(field.clone());
            (field, vec![FieldProblem::Message(message)])
        });
        problems.collect()
    }
}

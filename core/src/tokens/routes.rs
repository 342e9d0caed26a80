//! `POST /auth/tokens` and `DELETE /auth/tokens`.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::rules::TokenRequest;
use crate::auth::{FULL_ACCESS, LimitClass, NewToken, issue_token, revoke_token};
use crate::customers::Credentials;
use crate::db::Db;
use crate::http::answer::{Counted, Created, Done};
use crate::http::error::ApiResult;
use crate::http::extract::{Body, ClientAddress, CurrentToken};
use crate::http::table::{Routes, routes};
use crate::services::Services;

/// A new token (S2.5). Not wrapped in `data`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Token")]
struct TokenCreated {
    /// The plain text, shown this once: `<id>|<secret>`.
    token: String,
    /// Always `Bearer`.
    token_type: &'static str,
    /// The name that was given.
    name: String,
}

pub(crate) fn token_routes() -> Routes<Credentials> {
    routes()
        .post("auth.tokens.store", "/auth/tokens", create)
        .summary("Create an access token by e-mail and password")
        .description(
            "Wrong credentials are answered with 422 `validation_error`, alike for unknown addresses. \
             Too many failures for one address are answered with 429 until the window is over.",
        )
        .body_example(|| {
            json!({"email": "ada@example.com", "password": "correct horse battery staple",
                                "name": "My laptop", "abilities": ["orders.read", "invoices.read"]})
        })
        .example(|| {
            json!({"token": "7|kV0jYfJ2l6yQ8o3Qw1sXc5bN9mT4rE7uA2zD0hGi6pLx1vB3", "token_type": "Bearer",
                           "name": "My laptop"})
        })
        .fails_with(&[422])
        .credentials()
        .delete("auth.tokens.destroy", "/auth/tokens", revoke)
        .summary("Revoke the token of this request")
        .description("Other tokens of the customer stay as they are.")
        .example(|| json!({"ok": true}))
        .ability("tokens.revoke")
}

async fn create(
    State(credentials): State<Credentials>,
    services: Services,
    ClientAddress(address): ClientAddress,
    Body(request): Body<TokenRequest>,
) -> ApiResult<Counted<ApiResult<Created<TokenCreated>>>> {
    let email = request.email.to_lowercase();
    let standing = credentials.limiter.count_address_and_email(LimitClass::TokenCreation, address, &email).await?;
    Ok(Counted { standing, answer: create_counted(&credentials, &services, request, &email).await })
}

async fn create_counted(
    credentials: &Credentials,
    services: &Services,
    request: TokenRequest,
    email: &str,
) -> ApiResult<Created<TokenCreated>> {
    let abilities = granted(request.abilities);
    let customer = credentials.check(services, email, request.password).await?;
    let new = NewToken {
        customer_id: customer.id,
        name: &request.name,
        abilities: &abilities,
        networks: &[],
        expires_at: None,
    };
    let token = services
        .db
        .write(async |tx| -> ApiResult<String> { Ok(issue_token(tx, &services.random, new).await?) })
        .await?;
    Ok(Created(TokenCreated { token, token_type: "Bearer", name: request.name }))
}

/// Deletes the current token alone; a session has none (S5.4).
async fn revoke(CurrentToken(token): CurrentToken, db: Db) -> ApiResult<Done> {
    if let Some(token) = token {
        db.write(async |tx| revoke_token(tx, token).await).await?;
    }
    Ok(Done::new())
}

/// What the token shall hold: everything when nothing was said, each name once, `*` alone when it
/// is among them (S5.2 rules 1 to 3).
fn granted(asked: Option<Vec<String>>) -> Vec<String> {
    match asked {
        Some(names) if !names.iter().any(|name| name == FULL_ACCESS) => {
            let mut names = names;
            names.sort_unstable();
            names.dedup();
            names
        }
        None | Some(_) => vec![FULL_ACCESS.to_owned()],
    }
}

//! `/auth/tokens`: created by password, listed and ended by whose they are.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use stoa_kernel::auth::{AbilityCatalog, FULL_ACCESS, LimitClass, NewToken, issue_token, revoke_token};
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::Db;
use stoa_kernel::http::answer::{Counted, Created, Done};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientAddress, CurrentToken, Customer, Id, Uses};
use stoa_kernel::http::page::{PageRequest, Paged, example_page};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::random::Random;

use super::records::{TokenResource, page_of_tokens, revoke_token_of};
use super::rules::TokenRequest;
use crate::customers::Credentials;
use crate::guests::{GuestRequest, TOKEN_LIFETIME, count_guest, insert_guest};

/// A new token. Not wrapped in `data`.
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

/// The routes; guests can be switched off (`accounts.guests`).
pub(super) fn token_routes(guests: bool) -> Routes<Credentials> {
    let routes = routes()
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
        .get("auth.tokens.index", "/auth/tokens", index)
        .summary("List own access tokens")
        .description("The newest first, 20 on a page; those that have ended are listed for another 30 days.")
        .example(|| example_page("/auth/tokens", &example()))
        .ability("tokens.revoke")
        .delete("auth.tokens.end", "/auth/tokens/{token}", revoke_own_token)
        .summary("Revoke an own access token")
        .path_parameter("The id of an own access token, the part of it before `|`.", "7")
        .description("It is refused from then on. A new password ends all tokens.")
        .example(|| json!({"ok": true}))
        .ability("tokens.revoke");
    if !guests {
        return routes;
    }
    routes
        .post("auth.guest-tokens.store", "/auth/guest-tokens", create_for_guest)
        .summary("Create an access token for a guest, who buys without an account")
        .description(
            "The token opens what is needed to buy, and what was bought; it ends after 24 hours. Every call makes a guest of \
             its own, whatever the e-mail address: none sees what another has bought. Whoever registers with the address \
             later and confirms it gets the orders.",
        )
        .body_example(|| json!({"email": "ada@example.com", "name": "Ada Lovelace"}))
        .example(|| {
            json!({"token": "8|kV0jYfJ2l6yQ8o3Qw1sXc5bN9mT4rE7uA2zD0hGi6pLx1vB3", "token_type": "Bearer",
                           "name": "Ada Lovelace"})
        })
        .fails_with(&[422])
        .credentials()
}

fn example() -> Value {
    json!({"id": 7, "name": "My laptop", "abilities": ["orders.read", "invoices.read"], "networks": [],
           "created_at": "2026-03-01T10:00:00Z", "last_used_at": "2026-03-02T08:30:00Z", "expires_at": null,
           "is_current": true})
}

async fn create(
    State(credentials): State<Credentials>,
    Uses((db, random)): Uses<(Db, Random)>,
    ClientAddress(address): ClientAddress,
    Body(request): Body<TokenRequest>,
) -> ApiResult<Counted<ApiResult<Created<TokenCreated>>>> {
    let email = request.email.to_lowercase();
    let standing = credentials.limiter.count_address_and_email(LimitClass::TokenCreation, address, &email).await?;
    Ok(Counted { standing, answer: create_counted(&credentials, &db, &random, address, request, &email).await })
}

async fn create_counted(
    credentials: &Credentials,
    db: &Db,
    random: &Random,
    client: IpAddr,
    request: TokenRequest,
    email: &str,
) -> ApiResult<Created<TokenCreated>> {
    let abilities = granted(request.abilities);
    let checked = credentials.check(db, client, email, request.password).await?;
    let new = NewToken {
        customer_id: checked.record().id,
        name: &request.name,
        abilities: &abilities,
        networks: &[],
        expires_at: None,
    };
    let token = db
        .write(async |tx| -> ApiResult<String> {
            checked.confirm(tx).await?;
            Ok(issue_token(tx, random, new).await?)
        })
        .await?;
    Ok(Created(TokenCreated { token, token_type: "Bearer", name: request.name }))
}

async fn create_for_guest(
    State(credentials): State<Credentials>,
    Uses((db, random, catalog)): Uses<(Db, Random, Arc<AbilityCatalog>)>,
    ClientAddress(client): ClientAddress,
    Body(request): Body<GuestRequest>,
) -> ApiResult<Counted<ApiResult<Created<TokenCreated>>>> {
    let standing = count_guest(&credentials.limiter, client, &request.email.to_lowercase()).await?;
    let abilities = catalog.of_guests().map(str::to_owned).collect::<Vec<_>>();
    let token = db.write(async |tx| -> ApiResult<String> {
        let guest = insert_guest(tx, &request.email, &request.name).await?;
        let new = NewToken {
            customer_id: guest.id,
            name: &guest.name,
            abilities: &abilities,
            networks: &[],
            expires_at: Some(tx.now() + TOKEN_LIFETIME),
        };
        Ok(issue_token(tx, &random, new).await?)
    });
    let answer = token.await.map(|token| Created(TokenCreated { token, token_type: "Bearer", name: request.name }));
    Ok(Counted { standing, answer })
}

/// Deletes the current token alone; a session has none (S5.4).
async fn revoke(CurrentToken(token): CurrentToken, db: Db) -> ApiResult<Done> {
    if let Some(token) = token {
        db.write(async |tx| revoke_token(tx, token).await).await?;
    }
    Ok(Done::new())
}

async fn index(
    customer: Customer,
    CurrentToken(current): CurrentToken,
    db: Db,
    page: PageRequest,
) -> ApiResult<Paged<TokenResource>> {
    let (tokens, total) = page_of_tokens(&db, customer.id, page.limit(), page.offset()).await?;
    let tokens = tokens.into_iter().map(|token| TokenResource::of(token, current)).collect();
    Ok(page.answer(tokens, total))
}

async fn revoke_own_token(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Done> {
    let revoked = db.write(async |tx| -> ApiResult<bool> { Ok(revoke_token_of(tx, customer.id, id).await?) });
    if revoked.await? { Ok(Done::new()) } else { Err(ApiError::not_found()) }
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

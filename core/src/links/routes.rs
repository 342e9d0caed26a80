//! What a storefront's own pages call: forgotten passwords and the confirmation of addresses.

use axum::extract::State;
use serde_json::json;

use super::forgotten::PasswordForgotten;
use super::queries;
use super::rules::{ForgottenRequest, ResetRequest, VerifyRequest};
use super::store::{Purpose, send_link};
use super::uses::{reset_password, verify_email};
use crate::account::{AccountResource, example_account};
use crate::auth::LimitClass;
use crate::customers::Credentials;
use crate::http::answer::{Data, Done};
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::{Body, ClientAddress, Customer};
use crate::http::table::{Routes, routes};
use crate::mail;
use crate::services::Services;

/// The secret of a link, for examples.
const EXAMPLE_SECRET: &str = "kV0jYfJ2l6yQ8o3Qw1sXc5bN9mT4rE7uA2zD0hGi6pL";

/// Whether the shop sends mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mail {
    /// It does.
    Sent,
    /// It has no mail server.
    None,
}

/// The routes. Without mail, links that were sent before still work, and asking for one is answered as ever.
pub(crate) fn link_routes(mail: Mail) -> Routes<Credentials> {
    let routes = routes()
        .post("session.password.forgot", "/session/password/forgot", forgot)
        .summary("Have a link for a new password sent, if the address is known")
        .description("The answer is the same for every address.")
        .body_example(|| json!({"email": "ada@example.com"}))
        .example(|| json!({"ok": true}))
        .first_party()
        .post("session.password.reset", "/session/password/reset", reset)
        .summary("Choose a new password by the secret of a link")
        .description("A link works once, and for a limited time. All sessions and tokens of the account end.")
        .body_example(|| json!({"token": EXAMPLE_SECRET, "password": "correct horse battery staple"}))
        .example(|| json!({"ok": true}))
        .first_party()
        .post("session.email.verify", "/session/email/verify", verify)
        .summary("Confirm an e-mail address by the secret of a link")
        .description("A link works once, and for a limited time.")
        .body_example(|| json!({"token": EXAMPLE_SECRET}))
        .example(|| json!({"data": example_account("Ada Lovelace")}))
        .first_party();
    match mail {
        Mail::None => routes,
        Mail::Sent => routes
            .post("session.email.resend", "/session/email/resend", resend)
            .summary("Have the link that confirms the own e-mail address sent again")
            .description("An address that is confirmed already gets no mail.")
            .example(|| json!({"ok": true}))
            .logged_in(),
    }
}

async fn forgot(
    State(credentials): State<Credentials>,
    services: Services,
    client: ClientAddress,
    Body(request): Body<ForgottenRequest>,
) -> ApiResult<Done> {
    let email = request.email.to_lowercase();
    credentials.limiter.count_address_and_email(LimitClass::AccountMail, client.0, &email).await?;
    if mail::is_configured(&services.config) {
        services.db.write(async |tx| tx.emit(&PasswordForgotten { email }).await).await?;
    }
    Ok(Done::new())
}

async fn reset(
    State(credentials): State<Credentials>,
    services: Services,
    client: ClientAddress,
    Body(request): Body<ResetRequest>,
) -> ApiResult<Done> {
    reset_password(&services, &credentials, client.0, &request.token, request.password).await?;
    Ok(Done::new())
}

async fn verify(services: Services, Body(request): Body<VerifyRequest>) -> ApiResult<Data<AccountResource>> {
    verify_email(&services, &request.token).await.map(Data)
}

#[derive(sqlx::FromRow)]
struct OwnAddress {
    user_id: i64,
    email: String,
    is_verified: bool,
}

/// Sends the link again. Whose address is confirmed already gets no mail.
async fn resend(
    State(credentials): State<Credentials>,
    services: Services,
    client: ClientAddress,
    customer: Customer,
) -> ApiResult<Done> {
    let found = services.db.read(queries::FIND_ADDRESS).bind(customer.id).optional::<OwnAddress>().await?;
    let own = found.ok_or_else(ApiError::unauthenticated)?;
    if own.is_verified {
        return Ok(Done::new());
    }
    credentials.limiter.count_address_and_email(LimitClass::AccountMail, client.0, &own.email).await?;
    let send = services.db.write(async |tx| -> ApiResult<()> {
        Ok(send_link(tx, &services, Purpose::VerifyEmail, own.user_id, &own.email).await?)
    });
    send.await?;
    Ok(Done::new())
}

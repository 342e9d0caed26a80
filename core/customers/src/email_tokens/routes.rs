//! What a storefront's own pages call: forgotten passwords and the confirmation of addresses.

use std::sync::Arc;

use axum::extract::State;
use serde_json::json;

use stoa_kernel::auth::LimitClass;
use stoa_kernel::config::Config;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::Db;
use stoa_kernel::http::answer::{Data, Done};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientAddress, ClientLanguage, Customer, Uses};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::mail::Mailer;
use stoa_kernel::text;

use super::forgotten::PasswordForgotten;
use super::queries;
use super::rules::{ForgottenRequest, ResetRequest, VerifyRequest};
use super::sending::EmailTokenSender;
use super::store::EmailTokenPurpose;
use super::uses::{reset_password, verify_email};
use crate::account::{AccountResource, example_account};
use crate::customers::Credentials;

/// The secret of a link, for examples.
const EXAMPLE_SECRET: &str = "kV0jYfJ2l6yQ8o3Qw1sXc5bN9mT4rE7uA2zD0hGi6pL";

/// The routes. In a shop that sends no mail, links that were sent before still work, and asking for one is answered as ever.
pub(super) fn email_token_routes(sends_mail: bool) -> Routes<Credentials> {
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
    if !sends_mail {
        return routes;
    }
    routes
        .post("session.email.resend", "/session/email/resend", resend)
        .summary("Have the link that confirms the own e-mail address sent again")
        .description("An address that is confirmed already gets no mail.")
        .example(|| json!({"ok": true}))
        .logged_in()
}

async fn forgot(
    State(credentials): State<Credentials>,
    Uses((db, mailer)): Uses<(Db, Mailer)>,
    client: ClientAddress,
    ClientLanguage(language): ClientLanguage,
    Body(request): Body<ForgottenRequest>,
) -> ApiResult<Done> {
    let email = request.email.to_lowercase();
    credentials.limiter.count_address_and_email(LimitClass::AccountMail, client.0, &email).await?;
    if mailer.is_configured() {
        let language = Some(language.tag().to_owned());
        db.write(async |tx| tx.emit(&PasswordForgotten { email, language }).await).await?;
    }
    Ok(Done::new())
}

async fn reset(
    State(credentials): State<Credentials>,
    Uses((db, config)): Uses<(Db, Arc<Config>)>,
    client: ClientAddress,
    Body(request): Body<ResetRequest>,
) -> ApiResult<Done> {
    reset_password(&db, &config, &credentials, client.0, &request.token, request.password).await?;
    Ok(Done::new())
}

async fn verify(db: Db, Body(request): Body<VerifyRequest>) -> ApiResult<Data<AccountResource>> {
    Ok(Data(verify_email(&db, &request.token).await?))
}

#[derive(sqlx::FromRow)]
struct OwnAddress {
    user_id: i64,
    email: String,
    is_verified: bool,
    guest: bool,
}

/// Sends the link again. Whose address is confirmed already gets no mail.
async fn resend(
    State(credentials): State<Credentials>,
    Uses(sender): Uses<EmailTokenSender>,
    client: ClientAddress,
    ClientLanguage(language): ClientLanguage,
    customer: Customer,
) -> ApiResult<Done> {
    let found = sender.db.read(queries::FIND_ADDRESS).bind(customer.id).optional::<OwnAddress>().await?;
    let own = found.ok_or_else(ApiError::unauthenticated)?;
    if own.guest {
        return Err(ApiError::invalid_state(text!("guests-have-no-account"), "guest"));
    }
    if own.is_verified {
        return Ok(Done::new());
    }
    credentials.limiter.count_address_and_email(LimitClass::AccountMail, client.0, &own.email).await?;
    let send = sender.db.write(async |tx| -> ApiResult<()> {
        let verify = EmailTokenPurpose::VerifyEmail;
        Ok(sender.send_email_token(tx, verify, own.user_id, &own.email, language).await?)
    });
    send.await?;
    Ok(Done::new())
}

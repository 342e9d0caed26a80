//! What using a link does.

use super::queries;
use super::store::{Purpose, link_exists, use_link};
use crate::account::{AccountResource, account_of_user};
use crate::auth::{LimitClass, RandomSecret};
use crate::customers::{Credentials, end_sessions};
use crate::http::error::{ApiError, ApiResult};
use crate::i18n::Message;
use crate::services::Services;

/// The one answer to all that is no link: unknown, used, expired, replaced, malformed, or sent to another address.
fn invalid() -> ApiError {
    ApiError::invalid_field("token", Message::InvalidLink)
}

/// Confirms the address that a link was sent to.
pub(super) async fn verify_email(services: &Services, token: &str) -> ApiResult<AccountResource> {
    let secret = RandomSecret::parse(token).ok_or_else(invalid)?;
    services
        .db
        .write(async |tx| -> ApiResult<AccountResource> {
            let link = use_link(tx, Purpose::VerifyEmail, &secret).await?.ok_or_else(invalid)?;
            let now = tx.now();
            let verify = tx.run(queries::VERIFY_EMAIL).bind(link.user_id).bind(link.email.as_str()).bind(now);
            if verify.execute().await? == 0 {
                return Err(invalid());
            }
            account_of_user(tx, link.user_id).await?.ok_or_else(invalid)
        })
        .await
}

/// Sets a new password and ends all sessions of the user, who may have lost the old one to somebody.
///
/// Access tokens stay: they were made for programs, do not depend on the password, and can be revoked one by one.
pub(super) async fn reset_password(
    services: &Services,
    credentials: &Credentials,
    token: &str,
    password: String,
) -> ApiResult<()> {
    let secret = RandomSecret::parse(token).ok_or_else(invalid)?;
    // Hashing is expensive: whoever has no link must not be able to ask for it.
    if !link_exists(&services.db, Purpose::ResetPassword, &secret).await? {
        return Err(invalid());
    }
    let hash = credentials.passwords.hash(password).await?;
    let email = services
        .db
        .write(async |tx| -> ApiResult<String> {
            let link = use_link(tx, Purpose::ResetPassword, &secret).await?.ok_or_else(invalid)?;
            let now = tx.now();
            let set = tx.run(queries::SET_PASSWORD).bind(link.user_id).bind(link.email.as_str()).bind(now);
            if set.bind(hash.as_str()).execute().await? == 0 {
                return Err(invalid());
            }
            end_sessions(tx, link.user_id).await?;
            Ok(link.email)
        })
        .await?;
    credentials.limiter.forgive_email(LimitClass::FailedLogins, &email).await;
    Ok(())
}

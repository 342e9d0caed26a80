//! What using a link does.

use std::net::IpAddr;

use stoa_kernel::auth::{LimitClass, RandomSecret};
use stoa_kernel::config::Config;
use stoa_kernel::db::Db;

use super::error::UseLinkError;
use super::queries;
use super::store::{EmailTokenPurpose, find_email_token, use_email_token};
use crate::account::{AccountResource, account_of_user};
use crate::customers::{Credentials, end_access, is_guessable};
use crate::guests::claim_guests;

/// Confirms the address that a link was sent to. The account gets what guests with this address have bought.
pub(super) async fn verify_email(db: &Db, token: &str) -> Result<AccountResource, UseLinkError> {
    let secret = RandomSecret::parse(token).ok_or(UseLinkError::Invalid)?;
    db.write(async |tx| -> Result<AccountResource, UseLinkError> {
        let sent = use_email_token(tx, EmailTokenPurpose::VerifyEmail, &secret).await?.ok_or(UseLinkError::Invalid)?;
        let now = tx.now();
        let verify = tx.run(queries::VERIFY_EMAIL).bind(sent.user_id).bind(sent.email.as_str()).bind(now);
        if verify.execute().await? == 0 {
            return Err(UseLinkError::Invalid);
        }
        claim_guests(tx, sent.user_id).await?;
        account_of_user(tx, sent.user_id).await?.ok_or(UseLinkError::Invalid)
    })
    .await
}

/// Sets a new password and ends all sessions and access tokens of the user: whoever knew the old one, or registered with
/// somebody else's address, is out.
pub(super) async fn reset_password(
    db: &Db,
    config: &Config,
    credentials: &Credentials,
    client: IpAddr,
    token: &str,
    password: String,
) -> Result<(), UseLinkError> {
    let secret = RandomSecret::parse(token).ok_or(UseLinkError::Invalid)?;
    // Hashing is expensive: whoever has no link must not be able to ask for it.
    let sent = find_email_token(db, EmailTokenPurpose::ResetPassword, &secret).await?.ok_or(UseLinkError::Invalid)?;
    if is_guessable(&password, &sent.email, &config.shop.name) {
        return Err(UseLinkError::Guessable);
    }
    let hash = credentials.passwords.hash_for(client, password).await?;
    let email = db
        .write(async |tx| -> Result<String, UseLinkError> {
            // Before the link, as whoever else changes a user: two that wait for one another would both be lost.
            tx.run(queries::LOCK_USER).bind(sent.user_id).execute().await?;
            let sent =
                use_email_token(tx, EmailTokenPurpose::ResetPassword, &secret).await?.ok_or(UseLinkError::Invalid)?;
            let now = tx.now();
            let set = tx.run(queries::SET_PASSWORD).bind(sent.user_id).bind(sent.email.as_str()).bind(now);
            if set.bind(hash.as_str()).execute().await? == 0 {
                return Err(UseLinkError::Invalid);
            }
            end_access(tx, sent.user_id).await?;
            claim_guests(tx, sent.user_id).await?;
            Ok(sent.email)
        })
        .await?;
    credentials.limiter.forgive_email(LimitClass::FailedLogins, &email).await;
    Ok(())
}

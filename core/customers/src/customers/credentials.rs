//! Checking an e-mail address and a password, within the guard of failed attempts (S5.2, S8).

use std::net::IpAddr;
use std::sync::Arc;

use stoa_kernel::auth::{LimitClass, LimitReached, Limiter, PasswordCheck, PasswordError, PasswordHasher};
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::rules::{Field, field};
use stoa_kernel::i18n::Message;

use super::create::{CustomerRecord, find_customer};
use super::fields::PASSWORD_LENGTH;
use super::queries;

/// The rule of a password that is chosen anew (contract 2.4).
pub fn new_password() -> Field {
    field("password").required().string().min(*PASSWORD_LENGTH.start()).max(*PASSWORD_LENGTH.end()).untrimmed()
}

/// Why credentials let nobody in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CredentialsError {
    /// They are not, or no longer, somebody's.
    #[error("the credentials are not somebody's")]
    Wrong,
    /// There were too many failures.
    #[error(transparent)]
    Limit(#[from] LimitReached),
    /// The password could not be checked.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<CredentialsError> for ApiError {
    fn from(error: CredentialsError) -> Self {
        match error {
            CredentialsError::Wrong => Self::invalid_field("email", Message::InvalidCredentials),
            CredentialsError::Limit(error) => error.into(),
            CredentialsError::Password(error) => error.into(),
            CredentialsError::Db(error) => error.into(),
        }
    }
}

/// A customer whose password was right when it was checked. Hashing takes a while, in which it may have been changed.
pub struct CheckedCustomer(CustomerRecord);

impl CheckedCustomer {
    /// The customer.
    pub(crate) fn record(&self) -> &CustomerRecord {
        &self.0
    }

    /// Confirms, first of all in the transaction that lets the customer in, that the password is still the same, and keeps it
    /// so until the commit. Without this, a login that was begun with an old password would outlive the change.
    pub(crate) async fn confirm(&self, tx: &mut Tx) -> Result<(), CredentialsError> {
        let confirm = tx.run(queries::CONFIRM_PASSWORD).bind(self.0.user_id).bind(self.0.password_hash.as_deref());
        confirm.optional_scalar::<i64>().await?.map(drop).ok_or(CredentialsError::Wrong)
    }
}

/// Checks credentials for token creation and login alike.
#[derive(Clone)]
pub struct Credentials {
    /// Counts failures.
    pub limiter: Arc<Limiter>,
    /// Compares passwords.
    pub passwords: PasswordHasher,
}

impl Credentials {
    /// The customer whose credentials these are, which came from this address; `email` is in lower case.
    ///
    /// An unknown address costs the same work and gets the same answer as a wrong password.
    pub(crate) async fn check(
        &self,
        db: &Db,
        client: IpAddr,
        email: &str,
        password: String,
    ) -> Result<CheckedCustomer, CredentialsError> {
        let attempt = Box::pin(self.verify(db, client, email, &password));
        let checked = self.limiter.attempt(LimitClass::FailedLogins, email, attempt).await?;
        checked.ok_or(CredentialsError::Wrong)
    }

    /// The customer if the password is right. A hash that was made at another cost is made anew.
    async fn verify(
        &self,
        db: &Db,
        client: IpAddr,
        email: &str,
        password: &str,
    ) -> Result<Option<CheckedCustomer>, CredentialsError> {
        // Whoever renews a hash may find that another login has just done so; that one's is right as well.
        for _ in 0..2 {
            let customer = find_customer(db, email).await?;
            let stored = customer.as_ref().and_then(|customer| customer.password_hash.clone());
            let verdict = self.passwords.verify(client, password.to_owned(), stored).await?;
            let (PasswordCheck::Right { renewed }, Some(mut customer)) = (verdict, customer) else { break };
            let Some(renewed) = renewed else { return Ok(Some(CheckedCustomer(customer))) };
            let before = customer.password_hash.replace(renewed.clone());
            let update = async |tx: &mut Tx| {
                tx.run(queries::RENEW_PASSWORD_HASH)
                    .bind(customer.user_id)
                    .bind(before.as_deref())
                    .bind(renewed.as_str())
                    .execute()
                    .await
            };
            if db.write(update).await? == 1 {
                return Ok(Some(CheckedCustomer(customer)));
            }
        }
        Ok(None)
    }
}

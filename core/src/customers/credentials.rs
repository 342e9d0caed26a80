//! Checking an e-mail address and a password, within the guard of failed attempts (S5.2, S8).

use std::sync::Arc;

use super::create::{CustomerRecord, find_customer};
use super::fields::PASSWORD_LENGTH;
use super::queries;
use crate::auth::{LimitClass, Limiter, PasswordHasher, Verdict};
use crate::db::Tx;
use crate::http::error::{ApiError, ApiResult};
use crate::http::rules::{Field, field};
use crate::i18n::Message;
use crate::services::Services;

/// The rule of a password that is chosen anew (contract 2.4).
pub(crate) fn new_password() -> Field {
    field("password").required().string().min(*PASSWORD_LENGTH.start()).max(*PASSWORD_LENGTH.end()).untrimmed()
}

/// Checks credentials for token creation and login alike.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(crate) limiter: Arc<Limiter>,
    pub(crate) passwords: PasswordHasher,
}

impl Credentials {
    /// The customer whose credentials these are; `email` is in lower case.
    ///
    /// An unknown address costs the same work and gets the same answer as a wrong password: 422
    /// `validation_error`, or 429 when there were too many failures.
    pub(crate) async fn check(&self, services: &Services, email: &str, password: String) -> ApiResult<CustomerRecord> {
        // The slot is reserved before the password is checked, so that parallel guesses cannot share it.
        self.limiter.count_email(LimitClass::FailedLogins, email).await?;
        let customer = find_customer(&services.db, email).await?;
        let stored = customer.as_ref().and_then(|customer| customer.password_hash.clone());
        let verdict = self.passwords.verify(password, stored).await?;
        let (Verdict::Right { renewed }, Some(mut customer)) = (verdict, customer) else {
            return Err(ApiError::invalid_field("email", Message::InvalidCredentials));
        };
        self.limiter.forgive_email(LimitClass::FailedLogins, email).await;
        if let Some(renewed) = renewed {
            let before = customer.password_hash.replace(renewed.clone());
            let update = async |tx: &mut Tx| {
                tx.run(queries::RENEW_PASSWORD_HASH)
                    .bind(customer.user_id)
                    .bind(before.as_deref())
                    .bind(renewed.as_str())
                    .execute()
                    .await
            };
            services.db.write(update).await?;
        }
        Ok(customer)
    }
}

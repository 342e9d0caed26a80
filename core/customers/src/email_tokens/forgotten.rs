//! Whoever forgot a password: what is asked for is written down, and looked into after the answer.
//!
//! So a request does the same work whether the address is known or not, and neither its answer nor its time tells.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use stoa_kernel::auth::{LimitClass, Limiter};
use stoa_kernel::db::DbError;
use stoa_kernel::events::{AfterCommit, CommittedEvent, Event, ListenerError};
use stoa_kernel::i18n::Language;

use super::sending::EmailTokenSender;
use super::store::EmailTokenPurpose;
use crate::customers::find_customer;

/// Somebody asked for a new password.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PasswordForgotten {
    /// The address that they named, in lower case; it may be nobody's.
    pub(super) email: String,
    /// The language in which they asked, as a tag.
    #[serde(default)]
    pub(super) language: Option<String>,
}

impl Event for PasswordForgotten {
    const NAME: &'static str = "PasswordForgotten";
}

impl CommittedEvent for PasswordForgotten {}

/// Sends the link to the customer with that address, if there is one.
pub(crate) struct SendResetLink {
    pub limiter: Arc<Limiter>,
}

impl SendResetLink {
    /// The listener's lasting id.
    pub(crate) const ID: &'static str = "core.send_reset_link";
}

impl AfterCommit<PasswordForgotten> for SendResetLink {
    type Uses = EmailTokenSender;

    async fn after_commit(&self, event: &PasswordForgotten, sender: &EmailTokenSender) -> Result<(), ListenerError> {
        let Some(customer) = find_customer(&sender.db, &event.email).await? else { return Ok(()) };
        // Nobody is told that the mailbox of somebody else has had enough; it just gets no more.
        if self.limiter.count_email(LimitClass::AccountMail, &customer.email).await.is_err() {
            return Ok(());
        }
        let language = event.language.as_deref().map(Language::of_locale);
        let language = language.unwrap_or_else(|| sender.mailer.own_language());
        let send = sender.db.write(async |tx| -> Result<(), DbError> {
            let reset = EmailTokenPurpose::ResetPassword;
            sender.send_email_token(tx, reset, customer.user_id, &customer.email, language).await
        });
        Ok(send.await?)
    }
}

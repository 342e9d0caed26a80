//! Links as they are kept: made, sent, used and forgotten.

use chrono::TimeDelta;

use stoa_kernel::auth::RandomSecret;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::{InTransaction, ListenerError};
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::mail::NewMessage;
use stoa_kernel::text;

use super::queries;
use super::sending::EmailTokenSender;
use crate::customers::CustomerAnonymizing;

/// How long an address can be confirmed.
const VERIFY_EMAIL_DAYS: i64 = 3;

/// How long a new password can be chosen: whoever finds the mail later must not be able to.
const RESET_PASSWORD_MINUTES: i64 = 60;

/// What a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmailTokenPurpose {
    /// Confirms that an address belongs to a user.
    VerifyEmail,
    /// Sets a new password.
    ResetPassword,
}

impl EmailTokenPurpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verify_email",
            Self::ResetPassword => "reset_password",
        }
    }

    /// The path of the shop's own page for such links.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::VerifyEmail => "/account/verify-email",
            Self::ResetPassword => "/account/reset-password",
        }
    }

    fn lifetime(self) -> TimeDelta {
        match self {
            Self::VerifyEmail => TimeDelta::days(VERIFY_EMAIL_DAYS),
            Self::ResetPassword => TimeDelta::minutes(RESET_PASSWORD_MINUTES),
        }
    }

    fn link(self, config: &Config, base_url: &str, secret: &RandomSecret) -> String {
        let accounts = &config.accounts;
        let template = match self {
            Self::VerifyEmail => &accounts.verify_email_url,
            Self::ResetPassword => &accounts.reset_password_url,
        };
        match template {
            Some(template) => template.link(secret.expose()),
            None => format!("{}{}?token={}", base_url, self.path(), secret.expose()),
        }
    }

    /// What the button says that stands for the link.
    fn action(self) -> Message {
        match self {
            Self::VerifyEmail => text!("links-verify-button"),
            Self::ResetPassword => text!("links-reset-button"),
        }
    }

    /// Subject and body of the mail in the name of a shop.
    fn letter(self, link: &str, shop: &str) -> (Message, Message) {
        match self {
            Self::VerifyEmail => (
                text!("links-verify-email-subject", shop = shop),
                text!("links-verify-email-body", shop = shop, link = link, days = VERIFY_EMAIL_DAYS),
            ),
            Self::ResetPassword => (
                text!("links-reset-password-subject", shop = shop),
                text!("links-reset-password-body", shop = shop, link = link, minutes = RESET_PASSWORD_MINUTES),
            ),
        }
    }
}

impl EmailTokenSender {
    /// Makes a link and writes the mail that brings it to `email`. The user's older links of this purpose are void. A shop
    /// that sends no mail does nothing.
    pub(crate) async fn send_email_token(
        &self,
        tx: &mut Tx,
        purpose: EmailTokenPurpose,
        user_id: i64,
        email: &str,
        language: Language,
    ) -> Result<(), DbError> {
        if !self.mailer.is_configured() {
            return Ok(());
        }
        let secret = RandomSecret::new(&self.random);
        let now = tx.now();
        let expires_at = now + purpose.lifetime();
        let replace = tx.run(queries::REPLACE).bind(purpose.as_str()).bind(user_id).bind(secret.hash().to_vec());
        replace.bind(email).bind(now).bind(expires_at).execute().await?;
        let link = purpose.link(&self.config, &self.base_url, &secret);
        let (subject, body) = purpose.letter(&link, &self.config.shop.name);
        let (kind, action) = (purpose.as_str(), purpose.action());
        self.mailer.letter(tx, NewMessage { kind, recipient: email, language, subject, body, action, expires_at }).await
    }
}

/// Whom a link was sent to.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct SentEmailToken {
    pub(super) user_id: i64,
    /// The address at that time.
    pub(super) email: String,
}

/// Whom a link was sent to that would work now, without using it.
pub(super) async fn find_email_token(
    db: &Db,
    purpose: EmailTokenPurpose,
    secret: &RandomSecret,
) -> Result<Option<SentEmailToken>, DbError> {
    let find = db.read(queries::FIND).bind(secret.hash().to_vec()).bind(purpose.as_str());
    find.bind(db.now()).optional().await
}

/// Voids the link by which a user could set a new password.
pub(crate) async fn void_reset_tokens(tx: &mut Tx, user_id: i64) -> Result<(), DbError> {
    tx.run(queries::DELETE_OF_PURPOSE)
        .bind(user_id)
        .bind(EmailTokenPurpose::ResetPassword.as_str())
        .execute()
        .await
        .map(drop)
}

/// Uses a link up, if there is such a one that has not expired. Of several who try at the same time, one succeeds.
pub(super) async fn use_email_token(
    tx: &mut Tx,
    purpose: EmailTokenPurpose,
    secret: &RandomSecret,
) -> Result<Option<SentEmailToken>, DbError> {
    let now = tx.now();
    tx.run(queries::USE).bind(secret.hash().to_vec()).bind(purpose.as_str()).bind(now).optional().await
}

/// Deletes the links of whoever is anonymized.
pub(super) struct EraseEmailTokens;

impl InTransaction<CustomerAnonymizing> for EraseEmailTokens {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::DELETE_OF_USER).bind(event.user_id).execute().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use stoa_kernel::i18n::{Language, Texts};

    use super::*;

    const LINK: &str = "https://shop.example/account/x?token=abc";

    #[test]
    fn every_letter_names_shop_link_and_time_in_every_language() {
        for (purpose, time) in [
            (EmailTokenPurpose::VerifyEmail, VERIFY_EMAIL_DAYS),
            (EmailTokenPurpose::ResetPassword, RESET_PASSWORD_MINUTES),
        ] {
            let (subject, body) = purpose.letter(LINK, "Lamps & Co");
            let say = |text, language| Texts::built_in().say(text, language);
            let texts = Language::BUILT_IN.map(|language| (say(&subject, language), say(&body, language)));
            for (subject, body) in &texts {
                assert!(subject.contains("Lamps & Co") && body.contains("Lamps & Co"), "{subject}\n{body}");
                assert!(body.lines().any(|line| line == LINK), "{body}");
                assert!(body.contains(&time.to_string()) && body.ends_with('.') && !subject.contains('\n'), "{body}");
                assert!(body.lines().all(|line| line.chars().count() <= 78), "{body}");
            }
            let [en, de, nl] = texts;
            assert!(en.0 != de.0 && de.0 != nl.0 && en.0 != nl.0 && en.1 != de.1 && de.1 != nl.1 && en.1 != nl.1);
        }
    }
}

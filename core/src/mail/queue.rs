//! Writing messages down, to be sent once their transaction has committed.

use chrono::{DateTime, Utc};

use super::queries;
use crate::config::Config;
use crate::customers::CustomerAnonymizing;
use crate::db::{DbError, Tx};
use crate::encryption::Place;
use crate::events::{InTransaction, ListenerError};
use crate::i18n::{Language, Letter};
use crate::services::Services;

/// A message to be sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewMessage<'a> {
    /// The address. No name stands beside it: whoever registers with somebody else's address must not
    /// have the shop send texts of their own there.
    pub(crate) recipient: &'a str,
    /// What it says.
    pub(crate) letter: Letter<'a>,
    /// When it is of no use any more, and not sent if it still waits.
    pub(crate) expires_at: DateTime<Utc>,
}

/// Whether the shop can send mail at all.
pub(crate) fn is_configured(config: &Config) -> bool {
    config.mail.smtp.host.is_some() && config.mail.from.is_some()
}

/// Writes a message in the shop's language. The commit has it sent, a rollback removes it; a shop that sends no mail
/// writes nothing.
pub(crate) async fn queue(tx: &mut Tx, services: &Services, new: NewMessage<'_>) -> Result<(), DbError> {
    let config = &services.config;
    let Some(from) = config.mail.from.as_ref().filter(|_| is_configured(config)) else { return Ok(()) };
    let language = Language::of_locale(config.shop.locale.id.language.as_str());
    let (subject, body) = new.letter.text(language, &config.shop.name);
    let message_id = format!("<{}@{}>", services.random.uuid(), from.address().domain());
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(new.recipient).bind(subject).bind(Vec::<u8>::new());
    let insert = insert.bind(language.tag()).bind(message_id).bind(now).bind(new.expires_at);
    let id = insert.scalar::<i64>().await?;
    let sealed = services.cipher.seal(body_place(id), body.as_bytes());
    tx.run(queries::SET_BODY).bind(id).bind(sealed).execute().await?;
    tx.wake_runner();
    Ok(())
}

/// Where the body of a message is kept.
pub(super) fn body_place(id: i64) -> Place {
    Place { table: "mail_messages", column: "body", row: id }
}

/// Deletes the messages to whoever is anonymized.
pub(super) struct EraseMessages;

impl InTransaction<CustomerAnonymizing> for EraseMessages {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::DELETE_TO).bind(event.email.as_str()).execute().await?;
        Ok(())
    }
}

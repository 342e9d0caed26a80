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

/// A message that somebody else has put into words.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenMessage<'a> {
    /// What the message is about, such as `order_paid:12`: a second one with this key is not sent.
    pub(super) key: &'a str,
    /// The address.
    pub(super) recipient: &'a str,
    /// What it is called, in one line.
    pub(super) subject: &'a str,
    /// What it says.
    pub(super) body: &'a str,
    /// The language of both.
    pub(super) language: Language,
    /// The file that it brings.
    pub(super) attachment: Option<&'a Attachment>,
    /// When it is of no use any more, and not sent if it still waits.
    pub(super) expires_at: DateTime<Utc>,
}

/// A file that goes along with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attachment {
    /// Its name, in ASCII.
    pub(crate) name: String,
    /// What it is, such as `application/pdf`.
    pub(crate) media_type: &'static str,
    /// Its content, no longer than [`MAX_ATTACHMENT`].
    pub(crate) content: Vec<u8>,
}

/// What has become of a message that was to be written once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It is written, and goes out after the commit.
    Now,
    /// One with its key was written before.
    Before,
    /// There is nobody to be written to, or no mail server.
    Nothing,
}

/// Bytes of the largest file that goes along with a message. Many mail servers refuse messages of more than 10 MB, and a
/// file grows by a third on its way.
pub(crate) const MAX_ATTACHMENT: usize = 5 << 20;

/// Whether the shop can send mail at all.
pub(crate) fn is_configured(config: &Config) -> bool {
    config.mail.smtp.host.is_some() && config.mail.from.is_some()
}

/// Writes a message in the shop's language. The commit has it sent, a rollback removes it; a shop that sends no mail
/// writes nothing.
pub(crate) async fn queue(tx: &mut Tx, services: &Services, new: NewMessage<'_>) -> Result<(), DbError> {
    let config = &services.config;
    let language = Language::of_locale(config.shop.locale.id.language.as_str());
    let (subject, body) = new.letter.text(language, &config.shop.name);
    let texts = Texts { subject: &subject, body: &body, language };
    insert(tx, services, new.recipient, texts, new.expires_at).await?;
    Ok(())
}

/// Writes a message, unless there was one with this key. The commit has it sent, a rollback removes it; a shop that sends
/// no mail writes nothing.
pub(super) async fn queue_once(tx: &mut Tx, services: &Services, new: WrittenMessage<'_>) -> Result<Queued, DbError> {
    if !is_configured(&services.config) {
        return Ok(Queued::Nothing);
    }
    let now = tx.now();
    // Whoever writes about the same thing at this moment waits here for the other.
    if tx.run(queries::TAKE_KEY).bind(new.key).bind(now).execute().await? == 0 {
        return Ok(Queued::Before);
    }
    let texts = Texts { subject: new.subject, body: new.body, language: new.language };
    let id = insert(tx, services, new.recipient, texts, new.expires_at).await?;
    if let Some((id, attachment)) = id.zip(new.attachment) {
        let sealed = services.cipher.seal(attachment_place(id), &attachment.content);
        let insert = tx.run(queries::INSERT_ATTACHMENT).bind(id).bind(attachment.name.as_str());
        insert.bind(attachment.media_type).bind(sealed).execute().await?;
    }
    Ok(Queued::Now)
}

/// What a message says.
struct Texts<'a> {
    subject: &'a str,
    body: &'a str,
    language: Language,
}

/// Writes the row of a message; none in a shop that sends no mail.
async fn insert(
    tx: &mut Tx,
    services: &Services,
    recipient: &str,
    texts: Texts<'_>,
    expires_at: DateTime<Utc>,
) -> Result<Option<i64>, DbError> {
    let config = &services.config;
    let Some(from) = config.mail.from.as_ref().filter(|_| is_configured(config)) else { return Ok(None) };
    let message_id = format!("<{}@{}>", services.random.uuid(), from.address().domain());
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(recipient).bind(texts.subject).bind(Vec::<u8>::new());
    let insert = insert.bind(texts.language.tag()).bind(message_id).bind(now).bind(expires_at);
    let id = insert.scalar::<i64>().await?;
    let sealed = services.cipher.seal(body_place(id), texts.body.as_bytes());
    tx.run(queries::SET_BODY).bind(id).bind(sealed).execute().await?;
    tx.wake_runner();
    Ok(Some(id))
}

/// Where the file of a message is kept.
pub(super) fn attachment_place(id: i64) -> Place {
    Place { table: "mail_attachments", column: "content", row: id }
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

//! Writing mails down in a transaction.

use chrono::{DateTime, Utc};

use super::queries;
use super::queue::{NewMessage, Queued, WrittenMessage, attachment_place, body_place, is_configured};
use super::task::SendMail;
use crate::db::{DbError, Tx};
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Language;

/// Writes mails down, to be sent once the transaction has committed.
#[derive(Clone)]
pub struct Mailer {
    pub(super) shop: ShopParts,
}

impl FromShop for Mailer {
    fn from_shop(shop: &ShopParts) -> Self {
        Self { shop: shop.clone() }
    }
}

/// What a message says.
struct Content<'a> {
    subject: &'a str,
    body: &'a str,
    language: Language,
}

impl Mailer {
    /// Whether the shop can send mail at all.
    pub fn is_configured(&self) -> bool {
        is_configured(&self.shop.config)
    }

    /// Writes a message in the shop's language. The commit has it sent, a rollback removes it; a shop that sends no mail
    /// writes nothing.
    pub async fn letter(&self, tx: &mut Tx, new: NewMessage<'_>) -> Result<(), DbError> {
        let ShopParts { config, texts, .. } = &self.shop;
        let language = texts.language_of(&config.shop.locale.to_string());
        let (subject, body) = (texts.say(&new.subject, language), texts.say(&new.body, language) + "\n");
        let content = Content { subject: &subject, body: &body, language };
        self.insert(tx, new.recipient, content, new.expires_at).await.map(drop)
    }

    /// Writes a message, unless there was one with this key. The commit has it sent, a rollback removes it; a shop that sends
    /// no mail writes nothing.
    pub(super) async fn write_once(&self, tx: &mut Tx, new: WrittenMessage<'_>) -> Result<Queued, DbError> {
        if !self.is_configured() {
            return Ok(Queued::Nothing);
        }
        let now = tx.now();
        // Whoever writes about the same thing at this moment waits here for the other.
        if tx.run(queries::TAKE_KEY).bind(new.key).bind(now).execute().await? == 0 {
            return Ok(Queued::Before);
        }
        let content = Content { subject: new.subject, body: new.body, language: new.language };
        let id = self.insert(tx, new.recipient, content, new.expires_at).await?;
        if let Some((id, attachment)) = id.zip(new.attachment) {
            let sealed = self.shop.cipher.seal(attachment_place(id), &attachment.content);
            let insert = tx.run(queries::INSERT_ATTACHMENT).bind(id).bind(attachment.name.as_str());
            insert.bind(attachment.media_type).bind(sealed).execute().await?;
        }
        Ok(Queued::Now)
    }

    /// Writes the row of a message; none in a shop that sends no mail.
    async fn insert(
        &self,
        tx: &mut Tx,
        recipient: &str,
        content: Content<'_>,
        expires_at: DateTime<Utc>,
    ) -> Result<Option<i64>, DbError> {
        let ShopParts { config, random, cipher, .. } = &self.shop;
        let Some(from) = config.mail.from.as_ref().filter(|_| self.is_configured()) else { return Ok(None) };
        let message_id = format!("<{}@{}>", random.uuid(), from.address().domain());
        let now = tx.now();
        let insert = tx.run(queries::INSERT).bind(recipient).bind(content.subject).bind(Vec::<u8>::new());
        let insert = insert.bind(content.language.tag()).bind(message_id).bind(now).bind(expires_at);
        let id = insert.scalar::<i64>().await?;
        let sealed = cipher.seal(body_place(id), content.body.as_bytes());
        tx.run(queries::SET_BODY).bind(id).bind(sealed).execute().await?;
        tx.enqueue(&SendMail { mail_message_id: id })?;
        Ok(Some(id))
    }
}

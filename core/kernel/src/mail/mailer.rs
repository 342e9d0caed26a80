//! Writing mails down in a transaction.

use chrono::{DateTime, Utc};

use serde_json::{Value, json};

use super::file::MailFile;
use super::queries;
use super::queue::{
    Attachment, NewMessage, Queued, WrittenMessage, attachment_place, body_place, html_place, is_configured,
};
use super::task::SendMail;
use super::templates::{Letterhead, Written};
use crate::db::{DbError, Tx};
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::{Language, Message};

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

/// A row that is to be written.
pub(super) struct NewRow<'a> {
    pub(super) kind: Option<&'a str>,
    pub(super) recipient: &'a str,
    pub(super) customer_id: Option<i64>,
    pub(super) order_id: Option<i64>,
    pub(super) written: &'a Written,
    pub(super) expires_at: DateTime<Utc>,
    /// Whether what it says is forgotten once it is sent.
    pub(super) is_secret: bool,
}

/// What the layout says of the shop.
pub(super) struct OwnLetterhead {
    shop_name: String,
    shop_address: String,
}

impl OwnLetterhead {
    pub(super) fn borrowed(&self) -> Letterhead<'_> {
        Letterhead { shop_name: &self.shop_name, shop_address: &self.shop_address }
    }
}

impl Mailer {
    /// Whether the shop can send mail at all.
    pub fn is_configured(&self) -> bool {
        is_configured(&self.shop.config)
    }

    /// The shop's own language.
    pub fn own_language(&self) -> Language {
        let ShopParts { config, texts, .. } = &self.shop;
        texts.language_of(&config.shop.locale.to_string())
    }

    /// Name and address of the shop.
    pub(super) fn letterhead(&self) -> OwnLetterhead {
        let (shop, seller) = (&self.shop.config.shop, &self.shop.config.seller);
        let own = seller.name.iter().filter(|name| **name != shop.name);
        let lines = own.chain(&seller.address).map(String::as_str).collect::<Vec<_>>();
        OwnLetterhead { shop_name: shop.name.clone(), shop_address: lines.join("\n") }
    }

    /// Puts a mail into a language that is made of texts.
    pub fn words(&self, subject: &Message, body: &Message, action: Option<&Message>, language: Language) -> Written {
        let ShopParts { texts, mail_templates, .. } = &self.shop;
        let (subject, text) = (texts.say(subject, language), texts.say(body, language) + "\n");
        let action = action.map(|action| texts.say(action, language));
        mail_templates.write_words(&subject, text, action.as_deref(), language, self.letterhead().borrowed())
    }

    /// Writes a message. The commit has it sent, a rollback removes it; a shop that sends no mail
    /// writes nothing.
    pub async fn letter(&self, tx: &mut Tx, new: NewMessage<'_>) -> Result<(), DbError> {
        let written = self.words(&new.subject, &new.body, Some(&new.action), new.language);
        let row = NewRow {
            kind: Some(new.kind),
            recipient: new.recipient,
            customer_id: None,
            order_id: None,
            written: &written,
            expires_at: new.expires_at,
            is_secret: true,
        };
        self.insert(tx, row).await.map(drop)
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
        let row = NewRow {
            kind: Some(new.kind),
            recipient: new.recipient,
            customer_id: new.customer_id,
            order_id: new.order_id,
            written: new.written,
            expires_at: new.expires_at,
            is_secret: false,
        };
        if let Some(id) = self.insert(tx, row).await? {
            self.attach(tx, id, new.attachment, new.files).await?;
        }
        Ok(Queued::Now)
    }

    async fn attach(
        &self,
        tx: &mut Tx,
        message_id: i64,
        attachment: Option<&Attachment>,
        files: &[MailFile],
    ) -> Result<(), DbError> {
        if let Some(attachment) = attachment {
            let sealed = self.shop.cipher.seal(attachment_place(message_id), &attachment.content);
            let insert = tx.run(queries::INSERT_ATTACHMENT).bind(message_id).bind(attachment.name.as_str());
            insert.bind(attachment.media_type).bind(sealed).execute().await?;
        }
        if !files.is_empty() {
            let rows = files.iter().map(
                |file| json!({"name": file.name, "media_type": file.media_type, "kind": file.kind, "id": file.id}),
            );
            let rows = rows.collect::<Value>().to_string();
            tx.run(queries::INSERT_FILES).bind(message_id).bind(rows).execute().await?;
        }
        Ok(())
    }

    /// Writes the row of a message; none in a shop that sends no mail.
    pub(super) async fn insert(&self, tx: &mut Tx, new: NewRow<'_>) -> Result<Option<i64>, DbError> {
        let ShopParts { config, random, cipher, .. } = &self.shop;
        let Some(from) = config.mail.from.as_ref().filter(|_| self.is_configured()) else { return Ok(None) };
        let message_id = format!("<{}@{}>", random.uuid(), from.address().domain());
        let now = tx.now();
        let insert = tx.run(queries::INSERT).bind(new.recipient).bind(new.written.subject.as_str());
        let insert = insert.bind(Vec::<u8>::new()).bind(new.written.language.tag()).bind(message_id).bind(now);
        let insert =
            insert.bind(new.expires_at).bind(new.kind).bind(new.customer_id).bind(new.is_secret).bind(new.order_id);
        let id = insert.scalar::<i64>().await?;
        let body = cipher.seal(body_place(id), new.written.text.as_bytes());
        let html = cipher.seal(html_place(id), new.written.html.as_bytes());
        tx.run(queries::SET_WORDS).bind(id).bind(body).bind(html).execute().await?;
        tx.enqueue(&SendMail { mail_message_id: id })?;
        Ok(Some(id))
    }
}

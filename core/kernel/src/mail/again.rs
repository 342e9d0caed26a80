//! Writing a mail once more that was sent.

use chrono::{DateTime, Utc};

use super::mailer::{Mailer, NewRow};
use super::notice::LIFETIME;
use super::queries;
use super::queue::{body_place, html_place};
use super::templates::{MailAbout, Written};
use crate::db::{DbError, Tx};
use crate::from_shop::ShopParts;

/// How mails to the owner of the shop begin, which do not go to the customer whom they are about.
const TO_OWNER: &str = "owner_";

/// What has become of a mail that was to be sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentAgain {
    /// It is written down under this id and goes to this address.
    Written(i64, String),
    /// There is none of this id.
    Unknown,
    /// It was not sent yet.
    Unsent,
    /// It opened something, and what it said is forgotten.
    Forgotten,
    /// A file came along that is not kept.
    WithoutFile,
    /// Whom it was written to is not known any more.
    Nobody,
    /// The shop sends no mail.
    NoServer,
}

#[derive(sqlx::FromRow)]
struct WrittenRow {
    recipient: String,
    subject: String,
    body: Vec<u8>,
    html: Option<Vec<u8>>,
    language: String,
    kind: Option<String>,
    customer_id: Option<i64>,
    order_id: Option<i64>,
    is_secret: bool,
    sent_at: Option<DateTime<Utc>>,
}

impl Mailer {
    /// Writes a mail once more that was sent, with the same words and files: to the address that the customer has now if it is
    /// about an order, else to the one that it went to.
    pub async fn send_again(&self, tx: &mut Tx, id: i64) -> Result<SentAgain, DbError> {
        let Some(row) = tx.run(queries::FIND_WRITTEN).bind(id).optional::<WrittenRow>().await? else {
            return Ok(SentAgain::Unknown);
        };
        if row.sent_at.is_none() {
            return Ok(SentAgain::Unsent);
        }
        let Some(written) = self.words_of(id, &row) else { return Ok(SentAgain::Forgotten) };
        if tx.run(queries::COUNT_OWN_FILES).bind(id).scalar::<i64>().await? > 0 {
            return Ok(SentAgain::WithoutFile);
        }
        let Some(recipient) = self.reader_now(tx, &row).await? else { return Ok(SentAgain::Nobody) };
        let again = NewRow {
            kind: row.kind.as_deref(),
            recipient: &recipient,
            customer_id: row.customer_id,
            order_id: row.order_id,
            written: &written,
            expires_at: tx.now() + LIFETIME,
            is_secret: false,
        };
        let Some(new) = self.insert(tx, again).await? else { return Ok(SentAgain::NoServer) };
        tx.run(queries::COPY_FILES).bind(new).bind(id).execute().await?;
        Ok(SentAgain::Written(new, recipient))
    }

    /// What a mail said; nothing where that is forgotten, or cannot be decrypted.
    fn words_of(&self, id: i64, row: &WrittenRow) -> Option<Written> {
        let ShopParts { cipher, texts, mail_templates, .. } = &self.shop;
        if row.is_secret {
            return None;
        }
        let text = String::from_utf8(cipher.open(body_place(id), &row.body).ok()?).ok()?;
        let language = texts.language_of(&row.language);
        let html = row.html.as_deref().and_then(|html| cipher.open(html_place(id), html).ok());
        Some(match html.and_then(|html| String::from_utf8(html).ok()) {
            Some(html) => Written { subject: row.subject.clone(), text, html, language },
            // One of before HTML was kept.
            None => mail_templates.write_words(&row.subject, text, None, language, self.letterhead().borrowed()),
        })
    }

    /// Whom it goes to now.
    async fn reader_now(&self, tx: &mut Tx, row: &WrittenRow) -> Result<Option<String>, DbError> {
        let is_to_owner = row.kind.as_ref().is_some_and(|kind| kind.starts_with(TO_OWNER));
        let Some(order_id) = row.order_id.filter(|_| !is_to_owner) else { return Ok(Some(row.recipient.clone())) };
        let found = self.shop.mail_templates.find_reader(tx, &self.shop, MailAbout::Order, order_id).await?;
        Ok(found.map(|reader| reader.recipient))
    }
}

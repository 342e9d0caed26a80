//! Mails from registered texts: what features and modules tell customers.

use std::fmt::Display;

use chrono::{DateTime, TimeDelta, Utc};

use super::file::MailFile;
use super::mailer::Mailer;
use super::part::MailPart;
use super::queue::{Attachment, Queued, WrittenMessage};
use super::reader::MailReader;
use super::rows::{MailRow, html_of_rows, text_of_rows};
use super::templates::{Blocks, MailAbout, MailTemplate};
use crate::db::{DbError, Tx};
use crate::i18n::Language;
use crate::mail::MailTemplates;

/// How long a mail waits for a mail server that does not answer.
pub(super) const LIFETIME: TimeDelta = TimeDelta::days(7);

/// What a placeholder stands for.
#[derive(Debug, Clone)]
enum Value {
    Text(String),
    Date(DateTime<Utc>),
    Amount(i64),
    /// A text, and the same as HTML.
    Block(String, String),
}

/// Who reads a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Recipient {
    /// Whom it is about, in their language.
    Reader,
    /// Somebody else, in the shop's.
    Other(String),
}

/// A mail to a customer, to be put into words by [`Mailer::notice`].
#[derive(Debug, Clone)]
pub struct MailNotice<'a> {
    template: &'a MailTemplate,
    id: i64,
    key: String,
    values: Vec<(&'static str, Value)>,
    files: Vec<MailFile>,
    recipient: Recipient,
    /// Instead of the reader's.
    language: Option<Language>,
}

impl<'a> MailNotice<'a> {
    /// A mail about the order, or to the customer, of this id: whichever the template is about. Of one template, a key is
    /// written about once; make it of what has happened, such as the id of a row and the number of a step.
    pub fn new(template: &'a MailTemplate, id: i64, key: impl Display) -> Self {
        let key = format!("{}:{key}", template.name);
        Self { template, id, key, values: Vec::new(), files: Vec::new(), recipient: Recipient::Reader, language: None }
    }

    /// The same mail to somebody else than the customer, in the shop's language. Each address is written to once for each key.
    #[must_use]
    pub fn to(mut self, address: &str) -> Self {
        self.key = format!("{}:{address}", self.key);
        self.recipient = Recipient::Other(address.to_owned());
        self
    }

    /// The same in this language, such as the one in which the reader has asked for it. The shop knows a language of orders only, and
    /// writes about anything else in its own.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// Says a text in one line: what would begin another becomes a blank.
    #[must_use]
    pub fn line(self, name: &'static str, text: &str) -> Self {
        self.with(name, Value::Text(in_one_line(text)))
    }

    /// Says a text that may have several lines.
    #[must_use]
    pub fn lines(self, name: &'static str, text: &str) -> Self {
        let lines = text.lines().map(in_one_line).collect::<Vec<_>>();
        self.with(name, Value::Text(lines.join("\n")))
    }

    /// Says a day, as it is written in the language of the mail.
    #[must_use]
    pub fn date(self, name: &'static str, time: DateTime<Utc>) -> Self {
        self.with(name, Value::Date(time))
    }

    /// Says an amount, given in minor units of the currency of the order that the mail is about, else of the shop's.
    #[must_use]
    pub fn amount(self, name: &'static str, amount: i64) -> Self {
        self.with(name, Value::Amount(amount))
    }

    /// Says rows, such as what was bought with what it costs.
    #[must_use]
    pub fn rows(self, name: &'static str, rows: &[MailRow]) -> Self {
        self.with(name, Value::Block(text_of_rows(rows), html_of_rows(rows)))
    }

    /// Says what modules say, and brings their files.
    #[must_use]
    pub fn parts(mut self, name: &'static str, parts: &[MailPart]) -> Self {
        self.files.extend(parts.iter().flat_map(|part| part.files.iter().cloned()));
        let text = parts.iter().map(MailPart::text).collect::<Vec<_>>().join("\n\n");
        let html = parts.iter().map(MailPart::html).collect();
        self.with(name, Value::Block(text, html))
    }

    /// Brings a file, which is made when the mail is sent.
    #[must_use]
    pub fn file(mut self, file: MailFile) -> Self {
        self.files.push(file);
        self
    }

    fn with(mut self, name: &'static str, value: Value) -> Self {
        self.values.push((name, value));
        self
    }

    /// The mistake of whoever sends this, if there is one: nobody shall wonder why a paragraph is never there.
    fn mistake(&self, mail_templates: &MailTemplates) -> Option<String> {
        let name = self.template.name;
        if mail_templates.find(name, Language::EN).is_none() {
            return Some(format!("the mail `{name}` is not registered: call `cx.mail_template` with it"));
        }
        let unknown = self.values.iter().find(|(value, _)| !self.template.placeholders.contains(value));
        unknown.map(|(value, _)| format!("the mail `{name}` has no placeholder `{value}`"))
    }
}

/// A text in one line.
pub fn in_one_line(text: &str) -> String {
    text.replace(|letter: char| letter.is_control(), " ")
}

impl Mailer {
    /// Writes a mail in the caller's transaction, once for each key of its template: the commit has it sent, a rollback removes
    /// it and frees the key.
    ///
    /// It goes to the address that the customer has now. Nothing is written to one who was anonymized, and nothing by a shop
    /// without a mail server; the key is not taken then. Fails for a mail that was not registered and for a value that it has
    /// no placeholder for, as a failing statement does.
    pub async fn notice(&self, tx: &mut Tx, notice: &MailNotice<'_>) -> Result<Queued, DbError> {
        self.notice_with_file(tx, notice, None).await
    }

    /// The same to each address of `mail.notify`, in the shop's language: what the owner wants to know. Nothing is written about
    /// somebody who was anonymized.
    pub async fn notify(&self, tx: &mut Tx, notice: &MailNotice<'_>) -> Result<(), DbError> {
        for address in &self.shop.config.mail.notify {
            self.notice(tx, &notice.clone().to(address)).await?;
        }
        Ok(())
    }

    /// The same with a file.
    pub async fn notice_with_file(
        &self,
        tx: &mut Tx,
        notice: &MailNotice<'_>,
        attachment: Option<&Attachment>,
    ) -> Result<Queued, DbError> {
        let shop = &self.shop;
        if let Some(mistake) = notice.mistake(&shop.mail_templates) {
            return Err(sqlx::Error::Protocol(mistake).into());
        }
        if !self.is_configured() {
            return Ok(Queued::Nothing);
        }
        let Some(reader) = shop.mail_templates.find_reader(tx, shop, notice.template.about, notice.id).await? else {
            return Ok(Queued::Nothing);
        };
        let MailReader { recipient, language, currency, mut values, customer_id } = reader;
        let (recipient, language) = match &notice.recipient {
            Recipient::Reader => (recipient, language),
            Recipient::Other(address) => (address.clone(), self.own_language()),
        };
        let language = notice.language.unwrap_or(language);
        let Some((_, language)) = shop.mail_templates.find(notice.template.name, language) else {
            return Ok(Queued::Nothing);
        };
        values.insert("shop_name", shop.config.shop.name.clone());
        let mut blocks = Blocks::new();
        for (name, value) in &notice.values {
            let text = match value {
                Value::Text(text) => text.clone(),
                Value::Date(time) => shop.texts.long_date(time.date_naive(), language),
                Value::Amount(amount) => shop.money.format_in(*amount, &currency),
                Value::Block(text, html) => {
                    blocks.insert(*name, html.clone());
                    text.clone()
                }
            };
            values.insert(*name, text);
        }
        let letterhead = self.letterhead();
        let written =
            shop.mail_templates.write(notice.template.name, language, letterhead.borrowed(), &values, &blocks);
        let Some(written) = written else { return Ok(Queued::Nothing) };
        let message = WrittenMessage {
            key: &notice.key,
            kind: notice.template.name,
            recipient: &recipient,
            customer_id,
            order_id: (notice.template.about == MailAbout::Order).then_some(notice.id),
            written: &written,
            attachment,
            files: &notice.files,
            expires_at: tx.now() + LIFETIME,
        };
        self.write_once(tx, message).await
    }
}

/// The texts of a mail from files beside the source file that names them: `mail_texts!("mails/notes_reminder")` reads
/// `mails/notes_reminder.en.txt`, `….de.txt` and `….nl.txt` while it is compiled.
#[macro_export]
macro_rules! mail_texts {
    ($path:literal) => {
        $crate::mail::MailTexts {
            en: include_str!(concat!($path, ".en.txt")),
            de: include_str!(concat!($path, ".de.txt")),
            nl: include_str!(concat!($path, ".nl.txt")),
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::MailTexts;

    const TEMPLATE: MailTemplate = MailTemplate {
        name: "tea_ready",
        about: MailAbout::Customer,
        placeholders: &["tea", "cups"],
        texts: MailTexts { en: "", de: "", nl: "" },
    };

    #[test]
    fn a_value_is_one_line_unless_it_is_meant_to_be_several() {
        let notice = MailNotice::new(&TEMPLATE, 1, 7).line("tea", "Earl\r\nGrey\u{7}").lines("cups", "one\r\ntwo\u{7}");
        let texts = notice.values.iter().map(|(name, value)| match value {
            Value::Text(text) => (*name, text.as_str()),
            Value::Date(_) | Value::Amount(_) | Value::Block(..) => panic!("{name} is a text"),
        });
        assert_eq!(texts.collect::<Vec<_>>(), [("tea", "Earl  Grey "), ("cups", "one\ntwo ")]);
        assert_eq!(notice.key, "tea_ready:7");
    }
}

//! Mails from registered texts: what features and modules tell customers.

use std::fmt::Display;

use chrono::{DateTime, TimeDelta, Utc};

use super::mailer::Mailer;
use super::queue::{Attachment, Queued, WrittenMessage};
use super::reader::MailReader;
use super::templates::MailTemplate;
use crate::db::{DbError, Tx};
use crate::i18n::Language;
use crate::mail::MailTemplates;

/// How long a mail waits for a mail server that does not answer.
const LIFETIME: TimeDelta = TimeDelta::days(7);

/// What a placeholder stands for.
#[derive(Debug, Clone)]
enum Value {
    Text(String),
    Date(DateTime<Utc>),
    Amount(i64),
}

/// A mail to a customer, to be put into words by [`Mailer::notice`].
#[derive(Debug, Clone)]
pub struct MailNotice<'a> {
    template: &'a MailTemplate,
    id: i64,
    key: String,
    values: Vec<(&'static str, Value)>,
}

impl<'a> MailNotice<'a> {
    /// A mail about the order, or to the customer, of this id: whichever the template is about. Of one template, a key is
    /// written about once; make it of what has happened, such as the id of a row and the number of a step.
    pub fn new(template: &'a MailTemplate, id: i64, key: impl Display) -> Self {
        Self { template, id, key: format!("{}:{key}", template.name), values: Vec::new() }
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
        let MailReader { recipient, language, currency, mut values } = reader;
        let Some((template, language)) = shop.mail_templates.find(notice.template.name, language) else {
            return Ok(Queued::Nothing);
        };
        values.insert("shop_name", shop.config.shop.name.clone());
        values.extend(notice.values.iter().map(|(name, value)| {
            let text = match value {
                Value::Text(text) => text.clone(),
                Value::Date(time) => shop.texts.long_date(time.date_naive(), language),
                Value::Amount(amount) => shop.money.format_in(*amount, &currency),
            };
            (*name, text)
        }));
        let (subject, body) = template.fill(&values);
        let message = WrittenMessage {
            key: &notice.key,
            recipient: &recipient,
            subject: &subject,
            body: &body,
            language,
            attachment,
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
    use crate::mail::{MailAbout, MailTexts};

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
            Value::Date(_) | Value::Amount(_) => panic!("{name} is a text"),
        });
        assert_eq!(texts.collect::<Vec<_>>(), [("tea", "Earl  Grey "), ("cups", "one\ntwo ")]);
        assert_eq!(notice.key, "tea_ready:7");
    }
}

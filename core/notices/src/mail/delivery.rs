//! Sending one message, as a task of the queue.

use std::sync::OnceLock;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::encryption::Unreadable;
use stoa_kernel::mail::{MAX_ATTACHMENT, MailFileError, SendMail, attachment_place, body_place, html_place};
use stoa_kernel::queue::{BackOff, HandleTask, TaskError};

use super::compose::{EnclosedFile, Parts, compose};
use super::queries;
use super::server::{Failure, MailServer};
use super::uses::MailDelivery;

/// How long the mail server may take for one message.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a mail waits for a file that is not there yet, and how often it looks.
const FILE_PATIENCE: TimeDelta = TimeDelta::minutes(15);
const FILE_PAUSE: TimeDelta = TimeDelta::seconds(2);

#[derive(sqlx::FromRow)]
struct MessageRow {
    id: i64,
    recipient: String,
    subject: String,
    body: Vec<u8>,
    html: Option<Vec<u8>>,
    language: String,
    message_id: String,
    expires_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
struct EnclosedRow {
    name: String,
    media_type: String,
    /// Of a file that was written down with the message.
    content: Option<Vec<u8>>,
    /// Of one that is made now.
    file_kind: Option<String>,
    file_id: Option<i64>,
}

/// Hands messages over to the mail server.
pub struct MailSender {
    patience: Duration,
    server: OnceLock<MailServer>,
}

impl Default for MailSender {
    fn default() -> Self {
        Self::with_patience(PATIENCE)
    }
}

impl MailSender {
    /// A sender that gives the mail server this long for one message.
    pub fn with_patience(patience: Duration) -> Self {
        Self { patience, server: OnceLock::new() }
    }

    /// The mail server, prepared once.
    fn server(&self, uses: &MailDelivery) -> Result<&MailServer, TaskError> {
        if let Some(server) = self.server.get() {
            return Ok(server);
        }
        let made = MailServer::of(&uses.config.mail.smtp, &uses.base_url, self.patience).map_err(|error| {
            TaskError::Unreachable(format!("connections to the mail server cannot be encrypted: {error}"))
        })?;
        let made = made.ok_or_else(|| TaskError::Unreachable(String::from("there is no `mail.smtp.host`")))?;
        Ok(self.server.get_or_init(|| made))
    }
}

impl HandleTask<SendMail> for MailSender {
    type Uses = MailDelivery;

    const RETRY: BackOff = BackOff::minutes(&[1, 5, 15, 60, 360]);

    async fn handle(&self, task: &SendMail, uses: &MailDelivery) -> Result<(), TaskError> {
        let found = uses.db.read(queries::FIND).bind(task.mail_message_id).optional::<MessageRow>().await?;
        // Sent before a crash, or addressed to somebody who is not known any more.
        let Some(message) = found else { return Ok(()) };
        let composed = compose_message(uses, &message).await?;
        let server = self.server(uses)?;
        let told = |text: String| format!("{}: {}", server.address(), without(&text, &message.recipient));
        let answer = server.send(&composed).await.map_err(|failure| match failure {
            Failure::Refused { text, .. } => TaskError::Never(told(text)),
            Failure::Postponed { text, .. } => TaskError::Later(told(text)),
            Failure::Unreachable(text) => TaskError::Unreachable(told(text)),
        })?;
        let answer = without(&answer, &message.recipient);
        uses.db.write(async |tx| set_sent(tx, uses, message.id, &answer).await).await?;
        Ok(())
    }
}

/// Takes note that a message was sent, or forgets it if nothing is to be kept.
async fn set_sent(tx: &mut Tx, uses: &MailDelivery, id: i64, answer: &str) -> Result<(), DbError> {
    if uses.config.mail.retention_days == 0 {
        return tx.run(queries::DELETE).bind(id).execute().await.map(drop);
    }
    let now = tx.now();
    tx.run(queries::SET_SENT).bind(id).bind(now).bind(answer).bind(Vec::<u8>::new()).execute().await?;
    tx.run(queries::EMPTY_ATTACHMENTS).bind(id).execute().await.map(drop)
}

/// What a server says, without the address that it may repeat in whatever case: that belongs into no log.
fn without(text: &str, address: &str) -> String {
    let (lower, address) = (text.to_ascii_lowercase(), address.to_ascii_lowercase());
    let mut rest = 0;
    let mut told = String::with_capacity(text.len());
    for (start, found) in lower.match_indices(&address).filter(|(_, found)| !found.is_empty()) {
        told.push_str(&text[rest..start]);
        told.push_str("(the recipient)");
        rest = start + found.len();
    }
    told.push_str(&text[rest..]);
    told
}

async fn compose_message(uses: &MailDelivery, message: &MessageRow) -> Result<lettre::Message, TaskError> {
    if message.expires_at <= uses.db.now() {
        return Err(TaskError::Never(String::from("it was of no use any more before it could be sent")));
    }
    let unreadable = |error: Unreadable| TaskError::Never(error.to_string());
    let body = uses.cipher.open(body_place(message.id), &message.body).map_err(unreadable)?;
    let html = message.html.as_deref().map(|html| uses.cipher.open(html_place(message.id), html));
    let html = html.transpose().map_err(unreadable)?;
    let html = html.map(|html| String::from_utf8_lossy(&html).into_owned());
    let enclosed = enclosed_files(uses, message).await?;
    let sender = uses.config.mail.from.as_ref();
    let sender = sender.ok_or_else(|| TaskError::Unreachable(String::from("there is no `mail.from`")))?;
    let parts = Parts {
        recipient: &message.recipient,
        subject: &message.subject,
        body: &String::from_utf8_lossy(&body),
        html: html.as_deref(),
        language: &message.language,
        message_id: &message.message_id,
        // A job that ran as of a later time has written it then.
        written_at: message.created_at.min(uses.db.now()),
        enclosed: &enclosed,
    };
    compose(sender, parts).map_err(|error| TaskError::Never(error.to_string()))
}

/// The files that go along. What is too large together is left out, since the mail matters more.
async fn enclosed_files(uses: &MailDelivery, message: &MessageRow) -> Result<Vec<EnclosedFile>, TaskError> {
    let rows = uses.db.read(queries::FIND_ATTACHMENTS).bind(message.id).all::<EnclosedRow>().await?;
    let mut files = Vec::new();
    let mut left = MAX_ATTACHMENT;
    for row in rows {
        let EnclosedRow { name, media_type, .. } = &row;
        let Some(content) = content_of(uses, message, &row).await? else { continue };
        if content.len() > left {
            tracing::warn!(name, bytes = content.len(), "a file is too large to be sent by mail");
            continue;
        }
        left -= content.len();
        files.push(EnclosedFile { name: name.clone(), media_type: media_type.clone(), content });
    }
    Ok(files)
}

/// What a file holds; none of one that is gone, or that is not there for so long that the mail goes without it.
async fn content_of(
    uses: &MailDelivery,
    message: &MessageRow,
    row: &EnclosedRow,
) -> Result<Option<Vec<u8>>, TaskError> {
    if let Some(sealed) = &row.content {
        let content = uses.cipher.open(attachment_place(message.id), sealed);
        return content.map(Some).map_err(|error| TaskError::Never(error.to_string()));
    }
    let Some((kind, id)) = row.file_kind.as_deref().zip(row.file_id) else { return Ok(None) };
    let now = uses.db.now();
    match uses.files.render(kind, id, &message.language).await {
        Ok(content) => Ok(Some(content)),
        Err(MailFileError::NotYet) if now < message.created_at + FILE_PATIENCE => {
            Err(TaskError::NotYet(now + FILE_PAUSE))
        }
        Err(MailFileError::NotYet | MailFileError::Gone) => {
            tracing::warn!(name = row.name, "a mail is sent without a file, which is not there");
            Ok(None)
        }
        Err(MailFileError::Failed(reason)) => Err(TaskError::Later(format!("{}: {reason}", row.name))),
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn the_recipients_address_is_taken_out_wherever_the_server_repeats_it() {
        let said = "550 5.1.1 <Ada@Example.com>: Größe? no ADA@example.com here";
        assert_eq!(without(said, "ada@example.com"), "550 5.1.1 <(the recipient)>: Größe? no (the recipient) here");
        assert_eq!(without("421 busy", "ada@example.com"), "421 busy");
        assert_eq!(without("421 busy", ""), "421 busy");
    }
}

//! Sending what is due: a lease, an attempt, and a later one when it fails.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;

use stoa_kernel::clock::horizon;
use stoa_kernel::config::Sender;
use stoa_kernel::db::DbError;
use stoa_kernel::encryption::Unreadable;
use stoa_kernel::mail::{attachment_place, body_place};

use super::compose::{EnclosedFile, Parts, compose};
use super::queries;
use super::server::{Failure, MailServer};
use super::uses::MailDelivery;

/// How long a claimed message is kept from other instances; longer than an attempt takes.
const LEASE: TimeDelta = TimeDelta::seconds(60);

/// How long the mail server may take for one message.
const PATIENCE: Duration = Duration::from_secs(20);

/// Messages that are sent at the same time.
const AT_ONCE: i64 = 4;

/// Minutes to wait after each failed attempt; after the last one the operator is told.
const BACKOFF_MINUTES: [i64; 5] = [1, 5, 15, 60, 360];

/// The longest of them.
const LONGEST_WAIT: TimeDelta = TimeDelta::minutes(BACKOFF_MINUTES[BACKOFF_MINUTES.len() - 1]);

/// Why messages were not looked at.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    /// The database failed.
    #[error("the database failed")]
    Db(#[from] DbError),
    /// Encrypted connections cannot be prepared.
    #[error("connections to the mail server cannot be encrypted: {0}")]
    Encryption(String),
}

#[derive(sqlx::FromRow)]
struct Claimed {
    id: i64,
    recipient: String,
    subject: String,
    body: Vec<u8>,
    language: String,
    message_id: String,
    attempts: i64,
    expires_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
struct EnclosedRow {
    name: String,
    media_type: String,
    content: Vec<u8>,
}

/// Sends messages that are due.
pub struct Delivery<'a> {
    uses: &'a MailDelivery,
    patience: Duration,
}

impl<'a> Delivery<'a> {
    /// A delivery that works with this.
    pub fn new(uses: &'a MailDelivery) -> Self {
        Self { uses, patience: PATIENCE }
    }

    /// The same, giving the mail server this long for one message.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Whether a message is due.
    pub(super) async fn is_due(&self) -> Result<bool, DbError> {
        let db = &self.uses.db;
        if self.uses.config.mail.smtp.host.is_none() {
            return Ok(false);
        }
        let now = db.now();
        let count = db.look(queries::COUNT_DUE).bind(now).bind(horizon(now, LONGEST_WAIT)).bind(horizon(now, LEASE));
        Ok(count.scalar::<i64>().await? > 0)
    }

    /// Sends what is due now, and returns how many messages the server has taken over.
    ///
    /// When the server cannot be reached, what is left stays due for the next look: many messages must not wait for a
    /// dead server one after the other.
    pub async fn run_due(&self) -> Result<usize, DeliveryError> {
        let (mail, base_url) = (&self.uses.config.mail, &self.uses.base_url);
        let server = MailServer::of(&mail.smtp, base_url, self.patience);
        let server = server.map_err(|error| DeliveryError::Encryption(error.to_string()))?;
        let (Some(server), Some(sender)) = (server, &mail.from) else { return Ok(0) };
        let mut delivered = 0;
        // Looking first keeps an idle shop from writing.
        while self.is_due().await? {
            let batch = self.claim().await?;
            let mut enclosed = Vec::with_capacity(batch.len());
            for message in &batch {
                let find = self.uses.db.read(queries::FIND_ATTACHMENT).bind(message.id);
                enclosed.push(find.optional::<EnclosedRow>().await?);
            }
            let attempts = batch.iter().zip(enclosed);
            let attempts = attempts.map(|(message, enclosed)| self.attempt(&server, sender, message, enclosed));
            let attempts = join_all(attempts).await;
            let is_reachable = attempts.iter().any(|outcome| !matches!(outcome, Err(Failure::Unreachable(_))));
            for (message, outcome) in batch.iter().zip(attempts) {
                delivered += usize::from(outcome.is_ok());
                self.settle(message, outcome).await?;
            }
            if !is_reachable {
                break;
            }
        }
        Ok(delivered)
    }

    async fn claim(&self) -> Result<Vec<Claimed>, DbError> {
        let db = &self.uses.db;
        let now = db.now();
        let claim = db.write(async |tx| {
            let claim = tx.run(queries::CLAIM).bind(now).bind(horizon(now, LONGEST_WAIT)).bind(horizon(now, LEASE));
            claim.bind(now + LEASE).bind(AT_ONCE).all::<Claimed>().await
        });
        let mut batch = claim.await?;
        batch.sort_by_key(|message| message.id);
        Ok(batch)
    }

    async fn attempt(
        &self,
        server: &MailServer,
        sender: &Sender,
        message: &Claimed,
        enclosed: Option<EnclosedRow>,
    ) -> Result<(), Failure> {
        let refused = |text: String| Failure::Refused { text, code: 0 };
        if message.expires_at <= self.uses.db.now() {
            return Err(refused(String::from("it was of no use any more before it could be sent")));
        }
        let opened = self.uses.cipher.open(body_place(message.id), &message.body);
        let body = opened.map_err(|error| refused(error.to_string()))?;
        let enclosed = enclosed.map(|row| {
            let content = self.uses.cipher.open(attachment_place(message.id), &row.content)?;
            Ok(EnclosedFile { name: row.name, media_type: row.media_type, content })
        });
        let enclosed = enclosed.transpose().map_err(|error: Unreadable| refused(error.to_string()))?;
        let parts = Parts {
            recipient: &message.recipient,
            subject: &message.subject,
            body: &String::from_utf8_lossy(&body),
            language: &message.language,
            message_id: &message.message_id,
            // A job that ran as of a later time has written it then.
            written_at: message.created_at.min(self.uses.db.now()),
            enclosed: enclosed.as_ref(),
        };
        let composed = compose(sender, parts).map_err(|error| refused(error.to_string()))?;
        server.send(&composed).await
    }

    async fn settle(&self, message: &Claimed, outcome: Result<(), Failure>) -> Result<(), DbError> {
        let db = &self.uses.db;
        let (text, code, wait) = match outcome {
            Ok(()) => {
                db.write(async |tx| tx.run(queries::DELETE).bind(message.id).execute().await).await?;
                return Ok(());
            }
            Err(Failure::Refused { text, code }) => (text, code, None),
            Err(Failure::Postponed { text, code }) => (text, code, wait_after(message.attempts)),
            Err(Failure::Unreachable(text)) => (text, 0, wait_after(message.attempts)),
        };
        let state = if wait.is_some() { "pending" } else { "failed" };
        // The server's words may hold the recipient's address, which belongs into no log.
        tracing::warn!(message = message.id, attempt = message.attempts, state, code, "a mail was not delivered");
        let next = db.now() + wait.unwrap_or_default();
        db.write(async |tx| {
            let postpone = tx.run(queries::POSTPONE).bind(message.id).bind(state);
            postpone.bind(next).bind(text.as_str()).execute().await
        })
        .await?;
        Ok(())
    }
}

/// How long to wait after this many attempts; none when that was the last one.
fn wait_after(attempts: i64) -> Option<TimeDelta> {
    let place = usize::try_from(attempts).unwrap_or(usize::MAX).checked_sub(1)?;
    BACKOFF_MINUTES.get(place).copied().map(TimeDelta::minutes)
}

//! A mail that shows whether mails arrive.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use stoa_kernel::audit::Subject;
use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::from_shop;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::mail::Mailer;
use stoa_kernel::random::Random;
use stoa_kernel::text;

use super::compose::{Parts, compose};
use super::server::{Failure, MailServer};

/// How long the mail server may take for it.
const PATIENCE: Duration = Duration::from_secs(20);

from_shop! {
    /// What sending a test mail works with.
    pub struct TestMail {
        /// The mail server, and who sends.
        pub config: Arc<Config>,
        /// The name that the mail server is told.
        pub base_url: BaseUrl,
        /// Where it is written down that it was sent.
        pub db: Db,
        /// What puts it into words.
        pub mailer: Mailer,
        /// When it is sent.
        pub clock: Clock,
        /// What its `Message-ID` is made of.
        pub random: Random,
    }
}

/// A test mail that the mail server has taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentTest {
    /// Host and port of the mail server.
    pub server: String,
    /// What it has said.
    pub answer: String,
    /// The header `Message-ID`, which is found in the server's log.
    pub message_id: String,
}

/// Why a test mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum TestMailError {
    /// The shop sends no mail.
    #[error("the shop sends no mail: set `mail.smtp.host` and `mail.from`")]
    NoServer,
    /// The mail cannot be written, or the mail server cannot be prepared for.
    #[error("{0}")]
    Unprepared(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The mail server did not take it.
    #[error("{server}: {reason}")]
    NotTaken {
        /// Host and port.
        server: String,
        /// What it said, or what kept it from answering.
        reason: String,
    },
}

/// Sends a mail now, beside everything that waits, and tells what the server said. It is not listed among the mails.
pub async fn send_test_mail(uses: &TestMail, recipient: &str) -> Result<SentTest, TestMailError> {
    let config = &uses.config;
    let unprepared = |error: &dyn std::error::Error| TestMailError::Unprepared(stoa_kernel::error_chain(error));
    let server = MailServer::of(&config.mail.smtp, &uses.base_url, PATIENCE).map_err(|error| unprepared(&error))?;
    let (server, sender) = server.zip(config.mail.from.as_ref()).ok_or(TestMailError::NoServer)?;
    let shop = config.shop.name.as_str();
    let body = text!("mail-test-body", shop = shop, url = &*uses.base_url);
    let written = uses.mailer.words(&text!("mail-test-subject", shop = shop), &body, None, uses.mailer.own_language());
    let message_id = format!("<{}@{}>", uses.random.uuid(), sender.address().domain());
    let parts = Parts {
        recipient,
        subject: &written.subject,
        body: &written.text,
        html: Some(&written.html),
        language: written.language.tag(),
        message_id: &message_id,
        written_at: uses.clock.now(),
        enclosed: &[],
    };
    let message = compose(sender, parts).map_err(|error| unprepared(&error))?;
    // Before it is sent: whoever gets a mail got it from somebody. Whom it went to is not kept.
    let noted = uses.db.write(async |tx| -> Result<(), DbError> {
        let subject = Subject::new("mail", &message_id);
        tx.audit_operator("mails.test", subject, Value::Null, Value::Null).await
    });
    noted.await?;
    let answer = server.send(&message).await.map_err(|failure| {
        let (Failure::Refused { text: reason, .. }
        | Failure::Postponed { text: reason, .. }
        | Failure::Unreachable(reason)) = failure;
        TestMailError::NotTaken { server: server.address(), reason }
    })?;
    Ok(SentTest { server: server.address(), answer, message_id })
}

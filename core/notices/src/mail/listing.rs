//! Mails as the operator sees them, and sending them again.

use chrono::{DateTime, TimeDelta, Utc};

use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::mail::{Mailer, SendMail, SentAgain, body_place};

use super::queries;

/// How long a mail that is tried again may wait.
const LIFETIME: TimeDelta = TimeDelta::days(7);

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    /// It waits, or is tried again later.
    Pending,
    /// It was given up.
    Failed,
    /// The mail server has taken it over.
    Sent,
}

impl MailState {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Failed, Self::Sent];

    /// As it is shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Failed => "failed",
            Self::Sent => "sent",
        }
    }
}

impl TryFrom<String> for MailState {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.as_str() == text);
        found.ok_or_else(|| format!("`{text}` is no state of a mail"))
    }
}

#[derive(sqlx::FromRow)]
struct MailRow {
    #[sqlx(flatten)]
    mail: Mail,
    is_secret: bool,
    body: Vec<u8>,
}

/// A mail that waits, has failed or was sent.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Mail {
    /// The id that commands take.
    pub id: i64,
    /// The name of its template; none of what an older version has written.
    pub kind: Option<String>,
    /// Whom it goes to.
    pub recipient: String,
    /// What it is called.
    pub subject: String,
    /// Its language.
    pub language: String,
    /// The header `Message-ID`.
    pub message_id: String,
    /// What became of it.
    #[sqlx(try_from = "String")]
    pub state: MailState,
    /// Attempts that have failed.
    pub attempts: i64,
    /// When it is tried next; none while it is being sent, and at its end.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Why the latest attempt has failed, with the mail server's name.
    pub last_error: Option<String>,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// From then on it is of no use, and not sent.
    pub expires_at: DateTime<Utc>,
    /// When the mail server has taken it over.
    pub sent_at: Option<DateTime<Utc>>,
    /// What the mail server has said to that.
    pub answer: Option<String>,
}

/// Mails in this state or in each, the newest first.
pub async fn list_mails(db: &Db, state: Option<MailState>, limit: Option<u32>) -> Result<Vec<Mail>, DbError> {
    let list = db.read(queries::LIST).bind(state.map(MailState::as_str));
    list.bind(limit.map_or(i64::MAX, i64::from)).all().await
}

/// A page of mails in this state or in each, the newest first, behind the one with this id.
pub async fn page_of_mails(
    db: &Db,
    state: Option<MailState>,
    before_id: Option<i64>,
    limit: i64,
) -> Result<Vec<Mail>, DbError> {
    db.read(queries::PAGE).bind(state.map(MailState::as_str)).bind(before_id).bind(limit).all().await
}

/// The newest mails about an order, to its customer and to the owner of the shop.
pub async fn mails_of_order(db: &Db, order_id: i64, limit: i64) -> Result<Vec<Mail>, DbError> {
    db.read(queries::OF_ORDER).bind(order_id).bind(limit).all().await
}

/// How many there are on all pages.
pub async fn count_mails(db: &Db, state: Option<MailState>) -> Result<RowCount, DbError> {
    let count = db.read(queries::COUNT).bind(state.map(MailState::as_str)).bind(MOST_COUNTED + 1);
    count.scalar().await.map(RowCount::of)
}

/// A mail with its text; none of a text that opens something, such as a link for a new password, or that cannot be decrypted.
pub async fn find_mail(db: &Db, cipher: &Cipher, id: i64) -> Result<Option<(Mail, Option<String>)>, DbError> {
    let found = db.read(queries::SHOW).bind(id).optional::<MailRow>().await?;
    Ok(found.map(|row| {
        let text = (!row.is_secret).then(|| cipher.open(body_place(id), &row.body).ok()).flatten();
        (row.mail, text.map(|text| String::from_utf8_lossy(&text).into_owned()))
    }))
}

/// The names of the files of a mail.
pub async fn files_of_mail(db: &Db, id: i64) -> Result<Vec<String>, DbError> {
    db.read(queries::FILE_NAMES).bind(id).scalars().await
}

/// Why a mail is not tried again.
#[derive(Debug, thiserror::Error)]
pub enum RetryMailError {
    /// There is none of this id.
    #[error("there is no mail {0}; `stoa mail list` shows those that there are")]
    Unknown(i64),
    /// It was sent.
    #[error("mail {0} was sent already; `stoa mail resend {0}` sends it once more")]
    Sent(i64),
    /// It is being sent at this moment.
    #[error("mail {0} is being sent at this moment")]
    InFlight(i64),
    /// What it says is of no use any more.
    #[error("the link in mail {0} has expired; whoever wants another one can ask for it in the shop")]
    Expired(i64),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Has a mail that waits or has failed be tried at once, its attempts counted anew.
pub async fn retry_mail(db: &Db, id: i64) -> Result<(), RetryMailError> {
    db.write(async |tx| -> Result<(), RetryMailError> {
        let found = tx.run(queries::SHOW).bind(id).optional::<MailRow>().await?;
        let MailRow { mail, is_secret, .. } = found.ok_or(RetryMailError::Unknown(id))?;
        let now = tx.now();
        match mail.state {
            MailState::Sent => return Err(RetryMailError::Sent(id)),
            MailState::Pending | MailState::Failed if is_secret && mail.expires_at <= now => {
                return Err(RetryMailError::Expired(id));
            }
            MailState::Pending | MailState::Failed => {}
        }
        if !tx.enqueue_anew(&SendMail { mail_message_id: id }).await? {
            return Err(RetryMailError::InFlight(id));
        }
        tx.run(queries::EXTEND).bind(id).bind(now + LIFETIME).execute().await?;
        Ok(tx.audit_operator("mails.retry", Subject::new("mail", id), Value::Null, Value::Null).await?)
    })
    .await
}

/// Why a mail is not sent again.
#[derive(Debug, thiserror::Error)]
pub enum ResendMailError {
    /// There is none of this id.
    #[error("there is no mail {0}; `stoa mail list` shows those that there are")]
    Unknown(i64),
    /// It was not sent yet.
    #[error("mail {0} was not sent yet; `stoa mail retry` has it tried at once")]
    Unsent(i64),
    /// What it said is forgotten.
    #[error(
        "mail {0} held a link that opens something, and is forgotten; whoever wants another one can ask for it in the shop"
    )]
    Forgotten(i64),
    /// A file came along that is not kept.
    #[error("mail {0} had a file that is not kept")]
    WithoutFile(i64),
    /// The customer was anonymized.
    #[error("mail {0} went to a customer who is not known any more")]
    Nobody(i64),
    /// The shop sends no mail.
    #[error("the shop sends no mail: set `mail.smtp.host` and `mail.from`")]
    NoServer,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Writes a mail once more that was sent; gives the id of the new one and whom it goes to.
pub async fn resend_mail(db: &Db, mailer: &Mailer, id: i64) -> Result<(i64, String), ResendMailError> {
    db.write(async |tx| -> Result<(i64, String), ResendMailError> {
        let (new, recipient) = match mailer.send_again(tx, id).await? {
            SentAgain::Written(new, recipient) => (new, recipient),
            SentAgain::Unknown => return Err(ResendMailError::Unknown(id)),
            SentAgain::Unsent => return Err(ResendMailError::Unsent(id)),
            SentAgain::Forgotten => return Err(ResendMailError::Forgotten(id)),
            SentAgain::WithoutFile => return Err(ResendMailError::WithoutFile(id)),
            SentAgain::Nobody => return Err(ResendMailError::Nobody(id)),
            SentAgain::NoServer => return Err(ResendMailError::NoServer),
        };
        tx.audit_operator("mails.resend", Subject::new("mail", id), Value::Null, json!({"mail": new})).await?;
        Ok((new, recipient))
    })
    .await
}

//! Writing and reading notes.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError};

use super::queries;

/// Longest note, in characters.
pub const MAX_NOTE: usize = 1000;

/// A note about a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct CustomerNote {
    /// The id, which grows.
    pub id: i64,
    /// Who wrote it, such as `staff:ada@example.com`.
    pub author: String,
    /// What was written.
    pub note: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Why a note was not taken.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// It is empty, too long, or holds control characters.
    #[error("a note has 1 to {MAX_NOTE} characters, without control characters other than line breaks and tabs")]
    Note,
    /// There is no such customer, or none any more.
    #[error("the customer {0} does not exist or is anonymized")]
    Gone(i64),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Notes something about a customer, by whoever acts.
pub async fn note_on_customer(db: &Db, customer_id: i64, note: &str) -> Result<(), NoteError> {
    let note = stored(note).ok_or(NoteError::Note)?;
    db.write(async |tx| -> Result<(), NoteError> {
        if tx.run(queries::LOCK_CUSTOMER).bind(customer_id).execute().await? == 0 {
            return Err(NoteError::Gone(customer_id));
        }
        let (now, author) = (tx.now(), tx.acting().actor.to_string());
        let insert = tx.run(queries::INSERT).bind(customer_id).bind(author).bind(note.as_str());
        insert.bind(now).execute().await?;
        let after = json!({"note": note});
        Ok(tx.audit_operator("customers.note", Subject::customer(customer_id), Value::Null, after).await?)
    })
    .await
}

/// The newest notes about a customer, the newest first.
pub async fn list_notes(db: &Db, customer_id: i64, limit: i64) -> Result<Vec<CustomerNote>, DbError> {
    db.read(queries::LIST).bind(customer_id).bind(limit).all().await
}

fn stored(text: &str) -> Option<String> {
    let text = text.trim();
    let is_forbidden = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    let fits = (1..=MAX_NOTE).contains(&text.chars().count());
    (fits && !text.contains(is_forbidden)).then(|| text.to_owned())
}

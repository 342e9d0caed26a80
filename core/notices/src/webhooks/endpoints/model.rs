//! An endpoint as the operator sees it.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::secret::Secret;

use super::queries;
use crate::webhooks::EndpointKind;
use crate::webhooks::secrets::open_secrets;

/// Where events are sent to.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Endpoint {
    /// The id that commands take.
    pub id: i64,
    /// The name under which the configuration lists it; none for those of the command line.
    pub name: Option<String>,
    /// Where to.
    pub url: String,
    /// What it understands.
    #[sqlx(try_from = "String")]
    pub kind: EndpointKind,
    /// The events it subscribes to, or `*` alone.
    #[sqlx(json)]
    pub events: Vec<String>,
    /// Language and format of amounts in messages to a chat.
    pub locale: String,
    /// Whether events are queued for it and sent.
    pub enabled: bool,
    /// Attempts that failed since one succeeded.
    pub consecutive_failures: i64,
    /// When an attempt last succeeded; up to five seconds old while all goes well.
    pub last_success_at: Option<DateTime<Utc>>,
    /// When an attempt last failed.
    pub last_failure_at: Option<DateTime<Utc>>,
    /// Why it failed.
    pub last_error: Option<String>,
    /// Until when the secret before signs too.
    pub previous_secret_until: Option<DateTime<Utc>>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
}

/// All endpoints that were not removed.
pub async fn list_endpoints(db: &Db) -> Result<Vec<Endpoint>, DbError> {
    db.read(queries::LIST).all().await
}

/// The endpoint of this id, unless it was removed.
pub async fn find_endpoint(db: &Db, id: i64) -> Result<Option<Endpoint>, DbError> {
    db.read(queries::FIND).bind(id).optional().await
}

#[derive(sqlx::FromRow)]
struct Sealed {
    id: i64,
    secret: Vec<u8>,
    previous_secret: Option<Vec<u8>>,
    previous_secret_until: Option<DateTime<Utc>>,
}

/// The secrets that sign at present, by endpoint: for verifying what has arrived. What cannot be opened is left out.
pub async fn secrets_of(db: &Db, cipher: &Cipher) -> Result<Vec<(i64, Vec<Secret>)>, DbError> {
    let now = db.now();
    let sealed = db.read(queries::SECRETS).all::<Sealed>().await?;
    let opened = sealed.into_iter().filter_map(|row| {
        let previous = row.previous_secret.filter(|_| row.previous_secret_until.is_some_and(|until| now < until));
        open_secrets(cipher, row.id, &row.secret, previous.as_deref()).ok().map(|secrets| (row.id, secrets))
    });
    Ok(opened.collect())
}

/// Names of events as they are kept.
pub(super) fn as_json(events: &[String]) -> Json<&[String]> {
    Json(events)
}

//! Keys that tickets are signed with.
//!
//! The first is made when the first ticket is signed. A retired key signs nothing any more and stays published, since
//! tickets bear its signature. Private keys are sealed with the installation's key.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;
use sha2::{Digest, Sha256};
use stoa_core::encryption::{Cipher, SealContext, Unreadable};
use stoa_core::prelude::*;
use stoa_core::random::Random;

pub(crate) mod queries;

/// Bytes of the digest of a public key that name it.
const NAME_BYTES: usize = 8;

/// Why nothing can be signed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The private key was sealed with another key, or was changed.
    #[error("the private key `{key_id}` cannot be read; `stoa event-tickets keys rotate` makes a new one")]
    Unreadable {
        /// The name of the key.
        key_id: String,
        /// What was found.
        source: Unreadable,
    },
    /// The private key is not as long as one.
    #[error("the private key `{0}` is damaged; `stoa event-tickets keys rotate` makes a new one")]
    Damaged(String),
}

impl From<KeyError> for ListenerError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Db(error) => Self::Db(error),
            KeyError::Unreadable { .. } | KeyError::Damaged(_) => Self::Failed(error.to_string()),
        }
    }
}

/// Signs with one key.
pub(crate) struct Signer {
    pub(crate) key_id: String,
    key: SigningKey,
}

impl Signer {
    /// The signature of a text, as 64 bytes in base64url.
    pub(crate) fn sign(&self, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.key.sign(text.as_bytes()).to_bytes())
    }
}

#[derive(sqlx::FromRow)]
struct KeyRow {
    id: i64,
    key_id: String,
    private_key: Vec<u8>,
}

/// A key as it is published.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PublishedKey {
    pub(crate) key_id: String,
    /// 32 bytes in base64url.
    pub(crate) public_key: String,
    /// Whether tickets are signed with it now.
    pub(crate) active: bool,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) retired_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
struct PublicRow {
    key_id: String,
    public_key: Vec<u8>,
    active: bool,
    created_at: DateTime<Utc>,
    retired_at: Option<DateTime<Utc>>,
}

/// The key that signs now; makes the first one.
pub(crate) async fn active(db: &Db, cipher: &Cipher, random: &Random) -> Result<Signer, KeyError> {
    if let Some(row) = db.read(queries::FIND_ACTIVE).optional::<KeyRow>().await? {
        return open(cipher, row);
    }
    db.write(async |tx| -> Result<(), DbError> { insert(tx, cipher, random).await }).await?;
    // Whoever was first made the one that counts.
    open(cipher, db.read(queries::FIND_ACTIVE).one().await?)
}

/// Retires the key that signs now, and makes another.
pub(crate) async fn rotate(db: &Db, cipher: &Cipher, random: &Random) -> Result<Signer, KeyError> {
    let row = db.write(async |tx| -> Result<KeyRow, DbError> {
        let now = tx.now();
        tx.run(queries::RETIRE).bind(now).execute().await?;
        insert(tx, cipher, random).await?;
        let row = tx.run(queries::FIND_ACTIVE).one::<KeyRow>().await?;
        let subject = Subject::new("ticket-key", &row.key_id);
        tx.audit_operator("event_tickets.rotate-key", subject, Value::Null, Value::Null).await?;
        Ok(row)
    });
    open(cipher, row.await?)
}

/// All keys, the newest first.
pub(crate) async fn list(db: &Db) -> Result<Vec<PublishedKey>, DbError> {
    let rows = db.read(queries::LIST).all::<PublicRow>().await?;
    let published = |row: PublicRow| PublishedKey {
        key_id: row.key_id,
        public_key: URL_SAFE_NO_PAD.encode(row.public_key),
        active: row.active,
        created_at: row.created_at,
        retired_at: row.retired_at,
    };
    Ok(rows.into_iter().map(published).collect())
}

/// Keys that tickets name and that are not there, or whose private half cannot be read.
pub(crate) async fn broken(db: &Db, cipher: &Cipher) -> Result<Vec<String>, DbError> {
    let mut problems = db.read(queries::LIST_MISSING).scalars::<String>().await?;
    for problem in &mut problems {
        *problem = format!("tickets are signed with the key `{problem}`, which is not there");
    }
    if let Some(row) = db.read(queries::FIND_ACTIVE).optional::<KeyRow>().await?
        && let Err(error) = open(cipher, row)
    {
        problems.push(error.to_string());
    }
    Ok(problems)
}

/// Makes an active key, unless there is one.
async fn insert(tx: &mut Tx, cipher: &Cipher, random: &Random) -> Result<(), DbError> {
    let secret = random.bytes::<32>();
    let key = SigningKey::from_bytes(&secret);
    let public = key.verifying_key().to_bytes();
    let key_id = hex::encode(&Sha256::digest(public)[..NAME_BYTES]);
    // The id is chosen here, since the key is sealed for its row. Two that choose one are one too many: the second
    // does nothing.
    let id = tx.run(queries::NEXT_ID).scalar::<i64>().await?;
    let sealed = cipher.seal(seal_context(id), &secret);
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(id).bind(key_id).bind(public.to_vec()).bind(sealed);
    insert.bind(now).execute().await?;
    Ok(())
}

fn open(cipher: &Cipher, row: KeyRow) -> Result<Signer, KeyError> {
    let secret = match cipher.open(seal_context(row.id), &row.private_key) {
        Ok(secret) => secret,
        Err(source) => return Err(KeyError::Unreadable { key_id: row.key_id, source }),
    };
    match <[u8; 32]>::try_from(secret) {
        Ok(secret) => Ok(Signer { key_id: row.key_id, key: SigningKey::from_bytes(&secret) }),
        Err(_) => Err(KeyError::Damaged(row.key_id)),
    }
}

const fn seal_context(row: i64) -> SealContext {
    SealContext { table: "event_tickets_keys", column: "private_key", row }
}

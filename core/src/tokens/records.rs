//! Tokens as the operator sees them: everything but what could be used to get in.

use chrono::{DateTime, Utc};
use ipnet::IpNet;
use serde::Serialize;
use sqlx::types::Json;

use super::queries;
use crate::db::{Db, DbError, Tx};

/// An access token without its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct TokenRecord {
    /// The token's id, the first half of its plain text.
    pub id: i64,
    /// Whose token it is.
    pub customer_id: i64,
    /// Their e-mail address.
    #[serde(rename = "customer")]
    pub email: String,
    /// The name by which the customer knows it.
    pub name: String,
    /// What it opens; `*` for everything.
    pub abilities: Json<Vec<String>>,
    /// Where it may be used from; empty for anywhere.
    pub networks: Json<Vec<IpNet>>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to within ten minutes.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it ends; never if nothing is said.
    pub expires_at: Option<DateTime<Utc>>,
}

impl TokenRecord {
    /// Whether its end has come.
    pub fn is_expired(&self, now: DateTime<Utc>) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// The token with this id.
pub async fn find_token(db: &Db, id: i64) -> Result<Option<TokenRecord>, DbError> {
    db.read(queries::FIND).bind(id).optional().await
}

/// All tokens, oldest first.
pub async fn list_tokens(db: &Db) -> Result<Vec<TokenRecord>, DbError> {
    db.read(queries::LIST).all().await
}

/// A customer's tokens, oldest first.
pub async fn list_tokens_of(db: &Db, customer_id: i64) -> Result<Vec<TokenRecord>, DbError> {
    db.read(queries::LIST_OF_CUSTOMER).bind(customer_id).all().await
}

/// Deletes all tokens of a customer, which are dead from the commit on, and returns what they were.
pub async fn revoke_tokens_of(tx: &mut Tx, customer_id: i64) -> Result<Vec<TokenRecord>, DbError> {
    let revoked = tx.run(queries::LIST_OF_CUSTOMER).bind(customer_id).all().await?;
    tx.run(queries::DELETE_OF_CUSTOMER).bind(customer_id).execute().await?;
    Ok(revoked)
}

//! Tokens as the operator and their owners see them: everything but what could be used to get in.

use chrono::{DateTime, Utc};
use ipnet::IpNet;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::types::Json;

use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};

use super::queries;

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

/// An own access token, without its secret.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "AccessToken")]
pub(super) struct TokenResource {
    /// The token's id, the part of it before `|`.
    id: i64,
    /// The name that was given.
    name: String,
    /// What it opens; `*` for everything, nothing for no route at all.
    abilities: Vec<String>,
    /// The networks that it may be used from; none for anywhere.
    networks: Vec<String>,
    /// When it was created.
    created_at: DateTime<Utc>,
    /// When it was used last, to within a minute.
    last_used_at: Option<DateTime<Utc>>,
    /// When it ends by itself, or has ended; never if null.
    expires_at: Option<DateTime<Utc>>,
    /// Whether this request was made with it.
    is_current: bool,
}

impl TokenResource {
    /// A token as its owner sees it who makes a request with `current`.
    pub(super) fn of(token: TokenRecord, current: Option<i64>) -> Self {
        Self {
            id: token.id,
            name: token.name,
            abilities: token.abilities.0,
            networks: token.networks.0.iter().map(ToString::to_string).collect(),
            created_at: token.created_at,
            last_used_at: token.last_used_at,
            expires_at: token.expires_at,
            is_current: current == Some(token.id),
        }
    }
}

/// A page of a customer's tokens, the newest first, and how many there are in all.
pub(super) async fn page_of_tokens(
    db: &Db,
    customer_id: i64,
    limit: i64,
    offset: i64,
) -> Result<(Vec<TokenRecord>, i64), DbError> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer_id).scalar().await?;
    let page = db.read(queries::PAGE_OF_CUSTOMER).bind(customer_id).bind(limit).bind(offset).all().await?;
    Ok((page, total))
}

/// Deletes a token if it is the customer's; tells whether it was.
pub(super) async fn revoke_token_of(tx: &mut Tx, customer_id: i64, id: i64) -> Result<bool, DbError> {
    Ok(tx.run(queries::DELETE_OWN).bind(id).bind(customer_id).execute().await? == 1)
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

/// Revokes these tokens for the operator. One that is gone meanwhile does not save the others.
pub async fn revoke_tokens(db: &Db, tokens: &[TokenRecord]) -> Result<(), DbError> {
    db.write(async |tx| -> Result<(), DbError> {
        for token in tokens {
            if revoke_token_of(tx, token.customer_id, token.id).await? {
                let (subject, before) = (Subject::customer(token.customer_id), json!({"token": token.id}));
                tx.audit_operator("tokens.revoke", subject, before, Value::Null).await?;
            }
        }
        Ok(())
    })
    .await
}

/// Revokes all tokens of a customer for the operator, and returns what they were.
pub async fn revoke_all_tokens(db: &Db, customer_id: i64) -> Result<Vec<TokenRecord>, DbError> {
    db.write(async |tx| -> Result<Vec<TokenRecord>, DbError> {
        let revoked = revoke_tokens_of(tx, customer_id).await?;
        let before = json!({"tokens": revoked.len()});
        tx.audit_operator("tokens.revoke", Subject::customer(customer_id), before, Value::Null).await?;
        Ok(revoked)
    })
    .await
}

/// Deletes all tokens of a customer, which are dead from the commit on, and returns what they were.
pub async fn revoke_tokens_of(tx: &mut Tx, customer_id: i64) -> Result<Vec<TokenRecord>, DbError> {
    let revoked = tx.run(queries::LIST_OF_CUSTOMER).bind(customer_id).all().await?;
    tx.run(queries::DELETE_OF_CUSTOMER).bind(customer_id).execute().await?;
    Ok(revoked)
}

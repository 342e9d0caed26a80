//! Personal access tokens: `<id>|<secret>`, of which only the secret's SHA-256 is stored.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use http::HeaderValue;
use ipnet::IpNet;
use sha2::{Digest, Sha256};
use sqlx::types::Json;
use subtle::ConstantTimeEq;

use super::ability::FULL_ACCESS;
use super::queries;
use crate::db::{DbError, Tx};
use crate::http::error::ApiError;
use crate::random::Random;
use crate::services::Services;

/// Characters of a secret; 48 letters and digits hold 285 bits.
const SECRET_LENGTH: usize = 48;

/// A token that was presented and found valid.
#[derive(Debug, Clone)]
pub struct Bearer {
    /// The token's id.
    pub token_id: i64,
    /// Whose token it is.
    pub customer_id: i64,
    /// The user behind the customer.
    pub user_id: i64,
    abilities: Vec<String>,
    networks: Vec<IpNet>,
}

impl Bearer {
    /// Whether the token opens routes that need `ability` (S5.1 rule 4).
    pub fn grants(&self, ability: &str) -> bool {
        self.abilities.iter().any(|own| own == FULL_ACCESS || own == ability)
    }

    /// Whether the token may be used from this address (S5.1 rule 7): an empty policy allows any.
    pub fn allows_address(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.is_empty() || self.networks.iter().any(|network| network.contains(&address))
    }
}

#[derive(sqlx::FromRow)]
struct TokenRow {
    id: i64,
    customer_id: i64,
    user_id: i64,
    secret_hash: Vec<u8>,
    abilities: Json<Vec<String>>,
    networks: Json<Vec<IpNet>>,
    expires_at: Option<DateTime<Utc>>,
}

/// Finds the token of an `Authorization` header. Everything but a valid bearer token is 401.
pub async fn authenticate_bearer(services: &Services, header: &HeaderValue) -> Result<Bearer, ApiError> {
    let (id, secret) = header
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .and_then(|(_, token)| split(token.trim()))
        .ok_or_else(ApiError::unauthenticated)?;
    let found = services.db.read(queries::FIND_TOKEN).bind(id).optional::<TokenRow>().await?;
    // An unknown id is compared too, so that it takes as long as a wrong secret.
    let stored = found.as_ref().map_or([0_u8; 32].as_slice(), |row| row.secret_hash.as_slice());
    let matches = bool::from(hash(secret).as_slice().ct_eq(stored));
    let row = found.filter(|_| matches).ok_or_else(ApiError::unauthenticated)?;
    if row.expires_at.is_some_and(|end| end <= services.clock.now()) {
        return Err(ApiError::unauthenticated());
    }
    Ok(Bearer {
        token_id: row.id,
        customer_id: row.customer_id,
        user_id: row.user_id,
        abilities: row.abilities.0,
        networks: row.networks.0,
    })
}

fn split(token: &str) -> Option<(i64, &str)> {
    let (id, secret) = token.split_once('|')?;
    let plain = id.bytes().all(|byte| byte.is_ascii_digit()) && secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let id = id.parse::<i64>().ok()?;
    (plain && id > 0 && (40..=255).contains(&secret.len())).then_some((id, secret))
}

fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Deletes a token; it is dead from the commit on (S5.4).
pub async fn revoke_token(tx: &mut Tx, token_id: i64) -> Result<(), DbError> {
    tx.run(queries::DELETE_TOKEN).bind(token_id).execute().await.map(drop)
}

/// A token to be made.
#[derive(Debug, Clone)]
pub struct NewToken<'a> {
    /// Whose token it shall be.
    pub customer_id: i64,
    /// The name that the customer gave it.
    pub name: &'a str,
    /// What it shall open; `*` for everything, empty for no route at all.
    pub abilities: &'a [String],
    /// Source networks it may be used from; empty for any.
    pub networks: &'a [IpNet],
}

/// Stores a new token and returns its plain text, which is nowhere else.
pub async fn issue_token(tx: &mut Tx, random: &Random, new: NewToken<'_>) -> Result<String, DbError> {
    let secret = random.alphanumeric(SECRET_LENGTH);
    let now = tx.now();
    let id: i64 = tx
        .run(queries::INSERT_TOKEN)
        .bind(new.customer_id)
        .bind(new.name)
        .bind(hash(&secret).to_vec())
        .bind(Json(new.abilities))
        .bind(Json(new.networks))
        .bind(now)
        .scalar()
        .await?;
    Ok(format!("{id}|{secret}"))
}

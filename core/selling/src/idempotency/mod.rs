//! Idempotency keys: a request that is repeated with the same key makes nothing twice (contract 2.2).
//!
//! A key belongs to a customer and a route and is kept with what it made. Its row is written first in the transaction
//! that makes the thing, so of two requests at once the second waits for the first and then finds what that one made.

mod oversight;
mod queries;

use axum::extract::FromRequestParts;
use chrono::TimeDelta;
use http::request::Parts;
use serde_json::Value;
use sha2::{Digest, Sha256};

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::rules::{Field, field};
use stoa_kernel::http::shape::Takes;
use stoa_kernel::http::table::{HeaderParameter, Operation};
use stoa_kernel::i18n::{Message, Violation};
use stoa_kernel::module::ModuleContext;
use stoa_kernel::retention::Expired;

/// Most characters of a key.
const MAX_LENGTH: usize = 64;

/// The field of the body that may hold the key.
pub(crate) const FIELD: &str = "idempotency_key";

/// The header that may hold it instead.
const HEADER: &str = "idempotency-key";

/// How long a key is kept; a client that tries again does so within days.
const KEPT: TimeDelta = TimeDelta::days(90);

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] =
    &[Expired { what: "old idempotency keys", delete: queries::PRUNE, before: |_, now| now - KEPT }];

/// What this feature need not keep for ever, and what must hold of it.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
    cx.expires(EXPIRED);
}

/// The field of a rule table.
pub(crate) fn key_field() -> Field {
    field(FIELD).nullable().max(MAX_LENGTH).describe(
        "Names this request, so that sending it again makes nothing twice. May be sent as the header `Idempotency-Key`.",
    )
}

/// The key of the header, if there is one.
pub(crate) struct HeaderKey(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for HeaderKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut values = parts.headers.get_all(HEADER).iter();
        let Some(value) = values.next() else { return Ok(Self(None)) };
        let refuse = |violation: Violation| ApiError::invalid_field(FIELD, violation.on(FIELD));
        let text = value.to_str().map_err(|_| refuse(Violation::ControlCharacters))?.trim();
        if text.chars().count() > MAX_LENGTH {
            return Err(refuse(Violation::MaxLength { max: MAX_LENGTH }));
        }
        if values.any(|other| other != value) {
            return Err(refuse(Violation::Ambiguous));
        }
        Ok(Self((!text.is_empty()).then(|| text.to_owned())))
    }
}

impl Takes for HeaderKey {
    fn takes(operation: &mut Operation) {
        operation.headers.push(HeaderParameter {
            name: "Idempotency-Key",
            description: "Names this request, so that sending it again makes nothing twice; or `idempotency_key` in the body.",
            pattern: "^[ -~]{1,64}$",
            example: "7b0c2f9e-1d7c-4f0e-9a51-0f3a6f0f7c11",
        });
    }
}

/// What names a request, and what it asks for.
#[derive(Debug, Clone)]
pub(crate) struct IdempotencyKey {
    key: String,
    fingerprint: [u8; 32],
}

impl IdempotencyKey {
    /// The key of the body or of the header, with a fingerprint of what was asked for. Two different keys are refused.
    pub(crate) fn of(in_body: Option<String>, header: HeaderKey, asked: &Value) -> Result<Option<Self>, ApiError> {
        let key = match (in_body, header.0) {
            (Some(body), Some(header)) if body != header => {
                return Err(ApiError::invalid_field(FIELD, Violation::Ambiguous.on(FIELD)));
            }
            (body, header) => body.or(header),
        };
        // Members of an object are sorted, so the same request has the same text.
        let fingerprint = Sha256::digest(asked.to_string().as_bytes()).into();
        Ok(key.map(|key| Self { key, fingerprint }))
    }
}

/// Why a key makes nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    /// It has named another request before.
    #[error("the key has named another request before")]
    Reused,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Reused => Self::conflict(Message::IdempotencyKeyReused, "idempotency_key_reused"),
            KeyError::Db(error) => error.into(),
        }
    }
}

/// What a key has made before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
#[expect(clippy::struct_field_names, reason = "each is the id of something else")]
pub(crate) struct KeyResult {
    pub(crate) order_id: Option<i64>,
    pub(crate) attempt_id: Option<i64>,
    pub(crate) withdrawal_id: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct KeyRow {
    fingerprint: Vec<u8>,
    #[sqlx(flatten)]
    result: KeyResult,
}

impl KeyRow {
    fn result_of(self, key: &IdempotencyKey) -> Result<KeyResult, KeyError> {
        if self.fingerprint == key.fingerprint { Ok(self.result) } else { Err(KeyError::Reused) }
    }
}

/// What a key has made before, if anything. A key that has named another request is refused.
pub(crate) async fn find(
    tx: &mut Tx,
    customer_id: i64,
    route: &str,
    key: &IdempotencyKey,
) -> Result<Option<KeyResult>, KeyError> {
    let row = tx.run(queries::FIND).bind(customer_id).bind(route).bind(key.key.as_str()).optional::<KeyRow>().await?;
    row.map(|row| row.result_of(key)).transpose()
}

/// What a key has made before, outside a transaction: a replay need not be priced again.
pub(crate) async fn look_up(
    db: &Db,
    customer_id: i64,
    route: &str,
    key: &IdempotencyKey,
) -> Result<Option<KeyResult>, KeyError> {
    let row = db.read(queries::FIND).bind(customer_id).bind(route).bind(key.key.as_str()).optional::<KeyRow>().await?;
    row.map(|row| row.result_of(key)).transpose()
}

/// Takes a key for this transaction, or tells what it has made before. A key that has named another request is refused.
pub(crate) async fn claim(
    tx: &mut Tx,
    customer_id: i64,
    route: &str,
    key: &IdempotencyKey,
) -> Result<Option<KeyResult>, KeyError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(customer_id).bind(route).bind(key.key.as_str());
    if insert.bind(key.fingerprint.as_slice()).bind(now).execute().await? == 1 {
        return Ok(None);
    }
    find(tx, customer_id, route, key).await
}

/// Keeps with a key what it made.
pub(crate) async fn store_result(
    tx: &mut Tx,
    customer_id: i64,
    route: &str,
    key: &IdempotencyKey,
    result: KeyResult,
) -> Result<(), DbError> {
    let update = tx.run(queries::KEEP).bind(customer_id).bind(route).bind(key.key.as_str());
    update.bind(result.order_id).bind(result.attempt_id).bind(result.withdrawal_id).execute().await?;
    Ok(())
}

//! A value is read by its owner: only while it is delivered, and never without a record of it.

use serde_json::{Value, json};
use stoa_core::encryption::Cipher;
use stoa_core::entitlements::use_units;
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::secret::Secret;

use crate::model::{DigitalSecret, SecretRow};
use crate::queries;
use crate::settings::MODULE;
use crate::vault::{Opener, SealedValue, VaultError};

/// Who reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) actor: &'static str,
    /// The access token; none for a session or the command line.
    pub(crate) token_id: Option<i64>,
    /// The route or the command.
    pub(crate) route: &'static str,
}

impl Reader {
    pub(crate) fn customer(token_id: Option<i64>, route: &'static str) -> Self {
        Self { actor: "customer", token_id, route }
    }

    fn operator(place: &'static str) -> Self {
        Self { actor: "operator", token_id: None, route: place }
    }
}

/// A page of what a buyer was delivered.
pub(crate) async fn read_page(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    buyer: Buyer,
    page: (i64, i64),
    reader: Reader,
) -> Result<Vec<DigitalSecret>, VaultError> {
    let (limit, offset) = page;
    let read = db.write(async |tx| -> Result<Vec<(SecretRow, Option<SealedValue>)>, DbError> {
        let rows = tx.run(queries::LIST_OWN).bought_by(buyer).bind(limit).bind(offset).all().await?;
        record(tx, rows, reader).await
    });
    Ok(open_page(random, cipher, read.await?)?)
}

/// One of a buyer's secrets; none of anybody else's.
pub(crate) async fn read_one(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    buyer: Buyer,
    unit_id: i64,
    reader: Reader,
) -> Result<Option<DigitalSecret>, VaultError> {
    let read = db.write(async |tx| -> Result<Vec<(SecretRow, Option<SealedValue>)>, DbError> {
        let rows = tx.run(queries::FIND_OWN).bought_by(buyer).bind(unit_id).all().await?;
        record(tx, rows, reader).await
    });
    let Some((row, sealed)) = read.await?.pop() else { return Ok(None) };
    let value = sealed.map(|sealed| open_one(random, cipher, &sealed)).transpose()?;
    Ok(Some(row.into_secret(value)))
}

/// Writes down which values are about to be read by their owner, and leaves out those that are being refunded. They are
/// opened once that is committed.
async fn record(
    tx: &mut Tx,
    mut rows: Vec<SecretRow>,
    reader: Reader,
) -> Result<Vec<(SecretRow, Option<SealedValue>)>, DbError> {
    let readable = rows.iter().filter(|row| row.is_readable()).map(|row| row.sold).collect::<Vec<_>>();
    let refunded = use_units(tx, MODULE, &readable).await?;
    for row in rows.iter_mut().filter(|row| refunded.contains(&row.sold)) {
        row.withhold();
    }
    let rows = rows.into_iter().map(|mut row| {
        let sealed = row.sealed();
        (row, sealed)
    });
    let rows = rows.collect::<Vec<_>>();
    let readable = rows.iter().filter_map(|(row, sealed)| Some((row.id, sealed.as_ref()?.value_id)));
    record_reveals(tx, readable, reader).await?;
    Ok(rows)
}

/// Writes down that values, each given by unit and value, are read.
async fn record_reveals(
    tx: &mut Tx,
    revealed: impl Iterator<Item = (i64, i64)>,
    reader: Reader,
) -> Result<(), DbError> {
    let revealed = revealed.map(|(unit_id, value_id)| json!({"unit_id": unit_id, "value_id": value_id}));
    let revealed = revealed.collect::<Vec<_>>();
    if revealed.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    let insert = tx.run(queries::INSERT_REVEALS).bind(Value::Array(revealed).to_string()).bind(reader.actor);
    insert.bind(reader.token_id).bind(reader.route).bind(now).execute().await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Live {
    value_id: i64,
    sealed_value: String,
    key_id: i64,
    sealed_key: Vec<u8>,
}

/// The value of a unit, once it is written down that the operator reads it, through this command or page; nothing where there is
/// none, or it was erased.
pub(crate) async fn reveal_to_operator(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    unit_id: i64,
    place: &'static str,
) -> Result<Option<Secret>, VaultError> {
    let found = db.write(async |tx| -> Result<Option<SealedValue>, DbError> {
        let Some(live) = tx.run(queries::FIND_SEALED).bind(unit_id).optional::<Live>().await? else { return Ok(None) };
        record_reveals(tx, std::iter::once((unit_id, live.value_id)), Reader::operator(place)).await?;
        let subject = Subject::new("digital-secret", unit_id);
        tx.audit_operator("digital_secrets.reveal", subject, Value::Null, json!({"value_id": live.value_id})).await?;
        let Live { value_id, sealed_value, key_id, sealed_key } = live;
        Ok(Some(SealedValue { value_id, content: sealed_value, key_id, sealed_key }))
    });
    found.await?.map(|found| open_one(random, cipher, &found)).transpose()
}

/// Opens what can be opened: one value that was damaged does not hide all others.
fn open_page(
    random: &Random,
    cipher: &Cipher,
    rows: Vec<(SecretRow, Option<SealedValue>)>,
) -> Result<Vec<DigitalSecret>, DbError> {
    let mut opener = Opener::new(random, cipher);
    let mut secrets = Vec::with_capacity(rows.len());
    for (row, sealed) in rows {
        let value = match sealed.map(|sealed| opener.open(&sealed)).transpose() {
            Ok(value) => value,
            Err(VaultError::Db(error)) => return Err(error),
            Err(error @ (VaultError::Unreadable(_) | VaultError::Malformed(..))) => {
                tracing::error!(digital_secret.id = row.id, error = %error, "a digital secret cannot be decrypted");
                None
            }
        };
        secrets.push(row.into_secret(value));
    }
    Ok(secrets)
}

/// Opens one value.
fn open_one(random: &Random, cipher: &Cipher, sealed: &SealedValue) -> Result<Secret, VaultError> {
    Opener::new(random, cipher).open(sealed)
}

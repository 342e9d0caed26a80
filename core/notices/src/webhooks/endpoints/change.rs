//! Adding and changing endpoints.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::outbound::{Destination, Reach, Refusal, ResolveError, Resolver};
use stoa_kernel::random::Random;
use stoa_kernel::secret::Secret;

use super::model::{Endpoint, as_json, find_endpoint};
use super::queries;
use crate::webhooks::secrets::{generate, previous_seal_context, seal_context};
use crate::webhooks::sender::{DISABLED, WEBHOOKS, order_key_of};
use crate::webhooks::{EndpointKind, Sender, SetupError};

/// How long a name is looked up when an endpoint is added.
const RESOLVE_PATIENCE: Duration = Duration::from_secs(5);

/// Longest time for which a secret signs beside its successor, in hours: 30 days.
pub const MAX_OVERLAP_HOURS: i64 = 720;

/// Why an endpoint was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
    /// There is no such endpoint.
    #[error("there is no webhook endpoint {0}; `stoa webhook list` shows all")]
    Unknown(i64),
    /// The configuration lists it, and would undo the change.
    #[error("the endpoint {id} is `{name}` in the configuration ([[webhooks.endpoints]]); change it there and restart")]
    Configured {
        /// The endpoint's id.
        id: i64,
        /// Its name.
        name: String,
    },
    /// Somebody else has changed it since it was read.
    #[error("somebody has changed the endpoint {0} meanwhile")]
    Changed(i64),
    /// Nothing may be sent there.
    #[error("nothing may be sent to {url}: {refusal}")]
    Refused {
        /// The URL.
        url: String,
        /// Why.
        refusal: Refusal,
    },
    /// Names cannot be looked up.
    #[error(transparent)]
    Send(#[from] SetupError),
}

/// An endpoint to be added.
#[derive(Debug, Clone)]
pub struct NewEndpoint {
    /// Where to; [`check_destination`] judges it first.
    pub url: String,
    /// What it understands.
    pub kind: EndpointKind,
    /// The events it subscribes to, or `*` alone.
    pub events: Vec<String>,
    /// The operator's own secret; one is generated without it.
    pub secret: Option<Secret>,
}

/// What an endpoint is to be from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointChange {
    /// Where to; [`check_destination`] judges it first.
    pub url: String,
    /// What it understands.
    pub kind: EndpointKind,
    /// The events it subscribes to, or `*` alone.
    pub events: Vec<String>,
}

/// A secret that has just taken another one's place.
#[derive(Debug, Clone)]
pub struct RotatedSecret {
    /// The new one.
    pub secret: Secret,
    /// Until when the one before signs too; none if it does not.
    pub previous_until: Option<DateTime<Utc>>,
}

/// Refuses a URL that would never be sent to: by its form and address, and by its name's addresses where the name can be
/// looked up. A name that cannot be is told, and may be one day.
pub async fn check_destination(
    shop_config: &Config,
    sender: &Sender,
    url: &str,
) -> Result<Option<String>, ChangeError> {
    let config = &shop_config.webhooks;
    let refused = |refusal| ChangeError::Refused { url: url.to_owned(), refusal };
    let destination = Destination::parse(url, Reach::of(config)).map_err(refused)?;
    let Some(name) = destination.name() else { return Ok(None) };
    let resolver: &Resolver = &sender.connector(config)?.resolver;
    match tokio::time::timeout(RESOLVE_PATIENCE, resolver.resolve(name)).await {
        Ok(Ok(_)) => Ok(None),
        Ok(Err(ResolveError::Refused(refusal))) => Err(refused(refusal)),
        Ok(Err(failed @ ResolveError::Failed { .. })) => Ok(Some(stoa_kernel::error_chain(&failed))),
        Err(_) => Ok(Some(format!("the name {name} was not resolved within 5 seconds"))),
    }
}

/// Adds an endpoint, and returns it with the secret that signs for it.
pub async fn add_endpoint(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    config: &Config,
    new: NewEndpoint,
) -> Result<(Endpoint, Secret), ChangeError> {
    let secret = new.secret.clone().unwrap_or_else(|| generate(random));
    let locale = config.shop.locale.to_string();
    let id = db
        .write(async |tx| {
            let row =
                Row { name: None, url: &new.url, kind: new.kind, events: &new.events, locale: &locale, enabled: true };
            let id = insert(tx, cipher, row, &secret).await?;
            let after = json!({"url": new.url, "kind": new.kind.as_str(), "events": new.events});
            tx.audit_operator("webhooks.add", subject(id), Value::Null, after).await?;
            Ok::<_, DbError>(id)
        })
        .await?;
    let endpoint = find_endpoint(db, id).await?.ok_or(ChangeError::Unknown(id))?;
    Ok((endpoint, secret))
}

impl EndpointChange {
    /// What an endpoint is now.
    pub fn of(endpoint: &Endpoint) -> Self {
        Self { url: endpoint.url.clone(), kind: endpoint.kind, events: endpoint.events.clone() }
    }

    /// The same as a text, by which a page tells whether it is still what it has shown.
    pub fn written(&self) -> String {
        format!("{} {} {}", self.kind.as_str(), self.url, self.events.join(","))
    }

    fn told(&self) -> Value {
        json!({"url": self.url, "kind": self.kind.as_str(), "events": self.events})
    }
}

/// Changes an endpoint that was like this when it was read, unless somebody else has changed it since.
pub async fn change_endpoint(
    db: &Db,
    id: i64,
    read: &EndpointChange,
    new: &EndpointChange,
) -> Result<Endpoint, ChangeError> {
    changeable(db, id).await?;
    db.write(async |tx| {
        let now = tx.now();
        // Whoever changes the same endpoint waits.
        tx.run(queries::LOCK).bind(id).bind(now).optional_scalar::<Vec<u8>>().await?;
        let found = tx.run(queries::FIND).bind(id).optional::<Endpoint>().await?.ok_or(ChangeError::Unknown(id))?;
        if EndpointChange::of(&found) != *read {
            return Err(ChangeError::Changed(id));
        }
        let update = tx.run(queries::CHANGE).bind(id).bind(&new.url).bind(new.kind.as_str());
        update.bind(as_json(&new.events)).bind(now).execute().await?;
        tx.audit_operator("webhooks.set", subject(id), read.told(), new.told()).await?;
        tx.run(queries::FIND).bind(id).optional::<Endpoint>().await?.ok_or(ChangeError::Unknown(id))
    })
    .await
}

/// Names of events as an endpoint has them: sorted, each once, and `*` alone.
pub fn subscribed(mut events: Vec<String>) -> Vec<String> {
    events.sort_unstable();
    events.dedup();
    if events.iter().any(|name| name == "*") { vec![String::from("*")] } else { events }
}

/// What a row is made of.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) url: &'a str,
    pub(super) kind: EndpointKind,
    pub(super) events: &'a [String],
    pub(super) locale: &'a str,
    pub(super) enabled: bool,
}

/// Writes a new row with its secret, sealed for that row.
pub(super) async fn insert(tx: &mut Tx, cipher: &Cipher, row: Row<'_>, secret: &Secret) -> Result<i64, DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(row.name).bind(row.url).bind(row.kind.as_str());
    let insert = insert.bind(as_json(row.events)).bind(row.locale).bind(row.enabled).bind(Vec::<u8>::new());
    let id = insert.bind(now).scalar::<i64>().await?;
    let sealed = cipher.seal(seal_context(id), secret.expose().as_bytes());
    tx.run(queries::SET_SECRET).bind(id).bind(sealed).execute().await?;
    Ok(id)
}

/// Switches an endpoint on or off. What waits for one that is switched off is skipped, and stays so (S3.1).
pub async fn set_endpoint_enabled(db: &Db, id: i64, enabled: bool) -> Result<Endpoint, ChangeError> {
    changeable(db, id).await?;
    db.write(async |tx| -> Result<(), DbError> {
        let now = tx.now();
        tx.run(queries::SET_ENABLED).bind(id).bind(enabled).bind(now).execute().await?;
        if !enabled {
            skip_waiting(tx, id).await?;
        }
        let act = if enabled { "webhooks.enable" } else { "webhooks.disable" };
        tx.audit_operator(act, subject(id), json!({"enabled": !enabled}), json!({"enabled": enabled})).await
    })
    .await?;
    find_endpoint(db, id).await?.ok_or(ChangeError::Unknown(id))
}

/// What the audit log calls an endpoint.
pub(in crate::webhooks) fn subject(id: i64) -> Subject {
    Subject::new("webhook", id)
}

/// Removes an endpoint. Its deliveries are listed until they are old.
pub async fn remove_endpoint(db: &Db, id: i64) -> Result<Endpoint, ChangeError> {
    let endpoint = changeable(db, id).await?;
    db.write(async |tx| {
        remove(tx, id).await?;
        tx.audit_operator("webhooks.remove", subject(id), json!({"url": endpoint.url}), Value::Null).await
    })
    .await?;
    Ok(endpoint)
}

pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::REMOVE).bind(id).bind(now).bind(Vec::<u8>::new()).execute().await?;
    skip_waiting(tx, id).await
}

pub(super) async fn skip_waiting(tx: &mut Tx, id: i64) -> Result<(), DbError> {
    let now = tx.now();
    let waiting = tx.withdraw(WEBHOOKS, &order_key_of(id)).await?;
    let waiting = Value::Array(waiting.into_iter().map(|delivery| json!({"id": delivery})).collect());
    tx.run(queries::SKIP).bind(waiting.to_string()).bind(now).bind(DISABLED).execute().await?;
    Ok(())
}

/// Gives an endpoint another secret; for the time of `overlap`, the one before signs too (S6.4.5).
pub async fn rotate_secret(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    id: i64,
    secret: Option<Secret>,
    overlap: TimeDelta,
) -> Result<RotatedSecret, ChangeError> {
    changeable(db, id).await?;
    let secret = secret.unwrap_or_else(|| generate(random));
    let rotated = db.write(async |tx| {
        let rotated = rotate(tx, cipher, id, &secret, overlap).await?;
        tx.audit_operator("webhooks.rotate-secret", subject(id), Value::Null, Value::Null).await?;
        Ok::<_, DbError>(rotated)
    });
    let rotated = rotated.await?;
    let previous_until = rotated.ok_or(ChangeError::Unknown(id))?;
    Ok(RotatedSecret { secret, previous_until })
}

/// The same inside of a transaction: until when both sign; none when there is no such endpoint.
pub(super) async fn rotate(
    tx: &mut Tx,
    cipher: &Cipher,
    id: i64,
    secret: &Secret,
    overlap: TimeDelta,
) -> Result<Option<Option<DateTime<Utc>>>, DbError> {
    let now = tx.now();
    let Some(present) = tx.run(queries::LOCK).bind(id).bind(now).optional_scalar::<Vec<u8>>().await? else {
        return Ok(None);
    };
    // One that cannot be opened any more signs nothing anyway.
    let opened = cipher.open(seal_context(id), &present).ok().filter(|_| overlap > TimeDelta::zero());
    let previous = opened.map(|opened| cipher.seal(previous_seal_context(id), &opened));
    let until = previous.is_some().then(|| now + overlap);
    let sealed = cipher.seal(seal_context(id), secret.expose().as_bytes());
    tx.run(queries::ROTATE).bind(id).bind(sealed).bind(previous).bind(until).execute().await?;
    Ok(Some(until))
}

/// The endpoint, if commands may change it.
async fn changeable(db: &Db, id: i64) -> Result<Endpoint, ChangeError> {
    let endpoint = find_endpoint(db, id).await?.ok_or(ChangeError::Unknown(id))?;
    match endpoint.name {
        Some(name) => Err(ChangeError::Configured { id, name }),
        None => Ok(endpoint),
    }
}

//! Taking the endpoints of the configuration over into the database, when a shop starts.

use chrono::TimeDelta;

use stoa_kernel::config::{Config, WebhookEndpoint};
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;

use super::change::{Row, insert, remove, rotate, skip_waiting};
use super::model::{Endpoint, as_json, list_endpoints, secrets_of};
use super::queries;

/// How long the secret before signs too after the configuration has got another one.
const OVERLAP: TimeDelta = TimeDelta::hours(24);

/// Makes the endpoints of the database those of the configuration: new ones are added, others changed, and those that are
/// gone removed. Writes nothing when all is as it was.
pub async fn take_over(db: &Db, cipher: &Cipher, config: &Config) -> Result<(), DbError> {
    let configured = &config.webhooks.endpoints;
    let known = list_endpoints(db).await?;
    let known = known.iter().filter(|endpoint| endpoint.name.is_some()).collect::<Vec<_>>();
    if configured.is_empty() && known.is_empty() {
        return Ok(());
    }
    let secrets = secrets_of(db, cipher).await?;
    let locale = config.shop.locale.to_string();
    let plan = configured.iter().map(|wanted| {
        let found = known.iter().find(|endpoint| endpoint.name.as_deref() == Some(&wanted.name)).copied();
        let present = found.and_then(|found| secrets.iter().find(|(id, _)| *id == found.id));
        let keeps_secret = present.is_some_and(|(_, secrets)| secrets.first() == Some(&wanted.secret));
        (wanted, found, keeps_secret)
    });
    let plan = plan.collect::<Vec<_>>();
    let gone =
        known.iter().filter(|endpoint| !configured.iter().any(|wanted| Some(&wanted.name) == endpoint.name.as_ref()));
    let gone = gone.map(|endpoint| endpoint.id).collect::<Vec<_>>();
    let is_settled = gone.is_empty()
        && plan.iter().all(|(wanted, found, keeps_secret)| {
            *keeps_secret && found.is_some_and(|found| matches(found, wanted, &locale))
        });
    if is_settled {
        return Ok(());
    }
    db.write(async |tx| -> Result<(), DbError> {
        for id in &gone {
            remove(tx, *id).await?;
        }
        for (wanted, found, keeps_secret) in &plan {
            let Some(found) = found else {
                insert(tx, cipher, row(wanted, &locale), &wanted.secret).await?;
                continue;
            };
            if !keeps_secret {
                rotate(tx, cipher, found.id, &wanted.secret, OVERLAP).await?;
            }
            if !matches(found, wanted, &locale) {
                update(tx, found.id, row(wanted, &locale)).await?;
            }
        }
        Ok(())
    })
    .await
}

fn row<'a>(wanted: &'a WebhookEndpoint, locale: &'a str) -> Row<'a> {
    Row {
        name: Some(&wanted.name),
        url: &wanted.url,
        kind: wanted.kind,
        events: &wanted.events,
        locale,
        enabled: wanted.enabled,
    }
}

fn matches(found: &Endpoint, wanted: &WebhookEndpoint, locale: &str) -> bool {
    found.url == wanted.url
        && found.kind == wanted.kind
        && found.events == wanted.events
        && found.locale == locale
        && found.enabled == wanted.enabled
}

async fn update(tx: &mut Tx, id: i64, row: Row<'_>) -> Result<(), DbError> {
    let now = tx.now();
    let update = tx.run(queries::UPDATE_CONFIGURED).bind(id).bind(row.url).bind(row.kind.as_str());
    update.bind(as_json(row.events)).bind(row.locale).bind(row.enabled).bind(now).execute().await?;
    if !row.enabled {
        skip_waiting(tx, id).await?;
    }
    Ok(())
}

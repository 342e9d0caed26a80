//! Adding endpoints, changing them, and giving them another secret, which is shown once.

use std::sync::Arc;

use chrono::TimeDelta;
use serde::Deserialize;
use stoa_core::config::Config;
use stoa_core::db::Db;
use stoa_core::encryption::Cipher;
use stoa_core::from_shop;
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Field, Rules, field};
use stoa_core::random::Random;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{
    ChangeError, EndpointChange, EndpointKind, MAX_OVERLAP_HOURS, NewEndpoint, Sender, WebhookTypes, add_endpoint,
    change_endpoint, check_destination, find_endpoint, is_usable_secret, rotate_secret, subscribed,
};
use stoa_kernel::commands::shown_time;
use stoa_kernel::console::{ConsoleForm, FormStart, FormValues, Refused, Told, form};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::table::Routes;

use super::PAGE;
use super::acts::refused;
use crate::page::ConsoleState;

/// How long a secret signs beside its successor unless somebody says otherwise, in hours.
const OVERLAP_HOURS: i64 = 24;

/// Longest text of what an endpoint was, in characters.
const MAX_SEEN: usize = 20_000;

const EDIT: &str = "webhooks.edit";

from_shop! {
    /// What endpoints are added and changed with.
    struct Endpoints {
        db: Db,
        random: Random,
        cipher: Cipher,
        config: Arc<Config>,
        types: Arc<WebhookTypes>,
    }
}

fn id() -> Field {
    field("id").label("Endpoint").integer(1, i64::MAX).required()
}

fn url() -> Field {
    field("url")
        .label("URL")
        .format("uri")
        .max(2048)
        .required()
        .describe("An https:// address that is open to the public.")
}

fn kind() -> Field {
    let kinds = vec![EndpointKind::Http.as_str(), EndpointKind::Chat.as_str()];
    field("kind")
        .one_of(kinds)
        .required()
        .describe("http: a program, which gets JSON. chat: a chat that takes Discord's format.")
}

fn events() -> Field {
    field("events").array(field("event").max(100), 100).required().describe("* stands for all, also for those to come.")
}

fn secret() -> Field {
    field("secret").max(255).describe("Your own, to sign with. Left empty, a new one is made.")
}

/// An endpoint that is added.
#[derive(Deserialize)]
struct Added {
    url: String,
    kind: String,
    events: Vec<String>,
    secret: Option<Secret>,
}

impl Input for Added {
    const NAME: &'static str = "ConsoleWebhookAdded";

    fn rules() -> Rules {
        Rules::new([url(), kind(), events(), secret()])
    }
}

/// An endpoint that is changed, as it was when the form was opened.
#[derive(Deserialize)]
struct Changed {
    id: i64,
    seen: String,
    url: String,
    kind: String,
    events: Vec<String>,
}

impl Input for Changed {
    const NAME: &'static str = "ConsoleWebhookChanged";

    fn rules() -> Rules {
        Rules::new([id(), field("seen").max(MAX_SEEN).required(), url(), kind(), events()])
    }
}

/// A secret that is changed.
#[derive(Deserialize)]
struct Rotated {
    id: i64,
    overlap: i64,
    secret: Option<Secret>,
}

impl Input for Rotated {
    const NAME: &'static str = "ConsoleWebhookRotated";

    fn rules() -> Rules {
        let overlap = field("overlap").label("Hours for which the secret before signs too");
        let overlap =
            overlap.integer(0, MAX_OVERLAP_HOURS).required().describe("0 when it has become known to others.");
        Rules::new([id(), overlap, secret()])
    }
}

/// The forms.
pub(super) fn forms(sender: &Sender) -> Vec<Routes<ConsoleState>> {
    vec![
        add(sender).routes("/webhooks/add", PAGE),
        change(sender).routes("/webhooks/set", PAGE),
        rotate().routes("/webhooks/rotate-secret", PAGE),
    ]
}

fn add(sender: &Sender) -> ConsoleForm {
    let sender = sender.clone();
    let add = form("console.webhooks.add", "Add endpoint", EDIT, move |new: Added, uses: Endpoints| {
        let sender = sender.clone();
        async move {
            let secret = usable(new.secret)?;
            let (notice, kind, events) = wanted(&uses, &sender, &new.url, &new.kind, new.events).await?;
            let new = NewEndpoint { url: new.url, kind, events, secret };
            let added = add_endpoint(&uses.db, &uses.random, &uses.cipher, &uses.config, new).await;
            let (endpoint, secret) = added.map_err(refused)?;
            let told = Told::new(format!("{} is told of events from now on.", endpoint.url));
            Ok(told.once("Secret", secret).warns(notice))
        }
    });
    let add = add.about("Its receiver verifies with a secret that the events come from this shop. You see it once, when the endpoint is added.");
    add.begins(|_, types: Arc<WebhookTypes>| async move {
        Ok(offering(FormStart::default(), &types).value("kind", EndpointKind::Http.as_str()))
    })
}

fn change(sender: &Sender) -> ConsoleForm {
    let sender = sender.clone();
    let change = form("console.webhooks.set", "Change endpoint", EDIT, move |new: Changed, uses: Endpoints| {
        let sender = sender.clone();
        async move {
            let (notice, kind, events) = wanted(&uses, &sender, &new.url, &new.kind, new.events).await?;
            let found = find_endpoint(&uses.db, new.id).await?;
            let before = found.as_ref().map(EndpointChange::of).filter(|before| before.written() == new.seen);
            let Some(before) = before else { return Err(Refused::Because(meanwhile(&uses.db, new.id).await?)) };
            let wanted = EndpointChange { url: new.url, kind, events };
            let endpoint = match change_endpoint(&uses.db, new.id, &before, &wanted).await {
                Ok(endpoint) => endpoint,
                Err(ChangeError::Changed(id)) => return Err(Refused::Because(meanwhile(&uses.db, id).await?)),
                Err(error) => return Err(refused(error)),
            };
            Ok(Told::new(format!("{} is changed.", endpoint.url)).warns(notice))
        }
    });
    change.hides(&["id", "seen"]).begins(|values: FormValues, (db, types): (Db, Arc<WebhookTypes>)| async move {
        begin_change(&db, &types, &values).await
    })
}

async fn begin_change(db: &Db, types: &WebhookTypes, values: &FormValues) -> ApiResult<FormStart> {
    let start = offering(FormStart::default(), types);
    let id = values.get("id").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
    let Some(endpoint) = find_endpoint(db, id).await? else { return Ok(start) };
    let start = start
        .value("seen", EndpointChange::of(&endpoint).written())
        .value("url", endpoint.url)
        .value("kind", endpoint.kind.as_str());
    Ok(start.value("events", endpoint.events.join("\n")))
}

/// What somebody else has made of an endpoint meanwhile.
async fn meanwhile(db: &Db, id: i64) -> Result<String, Refused> {
    Ok(match find_endpoint(db, id).await? {
        Some(now) => format!(
            "Somebody has changed this endpoint meanwhile: it tells {} ({}) of {}. Nothing was saved. Save once more to have it as it \
             stands below.",
            now.url,
            now.kind.as_str(),
            now.events.join(", ")
        ),
        None => String::from("Somebody has deleted this endpoint meanwhile."),
    })
}

fn rotate() -> ConsoleForm {
    let rotate =
        form("console.webhooks.rotate-secret", "Rotate secret", EDIT, |new: Rotated, uses: Endpoints| async move {
            let (overlap, secret) = (TimeDelta::hours(new.overlap), usable(new.secret)?);
            let rotated = rotate_secret(&uses.db, &uses.random, &uses.cipher, new.id, secret, overlap).await;
            let rotated = rotated.map_err(refused)?;
            let told = match rotated.previous_until {
                Some(until) => format!("The secret before signs too until {}.", shown_time(until)),
                None => String::from("The secret before signs no more."),
            };
            Ok(Told::new(told).once("New secret", rotated.secret))
        });
    let rotate = rotate
        .about("The endpoint gets another secret. For a while the one before signs too, so that nothing is lost.");
    rotate.hides(&["id"]).begins(|values: FormValues, db: Db| async move {
        Ok(begin(values, db).await?.value("overlap", OVERLAP_HOURS.to_string()))
    })
}

/// Says which endpoint it is.
pub(super) async fn begin(values: FormValues, db: Db) -> ApiResult<FormStart> {
    let id = values.get("id").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
    let found = find_endpoint(&db, id).await?;
    Ok(found.map_or_else(FormStart::default, |endpoint| FormStart::about(format!("{}.", endpoint.url))))
}

/// Has the events be chosen that there are.
fn offering(start: FormStart, types: &WebhookTypes) -> FormStart {
    let all = std::iter::once("*").chain(types.names()).collect();
    start.offers("events", all)
}

/// What an endpoint is to be: a notice to be told, what it understands, and its events.
async fn wanted(
    uses: &Endpoints,
    sender: &Sender,
    url: &str,
    kind: &str,
    events: Vec<String>,
) -> Result<(Option<String>, EndpointKind, Vec<String>), Refused> {
    if let Some(refusal) = events.iter().find_map(|name| uses.types.refusal(name)) {
        return Err(Refused::field("events", &refusal));
    }
    if events.is_empty() {
        return Err(Refused::field("events", &"choose at least one"));
    }
    let kind = EndpointKind::try_from(kind.to_owned()).map_err(|reason| Refused::field("kind", &reason))?;
    let notice = check_destination(&uses.config, sender, url).await.map_err(|error| match error {
        ChangeError::Refused { .. } => Refused::field("url", &error),
        other => refused(other),
    })?;
    Ok((notice.map(|notice| stoa_kernel::console::sentence(&notice)), kind, subscribed(events)))
}

fn usable(secret: Option<Secret>) -> Result<Option<Secret>, Refused> {
    match secret {
        Some(own) if !is_usable_secret(own.expose()) => {
            Err(Refused::field("secret", &"a line of 1 to 255 characters without blanks at its ends is expected"))
        }
        secret => Ok(secret),
    }
}

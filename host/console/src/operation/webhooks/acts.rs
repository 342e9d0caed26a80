//! What is done with endpoints and deliveries.

use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use serde::Deserialize;
use stoa_core::clock::Clock;
use stoa_core::config::Config;
use stoa_core::db::Db;
use stoa_core::encryption::Cipher;
use stoa_core::from_shop;
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Rules, field};
use stoa_core::i18n::Texts;
use stoa_core::random::Random;
use stoa_core::webhooks::{
    ChangeError, DeliveryFilter, DeliveryState, Outcome, Retried, Sender, remove_endpoint, retry_deliveries,
    retry_delivery, send_test, set_endpoint_enabled,
};
use stoa_kernel::console::{ConsoleForm, Refused, Told, form};
use stoa_kernel::http::table::Routes;

use super::endpoint_forms::begin;
use super::{DELIVERIES, PAGE};
use crate::page::ConsoleState;

#[derive(Deserialize)]
struct Named {
    id: i64,
}

impl Input for Named {
    const NAME: &'static str = "ConsoleWebhook";

    fn rules() -> Rules {
        Rules::new([field("id").label("Endpoint").integer(1, i64::MAX).required()])
    }
}

#[derive(Deserialize)]
struct Again {
    delivery: String,
}

impl Input for Again {
    const NAME: &'static str = "ConsoleWebhookRetry";

    fn rules() -> Rules {
        Rules::new([field("delivery").required()])
    }
}

from_shop! {
    /// What a test is sent with.
    struct Sending {
        db: Db,
        clock: Clock,
        random: Random,
        cipher: Cipher,
        config: Arc<Config>,
        texts: Texts,
    }
}

/// Switching, deleting and testing endpoints, and sending again.
pub(super) fn forms(sender: &Sender) -> Vec<Routes<ConsoleState>> {
    let enable = form("console.webhooks.enable", "Enable", "webhooks.edit", |new: Named, db: Db| switch(db, new, true));
    let disable =
        form("console.webhooks.disable", "Disable", "webhooks.edit", |new: Named, db: Db| switch(db, new, false));
    let delete = form("console.webhooks.delete", "Delete", "webhooks.edit", |new: Named, db: Db| async move {
        let gone = remove_endpoint(&db, new.id).await.map_err(refused)?;
        Ok(format!("{} is told of nothing any more.", gone.url).into())
    });
    let retry = form("console.webhooks.retry", "Retry", "webhooks.retry", retry);
    let delete = delete.about("Nothing is sent there any more. What was sent stays listed for a while.");
    let delete = delete.hides(&["id"]).begins(begin);
    vec![
        retry_all().routes("/webhooks/retry-all", DELIVERIES),
        enable.routes("/webhooks/enable", PAGE),
        disable.routes("/webhooks/disable", PAGE),
        delete.routes("/webhooks/delete", PAGE),
        retry.routes("/webhooks/retry", DELIVERIES),
        test(sender).routes("/webhooks/test", PAGE),
    ]
}

async fn switch(db: Db, new: Named, enabled: bool) -> Result<Told, Refused> {
    let endpoint = set_endpoint_enabled(&db, new.id, enabled).await.map_err(refused)?;
    Ok(format!("{} is {} now.", endpoint.url, if enabled { "on" } else { "off" }).into())
}

async fn retry(again: Again, db: Db) -> Result<Told, Refused> {
    match retry_delivery(&db, &again.delivery).await? {
        Retried::Queued => Ok("The delivery is sent again.".into()),
        Retried::Unknown => Err(Refused::field("delivery", &"there is no such delivery")),
        Retried::InFlight => Err(Refused::because(&"it is being sent at this moment")),
        Retried::EndpointOff => Err(Refused::because(&"its endpoint is off or was removed")),
    }
}

/// Which deliveries are sent again.
#[derive(Deserialize)]
struct Many {
    state: String,
    endpoint: Option<i64>,
    event: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

impl Input for Many {
    const NAME: &'static str = "ConsoleWebhookRetryAll";

    fn rules() -> Rules {
        let state = field("state").one_of(DeliveryState::ALL.map(DeliveryState::as_str).to_vec()).required();
        let endpoint = field("endpoint").integer(1, i64::MAX).describe("Only those to this one.");
        let from = field("from").format("date").max(10).describe("Only those of events from this day on (UTC).");
        let to = field("to").format("date").max(10).describe("Only those of events up to the end of this day (UTC).");
        Rules::new([state, endpoint, field("event").max(100).describe("Only those of this event."), from, to])
    }
}

fn retry_all() -> ConsoleForm {
    let retry = form("console.webhooks.retry-all", "Retry", "webhooks.retry", |many: Many, db: Db| async move {
        let state = DeliveryState::try_from(many.state).map_err(|reason| Refused::field("state", &reason))?;
        let to = day("to", many.to.as_deref())?;
        let filter = DeliveryFilter {
            endpoint_id: many.endpoint,
            event: many.event,
            since: day("from", many.from.as_deref())?,
            until: to.map(|day| day + Days::new(1)),
            ..DeliveryFilter::default()
        };
        let again = retry_deliveries(&db, state, &filter).await?;
        Ok(format!("{again} deliveries are sent again.").into())
    });
    retry.about(
        "All deliveries in a state are sent again, the same bodies under the same ids, their attempts counted anew.",
    )
}

/// The moment that a day begins at.
fn day(name: &'static str, text: Option<&str>) -> Result<Option<DateTime<Utc>>, Refused> {
    let day = text.map(str::parse::<NaiveDate>).transpose();
    let day = day.map_err(|_| Refused::field(name, &"enter a day, such as 2027-06-01"))?;
    Ok(day.map(|day| day.and_time(NaiveTime::MIN).and_utc()))
}

fn test(sender: &Sender) -> ConsoleForm {
    let sender = sender.clone();
    form("console.webhooks.test", "Send test", "webhooks.edit", move |new: Named, uses: Sending| {
        let sender = sender.clone();
        async move {
            let Sending { db, clock, random, cipher, config, texts } = &uses;
            let sent = send_test(db, clock, random, cipher, (config, texts), &sender, new.id).await.map_err(refused)?;
            let took = sent.duration.as_millis();
            Ok(match sent.outcome {
                Outcome::Delivered { status } => format!("It was answered {status} after {took} ms.").into(),
                Outcome::Retryable { error, .. } | Outcome::Final { error, .. } => {
                    Told::sentence(&format!("the test was not taken: {error} (after {took} ms)")).bad()
                }
            })
        }
    })
}

pub(super) fn refused(error: ChangeError) -> Refused {
    match error {
        ChangeError::Db(error) => error.into(),
        other => Refused::because(&other),
    }
}

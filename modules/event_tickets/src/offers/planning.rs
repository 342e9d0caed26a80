//! What operators change about events and what is sold of them, at the command line and in the console.

use chrono::{DateTime, FixedOffset, Utc};
use serde_json::{Value, json};
use stoa_core::prelude::*;
use stoa_core::suggestion::meant_or;

use super::apply::{EventRow, insert_event, move_to_quota, write_quota};
use super::listing::{QuotaRow, TypeRow};
use super::queries;
use crate::settings::{SharedCapacity, TicketSettings};

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanRefused {
    /// There is no such event.
    #[error("there is no event `{slug}`{instead}")]
    UnknownEvent {
        /// What was asked for.
        slug: String,
        /// What was probably meant, or where all are shown.
        instead: String,
    },
    /// There is no such ticket type.
    #[error("there is no ticket type {0}; `stoa event-tickets type list` shows all")]
    UnknownType(i64),
    /// The event has no such capacity.
    #[error("the event has no shared capacity `{0}`; `stoa event-tickets quota set` makes one")]
    UnknownQuota(String),
    /// It would be over before it begins.
    #[error("the end must be later than the beginning")]
    EndsTooEarly,
    /// Its sale would be over before it begins.
    #[error("the sale must end later than it begins")]
    SaleEndsTooEarly,
    /// Another event has this name at this place and time.
    #[error("there is another event `{name}` at the same place on {when}; `stoa event-tickets event list` shows it")]
    Another {
        /// The name.
        name: String,
        /// When it begins.
        when: String,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// What is changed about an event; what is not said stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventChange {
    pub(crate) name: Option<String>,
    pub(crate) venue: Option<String>,
    pub(crate) starts_at: Option<DateTime<FixedOffset>>,
    pub(crate) ends_at: Option<DateTime<FixedOffset>>,
}

/// What becomes of the shared capacity that a ticket type is sold within.
#[derive(Debug, Clone, Default)]
pub(crate) enum QuotaChange {
    /// It stays as it is.
    #[default]
    Keep,
    /// It is sold within this one.
    To(String),
    /// It has its own capacity alone.
    Alone,
}

/// What is changed about a ticket type; what is not said stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct TypeChange {
    pub(crate) name: Option<String>,
    pub(crate) capacity: Option<i64>,
    pub(crate) quota: QuotaChange,
    pub(crate) on_sale_from: Option<DateTime<Utc>>,
    pub(crate) on_sale_until: Option<DateTime<Utc>>,
}

/// Adds an event, to share capacities of it before products are imported.
pub(crate) async fn add_event(
    db: &Db,
    name: String,
    venue: String,
    starts_at: DateTime<FixedOffset>,
    ends_at: Option<DateTime<FixedOffset>>,
) -> Result<EventRow, PlanRefused> {
    let settings = TicketSettings {
        event: name,
        venue,
        starts_at,
        ends_at,
        capacity: 0,
        ticket_type: String::new(),
        on_sale_from: None,
        on_sale_until: None,
        shared_capacity: None,
    };
    settings.validate().map_err(|_| PlanRefused::EndsTooEarly)?;
    let added = db.write(async |tx| -> Result<EventRow, DbError> {
        let id = insert_event(tx, &settings).await?;
        let event = tx.run(queries::FIND_EVENT).bind(id).one::<EventRow>().await?;
        tx.audit_operator("event_tickets.add-event", of_event(&event.slug), Value::Null, json!(event)).await?;
        Ok(event)
    });
    Ok(added.await?)
}

/// What is told about a slug that no event has.
pub(crate) async fn unknown_event(mut reader: Reader<'_>, slug: &str) -> Result<PlanRefused, DbError> {
    let known = reader.read(queries::EVENT_SLUGS).scalars::<String>().await?;
    let instead = meant_or(slug, known.iter().map(String::as_str), "`stoa event-tickets event list` shows all");
    Ok(PlanRefused::UnknownEvent { slug: slug.to_owned(), instead })
}

/// Changes an event. Its tickets are for what it is from then on.
pub(crate) async fn change_event(db: &Db, slug: &str, change: &EventChange) -> Result<EventRow, PlanRefused> {
    db.write(async |tx| {
        let Some(before) = tx.run(queries::LOCK_EVENT).bind(slug).optional::<EventRow>().await? else {
            return Err(unknown_event(Reader::Tx(tx), slug).await?);
        };
        let event = changed(before.clone(), change)?;
        let update = tx.run(queries::UPDATE_EVENT).bind(event.id).bind(event.name.as_str());
        let update = update.bind(event.venue.as_str()).bind(event.starts_at).bind(event.ends_at);
        update.bind(event.utc_offset_minutes).execute().await.map_err(|error| {
            if error.is_unique_violation() {
                PlanRefused::Another { name: event.name.clone(), when: shown_time(event.starts_at) }
            } else {
                error.into()
            }
        })?;
        tx.audit_operator("event_tickets.set-event", of_event(slug), json!(before), json!(event)).await?;
        Ok(event)
    })
    .await
}

fn changed(mut event: EventRow, change: &EventChange) -> Result<EventRow, PlanRefused> {
    event.name = change.name.clone().unwrap_or(event.name);
    event.venue = change.venue.clone().unwrap_or(event.venue);
    if let Some(starts_at) = change.starts_at {
        // An event that is moved ends as long after its beginning as before, unless another end is told.
        let moved = starts_at.to_utc() - event.starts_at;
        event.ends_at = event.ends_at.and_then(|ends| ends.checked_add_signed(moved));
        event.starts_at = starts_at.to_utc();
        event.utc_offset_minutes = i64::from(starts_at.offset().local_minus_utc() / 60);
    }
    event.ends_at = change.ends_at.map(|time| time.to_utc()).or(event.ends_at);
    if event.ends_at.is_some_and(|ends| ends <= event.starts_at) { Err(PlanRefused::EndsTooEarly) } else { Ok(event) }
}

/// A ticket type.
pub(crate) async fn find_type(db: &Db, id: i64) -> Result<TypeRow, PlanRefused> {
    let found = db.read(queries::LIST_TYPES).bind(None::<i64>).bind(id).optional::<TypeRow>().await?;
    found.ok_or(PlanRefused::UnknownType(id))
}

/// Changes what is sold, until the product is imported with other settings.
pub(crate) async fn change_type(db: &Db, id: i64, change: &TypeChange) -> Result<TypeRow, PlanRefused> {
    db.write(async |tx| {
        tx.run(crate::queries::LOCK_TYPE).bind(id).execute().await?;
        let before = type_in(tx, id).await?;
        let from = change.on_sale_from.or(before.on_sale_from);
        if from.zip(change.on_sale_until.or(before.on_sale_until)).is_some_and(|(from, until)| until <= from) {
            return Err(PlanRefused::SaleEndsTooEarly);
        }
        write_type(tx, id, &before.event_slug, change).await?;
        let after = type_in(tx, id).await?;
        let subject = Subject::new("ticket-type", id);
        tx.audit_operator("event_tickets.set-type", subject, json!(before), json!(after)).await?;
        Ok(after)
    })
    .await
}

async fn type_in(tx: &mut Tx, id: i64) -> Result<TypeRow, PlanRefused> {
    let found = tx.run(queries::LIST_TYPES).bind(None::<i64>).bind(id).optional::<TypeRow>().await?;
    found.ok_or(PlanRefused::UnknownType(id))
}

async fn write_type(tx: &mut Tx, id: i64, event: &str, change: &TypeChange) -> Result<(), PlanRefused> {
    if let Some(capacity) = change.capacity {
        tx.run(queries::SET_TYPE_CAPACITY).bind(id).bind(capacity).execute().await?;
    }
    if let Some(name) = &change.name {
        tx.run(queries::RENAME_TYPE).bind(id).bind(name.as_str()).execute().await?;
    }
    if let Some(from) = change.on_sale_from {
        tx.run(queries::SET_SALE_START).bind(id).bind(from).execute().await?;
    }
    if let Some(until) = change.on_sale_until {
        tx.run(queries::SET_SALE_END).bind(id).bind(until).execute().await?;
    }
    match &change.quota {
        QuotaChange::Keep => {}
        QuotaChange::Alone => move_to_quota(tx, id, None).await?,
        QuotaChange::To(name) => {
            let event = tx.run(queries::FIND_EVENT_BY_SLUG).bind(event).one::<EventRow>().await?;
            let found = tx.run(queries::FIND_QUOTA).bind(event.id).bind(name.trim()).optional_scalar::<i64>().await?;
            let found = found.ok_or_else(|| PlanRefused::UnknownQuota(name.clone()))?;
            move_to_quota(tx, id, Some(found)).await?;
        }
    }
    Ok(())
}

/// Makes a capacity that types of an event share, or sets it.
pub(crate) async fn set_quota(db: &Db, event: &str, shared: &SharedCapacity) -> Result<QuotaRow, PlanRefused> {
    db.write(async |tx| {
        let Some(EventRow { id, .. }) = tx.run(queries::LOCK_EVENT).bind(event).optional().await? else {
            return Err(unknown_event(Reader::Tx(tx), event).await?);
        };
        let before = quota_in(tx, id, &shared.name).await?;
        write_quota(tx, id, shared).await?;
        let after = quota_in(tx, id, &shared.name).await?;
        tx.audit_operator("event_tickets.set-quota", of_event(event), json!(before), json!(after)).await?;
        after.ok_or_else(|| PlanRefused::UnknownQuota(shared.name.clone()))
    })
    .await
}

async fn quota_in(tx: &mut Tx, event_id: i64, name: &str) -> Result<Option<QuotaRow>, DbError> {
    let quotas = tx.run(queries::LIST_QUOTAS).bind(event_id).all::<QuotaRow>().await?;
    Ok(quotas.into_iter().find(|quota| quota.name == name))
}

fn of_event(slug: &str) -> Subject {
    Subject::new("event", slug)
}

//! Making events, types and capacities of what products say.
//!
//! A ticket never moves to another event. When the only product of an event, or all of them, say another name, place or
//! time, the event itself is changed, and its tickets with it. When one of several does, or when the event is over, that
//! product sells another event from then on, and what was sold stays what it was.

use chrono::{DateTime, Offset, Utc};
use sqlx::types::Json;
use stoa_core::prelude::*;

use super::queries;
use crate::queries::LOCK_TYPE;
use crate::settings::{SharedCapacity, TicketSettings};

/// The most characters of an event's name in its slug.
const LONGEST_SLUG: usize = 60;

/// An event as it is kept.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub(crate) struct EventRow {
    #[serde(skip)]
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) venue: String,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: Option<DateTime<Utc>>,
    pub(crate) utc_offset_minutes: i64,
}

/// Applies the settings of a product. Whoever comes second finds them applied.
pub(crate) async fn apply(tx: &mut Tx, product_id: i64, settings: &TicketSettings) -> Result<(), DbError> {
    let canonical = settings.canonical();
    if tx.run(queries::LOCK_PRODUCT).bind(product_id).scalar::<String>().await? == canonical {
        return Ok(());
    }
    let current = tx.run(queries::FIND_OFFER).bind(product_id).optional::<super::Offer>().await?;
    let event_id = match current {
        Some(offer) => event_after(tx, product_id, offer.event_id, settings).await?,
        None => insert_event(tx, settings).await?,
    };
    let type_id = write_type(tx, event_id, product_id, settings).await?;
    tx.run(queries::SET_OFFER).bind(product_id).bind(type_id).bind(canonical).execute().await?;
    Ok(())
}

/// The event that a product sells now which has sold another, or the same one with other words.
async fn event_after(tx: &mut Tx, product_id: i64, event_id: i64, new: &TicketSettings) -> Result<i64, DbError> {
    let event = tx.run(queries::FIND_EVENT).bind(event_id).one::<EventRow>().await?;
    let starts_at = new.starts_at.to_utc();
    if event.name == new.event && event.venue == new.venue && event.starts_at == starts_at {
        set_end(tx, event_id, new).await?;
        return Ok(event_id);
    }
    let is_over = event.ends_at.unwrap_or(event.starts_at) <= tx.now();
    let is_elsewhere = find_same(tx, new).await?.is_some();
    if is_over || is_elsewhere || !others_agree(tx, product_id, event_id, new).await? {
        return insert_event(tx, new).await;
    }
    let ends_at = new.ends_at.map(|time| time.to_utc());
    let update = tx.run(queries::UPDATE_EVENT).bind(event_id).bind(new.event.as_str()).bind(new.venue.as_str());
    update.bind(starts_at).bind(ends_at).bind(utc_offset(new)).execute().await?;
    Ok(event_id)
}

/// Whether all other products of an event speak of the same one as these settings do.
async fn others_agree(tx: &mut Tx, product_id: i64, event_id: i64, new: &TicketSettings) -> Result<bool, DbError> {
    let others = tx.run(queries::LIST_SETTINGS_OF_OTHERS).bind(event_id).bind(product_id);
    let others = others.scalars::<Json<serde_json::Value>>().await?;
    let agrees =
        |other: &Json<serde_json::Value>| TicketSettings::read(&other.0).is_ok_and(|other| other.names_same_event(new));
    Ok(others.iter().all(agrees))
}

async fn find_same(tx: &mut Tx, settings: &TicketSettings) -> Result<Option<i64>, DbError> {
    let find = tx.run(queries::FIND_SAME_EVENT).bind(settings.event.as_str()).bind(settings.venue.as_str());
    find.bind(settings.starts_at.to_utc()).optional_scalar().await
}

/// Makes an event, or finds the one that is there.
pub(crate) async fn insert_event(tx: &mut Tx, settings: &TicketSettings) -> Result<i64, DbError> {
    if let Some(id) = find_same(tx, settings).await? {
        set_end(tx, id, settings).await?;
        return Ok(id);
    }
    let (now, unnamed) = (tx.now(), tx.uuid().to_string());
    let insert = tx.run(queries::INSERT_EVENT).bind(unnamed).bind(settings.event.as_str());
    let insert = insert.bind(settings.venue.as_str()).bind(settings.starts_at.to_utc());
    let insert = insert.bind(settings.ends_at.map(|time| time.to_utc())).bind(utc_offset(settings)).bind(now);
    if let Some(id) = insert.optional_scalar::<i64>().await? {
        // With its id no two names make one slug, whoever else names an event at this moment.
        tx.run(queries::NAME_EVENT).bind(id).bind(slug(&settings.event, id)).execute().await?;
        return Ok(id);
    }
    // Somebody else has made it since the look.
    let find = tx.run(queries::FIND_SAME_EVENT).bind(settings.event.as_str()).bind(settings.venue.as_str());
    let id = find.bind(settings.starts_at.to_utc()).scalar::<i64>().await?;
    set_end(tx, id, settings).await?;
    Ok(id)
}

/// A product that does not tell the end leaves it to others of the event.
async fn set_end(tx: &mut Tx, event_id: i64, settings: &TicketSettings) -> Result<(), DbError> {
    if let Some(ends_at) = settings.ends_at {
        tx.run(queries::SET_EVENT_END).bind(event_id).bind(ends_at.to_utc()).execute().await?;
    }
    Ok(())
}

async fn write_type(tx: &mut Tx, event_id: i64, product_id: i64, settings: &TicketSettings) -> Result<i64, DbError> {
    let now = tx.now();
    let upsert = tx.run(queries::UPSERT_TYPE).bind(event_id).bind(product_id).bind(settings.ticket_type.as_str());
    let upsert = upsert.bind(settings.capacity).bind(settings.on_sale_from.map(|time| time.to_utc()));
    let upsert = upsert.bind(settings.on_sale_until.map(|time| time.to_utc())).bind(now);
    let type_id = upsert.scalar::<i64>().await?;
    tx.run(queries::SET_TYPE_CAPACITY).bind(type_id).bind(settings.capacity).execute().await?;
    let quota_id = match &settings.shared_capacity {
        Some(shared) => Some(write_quota(tx, event_id, shared).await?),
        None => None,
    };
    move_to_quota(tx, type_id, quota_id).await?;
    Ok(type_id)
}

/// Makes a shared capacity or sets it.
pub(crate) async fn write_quota(tx: &mut Tx, event_id: i64, shared: &SharedCapacity) -> Result<i64, DbError> {
    let upsert = tx.run(queries::UPSERT_QUOTA).bind(event_id).bind(shared.name.as_str());
    upsert.bind(shared.capacity).scalar().await
}

/// Puts a type under a shared capacity, or under none, with all that is taken of it.
pub(crate) async fn move_to_quota(tx: &mut Tx, type_id: i64, quota_id: Option<i64>) -> Result<(), DbError> {
    tx.run(LOCK_TYPE).bind(type_id).execute().await?;
    let found = tx.run(queries::FIND_QUOTA_OF_TYPE).bind(type_id).one::<(Option<i64>, i64)>().await?;
    let (before, taken) = found;
    if before == quota_id {
        return Ok(());
    }
    tx.run(queries::SET_TYPE_QUOTA).bind(type_id).bind(quota_id).execute().await?;
    // The same order as everywhere, so that nobody waits for another who waits for them.
    let mut shifts = [(before, -taken), (quota_id, taken)];
    shifts.sort_unstable();
    for (quota, by) in shifts {
        if let Some(quota) = quota {
            tx.run(queries::SHIFT_QUOTA).bind(quota).bind(by).execute().await?;
        }
    }
    Ok(())
}

fn utc_offset(settings: &TicketSettings) -> i64 {
    i64::from(settings.starts_at.offset().fix().local_minus_utc() / 60)
}

fn slug(name: &str, id: i64) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        if slug.len() >= LONGEST_SLUG {
            break;
        }
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { format!("event-{id}") } else { format!("{slug}-{id}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_made_of_the_name_and_ends_with_the_id() {
        assert_eq!(slug("Summer Night’s Dream (1st night)", 7), "summer-night-s-dream-1st-night-7");
        assert_eq!(slug("  ", 7), "event-7");
        assert_eq!(slug("祭り", 7), "event-7");
        assert!(slug(&"long ".repeat(100), 7).len() < 70);
    }
}

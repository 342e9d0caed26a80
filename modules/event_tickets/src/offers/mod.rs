//! What products sell: a ticket type of an event, within a capacity.
//!
//! Products say so in their settings. What they say is applied when they are imported; and, for those that were imported
//! while the module was off, by a job, before an order is placed, and before a command looks.

mod apply;
mod listing;
mod planning;
pub(crate) mod queries;
mod withdraw;

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use stoa_core::prelude::*;

pub(crate) use apply::{EventRow, apply};
pub(crate) use listing::{QuotaRow, TypeRow};
pub(crate) use planning::{
    EventChange, PlanRefused, QuotaChange, TypeChange, add_event, change_event, change_type, find_type, set_quota,
    unknown_event,
};
pub(crate) use withdraw::Withdraw;

use crate::refusal::Refusal;
use crate::settings::TicketSettings;

/// What a product sells now.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct Offer {
    pub(crate) type_id: i64,
    pub(crate) event_id: i64,
    #[sqlx(flatten)]
    pub(crate) places: Places,
    pub(crate) quota_id: Option<i64>,
    pub(crate) on_sale_from: Option<DateTime<Utc>>,
    pub(crate) on_sale_until: Option<DateTime<Utc>>,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: Option<DateTime<Utc>>,
    /// The settings that it was made of, in their canonical form.
    applied: String,
}

/// The places of a type, and those that it shares with others of its event.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub(crate) struct Places {
    capacity: i64,
    taken: i64,
    quota_capacity: Option<i64>,
    quota_taken: Option<i64>,
}

impl Places {
    /// How many can be sold; below 0 after a capacity was lowered.
    pub(crate) fn left(&self) -> i64 {
        let own = self.capacity - self.taken;
        match (self.quota_capacity, self.quota_taken) {
            (Some(capacity), Some(taken)) => own.min(capacity - taken),
            _ => own,
        }
    }
}

/// What a product sells now, as customers are told.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct ShownOffer {
    pub(crate) product_id: i64,
    pub(crate) event: String,
    pub(crate) venue: String,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) utc_offset_minutes: i64,
    pub(crate) ticket_type: String,
    #[sqlx(flatten)]
    pub(crate) places: Places,
    applied: String,
}

impl ShownOffer {
    /// Whether these settings are what it was made of.
    pub(crate) fn is_of(&self, settings: &TicketSettings) -> bool {
        self.applied == settings.canonical()
    }
}

/// When something can be bought.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) from: Option<DateTime<Utc>>,
    pub(crate) until: Option<DateTime<Utc>>,
    /// When the event is over.
    pub(crate) over: DateTime<Utc>,
}

impl Window {
    /// Why nothing can be bought now.
    pub(crate) fn refusal(&self, now: DateTime<Utc>) -> Option<Refusal> {
        if now >= self.over {
            return Some(Refusal::EventOver);
        }
        let is_early = self.from.is_some_and(|from| now < from);
        let is_late = self.until.is_some_and(|until| now >= until);
        (is_early || is_late).then_some(Refusal::NotOnSale)
    }
}

impl Offer {
    pub(crate) fn window(&self) -> Window {
        let over = self.ends_at.unwrap_or(self.starts_at);
        Window { from: self.on_sale_from, until: self.on_sale_until, over }
    }
}

impl TicketSettings {
    pub(crate) fn window(&self) -> Window {
        Window {
            from: self.on_sale_from.map(|time| time.to_utc()),
            until: self.on_sale_until.map(|time| time.to_utc()),
            over: self.ends_at.unwrap_or(self.starts_at).to_utc(),
        }
    }
}

/// What a product sells, if its settings are applied already.
pub(crate) async fn find(db: &Db, product_id: i64, settings: &TicketSettings) -> Result<Option<Offer>, DbError> {
    let offer = db.read(queries::FIND_OFFER).bind(product_id).optional::<Offer>().await?;
    Ok(offer.filter(|offer| offer.applied == settings.canonical()))
}

/// What a product sells; applies its settings before if they have changed.
pub(crate) async fn ensure(tx: &mut Tx, product_id: i64, settings: &TicketSettings) -> Result<Offer, DbError> {
    let canonical = settings.canonical();
    let offer = tx.run(queries::FIND_OFFER).bind(product_id).optional::<Offer>().await?;
    match offer {
        Some(offer) if offer.applied == canonical => Ok(offer),
        _ => {
            apply(tx, product_id, settings).await?;
            tx.run(queries::FIND_OFFER).bind(product_id).one().await
        }
    }
}

/// A product with settings of this module.
#[derive(Debug, sqlx::FromRow)]
struct ProductSettingsRow {
    product_id: i64,
    slug: String,
    settings: Json<serde_json::Value>,
    applied: Option<String>,
}

/// Applies what has changed of all products; returns the problems of those whose settings cannot be read.
pub(crate) async fn apply_all(db: &Db) -> Result<Vec<String>, DbError> {
    let kept = db.read(queries::LIST_SETTINGS).all::<ProductSettingsRow>().await?;
    let mut problems = Vec::new();
    for product in kept {
        let settings = match TicketSettings::read(&product.settings.0) {
            Ok(settings) => settings,
            Err(problem) => {
                problems.push(format!("the settings of the product `{}`: {problem}", product.slug));
                continue;
            }
        };
        if product.applied.is_none_or(|applied| applied != settings.canonical()) {
            db.write(async |tx| ensure(tx, product.product_id, &settings).await).await?;
        }
    }
    Ok(problems)
}

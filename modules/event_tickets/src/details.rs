//! What customers are told of a ticket before they buy it: what takes place, where and when, and how many places are left.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::model::clock_of_place;
use crate::offers::ShownOffer;
use crate::offers::queries::LIST_SHOWN;
use crate::settings::TicketSettings;
use crate::wishes::{CAPABILITY, MODULE};

/// What a ticket is for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "EventTicketDetails")]
pub(crate) struct TicketDetails {
    /// The event's name.
    event: String,
    /// Where it takes place; empty when that is not told.
    venue: String,
    /// When it begins.
    starts_at: DateTime<Utc>,
    /// When it begins, by the clock of the place.
    starts_at_local: NaiveDateTime,
    /// What the ticket is called.
    ticket_type: String,
    /// How many can still be bought, by all customers together.
    places_left: i64,
}

impl TicketDetails {
    /// By what is kept of the event and its places.
    fn kept(offer: &ShownOffer) -> Self {
        Self {
            event: offer.event.clone(),
            venue: offer.venue.clone(),
            starts_at: offer.starts_at,
            starts_at_local: clock_of_place(offer.starts_at, offer.utc_offset_minutes),
            ticket_type: offer.ticket_type.clone(),
            places_left: offer.places.left().max(0),
        }
    }

    /// By the settings alone, which are not applied yet: nothing has been sold by them.
    fn declared(settings: TicketSettings) -> Self {
        Self {
            starts_at: settings.starts_at.to_utc(),
            starts_at_local: settings.starts_at.naive_local(),
            event: settings.event,
            venue: settings.venue,
            ticket_type: settings.ticket_type,
            places_left: settings.capacity,
        }
    }
}

/// Tells what tickets are for.
pub(crate) struct TellTickets;

impl TellDetails for TellTickets {
    type Uses = Db;
    type Details = TicketDetails;

    // Each sale takes places.
    const LIVE: bool = true;

    async fn details(&self, products: &[ShownProduct<'_>], db: &Db) -> Result<Vec<Option<TicketDetails>>, DbError> {
        let settings = products.iter().map(|product| {
            let settings = product.settings(MODULE).filter(|_| product.has(CAPABILITY))?;
            TicketSettings::read(settings).ok()
        });
        let settings = settings.collect::<Vec<_>>();
        let ours = products.iter().zip(&settings).filter(|(_, settings)| settings.is_some());
        let ids = ours.map(|(product, _)| json!({"id": product.product_id})).collect::<Vec<_>>();
        if ids.is_empty() {
            return Ok(settings.into_iter().map(|_| None).collect());
        }
        let offers = db.read(LIST_SHOWN).bind(Value::Array(ids).to_string()).all::<ShownOffer>().await?;
        let offers = offers.into_iter().map(|offer| (offer.product_id, offer)).collect::<HashMap<_, _>>();
        let details = products.iter().zip(settings).map(|(product, settings)| {
            let settings = settings?;
            let offer = offers.get(&product.product_id).filter(|offer| offer.is_of(&settings));
            Some(offer.map_or_else(|| TicketDetails::declared(settings), TicketDetails::kept))
        });
        Ok(details.collect())
    }
}

//! Customers can choose tickets by the place where the event is.

use stoa_core::prelude::*;

use crate::offers::queries::LIST_VENUES;

/// The place of an event.
pub(crate) struct Venue;

impl ProductFacet for Venue {
    const KEY: &'static str = "venue";
    type Uses = Db;

    fn label(&self) -> Message {
        text!("event-tickets-paper-venue")
    }

    async fn values(&self, db: &Db) -> Result<Vec<FacetValue>, DbError> {
        let rows = db.read(LIST_VENUES).all::<(i64, String)>().await?;
        let values =
            rows.into_iter().map(|(product_id, venue)| FacetValue { product_id, label: venue.clone(), value: venue });
        Ok(values.collect())
    }
}

//! What the mail about a paid order says of tickets, which go along as PDF.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use stoa_core::config::Config as ShopConfig;
use stoa_core::mail::{MailFile, MailFileError, MailPart, PaidOrder, RenderMailFile, WriteMailPart};
use stoa_core::prelude::*;

use crate::model::{TicketRow, number};
use crate::paper::{draw, local_time};
use crate::queries;
use crate::wishes::CAPABILITY;

/// The kind of file.
pub(crate) const FILE: &str = "event_tickets";

/// Tickets that go along with a mail; more are looked at under the order.
const MOST_FILES: usize = 50;

#[derive(sqlx::FromRow)]
struct SoldTicket {
    id: i64,
    event: String,
    venue: String,
    starts_at: DateTime<Utc>,
    utc_offset_minutes: i64,
}

/// Says what tickets are for, and brings them.
pub(crate) struct SayTickets;

impl WriteMailPart for SayTickets {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let tickets = db.read(queries::LIST_SOLD).bind(order.order_id).all::<SoldTicket>().await?;
        let fit = tickets.len() <= MOST_FILES;
        let said = if fit { text!("event-tickets-mail-attached") } else { text!("event-tickets-mail-more") };
        let said = texts.say(&said, order.language);
        let by_event = tickets.chunk_by(|one, next| one.event == next.event && one.starts_at == next.starts_at);
        let parts = by_event.filter_map(|tickets| {
            let first = tickets.first()?;
            let facts = [local_time(first.starts_at, first.utc_offset_minutes), first.venue.clone()];
            let facts = facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join("\n");
            let part = MailPart::new(&format!("{} × {}", tickets.len(), first.event)).say(&facts).say(&said);
            Some(tickets.iter().filter(|_| fit).fold(part, |part, ticket| part.file(file(ticket.id))))
        });
        Ok(parts.collect())
    }
}

fn file(id: i64) -> MailFile {
    MailFile { kind: FILE, id, name: format!("{}.pdf", number(id)), media_type: "application/pdf" }
}

/// Draws tickets.
pub(crate) struct Papers;

impl RenderMailFile for Papers {
    type Uses = (Db, Texts, Arc<ShopConfig>);

    async fn render(
        &self,
        id: i64,
        language: Language,
        (db, texts, config): &Self::Uses,
    ) -> Result<Vec<u8>, MailFileError> {
        let failed = |error: &dyn std::error::Error| MailFileError::Failed(stoa_core::error_chain(error));
        let found = db.read(queries::FIND).bind(None::<String>).bind(id).optional::<TicketRow>().await;
        let Some(ticket) = found.map_err(|error| failed(&error))? else {
            // It is reserved, and about to be issued; or it was released.
            let kept = db.read(queries::COUNT_KEPT).bind(id).scalar::<i64>().await.map_err(|error| failed(&error))?;
            return Err(if kept > 0 { MailFileError::NotYet } else { MailFileError::Gone });
        };
        let (texts, shop) = (texts.clone(), config.shop.name.clone());
        let drawn = tokio::task::spawn_blocking(move || draw(&ticket, &shop, &texts, language)).await;
        drawn.map_err(|error| failed(&error))?.map_err(|error| failed(&error))
    }
}

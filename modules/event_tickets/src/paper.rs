//! A ticket as PDF, to be printed or kept on a telephone.

use chrono::{DateTime, FixedOffset, Utc};
use stoa_core::pages::qr::{QrSquares, TooLong};
use stoa_core::pdf::{Leaflet, LeafletPart, Pattern, PdfError, render_leaflet};
use stoa_core::prelude::*;

use crate::model::{TicketRow, TicketStatus, number};

/// How large the code is drawn, in points: 63 mm, which every telephone reads from paper.
const CODE_SIZE: f32 = 180.0;

/// Why a ticket could not be drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PaperError {
    #[error(transparent)]
    Code(#[from] TooLong),
    #[error(transparent)]
    Pdf(#[from] PdfError),
}

/// Draws a ticket. Keeps a core busy for some milliseconds: call it from `spawn_blocking`.
pub(crate) fn draw(ticket: &TicketRow, shop: &str, texts: &Texts, language: Language) -> Result<Vec<u8>, PaperError> {
    let say = |text: Message| texts.say(&text, language);
    let number = number(ticket.id);
    let mut facts =
        vec![(say(text!("event-tickets-paper-when")), local_time(ticket.starts_at, ticket.utc_offset_minutes))];
    let optional = [
        (say(text!("event-tickets-paper-venue")), Some(&ticket.venue).filter(|venue| !venue.is_empty())),
        (say(text!("event-tickets-paper-kind")), Some(&ticket.ticket_type)),
        (say(text!("event-tickets-paper-seat")), ticket.seat.as_ref()),
        (say(text!("event-tickets-paper-holder")), ticket.holder.as_ref()),
        (say(text!("event-tickets-paper-number")), Some(&number)),
    ];
    facts.extend(optional.into_iter().filter_map(|(name, value)| Some((name, value?.clone()))));
    let mut parts = vec![LeafletPart::Text(say(text!("event-tickets-paper-ticket"))), LeafletPart::Facts(facts)];
    if ticket.status == TicketStatus::Void {
        parts.push(LeafletPart::Heading(say(text!("event-tickets-paper-void"))));
    } else {
        let squares = QrSquares::of(&ticket.qr)?;
        let told = format!("{}: {}", say(text!("event-tickets-paper-code")), ticket.qr);
        let pattern = Pattern::new(squares.width(), squares.into_dark(), &told);
        parts.extend(pattern.map(|pattern| LeafletPart::Pattern(pattern, CODE_SIZE)));
        parts.push(LeafletPart::Text(say(text!("event-tickets-paper-show"))));
        parts.push(LeafletPart::Text(ticket.token.clone()));
    }
    let leaflet = Leaflet {
        title: ticket.event.clone(),
        author: shop.to_owned(),
        language,
        day: ticket.issued_at.date_naive(),
        number,
        parts,
    };
    Ok(render_leaflet(&leaflet)?)
}

/// The time at the place of the event, with its distance from UTC, so that it is never taken for another.
pub(crate) fn local_time(time: DateTime<Utc>, offset_minutes: i64) -> String {
    let seconds = i32::try_from(offset_minutes.saturating_mul(60)).ok();
    match seconds.and_then(FixedOffset::east_opt) {
        Some(offset) => time.with_timezone(&offset).format("%Y-%m-%d %H:%M (UTC%:z)").to_string(),
        None => time.format("%Y-%m-%d %H:%M (UTC)").to_string(),
    }
}

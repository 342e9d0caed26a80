//! A ticket as PDF, to be printed or kept on a telephone.

use chrono::{DateTime, FixedOffset, Utc};
use stoa_core::pdf::{Leaflet, LeafletPart, PdfError, render_leaflet};
use stoa_core::prelude::*;

use crate::model::{TicketRow, TicketStatus, number};
use crate::qr::{Squares, TooLong};

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

/// The words on a ticket.
struct Words {
    ticket: &'static str,
    when: &'static str,
    venue: &'static str,
    kind: &'static str,
    holder: &'static str,
    seat: &'static str,
    number: &'static str,
    void: &'static str,
    show: &'static str,
    code: &'static str,
}

const fn words(language: Language) -> Words {
    match language {
        Language::En => Words {
            ticket: "Ticket",
            when: "Begins",
            venue: "Venue",
            kind: "Type",
            holder: "Name",
            seat: "Seat",
            number: "Number",
            void: "This ticket is void.",
            show: "Show this code at the entrance. It admits one person, once.",
            code: "The code of this ticket",
        },
        Language::De => Words {
            ticket: "Eintrittskarte",
            when: "Beginn",
            venue: "Ort",
            kind: "Art",
            holder: "Name",
            seat: "Platz",
            number: "Nummer",
            void: "Diese Karte ist ungültig.",
            show: "Zeigen Sie diesen Code am Eingang vor. Er gilt für eine Person und ein Mal.",
            code: "Der Code dieser Karte",
        },
        Language::Nl => Words {
            ticket: "Toegangsbewijs",
            when: "Aanvang",
            venue: "Locatie",
            kind: "Soort",
            holder: "Naam",
            seat: "Plaats",
            number: "Nummer",
            void: "Dit toegangsbewijs is ongeldig.",
            show: "Toon deze code bij de ingang. Hij geldt voor één persoon en één keer.",
            code: "De code van dit toegangsbewijs",
        },
    }
}

/// Draws a ticket. Keeps a core busy for some milliseconds: call it from `spawn_blocking`.
pub(crate) fn draw(ticket: &TicketRow, shop: &str, language: Language) -> Result<Vec<u8>, PaperError> {
    let words = words(language);
    let number = number(ticket.id);
    let mut facts = vec![fact(words.when, &local_time(ticket.starts_at, ticket.utc_offset_minutes))];
    let optional = [
        (words.venue, Some(&ticket.venue).filter(|venue| !venue.is_empty())),
        (words.kind, Some(&ticket.ticket_type)),
        (words.seat, ticket.seat.as_ref()),
        (words.holder, ticket.holder.as_ref()),
        (words.number, Some(&number)),
    ];
    facts.extend(optional.into_iter().filter_map(|(name, value)| Some(fact(name, value?))));
    let mut parts = vec![LeafletPart::Text(words.ticket.to_owned()), LeafletPart::Facts(facts)];
    if ticket.status == TicketStatus::Void {
        parts.push(LeafletPart::Heading(words.void.to_owned()));
    } else {
        let pattern = Squares::of(&ticket.qr)?.pattern(&format!("{}: {}", words.code, ticket.qr));
        parts.extend(pattern.map(|pattern| LeafletPart::Pattern(pattern, CODE_SIZE)));
        parts.push(LeafletPart::Text(words.show.to_owned()));
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

fn fact(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// The time at the place of the event, with its distance from UTC, so that it is never taken for another.
pub(crate) fn local_time(time: DateTime<Utc>, offset_minutes: i64) -> String {
    let seconds = i32::try_from(offset_minutes.saturating_mul(60)).ok();
    match seconds.and_then(FixedOffset::east_opt) {
        Some(offset) => time.with_timezone(&offset).format("%Y-%m-%d %H:%M (UTC%:z)").to_string(),
        None => time.format("%Y-%m-%d %H:%M (UTC)").to_string(),
    }
}

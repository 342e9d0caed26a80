//! Letting people in: each ticket once, however many doors there are.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use serde_json::json;
use stoa_core::entitlements::{SoldUnit, use_units};
use stoa_core::prelude::*;

use crate::codes::{TICKET, Verifier};
use crate::model::{TicketRow, TicketStatus, id_of, number};
use crate::queries;
use crate::wishes::MODULE;

/// Tickets that are checked in with one transaction.
const BATCH: usize = 500;

/// Where tickets are checked in.
#[derive(Debug, Clone, Default)]
pub struct Door {
    /// The only event whose tickets are valid here; any without.
    pub event_id: Option<i64>,
    /// What the door is called.
    pub gate: Option<String>,
}

/// What checking in came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckInResult {
    /// Valid, and used from now on.
    Valid,
    /// It was used before.
    AlreadyUsed,
    /// It was refunded, its money is on its way back, or the shop has made it void.
    Void,
    /// It is for another event than this door's.
    WrongEvent,
    /// The shop has issued no such ticket.
    Unknown,
}

impl CheckInResult {
    /// As people at the door are told.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::AlreadyUsed => "already used",
            Self::Void => "void",
            Self::WrongEvent => "wrong event",
            Self::Unknown => "unknown",
        }
    }
}

/// What was found out about something that was shown at the door.
#[derive(Debug, Clone, Serialize)]
pub struct CheckIn {
    /// What it came to.
    pub result: CheckInResult,
    /// The ticket's number; none of an unknown one.
    pub number: Option<String>,
    /// The event's name.
    pub event: Option<String>,
    /// The event's slug.
    pub event_slug: Option<String>,
    /// What the ticket is called.
    pub ticket_type: Option<String>,
    /// Whom it is for.
    pub holder: Option<String>,
    /// Who has bought it.
    #[serde(skip)]
    pub buyer: Option<String>,
    /// The seat.
    pub seat: Option<String>,
    /// When it was used; now, if it is valid.
    pub checked_in_at: Option<DateTime<Utc>>,
    /// Where it was used.
    pub gate: Option<String>,
    /// When it became void.
    pub voided_at: Option<DateTime<Utc>>,
    /// When the event begins, and by how many minutes the clock of the place is ahead of UTC.
    #[serde(skip)]
    pub begins: Option<(DateTime<Utc>, i64)>,
}

impl CheckIn {
    fn of(result: CheckInResult, ticket: Option<&TicketRow>) -> Self {
        Self {
            result,
            number: ticket.map(|ticket| number(ticket.id)),
            event: ticket.map(|ticket| ticket.event.clone()),
            event_slug: ticket.map(|ticket| ticket.event_slug.clone()),
            ticket_type: ticket.map(|ticket| ticket.ticket_type.clone()),
            holder: ticket.and_then(|ticket| ticket.holder.clone()),
            buyer: ticket.and_then(|ticket| ticket.buyer.clone()),
            seat: ticket.and_then(|ticket| ticket.seat.clone()),
            checked_in_at: ticket.and_then(|ticket| ticket.checked_in_at),
            gate: ticket.and_then(|ticket| ticket.gate.clone()),
            voided_at: ticket.and_then(|ticket| ticket.voided_at),
            begins: ticket.map(|ticket| (ticket.starts_at, ticket.utc_offset_minutes)),
        }
    }
}

/// Checks in what was shown: tokens, or the texts of scanned codes. The answers stand in the same order.
///
/// A code whose signature is not the shop's is unknown, whatever token it names. Of a ticket that is shown several times,
/// here or elsewhere at the same moment, one is valid.
pub async fn check_in(db: &Db, shown: &[&str], door: &Door) -> Result<Vec<CheckIn>, DbError> {
    let verifier = if shown.iter().any(|text| text.trim().starts_with(TICKET)) {
        Verifier::load(db).await?
    } else {
        Verifier::default()
    };
    let mut answers = Vec::with_capacity(shown.len());
    for batch in shown.chunks(BATCH) {
        let tokens = batch.iter().map(|text| token(text.trim(), &verifier)).collect::<Vec<_>>();
        answers.extend(check_in_batch(db, &tokens, door).await?);
    }
    Ok(answers)
}

/// Checks in one ticket that is meant by its token, the text of its code, or its number, which the people at the door read off a list.
pub(crate) async fn check_in_one(db: &Db, meant: &str, door: &Door) -> Result<CheckIn, DbError> {
    let named = match id_of(meant.trim()) {
        Some(id) => db.read(queries::FIND).bind(None::<&str>).bind(id).optional::<TicketRow>().await?,
        None => None,
    };
    let shown = named.as_ref().map_or(meant, |ticket| ticket.token.as_str());
    let found = check_in(db, &[shown], door).await?.pop();
    Ok(found.unwrap_or_else(|| CheckIn::of(CheckInResult::Unknown, None)))
}

fn token(shown: &str, verifier: &Verifier) -> Option<String> {
    let is_token = |text: &str| !text.is_empty() && text.len() <= 128 && !text.contains('\0');
    if shown.starts_with(TICKET) {
        verifier.read(shown).map(|code| code.token)
    } else {
        is_token(shown).then(|| shown.to_owned())
    }
}

async fn check_in_batch(db: &Db, tokens: &[Option<String>], door: &Door) -> Result<Vec<CheckIn>, DbError> {
    let distinct = tokens.iter().flatten().collect::<HashSet<_>>();
    if distinct.is_empty() {
        return Ok(tokens.iter().map(|_| CheckIn::of(CheckInResult::Unknown, None)).collect());
    }
    // Sorted, so that doors with the same tickets wait for one another in one order.
    let mut sorted = distinct.into_iter().collect::<Vec<_>>();
    sorted.sort_unstable();
    let asked = sorted.iter().map(|token| json!({"token": token})).collect::<serde_json::Value>().to_string();
    let (mut admitted, tickets) = db
        .write(async |tx| -> Result<(HashSet<String>, Vec<TicketRow>), DbError> {
            let admitted = admit(tx, &asked, door).await?;
            let tickets = tx.run(queries::LIST_SHOWN).bind(asked.as_str()).all::<TicketRow>().await?;
            for ticket in tickets.iter().filter(|ticket| admitted.contains(&ticket.token)) {
                let subject = Subject::new("ticket", number(ticket.id));
                let (before, after) = (json!({"status": "issued"}), json!({"status": "checked_in", "gate": door.gate}));
                tx.audit_operator("event_tickets.check-in", subject, before, after).await?;
            }
            Ok((admitted, tickets))
        })
        .await?;
    let tickets = tickets.into_iter().map(|ticket| (ticket.token.clone(), ticket)).collect::<HashMap<_, _>>();
    let answer = |token: &Option<String>| {
        let ticket = token.as_ref().and_then(|token| tickets.get(token));
        let Some(ticket) = ticket else { return CheckIn::of(CheckInResult::Unknown, None) };
        // The first time that it stands in the batch is the one that counts.
        let verdict = if admitted.remove(&ticket.token) { CheckInResult::Valid } else { refused(ticket, door) };
        CheckIn::of(verdict, Some(ticket))
    };
    Ok(tokens.iter().map(answer).collect())
}

#[derive(sqlx::FromRow)]
struct Admitted {
    token: String,
    #[sqlx(flatten)]
    sold: SoldUnit,
}

/// Checks in those of the tokens that are valid, and notes that their units are used.
async fn admit(tx: &mut Tx, asked: &str, door: &Door) -> Result<HashSet<String>, DbError> {
    let now = tx.now();
    let update = tx.run(queries::CHECK_IN).bind(asked).bind(now).bind(door.gate.as_deref());
    let admitted = update.bind(door.event_id).all::<Admitted>().await?;
    let units = admitted.iter().map(|ticket| ticket.sold).collect::<Vec<_>>();
    let refunded = use_units(tx, MODULE, &units).await?;
    let mut tokens = HashSet::with_capacity(admitted.len());
    for Admitted { token, sold } in admitted {
        if refunded.contains(&sold) {
            tx.run(queries::TURN_AWAY).bind(token).execute().await?;
        } else {
            tokens.insert(token);
        }
    }
    Ok(tokens)
}

/// Why a ticket was not let in. Void comes before used: what was refunded is void, whatever was done with it.
fn refused(ticket: &TicketRow, door: &Door) -> CheckInResult {
    let is_elsewhere = door.event_id.is_some_and(|event| event != ticket.event_id);
    match ticket.status {
        TicketStatus::Issued | TicketStatus::CheckedIn if is_elsewhere => CheckInResult::WrongEvent,
        TicketStatus::CheckedIn => CheckInResult::AlreadyUsed,
        // One that is not void would have been let in, were its money not on its way back.
        TicketStatus::Void | TicketStatus::Issued => CheckInResult::Void,
    }
}

/// An answer as a line for the people at the door, with times as they are written there.
pub(crate) fn describe(answer: &CheckIn, written: impl Fn(DateTime<Utc>) -> String) -> String {
    let since = match answer.result {
        CheckInResult::AlreadyUsed => answer.checked_in_at,
        CheckInResult::Void => answer.voided_at,
        CheckInResult::Valid | CheckInResult::WrongEvent | CheckInResult::Unknown => None,
    };
    let mut parts = vec![answer.result.words().to_owned()];
    parts.extend(since.map(|since| format!("since {}", written(since))));
    if answer.result == CheckInResult::AlreadyUsed {
        parts.extend(answer.gate.as_ref().map(|gate| format!("at {gate}")));
    }
    with_ticket(parts.join(" "), answer)
}

/// A line, and behind it which ticket it is about, with the name to ask for.
pub(crate) fn with_ticket(mut line: String, answer: &CheckIn) -> String {
    let name = answer.holder.as_ref().or(answer.buyer.as_ref());
    let about = [&answer.number, &answer.event, &answer.ticket_type, &answer.seat].map(Option::as_ref);
    let about = about.into_iter().chain([name]).flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
    if !about.is_empty() {
        line.push_str(": ");
        line.push_str(&about);
    }
    line
}

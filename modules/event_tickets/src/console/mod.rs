//! The module's pages of the operator's console: events, the door list, and checking in; and its box on the page of an order. What
//! is sold of events: `planning`; what is done with single tickets: `tickets`.

mod planning;
mod tickets;

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::check_in::{CheckInResult, Door, check_in_one, describe, with_ticket};
use crate::model::{TicketRow, id_of};
use crate::offers::EventRow;
use crate::offers::queries::{COUNT_EVENTS, FIND_EVENT_BY_SLUG, LIST_CHOICES, PAGE_EVENTS};
use crate::paper::local_time;
use crate::queries;

use self::tickets::ListedOn;

const VIEW: &str = "event_tickets.view";
const CHECK_IN: &str = "event_tickets.check-in";
const EDIT: &str = "event_tickets.edit";
const EVENTS: &str = "/m/event_tickets/events";
const DOOR: &str = "/m/event_tickets/door";
const CHECK_IN_PATH: &str = "/m/event_tickets/events/check-in";

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see events and who has tickets");
    cx.console_ability(CHECK_IN, "check tickets in, and take that back");
    cx.console_ability(EDIT, "change events and what is sold of them, and make tickets void");
    let check_in = form(CHECK_IN, "Check in", CHECK_IN, let_in).by_camera();
    let check_in = check_in.about("Scan the code of a ticket, or type its number. Each ticket lets in once.");
    let check_in = check_in.begins(at_the_door);
    let events = page("event_tickets.events", "Event tickets", VIEW, events).near(Menu::Orders).form(check_in);
    cx.console_page((), events.form(planning::add_form()).form(planning::change_form()))?;
    let door = page("event_tickets.door", "Door list", VIEW, door_list).near(Menu::Orders);
    cx.console_page((), door.form(tickets::undo_form()).form(tickets::void_form()))?;
    planning::register(cx)?;
    cx.console_panel(On::Order, VIEW, |order_id, db: Db| async move {
        let rows = db.read(queries::LIST_OF_ORDER).bind(order_id).all::<TicketRow>().await?;
        Ok((!rows.is_empty())
            .then(|| ConsolePanel::new("Event tickets").rows(tickets::list("Event tickets", ListedOn::Order), rows)))
    });
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Event {
    id: i64,
    slug: String,
    name: String,
    venue: String,
    starts_at: DateTime<Utc>,
    utc_offset_minutes: i64,
    issued: i64,
    checked_in: i64,
}

async fn events(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let name = query.get("q").map(|text| format!("%{}%", text.to_lowercase()));
    let counted = db.read(COUNT_EVENTS).bind(name.clone()).bind(MOST_COUNTED + 1).scalar().await?;
    let list = List::new("Event tickets", |event: &Event| event.id)
        .about("Events with their tickets, the newest first.")
        .search("Name of the event")
        .empty("There are no events yet. A product with tickets makes one.")
        .button(CHECK_IN, "Check in", CHECK_IN_PATH)
        .button(EDIT, "Add event", format!("{EVENTS}/add-event"))
        .way(VIEW, "Ticket types", planning::TYPES)
        .way(VIEW, "Shared capacities", planning::QUOTAS)
        .column("Event", |event| {
            Cell::link(&event.name, format!("/m/event_tickets/door?event={}", event.slug)).over(event.venue.as_str())
        })
        .column("Begins", |event| local_time(event.starts_at, event.utc_offset_minutes))
        .number("Sold", |event| event.issued)
        .number("Checked in", |event| event.checked_in)
        .act(CHECK_IN, |event| Some(RowAct::fill("Check in", CHECK_IN_PATH, [("event", event.slug.as_str())])))
        .act(EDIT, |event| {
            Some(RowAct::fill("Change", &format!("{EVENTS}/set-event"), [("event", event.slug.as_str())]))
        });
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, name) = (db.clone(), name.clone());
        async move { db.read(PAGE_EVENTS).bind(after).bind(name).bind(limit).all::<Event>().await }
    })
    .await
}

/// Most events that are offered to choose from.
const MOST_OFFERED: i64 = 200;

#[derive(sqlx::FromRow)]
struct EventChoice {
    slug: String,
    name: String,
    starts_at: DateTime<Utc>,
    utc_offset_minutes: i64,
}

/// The events to choose from, the latest first: their slugs, and what they are called.
async fn event_choices(db: &Db) -> Result<Vec<(String, String)>, DbError> {
    let events = db.read(LIST_CHOICES).bind(MOST_OFFERED).all::<EventChoice>().await?;
    let named = events.into_iter().map(|event| {
        let begins = local_time(event.starts_at, event.utc_offset_minutes);
        (event.slug, format!("{}, {begins}", event.name))
    });
    Ok(named.collect())
}

/// A form whose event is chosen.
async fn offering_events(_: FormValues, db: Db) -> ApiResult<FormStart> {
    Ok(FormStart::default().chooses("event", event_choices(&db).await?))
}

/// The form at the door, which leads back to the door list of its event.
async fn at_the_door(values: FormValues, db: Db) -> ApiResult<FormStart> {
    let events = event_choices(&db).await?;
    let event = events.iter().find(|(slug, _)| values.get("event") == Some(slug.as_str()));
    let list = event.map_or_else(|| DOOR.to_owned(), |(slug, _)| format!("{DOOR}?event={slug}"));
    Ok(FormStart::default().chooses("event", events).back(list))
}

async fn door_list(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let slug = query.get("event").unwrap_or_default();
    let event = db.read(FIND_EVENT_BY_SLUG).bind(slug).optional::<EventRow>().await?;
    let id = event.as_ref().map_or(0, |event| event.id);
    let wanted = query.get("q").map(|text| format!("%{}%", text.to_lowercase()));
    let order = query.parsed::<OrderNumber>("q").map(OrderNumber::id);
    let ticket = query.get("q").and_then(id_of);
    let counted = db.read(queries::COUNT_DOOR_LIST).bind(id).bind(wanted.clone()).bind(order).bind(ticket);
    let counted = counted.bind(MOST_COUNTED + 1).scalar().await?;
    let empty = if event.is_some() { "Nobody has a ticket for this event." } else { "Choose an event first." };
    let about = event.map_or_else(
        || String::from("Who may come in, by name. Choose the event."),
        |event| {
            format!("Who may come in to {}, {}.", event.name, local_time(event.starts_at, event.utc_offset_minutes))
        },
    );
    let list = tickets::list("Door list", ListedOn::DoorList).about(about);
    let list = list.named_choice("event", "Event", event_choices(&db).await?);
    let list = list.search("Name, e-mail, order or ticket").empty(empty);
    list.show_keyed(query, RowCount::of(counted), move |after, limit| {
        let (db, wanted) = (db.clone(), wanted.clone());
        async move {
            let after = after.unwrap_or_default();
            let (name, behind) = after.split_once(tickets::BETWEEN).unwrap_or_default();
            let read = db.read(queries::PAGE_DOOR_LIST).bind(id).bind(name.to_owned());
            let read = read.bind(behind.parse::<i64>().unwrap_or_default()).bind(limit);
            read.bind(wanted).bind(order).bind(ticket).all::<TicketRow>().await
        }
    })
    .await
}

/// What is shown at a door.
#[derive(Debug, Deserialize)]
struct Shown {
    code: String,
    event: Option<String>,
    gate: Option<String>,
}

impl Input for Shown {
    const NAME: &'static str = "EventTicketShown";

    fn rules() -> Rules {
        let event = field("event").describe("Let in for this event only.");
        Rules::new([field("code").label("Code or number").max(4096).required(), event, field("gate").max(100)])
    }
}

async fn let_in(shown: Shown, db: Db) -> Result<Told, Refused> {
    let event_id = match &shown.event {
        Some(slug) => match db.read(FIND_EVENT_BY_SLUG).bind(slug.as_str()).optional::<EventRow>().await? {
            Some(event) => Some(event.id),
            None => return Err(Refused::field("event", &"there is no such event")),
        },
        None => None,
    };
    let door = Door { event_id, gate: shown.gate };
    let answer = check_in_one(&db, &shown.code, &door).await?;
    // At the door of an event that is today nobody has to read when it is.
    let other_day = answer.begins.filter(|(begins, _)| (*begins - db.now()).abs() > TimeDelta::days(1));
    let other_day = other_day.map(|(begins, offset)| format!("for {}, not for today", local_time(begins, offset)));
    if answer.result == CheckInResult::Valid {
        return Ok(match other_day {
            Some(day) => Told::sentence(&with_ticket(format!("Checked in, but {day}"), &answer)).doubtful(),
            None => Told::sentence(&describe(&answer, minute)),
        }
        .then_next());
    }
    let mut told = Told::sentence(&describe(&answer, minute)).bad().then_next();
    if answer.result == CheckInResult::Unknown {
        told.text = format!("{} What was shown: “{}”.", told.text, cut(shown.code.trim()));
    }
    if let Some(day) = other_day {
        told.text = format!("{} It is {day}.", told.text);
    }
    Ok(told)
}

/// Most characters of what was shown that are said again.
const LONGEST_SHOWN: usize = 60;

fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let begin = letters.by_ref().take(LONGEST_SHOWN).collect::<String>();
    if letters.next().is_some() { format!("{begin}…") } else { begin }
}

/// A time as the console writes it.
fn minute(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%d %H:%M UTC").to_string()
}

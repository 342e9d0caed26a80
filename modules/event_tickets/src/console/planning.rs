//! Events and what is sold of them in the console: adding and changing.

use chrono::{DateTime, FixedOffset, Utc};
use stoa_core::console::{ConsoleForm, MOMENT_HINT, moment};
use stoa_core::http::rules::Field;
use stoa_core::prelude::*;

use super::{EDIT, VIEW, event_choices, offering_events};
use crate::offers::queries::{FIND_EVENT_BY_SLUG, LIST_QUOTAS, LIST_TYPES};
use crate::offers::{
    EventChange, EventRow, PlanRefused, QuotaChange, QuotaRow, TypeChange, TypeRow, add_event, change_event,
    change_type, find_type, set_quota,
};
use crate::settings::{LARGEST_CAPACITY, LONGEST_NAME, SharedCapacity, parse_time};

pub(super) const TYPES: &str = "/m/event_tickets/types";
pub(super) const QUOTAS: &str = "/m/event_tickets/quotas";

/// Registers the pages of ticket types and of shared capacities.
pub(super) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    let types = page("event_tickets.types", "Ticket types", VIEW, types).near(Menu::Orders).unlisted();
    cx.console_page((), types.form(type_form()))?;
    let quotas = page("event_tickets.quotas", "Shared capacities", VIEW, quotas).near(Menu::Orders).unlisted();
    cx.console_page((), quotas.form(quota_form()))
}

async fn event_of(db: &Db, query: &ListQuery) -> ApiResult<Option<i64>> {
    let Some(slug) = query.get("event") else { return Ok(None) };
    // One that is not there has nothing.
    Ok(Some(find_event(db, slug).await?.map_or(0, |event| event.id)))
}

async fn types(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let event = event_of(&db, &query).await?;
    let rows = db.read(LIST_TYPES).bind(event).bind(None::<i64>).all::<TypeRow>().await?;
    let events = event_choices(&db).await?;
    let list = List::new("Ticket types", |kind: &TypeRow| kind.id)
        .about("What products sell of events. A change holds until the product is saved with other settings.")
        .named_choice("event", "Event", events)
        .way(VIEW, "Events", super::EVENTS)
        .empty("There are no ticket types yet. A product with tickets makes one.")
        .column("Type", |kind| Cell::from(&kind.name).over(kind.event_slug.as_str()))
        .column("Product", |kind| kind.product.as_ref().map(|slug| Cell::link(slug, format!("/products/{slug}"))))
        .number("Tickets", |kind| kind.capacity)
        .number("Taken", |kind| kind.taken)
        .column("Shared capacity", TypeRow::shared)
        .column("On sale from", |kind| kind.on_sale_from)
        .column("On sale until", |kind| kind.on_sale_until)
        .column("State", |kind| Cell::state(if kind.offered { "on" } else { "off" }))
        .act(EDIT, |kind| {
            let id = kind.id.to_string();
            Some(RowAct::fill("Change", &format!("{TYPES}/set-type"), [("id", id.as_str())]))
        });
    list.show_all(query, rows).await
}

async fn quotas(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let event = event_of(&db, &query).await?;
    let rows = db.read(LIST_QUOTAS).bind(event).all::<QuotaRow>().await?;
    let events = event_choices(&db).await?;
    let set = format!("{QUOTAS}/set-quota");
    let list = List::keyed("Shared capacities", |quota: &QuotaRow| format!("{}/{}", quota.event_slug, quota.name))
        .about("Capacities that several ticket types of an event share.")
        .named_choice("event", "Event", events)
        .way(VIEW, "Events", super::EVENTS)
        .button(EDIT, "Set shared capacity", set.as_str())
        .empty("No ticket types share a capacity yet.")
        .column("Name", |quota| Cell::from(&quota.name).over(quota.event_slug.as_str()))
        .number("Tickets", |quota| quota.capacity)
        .number("Taken", |quota| quota.taken)
        .act(EDIT, move |quota| {
            let capacity = quota.capacity.to_string();
            let values = [("event", &*quota.event_slug), ("name", &*quota.name), ("capacity", &*capacity)];
            Some(RowAct::fill("Change", &set, values))
        });
    list.show_all(query, rows).await
}

async fn find_event(db: &Db, slug: &str) -> Result<Option<EventRow>, DbError> {
    db.read(FIND_EVENT_BY_SLUG).bind(slug).optional().await
}

fn name(of: &'static str) -> Field {
    field(of).max(LONGEST_NAME)
}

fn time(of: &'static str, label: &'static str) -> Field {
    field(of).label(label).max(40).describe(MOMENT_HINT)
}

fn places(of: &'static str) -> Field {
    field(of).label("Tickets").integer(0, LARGEST_CAPACITY)
}

fn event() -> Field {
    name("event").required()
}

fn read_time(of: &'static str, text: &str) -> Result<DateTime<FixedOffset>, Refused> {
    let typed = moment(text).ok_or_else(|| Refused::field(of, &"write a time such as 2031-05-01 19:00 +02:00"))?;
    parse_time(&typed).map_err(|reason| Refused::field(of, &reason))
}

fn may_read_time(of: &'static str, text: Option<&String>) -> Result<Option<DateTime<FixedOffset>>, Refused> {
    text.map(|text| read_time(of, text)).transpose()
}

/// An event that is added.
#[derive(Debug, Deserialize)]
struct NewEvent {
    name: String,
    venue: Option<String>,
    starts_at: String,
    ends_at: Option<String>,
}

impl Input for NewEvent {
    const NAME: &'static str = "EventTicketsNewEvent";

    fn rules() -> Rules {
        let begins = time("starts_at", "Begins").required();
        Rules::new([name("name").required(), name("venue"), begins, time("ends_at", "Ends")])
    }
}

pub(super) fn add_form() -> ConsoleForm {
    let add = form("event_tickets.add-event", "Add event", EDIT, |new: NewEvent, db: Db| async move {
        let starts_at = read_time("starts_at", &new.starts_at)?;
        let ends_at = may_read_time("ends_at", new.ends_at.as_ref())?;
        let added = add_event(&db, new.name, new.venue.unwrap_or_default(), starts_at, ends_at).await;
        Ok(format!("{} is there.", added.map_err(refused)?.slug).into())
    });
    add.about("Products that name the same event with the same venue and time sell its tickets.")
}

/// An event that is changed.
#[derive(Debug, Deserialize)]
struct ChangedEvent {
    event: String,
    name: Option<String>,
    venue: Option<String>,
    starts_at: Option<String>,
    ends_at: Option<String>,
}

impl Input for ChangedEvent {
    const NAME: &'static str = "EventTicketsEvent";

    fn rules() -> Rules {
        Rules::new([event(), name("name"), name("venue"), time("starts_at", "Begins"), time("ends_at", "Ends")])
    }
}

pub(super) fn change_form() -> ConsoleForm {
    let change = form("event_tickets.set-event", "Change event", EDIT, |new: ChangedEvent, db: Db| async move {
        let change = EventChange {
            starts_at: may_read_time("starts_at", new.starts_at.as_ref())?,
            ends_at: may_read_time("ends_at", new.ends_at.as_ref())?,
            name: new.name,
            venue: new.venue,
        };
        let changed = change_event(&db, &new.event, &change).await.map_err(refused)?;
        Ok(format!("{} is changed.", changed.slug).into())
    });
    let change = change.about("Its tickets are for what it is from then on. What is left empty stays as it is.");
    change.hides(&["event"]).begins(|values: FormValues, db: Db| async move {
        let Some(event) = find_event(&db, values.get("event").unwrap_or_default()).await? else {
            return Ok(FormStart::default());
        };
        let local = |time: DateTime<Utc>| {
            let offset = i32::try_from(event.utc_offset_minutes * 60).ok().and_then(FixedOffset::east_opt);
            offset.map_or_else(|| time.to_rfc3339(), |offset| time.with_timezone(&offset).to_rfc3339())
        };
        let start = FormStart::about(format!("The event {}.", event.slug)).value("name", &*event.name);
        let start = start.value("venue", &*event.venue).value("starts_at", local(event.starts_at));
        Ok(start.may("ends_at", event.ends_at.map(local)))
    })
}

/// A ticket type that is changed.
#[derive(Debug, Deserialize)]
struct ChangedType {
    id: i64,
    name: Option<String>,
    capacity: Option<i64>,
    quota: Option<String>,
    on_sale_from: Option<String>,
    on_sale_until: Option<String>,
}

impl Input for ChangedType {
    const NAME: &'static str = "EventTicketsType";

    fn rules() -> Rules {
        let id = field("id").label("Ticket type").integer(1, i64::MAX).required();
        let quota = name("quota").label("Shared capacity").describe("Empty for its own capacity alone.");
        let (from, until) = (time("on_sale_from", "On sale from"), time("on_sale_until", "On sale until"));
        Rules::new([id, name("name"), places("capacity"), quota, from, until])
    }
}

fn type_form() -> ConsoleForm {
    let change = form("event_tickets.set-type", "Change ticket type", EDIT, |new: ChangedType, db: Db| async move {
        let change = TypeChange {
            on_sale_from: may_read_time("on_sale_from", new.on_sale_from.as_ref())?.map(|time| time.to_utc()),
            on_sale_until: may_read_time("on_sale_until", new.on_sale_until.as_ref())?.map(|time| time.to_utc()),
            name: new.name,
            capacity: new.capacity,
            quota: new.quota.map_or(QuotaChange::Alone, QuotaChange::To),
        };
        let changed = change_type(&db, new.id, &change).await.map_err(refused)?;
        Ok(format!("{} of {} is changed.", changed.name, changed.event_slug).into())
    });
    change.hides(&["id"]).begins(|values: FormValues, db: Db| async move {
        let id = values.get("id").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
        let Ok(kind) = find_type(&db, id).await else { return Ok(FormStart::default()) };
        let start = FormStart::about(format!("{} of {}.", kind.name, kind.event_slug)).value("name", &*kind.name);
        let start = start.value("capacity", kind.capacity.to_string()).may("quota", kind.quota);
        let time = |time: Option<DateTime<Utc>>| time.map(|time| time.to_rfc3339());
        Ok(start.may("on_sale_from", time(kind.on_sale_from)).may("on_sale_until", time(kind.on_sale_until)))
    })
}

/// A shared capacity that is made or changed.
#[derive(Debug, Deserialize)]
struct SetQuota {
    event: String,
    name: String,
    capacity: i64,
}

impl Input for SetQuota {
    const NAME: &'static str = "EventTicketsQuota";

    fn rules() -> Rules {
        Rules::new([event(), name("name").required(), places("capacity").required()])
    }
}

fn quota_form() -> ConsoleForm {
    let set = form("event_tickets.set-quota", "Set shared capacity", EDIT, |new: SetQuota, db: Db| async move {
        let shared = SharedCapacity { name: new.name, capacity: new.capacity };
        let quota = set_quota(&db, &new.event, &shared).await.map_err(refused)?;
        Ok(format!("{} of {} has {} places.", quota.name, quota.event_slug, quota.capacity).into())
    });
    let set = set.begins(offering_events);
    set.about("So many tickets the types within it sell together at most. One of a new name is made.")
}

fn refused(error: PlanRefused) -> Refused {
    match error {
        PlanRefused::UnknownEvent { .. } => Refused::field("event", &"there is no such event"),
        PlanRefused::UnknownType(_) => Refused::because(&"there is no such ticket type"),
        PlanRefused::UnknownQuota(name) => {
            Refused::field("quota", &format!("the event has no shared capacity `{name}`"))
        }
        PlanRefused::EndsTooEarly => Refused::field("ends_at", &"it must be later than the beginning"),
        PlanRefused::SaleEndsTooEarly => Refused::field("on_sale_until", &error),
        PlanRefused::Another { .. } => Refused::because(&error),
        PlanRefused::Db(error) => error.into(),
    }
}

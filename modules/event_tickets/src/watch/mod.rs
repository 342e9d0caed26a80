//! What operators are told without asking: invariants, findings, metrics, and the job that keeps offers up to date.

pub(crate) mod queries;

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::catalog::write::ProductsSaving;
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;

use crate::offers::{self, queries as offer_queries};
use crate::settings::TicketSettings;
use crate::wishes::MODULE;
use crate::{keys, queries as ticket_queries};

/// Days after an event for which it is measured.
const MEASURED_DAYS: i64 = 2;

/// What must hold of tickets at any time.
pub(crate) const INVARIANTS: [Invariant; 5] = [
    Invariant::new(
        "event_tickets_capacity",
        "no more tickets are reserved and issued than a type and a shared capacity have places",
        queries::BEYOND_CAPACITY,
    ),
    Invariant::new(
        "event_tickets_counted",
        "what is counted as taken is what is reserved, issued and was used",
        queries::MISCOUNTED,
    ),
    Invariant::new("event_tickets_seats", "a seat of an event is sold once", queries::SEATS_TWICE),
    Invariant::new(
        "event_tickets_units",
        "there is one ticket at most for each unit that was ordered, of the order's own customer",
        queries::UNITS_TWICE,
    ),
    Invariant::new(
        "event_tickets_paid",
        "only what was paid has tickets, and what was cancelled holds no places",
        queries::UNPAID,
    ),
];

/// Applies the settings of products while they are imported.
pub(crate) struct ApplySaved;

impl InTransaction<ProductsSaving> for ApplySaved {
    async fn in_transaction(&self, event: &ProductsSaving, tx: &mut Tx) -> Result<(), ListenerError> {
        let mut products = event.products.iter().collect::<Vec<_>>();
        // Orders lock what they need by product, too.
        products.sort_by_key(|product| product.product_id);
        for product in products {
            let Some(settings) = product.settings(MODULE) else { continue };
            let settings = TicketSettings::read(settings).map_err(ListenerError::Failed)?;
            offers::ensure(tx, product.product_id, &settings).await?;
        }
        Ok(())
    }
}

/// Applies the settings of products that were imported while the module was off.
pub(crate) struct ApplySettings;

impl Job for ApplySettings {
    type Uses = Db;

    const NAME: &'static str = "event_tickets.apply";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "applies the settings of products to their events";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let problems = offers::apply_all(db).await.map_err(|error| error.to_string())?;
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }
}

/// The module's part of `stoa doctor`.
pub(crate) struct ExamineTickets;

#[derive(sqlx::FromRow)]
struct Overbooked {
    event_slug: String,
    name: String,
    capacity: i64,
    taken: i64,
}

impl Examine for ExamineTickets {
    type Uses = (Db, Cipher);

    async fn examine(&self, (shop_db, cipher): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        let (db, now) = (shop_db, shop_db.now());
        let mut findings = Vec::new();
        for row in db.read(offer_queries::LIST_OVERBOOKED).bind(now).all::<Overbooked>().await? {
            let Overbooked { event_slug, name, capacity, taken } = row;
            findings.push(Finding::warning(
                "event_tickets.overbooked",
                format!("`{name}` of {event_slug} has {taken} tickets and {capacity} places"),
                "raise the capacity, or refund tickets with `stoa order refund`",
            ));
        }
        for (event, tickets) in db.read(offer_queries::LIST_LEFT_EVENTS).bind(now).all::<(String, i64)>().await? {
            findings.push(Finding::warning(
                "event_tickets.left",
                format!("{tickets} tickets are for {event}, which no product sells any more"),
                format!("if it was moved: `stoa event-tickets event set {event} --starts-at TIME`"),
            ));
        }
        for slug in db.read(offer_queries::LIST_WITHOUT_EVENT).scalars::<String>().await? {
            findings.push(Finding::warning(
                "event_tickets.products",
                format!("the product `{slug}` promises tickets and says of no event, so it cannot be bought"),
                "import it with `modules.event_tickets`",
            ));
        }
        for problem in keys::broken(shop_db, cipher).await? {
            let fix = "restore the installation's key, or `stoa event-tickets keys rotate`";
            findings.push(Finding::failure("event_tickets.keys", problem, fix));
        }
        if findings.is_empty() {
            findings.push(Finding::ok("event_tickets", "events, capacities and keys are in order"));
        }
        Ok(findings)
    }
}

/// The module's part of `GET /metrics`.
pub(crate) struct MeasureTickets;

#[derive(sqlx::FromRow)]
struct Counted {
    event_slug: String,
    issued: i64,
    checked_in: i64,
    reserved: i64,
}

impl Measure for MeasureTickets {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let since = db.now() - TimeDelta::days(MEASURED_DAYS);
        let counted = db.read(ticket_queries::COUNT_BY_EVENT).bind(since).all::<Counted>().await?;
        let samples = |counted: Counted| {
            let Counted { event_slug, issued, checked_in, reserved } = counted;
            [
                Sample::gauge("stoa_event_tickets_issued", "Tickets that are valid or used, by event.", issued),
                Sample::gauge("stoa_event_tickets_checked_in", "Tickets that were used, by event.", checked_in),
                Sample::gauge("stoa_event_tickets_reserved", "Places of unpaid orders, by event.", reserved),
            ]
            .map(|sample| sample.label("event", event_slug.as_str()))
        };
        Ok(counted.into_iter().flat_map(samples).collect())
    }
}

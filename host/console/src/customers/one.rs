//! One customer: what was bought, what is kept, and what can be done about it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use chrono::TimeDelta;
use http::StatusCode;
use stoa_core::addresses::{Address, list_addresses};
use stoa_core::buyers::CustomerState;
use stoa_core::customers::{CustomerAccount, CustomerSession, find_account, list_sessions};
use stoa_core::db::Db;
use stoa_core::money::MoneyFormatter;
use stoa_core::notes::{CustomerNote, MAX_NOTE, list_notes};
use stoa_core::orders::{OrderSearch, count_orders, search_orders};
use stoa_core::support_tickets::{TicketSearch, search_tickets};
use stoa_core::tokens::{TokenRecord, list_tokens_of};
use stoa_kernel::console::{ListPage, On};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_pages::answer::PageResponse;

use crate::filled::Filled;
use crate::layout::Layout;
use crate::list::Table;
use crate::orders;
use crate::page::{ConsoleState, Frame};
use crate::show::{self, Badge, Time};
use crate::support;

pub(super) const NOT_TAKEN: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

/// How many of the newest orders, tickets and notes are shown.
const NEWEST: i64 = 10;

struct Note {
    at: Time,
    who: String,
    lines: Vec<String>,
}

struct Token {
    id: i64,
    name: String,
    told: String,
    made: Time,
    used: Option<Time>,
    is_over: bool,
}

struct Session {
    browser: String,
    since: Time,
    seen: Time,
}

/// Which acts the person may do now.
#[expect(clippy::struct_excessive_bools, reason = "each act may be done or not, by itself")]
struct Acts {
    edit: bool,
    /// To open a ticket in the customer's name.
    ticket: bool,
    password: bool,
    revoke: bool,
    export: bool,
    anonymize: bool,
}

#[derive(Template)]
#[template(path = "customer.html")]
struct CustomerPage<'a> {
    layout: Layout,
    path: String,
    id: i64,
    name: String,
    email: Option<String>,
    state: Badge,
    is_verified: bool,
    since: Time,
    has_password: bool,
    /// What modules show about the customer.
    boxes: Vec<String>,
    orders: Option<(i64, Table<'a>)>,
    tickets: Option<(i64, Table<'a>)>,
    addresses: Vec<(String, Vec<String>)>,
    /// What is known besides saved addresses.
    known: Vec<(&'static str, &'static str, String)>,
    notes: Vec<Note>,
    tokens: Vec<Token>,
    sessions: Vec<Session>,
    acts: Acts,
    form: Filled,
    max_note: usize,
    problem: Option<String>,
}

/// What may be known of a customer's address besides saved ones, as the command line names it and as people do.
const PROPERTIES: [(&str, &str); 8] = [
    ("phone", "Phone"),
    ("company_name", "Company"),
    ("address", "Street and number"),
    ("address2", "Second line"),
    ("zip", "Postal code"),
    ("city", "City"),
    ("state", "Region"),
    ("country", "Country, such as NL"),
];

/// What the page says besides the customer.
#[derive(Default)]
pub(super) struct Told {
    pub(super) problem: Option<(StatusCode, String)>,
    /// A form that was not taken, with what is wrong in it.
    pub(super) form: Option<Filled>,
    /// What name and address would become, where somebody else has changed the customer meanwhile.
    pub(super) merged: Option<Filled>,
}

/// What the page reads with.
pub(super) type Desk = (Db, Arc<MoneyFormatter>);

/// `GET /console/customers/{id}`.
pub(super) async fn show(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Id(id): Id,
) -> ApiResult<PageResponse> {
    shown(&state, &frame, &desk, id, Told::default()).await
}

/// The customer with this id; 404 without one.
pub(super) async fn found(db: &Db, id: i64) -> ApiResult<CustomerAccount> {
    find_account(db, id).await?.ok_or_else(ApiError::not_found)
}

pub(super) async fn shown(
    state: &ConsoleState,
    frame: &Frame,
    desk: &Desk,
    id: i64,
    told: Told,
) -> ApiResult<PageResponse> {
    let (db, _) = desk;
    let account = found(db, id).await?;
    let orders = orders_of(frame, desk, id).await?;
    let tickets = tickets_of(frame, desk, id).await?;
    let status = told.problem.as_ref().map(|problem| problem.0);
    let status = status.or_else(|| told.form.as_ref().map(|_| NOT_TAKEN));
    let is_merged = told.merged.is_some();
    let addresses = list_addresses(db, id).await?;
    let idle = TimeDelta::minutes(i64::from(state.config.accounts.sessions.idle_minutes));
    let sessions = list_sessions(db, account.user_id).await?;
    let page = CustomerPage {
        layout: frame.layout(account.name.clone(), "customers"),
        path: frame.path(&format!("/customers/{id}")),
        id,
        email: account.address().map(str::to_owned),
        state: Badge::of(CustomerState::of(&account).as_str()),
        is_verified: account.email_verified_at.is_some(),
        since: Time::of(account.created_at),
        has_password: account.has_password,
        boxes: frame.boxes(On::Customer, id).await?,
        orders: orders.as_ref().map(|(count, list)| (*count, Table::of(list, &frame.staff))),
        tickets: tickets.as_ref().map(|list| (list.counted.number, Table::of(list, &frame.staff))),
        addresses: addresses.iter().map(address).collect(),
        known: known(&account),
        notes: notes(db, id).await?,
        tokens: tokens(db, id).await?,
        sessions: sessions.iter().filter(|session| session.is_active(db.now(), idle)).map(Session::of).collect(),
        acts: acts(frame, &account),
        form: told.merged.or(told.form).unwrap_or_else(|| begin(&account)),
        max_note: MAX_NOTE,
        problem: told.problem.map(|problem| problem.1),
        name: account.name,
    };
    match status {
        Some(refused) if !is_merged => frame.show_refused(refused, &page),
        status => frame.show_as(status.unwrap_or(StatusCode::OK), &page),
    }
}

fn acts(frame: &Frame, account: &CustomerAccount) -> Acts {
    let is_somebody = account.anonymized_at.is_none();
    let may = |ability: &str| is_somebody && frame.staff.may(ability);
    Acts {
        edit: may("customers.edit"),
        ticket: may("support.reply"),
        password: may("customers.edit") && !account.guest,
        revoke: may("customers.tokens"),
        export: frame.staff.may("customers.export"),
        anonymize: may("customers.anonymize"),
    }
}

/// What the form to change the customer begins with, and what it was made from.
pub(super) fn begin(account: &CustomerAccount) -> Filled {
    let (name, email) = (account.name.as_str(), account.address().unwrap_or_default());
    Filled::with([("name", name), ("email", email), ("was_name", name), ("was_email", email)])
}

async fn orders_of(frame: &Frame, (db, money): &Desk, id: i64) -> ApiResult<Option<(i64, ListPage)>> {
    if !frame.staff.may("orders.view") {
        return Ok(None);
    }
    let search = OrderSearch { customer_id: Some(id), limit: NEWEST, ..OrderSearch::default() };
    let counted = count_orders(db, &search).await?;
    let found = search_orders(db, &search).await?;
    Ok(Some((counted.number, orders::orders("Orders", orders::Buyers::One).of_rows(&frame.staff, money, &found))))
}

async fn tickets_of(frame: &Frame, (db, money): &Desk, id: i64) -> ApiResult<Option<ListPage>> {
    if !frame.staff.may("support.view") {
        return Ok(None);
    }
    let search = TicketSearch { customer_id: Some(id), limit: NEWEST, ..TicketSearch::default() };
    let found = search_tickets(db, &search).await?;
    Ok(Some(support::tickets("Support tickets").of_rows(&frame.staff, money, &found)))
}

fn address(address: &Address) -> (String, Vec<String>) {
    let uses = [(address.is_default_billing, "bills"), (address.is_default_shipping, "parcels")];
    let uses = uses.iter().filter(|(is_default, _)| *is_default).map(|(_, what)| *what).collect::<Vec<_>>();
    let default = if uses.is_empty() { String::new() } else { format!("for {}", uses.join(" and ")) };
    let named = address.label.iter().cloned().chain(Some(default).filter(|text| !text.is_empty()));
    (named.collect::<Vec<_>>().join(", "), show::address(&address.postal))
}

/// What is known of the customer besides saved addresses: name, label and value of each field.
pub(super) fn known(account: &CustomerAccount) -> Vec<(&'static str, &'static str, String)> {
    let value =
        |name: &str| account.properties.0.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    PROPERTIES.iter().map(|(name, label)| (*name, *label, value(name))).collect()
}

async fn notes(db: &Db, id: i64) -> ApiResult<Vec<Note>> {
    let note = |note: CustomerNote| Note {
        at: Time::of(note.created_at),
        lines: note.note.lines().map(str::to_owned).collect(),
        who: note.author,
    };
    Ok(list_notes(db, id, NEWEST).await?.into_iter().map(note).collect())
}

/// What a token opens, in words.
fn opens(abilities: &[String]) -> String {
    match abilities {
        [] => String::from("opens nothing"),
        [all] if all == "*" => String::from("opens everything"),
        some => some.join(", "),
    }
}

async fn tokens(db: &Db, id: i64) -> ApiResult<Vec<Token>> {
    let token = |token: TokenRecord| {
        let places = token.networks.0.iter().map(ToString::to_string).collect::<Vec<_>>();
        let place = if places.is_empty() { String::new() } else { format!(", from {}", places.join(", ")) };
        Token {
            id: token.id,
            told: format!("{}{place}", opens(&token.abilities.0)),
            made: Time::of(token.created_at),
            used: token.last_used_at.map(Time::of),
            is_over: token.is_expired(db.now()),
            name: token.name,
        }
    };
    Ok(list_tokens_of(db, id).await?.into_iter().map(token).collect())
}

impl Session {
    fn of(session: &CustomerSession) -> Self {
        Self {
            browser: session.user_agent.clone().unwrap_or_else(|| String::from("unknown browser")),
            since: Time::of(session.created_at),
            seen: Time::of(session.last_seen_at),
        }
    }
}

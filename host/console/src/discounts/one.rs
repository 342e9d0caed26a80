//! One discount: what it takes off, who has used it, and whether it goes on.

use std::sync::Arc;

use askama::Template;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::discounts::{
    Discount, Redeemed, Removal, Switch, find_discount_by_id, redemptions_of, remove_discount, switch_discount,
    written_percent,
};
use stoa_core::money::MoneyFormatter;
use stoa_core::pricing::DiscountRule;
use stoa_kernel::console::{Cell, List, StaffForm};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::list::Table;
use crate::page::Frame;
use crate::question::Question;
use crate::show::{Badge, Time};

/// How many of the orders that used it last are shown.
const NEWEST: i64 = 50;

type Desk = (Db, Arc<MoneyFormatter>);

#[derive(Template)]
#[template(path = "discount.html")]
struct Page<'a> {
    layout: Layout,
    path: String,
    code: String,
    state: Badge,
    facts: Vec<(&'static str, String)>,
    times: Vec<(&'static str, Time)>,
    is_active: bool,
    is_used: bool,
    shown: usize,
    most: usize,
    used: Table<'a>,
    may_edit: bool,
    problem: Option<String>,
}

/// `GET /console/discounts/{id}`.
pub(super) async fn show(frame: Frame, Uses(desk): Uses<Desk>, Id(id): Id) -> ApiResult<PageResponse> {
    shown(&frame, &desk, id, None).await
}

pub(super) async fn found(db: &Db, id: i64) -> ApiResult<Discount> {
    find_discount_by_id(db, id).await?.ok_or_else(ApiError::not_found)
}

async fn shown(frame: &Frame, (db, money): &Desk, id: i64, problem: Option<String>) -> ApiResult<PageResponse> {
    let discount = found(db, id).await?;
    let used = redemptions_of(db, id, NEWEST).await?;
    let list = List::new("Orders", |_: &Redeemed| 0)
        .column("Order", |used| Cell::link(used.order().to_string(), format!("/orders/{}", used.order())))
        .column("When", |used| used.created_at)
        .column("State", |used| used.released_at.map(|_| Cell::state("cancelled")))
        .number("Taken off", |used| Cell::money(used.amount, &used.currency))
        .of_rows(&frame.staff, money, &used);
    let status = if problem.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    let times = [("Begins", discount.valid_from), ("Ends", discount.valid_until), ("Made", Some(discount.created_at))];
    let page = Page {
        layout: frame.layout(format!("Discount {}", discount.code), "discounts"),
        path: frame.path(&format!("/discounts/{id}")),
        state: Badge::of(discount.state(db.now()).as_str()),
        facts: facts(&discount, money),
        times: times.into_iter().filter_map(|(name, time)| Some((name, Time::of(time?)))).collect(),
        is_active: discount.active,
        is_used: !used.is_empty(),
        shown: used.len(),
        most: usize::try_from(NEWEST).unwrap_or(usize::MAX),
        used: Table::of(&list, &frame.staff),
        may_edit: frame.staff.may("discounts.edit"),
        problem,
        code: discount.code,
    };
    frame.show_as(status, &page)
}

fn facts(discount: &Discount, money: &MoneyFormatter) -> Vec<(&'static str, String)> {
    let rule = match discount.rule() {
        DiscountRule::Percent(percent) => format!("{}% of the subtotal", written_percent(percent)),
        DiscountRule::Amount(amount) => money.format(amount),
    };
    let used = match discount.max_uses {
        Some(most) => format!("{} of {most}", discount.uses),
        None => discount.uses.to_string(),
    };
    let mut facts = vec![("Takes off", rule), ("Used", used)];
    facts.extend(discount.minimum_amount.map(|least| ("Minimum order", money.format(least))));
    facts.extend(discount.max_uses_per_customer.map(|most| ("Per customer", format!("at most {most}"))));
    facts.extend(discount.customer_id.map(|id| ("Only for", format!("customer {id}"))));
    facts
}

/// `POST /console/discounts/{id}/switch`.
pub(super) async fn switch(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Id(id): Id,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let discount = found(&desk.0, id).await?;
    let (switch, told) = match form.get("on") {
        Some("1") => (Switch::On, "can be used again"),
        _ => (Switch::Off, "cannot be used any more"),
    };
    switch_discount(&desk.0, &discount.code, switch).await?.ok_or_else(ApiError::not_found)?;
    Ok(frame.done("/discounts", &format!("{} {told}.", discount.code)))
}

/// `POST /console/discounts/{id}/remove`: asks, and with `confirm` deletes.
pub(super) async fn remove(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Id(id): Id,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let code = found(&desk.0, id).await?.code;
    if form.get("confirm").is_none() {
        return frame.ask(Question {
            says: "This cannot be undone. Customers who type the code are told that it is not valid.",
            ..Question::of_one(("discounts", "Discounts"), &code, &id.to_string(), "remove")
        });
    }
    match remove_discount(&desk.0, &code).await? {
        Removal::Removed => Ok(frame.done("/discounts", &format!("{code} is deleted."))),
        Removal::Unknown => Err(ApiError::not_found()),
        Removal::Used => {
            let told = format!("Orders have used {code}, which must stay known. Disable it instead.");
            shown(&frame, &desk, id, Some(told)).await
        }
    }
}

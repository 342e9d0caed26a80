//! A new discount, and other terms for one that is there.

use std::sync::Arc;

use askama::Template;
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::discounts::{
    ChangeDiscountError, CreateDiscountError, Discount, DiscountCode, DiscountTerms, DiscountTimesError, NewDiscount,
    change_discount, create_discount, read_percent, written_percent,
};
use stoa_core::money::MoneyFormatter;
use stoa_core::pricing::DiscountRule;
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_pages::answer::PageResponse;

use super::one::found;
use crate::amount::positive_amount;
use crate::filled::Filled;
use crate::form::changed_meanwhile;
use crate::layout::Layout;
use crate::page::Frame;

/// What can be changed, as people call it.
const FIELDS: [(&str, &str); 7] = [
    ("kind", "what it takes off"),
    ("value", "how much"),
    ("minimum", "the minimum order"),
    ("max_uses", "the number of uses"),
    ("max_uses_per_customer", "the number of uses per customer"),
    ("from", "the first day"),
    ("until", "the last day"),
];

#[derive(Template)]
#[template(path = "discount_form.html")]
struct Page {
    layout: Layout,
    path: String,
    back: String,
    /// The code of one that is there, which stays.
    code: Option<String>,
    form: Filled,
    is_amount: bool,
    problem: Option<String>,
}

fn page(frame: &Frame, form: Filled) -> Page {
    let (layout, path) = (frame.layout("Create discount", "discounts"), frame.path("/discounts/new"));
    let is_amount = form.value("kind") == "amount";
    Page { layout, path, back: frame.staff.way_to("/discounts"), code: None, form, is_amount, problem: None }
}

fn page_of(frame: &Frame, discount: &Discount, form: Filled, problem: Option<String>) -> Page {
    let back = frame.path(&format!("/discounts/{}", discount.id));
    Page {
        layout: frame.layout(format!("Change {}", discount.code), "discounts"),
        path: format!("{back}/edit"),
        back,
        code: Some(discount.code.clone()),
        problem,
        ..page(frame, form)
    }
}

/// `GET /console/discounts/new`.
pub(super) async fn show(frame: Frame) -> ApiResult<PageResponse> {
    frame.show(&page(&frame, Filled::default()))
}

/// `POST /console/discounts/new`.
pub(super) async fn create(
    frame: Frame,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let mut filled = Filled::of(&form);
    let new = new_discount(&form, &mut filled, &money);
    if let Some(new) = new.filter(|new| are_times_right(new, db.now(), &mut filled)) {
        match db.write(async |tx| create_discount(tx, &new).await).await {
            Ok(created) => {
                return Ok(frame.done(&format!("/discounts/{}", created.id), "The discount can be used."));
            }
            Err(CreateDiscountError::Db(error)) => return Err(error.into()),
            Err(error) => filled.refuse("code", sentence(&error.to_string())),
        }
    }
    frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page(&frame, filled))
}

/// What was entered; none where something is wrong, which is said beside its field.
fn new_discount(form: &StaffForm, filled: &mut Filled, money: &MoneyFormatter) -> Option<NewDiscount> {
    let code = DiscountCode::parse(form.get("code").unwrap_or_default());
    let code = filled.take("code", code.map_err(|error| sentence(&error.to_string())));
    let terms = terms(form, filled, money);
    let (code, terms) = (code?, terms?);
    Some(NewDiscount {
        code,
        rule: terms.rule,
        minimum_amount: terms.minimum_amount,
        max_uses: terms.max_uses,
        max_uses_per_customer: terms.max_uses_per_customer,
        valid_from: terms.valid_from,
        valid_until: terms.valid_until,
        customer_id: None,
    })
}

/// What can be changed later; none where something is wrong, which is said beside its field.
fn terms(form: &StaffForm, filled: &mut Filled, money: &MoneyFormatter) -> Option<DiscountTerms> {
    let value = form.get("value").unwrap_or_default();
    let rule = match form.get("kind") {
        Some("amount") => positive_amount(value, money).map(DiscountRule::Amount),
        _ => read_percent(value).map(DiscountRule::Percent).map_err(|text| sentence(&text)),
    };
    let rule = filled.take("value", rule);
    let minimum_amount = optional(form, filled, "minimum", |text| positive_amount(text, money));
    let max_uses = optional(form, filled, "max_uses", number);
    let max_uses_per_customer = optional(form, filled, "max_uses_per_customer", number);
    let valid_from = optional(form, filled, "from", day);
    // The last day is included.
    let valid_until = optional(form, filled, "until", |text| day(text).map(|day| day + Days::new(1)));
    Some(DiscountTerms {
        rule: rule?,
        minimum_amount: minimum_amount?,
        max_uses: max_uses?,
        max_uses_per_customer: max_uses_per_customer?,
        valid_from: valid_from?,
        valid_until: valid_until?,
    })
}

/// What the form to change a discount begins with.
fn begun(discount: &Discount, money: &MoneyFormatter) -> Filled {
    let (kind, value) = match discount.rule() {
        DiscountRule::Percent(percent) => ("percent", written_percent(percent)),
        DiscountRule::Amount(amount) => ("amount", money.decimal(amount)),
    };
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    Filled::with([
        ("seen", discount.terms().written()),
        ("kind", kind.to_owned()),
        ("value", value),
        ("minimum", discount.minimum_amount.map(|amount| money.decimal(amount)).unwrap_or_default()),
        ("max_uses", number(discount.max_uses)),
        ("max_uses_per_customer", number(discount.max_uses_per_customer)),
        ("from", first_day(discount.valid_from)),
        ("until", last_day(discount.valid_until)),
    ])
}

fn first_day(from: Option<DateTime<Utc>>) -> String {
    from.map(|from| from.date_naive().to_string()).unwrap_or_default()
}

/// The last day on which it can be used.
fn last_day(until: Option<DateTime<Utc>>) -> String {
    let last = until.map(|until| (until - TimeDelta::microseconds(1)).date_naive());
    last.map(|day| day.to_string()).unwrap_or_default()
}

/// `GET /console/discounts/{id}/edit`.
pub(super) async fn show_change(
    frame: Frame,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    Id(id): Id,
) -> ApiResult<PageResponse> {
    let discount = found(&db, id).await?;
    frame.show(&page_of(&frame, &discount, begun(&discount, &money), None))
}

/// `POST /console/discounts/{id}/edit`.
pub(super) async fn change(
    frame: Frame,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    Id(id): Id,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let discount = found(&db, id).await?;
    let mut filled = Filled::of(&form);
    if form.get("seen") != Some(discount.terms().written().as_str()) {
        return meanwhile(&frame, &discount, filled, &money);
    }
    if let Some(terms) = terms(&form, &mut filled, &money) {
        // A moment within a day stays as it is while its day does.
        let stays = |day: String, typed: Option<&str>| typed.unwrap_or_default() == day;
        let from_stays = stays(first_day(discount.valid_from), form.get("from"));
        let until_stays = stays(last_day(discount.valid_until), form.get("until"));
        let terms = DiscountTerms {
            valid_from: if from_stays { discount.valid_from } else { terms.valid_from },
            valid_until: if until_stays { discount.valid_until } else { terms.valid_until },
            ..terms
        };
        match change_discount(&db, id, &discount.terms(), &terms).await {
            Ok(changed) => {
                return Ok(frame.done(&format!("/discounts/{id}"), &format!("{} is changed.", changed.code)));
            }
            Err(ChangeDiscountError::Times(_)) => filled.refuse("until", "The last day must not be before the first."),
            Err(ChangeDiscountError::Changed(now)) => return meanwhile(&frame, &now, filled, &money),
            Err(ChangeDiscountError::Unknown) => return Err(ApiError::not_found()),
            Err(ChangeDiscountError::Db(error)) => return Err(error.into()),
        }
    }
    frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page_of(&frame, &discount, filled, None))
}

/// Says what somebody else has made of it and what saving would make of that, and keeps what was typed.
fn meanwhile(frame: &Frame, now: &Discount, mut typed: Filled, money: &MoneyFormatter) -> ApiResult<PageResponse> {
    let fresh = begun(now, money);
    let different = FIELDS.iter().filter(|(name, _)| fresh.value(name) != typed.value(name));
    let different = different.map(|(name, label)| changed_meanwhile(label, fresh.value(name), typed.value(name)));
    let different = different.collect::<Vec<_>>().join("; ");
    let told = format!("Somebody has changed this discount meanwhile, and nothing was saved: {different}.");
    typed.set("seen", fresh.value("seen"));
    frame.show_as(StatusCode::CONFLICT, &page_of(frame, now, typed, Some(told)))
}

/// What stands in a field that may be empty; none if it is wrong.
#[expect(clippy::option_option, reason = "a field may be wrong, and what is right may be empty")]
fn optional<T>(
    form: &StaffForm,
    filled: &mut Filled,
    field: &'static str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Option<Option<T>> {
    filled.take(field, form.get(field).map(read).transpose())
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| String::from("Enter a whole number above zero."))
}

fn day(text: &str) -> Result<DateTime<Utc>, String> {
    let day = text.parse::<NaiveDate>().ok().filter(|day| (1970..9999).contains(&day.year()));
    day.map(|day| day.and_time(NaiveTime::MIN).and_utc())
        .ok_or_else(|| String::from("Enter a day, such as 2027-06-01."))
}

fn are_times_right(new: &NewDiscount, now: DateTime<Utc>, filled: &mut Filled) -> bool {
    let told = match new.check_times(now) {
        Ok(()) => return true,
        Err(DiscountTimesError::EndsTooEarly { .. }) => "The last day must not be before the first.",
        Err(DiscountTimesError::Past(_)) => "The last day is past.",
    };
    filled.refuse("until", told);
    false
}

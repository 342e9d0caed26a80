//! A new discount.

use std::sync::Arc;

use askama::Template;
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::discounts::{
    CreateDiscountError, DiscountCode, DiscountTimesError, NewDiscount, create_discount, read_percent,
};
use stoa_core::money::{MoneyFormatter, parse_typed_amount};
use stoa_core::pricing::DiscountRule;
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use crate::filled::Filled;
use crate::layout::Layout;
use crate::page::Frame;

#[derive(Template)]
#[template(path = "discount_new.html")]
struct Page {
    layout: Layout,
    form: Filled,
    is_amount: bool,
}

fn page(frame: &Frame, form: Filled) -> Page {
    let is_amount = form.value("kind") == "amount";
    Page { layout: frame.layout("Create discount", "discounts"), form, is_amount }
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
    let value = form.get("value").unwrap_or_default();
    let rule = match form.get("kind") {
        Some("amount") => amount(value, money).map(DiscountRule::Amount),
        _ => read_percent(value).map(DiscountRule::Percent).map_err(|text| sentence(&text)),
    };
    let rule = filled.take("value", rule);
    let minimum_amount = optional(form, filled, "minimum", |text| amount(text, money));
    let max_uses = optional(form, filled, "max_uses", number);
    let max_uses_per_customer = optional(form, filled, "max_uses_per_customer", number);
    let valid_from = optional(form, filled, "from", day);
    // The last day is included.
    let valid_until = optional(form, filled, "until", |text| day(text).map(|day| day + Days::new(1)));
    Some(NewDiscount {
        code: code?,
        rule: rule?,
        minimum_amount: minimum_amount?,
        max_uses: max_uses?,
        max_uses_per_customer: max_uses_per_customer?,
        valid_from: valid_from?,
        valid_until: valid_until?,
        customer_id: None,
    })
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

fn amount(text: &str, money: &MoneyFormatter) -> Result<i64, String> {
    let amount = parse_typed_amount(text, money).map_err(|error| sentence(&error.to_string()))?;
    if amount > 0 { Ok(amount) } else { Err(String::from("Enter an amount above zero.")) }
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
        Err(DiscountTimesError::EndsTooEarly { .. }) => "The last day is not before the first.",
        Err(DiscountTimesError::Past(_)) => "The last day is past.",
    };
    filled.refuse("until", told);
    false
}

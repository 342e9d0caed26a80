//! The list of discounts, each with how often it was used.

use chrono::{DateTime, Utc};
use stoa_core::db::ListDb;
use stoa_core::discounts::{Discount, DiscountSearch, count_discounts, search_discounts, written_percent};
use stoa_core::pricing::DiscountRule;
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, RowAct};
use stoa_kernel::http::error::ApiResult;

/// `GET /console/discounts`.
pub(super) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let active = match query.get("state") {
        Some("on") => Some(true),
        Some("off") => Some(false),
        _ => None,
    };
    let search = DiscountSearch { text: query.get("q").map(str::to_owned), active, ..DiscountSearch::default() };
    let counted = count_discounts(&db, &search).await?;
    list(db.now())
        .show(query, counted, move |after, limit| {
            let (db, search) = (db.clone(), DiscountSearch { after, limit, ..search.clone() });
            async move { search_discounts(&db, &search).await }
        })
        .await
}

fn list(now: DateTime<Utc>) -> List<Discount> {
    List::new("Discounts", |discount: &Discount| discount.id)
        .button("discounts.edit", "Create discount", "/discounts/new")
        .search("The beginning of a code")
        .choice("state", "State", ["on", "off"])
        .empty("There are no discount codes yet. Create one, and customers can enter it at the checkout.")
        .column("Code", |discount| {
            let path = format!("/discounts/{}", discount.id);
            Cell::link(&discount.code, path).over(discount.customer_id.map(|_| "for one customer"))
        })
        .column("State", move |discount| Cell::state(discount.state(now).as_str()))
        .number("Discount", |discount| match discount.rule() {
            DiscountRule::Percent(percent) => Cell::from(format!("{}%", written_percent(percent))),
            DiscountRule::Amount(amount) => Cell::Money { amount, currency: None },
        })
        .number("Minimum order", |discount| {
            discount.minimum_amount.map(|amount| Cell::Money { amount, currency: None })
        })
        .number("Used", |discount| match discount.max_uses {
            Some(most) => Cell::from(format!("{} of {most}", discount.uses)),
            None => Cell::Number(discount.uses),
        })
        .number("Per customer", |discount| discount.max_uses_per_customer)
        .column("From", |discount| discount.valid_from)
        .column("Until", |discount| discount.valid_until)
        .act("discounts.edit", |discount| {
            let (label, on) = if discount.active { ("Disable", "0") } else { ("Enable", "1") };
            Some(RowAct::send(label, format!("/discounts/{}/switch", discount.id), [("on", on.to_owned())]))
        })
}

//! What is done with several products at once.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};
use stoa_core::catalog::import::read_record;
use stoa_core::catalog::write::{CatalogWriter, Change, Expected, Mode, RecordProblem};
use stoa_core::catalog::{Record, export_product};
use stoa_kernel::console::StaffForm;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use super::Workbench;
use crate::catalog::lay_over::failed;
use crate::page::Frame;
use crate::question::Question;

/// What is taken off or put onto prices at once, in percent. Nothing becomes free by a slip.
const CHANGES: RangeInclusive<i64> = -90..=1000;

/// How often a product is looked at anew that somebody else is changing.
const TRIES: usize = 5;

/// What is to be done with each product.
enum Act {
    Say(&'static str, Value),
    Reprice(i64),
}

/// `POST /console/bulk/products`.
pub(in crate::catalog) async fn apply(
    frame: Frame,
    Uses(bench): Uses<Workbench>,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let query = form.get("query").unwrap_or_default();
    let query = url::form_urlencoded::parse(query.as_bytes());
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let back = if query.is_empty() { String::from("/products") } else { format!("/products?{query}") };
    let slugs = form.all("row").collect::<Vec<_>>();
    if slugs.is_empty() {
        return Ok(frame.done(&back, "Nothing was changed: choose products first."));
    }
    let act = match act(&form) {
        Ok(act) => act,
        Err(told) => return Ok(frame.done(&back, &format!("Nothing was changed: {told}"))),
    };
    let outcomes = match act {
        Act::Say(member, value) => say(&bench, &slugs, member, &value).await?,
        Act::Reprice(percent) if form.get("confirm").is_none() => {
            return ask(&frame, &bench, &slugs, percent, &back, form.get("query")).await;
        }
        Act::Reprice(percent) => reprice(&bench, &form, percent).await?,
    };
    let changed = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Change::Updated))).count();
    let refused = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect::<Vec<_>>();
    let products = if changed == 1 { "1 product is".to_owned() } else { format!("{changed} products are") };
    let told = match refused.first().and_then(|problems| problems.first()) {
        None => format!("{products} changed."),
        Some(first) => format!("{products} changed, {} not: {}.", refused.len(), first.reason),
    };
    Ok(frame.done(&back, &told))
}

/// Shows each price as it is and as it would be.
async fn ask(
    frame: &Frame,
    bench: &Workbench,
    slugs: &[&str],
    percent: i64,
    back: &str,
    query: Option<&str>,
) -> ApiResult<PageResponse> {
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for slug in slugs {
        let Some(product) = export_product(&bench.db, slug).await? else { continue };
        let name = product.name.value().map_or(*slug, String::as_str);
        let price = product.price_amount.value().copied().unwrap_or_default();
        let [old, new] = [price, repriced(price, percent)].map(|amount| bench.money.format(amount));
        lines.push(format!("{name}: {old} → {new}"));
        rows.push(format!("{slug}={price}"));
    }
    let percent = percent.to_string();
    let rows = rows.iter().map(|row| ("row", row.as_str()));
    let sent = [("do", "price"), ("percent", percent.as_str())].into_iter().chain(query.map(|query| ("query", query)));
    frame.ask(Question {
        asks: String::from("Change these prices?"),
        current: "products",
        trail: vec![("Products", back.to_owned())],
        says: "Customers see the new prices at once, in their carts as well.",
        lines,
        action: "/bulk/products".to_owned(),
        fields: rows.chain(sent).collect(),
        buttons: ["Change prices", "Leave them"],
        is_dangerous: false,
        problem: None,
    })
}

/// What became of a product, or why it stays as it is.
type Outcome = Result<Change, Vec<RecordProblem>>;

/// Says the same of each product, with one write.
async fn say(bench: &Workbench, slugs: &[&str], member: &str, value: &Value) -> ApiResult<Vec<Outcome>> {
    // A slug that is none is that of no product.
    let records = slugs.iter().filter_map(|slug| record(slug, member, value.clone())).collect::<Vec<_>>();
    let mut writer = CatalogWriter::new(&bench.db, &*bench.modules, Mode::Write).expecting(Expected::Stored);
    writer.write(&records).await.map_err(failed)
}

/// Changes the price of each product that has the price which was shown: what else of it somebody writes meanwhile stays.
async fn reprice(bench: &Workbench, form: &StaffForm, percent: i64) -> ApiResult<Vec<Outcome>> {
    let rows = form.all("row").filter_map(|row| row.rsplit_once('=')).collect::<Vec<_>>();
    let mut outcomes = Vec::with_capacity(rows.len());
    for (slug, shown) in rows {
        for left in (0..TRIES).rev() {
            let Some(product) = export_product(&bench.db, slug).await? else { break };
            let price = product.price_amount.value().copied().unwrap_or_default();
            if price.to_string() != shown {
                let reason = format!("the price of {slug} is {} by now", bench.money.format(price));
                outcomes.push(Err(vec![RecordProblem { member: "price_amount".to_owned(), reason }]));
                break;
            }
            let price = repriced(price, percent);
            let Some(record) = record(slug, "price_amount", json!(price)) else { break };
            let seen = Expected::Seen(product.fingerprint());
            let mut writer = CatalogWriter::new(&bench.db, &*bench.modules, Mode::Write).expecting(seen);
            let outcome = writer.write(&[record]).await.map_err(failed)?.pop();
            let is_stale = |problem: &RecordProblem| problem.member == RecordProblem::SEEN;
            if !matches!(&outcome, Some(Err(problems)) if left > 0 && problems.iter().any(is_stale)) {
                outcomes.extend(outcome);
                break;
            }
        }
    }
    Ok(outcomes)
}

/// A record that says one thing of a product.
fn record(slug: &str, member: &str, value: Value) -> Option<Record> {
    let members = [("type", json!("product")), ("slug", json!(slug)), (member, value)];
    let object = members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect::<Map<_, _>>();
    read_record(object, 1).ok()
}

fn act(form: &StaffForm) -> Result<Act, &'static str> {
    match form.get("do") {
        Some("activate") => Ok(Act::Say("active", json!(true))),
        Some("deactivate") => Ok(Act::Say("active", json!(false))),
        Some("category") => match form.get("category") {
            Some(category) => Ok(Act::Say("category", json!(category))),
            None => Err("choose a category."),
        },
        Some("price") => {
            let percent =
                form.get("percent").and_then(|percent| percent.trim_end_matches(['%', ' ']).parse::<i64>().ok());
            match percent.filter(|percent| CHANGES.contains(percent)) {
                Some(percent) => Ok(Act::Reprice(percent)),
                None => Err("enter a whole number of percent from -90 to 1000, such as -10."),
            }
        }
        _ => Err("choose what is to be done."),
    }
}

/// A price that is so many percent higher, rounded to the nearest smallest unit.
fn repriced(amount: i64, percent: i64) -> i64 {
    let changed = (i128::from(amount) * (100 + i128::from(percent)) + 50) / 100;
    i64::try_from(changed).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::repriced;

    #[test]
    fn a_price_is_changed_by_percent_and_rounded_to_the_nearest() {
        assert_eq!(repriced(1999, -10), 1799);
        assert_eq!(repriced(5, -50), 3);
        assert_eq!(repriced(1000, -100), 0);
        assert_eq!(repriced(1000, 5), 1050);
    }
}

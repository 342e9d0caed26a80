//! The module's page of the operator's console, and its box at the customer.

use stoa_core::prelude::*;

use crate::model::{Account, Entry, ListedAccount};
use crate::points::{MAX_REASON, MOST, correct};
use crate::queries;

const VIEW: &str = "loyalty.view";
const CORRECT: &str = "loyalty.correct";

/// How many entries stand at a customer.
const SHOWN: i64 = 10;

/// Registers the page with its form, and the box.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see loyalty points");
    cx.console_ability(CORRECT, "correct loyalty points");
    let form = form(CORRECT, "Correct points", CORRECT, |new: Correction, db: Db| async move {
        if new.points == 0 {
            return Err(Refused::field("points", &"must not be 0"));
        }
        let points = correct(&db, new.customer, new.points, &new.reason).await?;
        let points = points.ok_or_else(|| Refused::field("customer", &"there is no such customer"))?;
        Ok(Told::new(format!("There are {points} points now.")).at(format!("/customers/{}", new.customer)))
    });
    let form = form.about("A number below zero takes points. The customer sees the reason.");
    cx.console_page((), page("loyalty.accounts", "Loyalty points", VIEW, list).near(Menu::Customers).form(form))?;
    cx.console_panel(On::Customer, VIEW, |customer_id, db: Db| async move {
        let account = db.read(queries::FIND_ACCOUNT).bind(customer_id).optional::<Account>().await?;
        let entries = db.read(queries::LIST_ENTRIES).bind(customer_id).bind(SHOWN).bind(0_i64).all::<Entry>().await?;
        let panel = ConsolePanel::new("Loyalty points").fact("Points", account.unwrap_or_default().points);
        let panel = if entries.is_empty() { panel } else { panel.rows(entry_list(), entries) };
        Ok(Some(panel.link("Correct", format!("/m/loyalty/accounts/correct?customer={customer_id}"))))
    });
    Ok(())
}

fn entry_list() -> List<Entry> {
    List::new("Newest changes", |entry: &Entry| entry.id)
        .column("When", |entry| entry.created_at)
        .column("What", |entry| Cell::from(entry.kind.replace('_', " ")).over(entry.reason.as_deref()))
        .number("Points", |entry| entry.points)
}

async fn list(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let counted = db.read(queries::COUNT_ACCOUNTS).bind(MOST_COUNTED + 1).scalar().await?;
    let list = List::new("Loyalty points", |account: &ListedAccount| account.customer_id)
        .empty("Nobody has points yet. They come with the first order that is paid.")
        .column("Customer", |account| Cell::link(&account.name, format!("/customers/{}", account.customer_id)))
        .number("Points", |account| account.points)
        .number("To be redeemed", |account| account.wanted)
        .act(CORRECT, |account| {
            let customer = account.customer_id.to_string();
            Some(RowAct::fill("Correct", "/m/loyalty/accounts/correct", [("customer", customer.as_str())]))
        });
    list.show(query, RowCount::of(counted), move |after, limit| {
        let db = db.clone();
        async move { db.read(queries::LIST_ACCOUNTS).bind(limit).bind(after).all().await }
    })
    .await
}

/// How many points are added, to whom and why.
#[derive(Debug, Deserialize)]
struct Correction {
    customer: i64,
    points: i64,
    reason: String,
}

impl Input for Correction {
    const NAME: &'static str = "LoyaltyCorrection";

    fn rules() -> Rules {
        Rules::new([
            field("customer").integer(1, i64::MAX).required(),
            field("points").integer(-MOST, MOST).required(),
            field("reason").max(MAX_REASON).required(),
        ])
    }
}

//! The module's page of the operator's console: what runs, until when, and what it comes to; and its boxes.

use std::sync::Arc;

use stoa_core::money::MoneyFormatter;
use stoa_core::prelude::*;
use stoa_core::queue::Queue;

use crate::cancelling::{CancellingError, cancel_now, resume};
use crate::config::Config;
use crate::model::{ListedSubscription, Status, Subscription};
use crate::number::SubscriptionNumber;
use crate::queries;

const VIEW: &str = "subscriptions.view";
const CANCEL: &str = "subscriptions.cancel";

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: &Config) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see subscriptions");
    cx.console_ability(CANCEL, "cancel subscriptions, and take that back");
    let config = Arc::new(config.clone());
    let at_end = Arc::clone(&config);
    let cancel = form(CANCEL, "Cancel subscription", CANCEL, move |new: Cancel, (db, queue): (Db, Queue)| {
        let config = Arc::clone(&at_end);
        async move {
            let number = new.number.parse::<SubscriptionNumber>().map_err(|error| Refused::field("number", &error))?;
            cancel_now(&db, &queue, &config, number.id(), new.at_once).await.map_err(refused)?;
            let when = if new.at_once { "is cancelled" } else { "ends with the period that is paid" };
            Ok(format!("{number} {when}.").into())
        }
    });
    let again = Arc::clone(&config);
    let resume = form("subscriptions.resume", "Resume subscription", CANCEL, move |new: Named, db: Db| {
        let config = Arc::clone(&again);
        async move {
            let number = new.number.parse::<SubscriptionNumber>().map_err(|error| Refused::field("number", &error))?;
            db.write(async |tx| resume(tx, &config, number.id()).await).await.map_err(refused)?;
            Ok(format!("{number} goes on.").into())
        }
    });
    let resume = resume.about("Takes a cancellation back that has not come into effect.");
    let cancel = cancel.about("It ends with the period that is paid, or at once. No money goes back by itself.");
    let all = page("subscriptions.list", "Subscriptions", VIEW, show).near(Menu::Customers);
    cx.console_page((), all.form(cancel).form(resume))?;
    cx.console_panel(On::Customer, VIEW, |customer_id, db: Db| async move {
        let rows = db.read(queries::ALL_OF_CUSTOMER).bind(customer_id).all::<Subscription>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Subscriptions").rows(described(numbered()), rows)))
    });
    Ok(())
}

fn numbered<T: AsRef<Subscription> + Send + 'static>() -> List<T> {
    List::new("Subscriptions", |own: &T| own.as_ref().id).column("Number", |own| own.as_ref().number().to_string())
}

/// What each list says of a subscription, and what can be done with it there.
fn described<T: AsRef<Subscription> + Send + 'static>(list: List<T>) -> List<T> {
    list.column("Status", |own| Cell::state(own.as_ref().status.as_str()))
        .column("Product", |own| own.as_ref().product_name.clone())
        .column("Plan", |own| {
            let Subscription { interval_count, interval, .. } = own.as_ref();
            format!("every {interval_count} {}", interval.as_str())
        })
        .number("Price", |own| Cell::money(own.as_ref().price_amount, &own.as_ref().currency))
        .column("Next renewal", |own| {
            let own = own.as_ref();
            match own.current_period_end.filter(|_| own.status.is_live()) {
                Some(end) if own.cancel_at_period_end => Cell::from(end).over("ends"),
                end => end.into(),
            }
        })
        .column("Problem", |own| own.as_ref().last_error.clone().map(Cell::Code))
        .act(CANCEL, |own| {
            let number = own.as_ref().number().to_string();
            let is_live = own.as_ref().status.is_live();
            is_live.then(|| RowAct::fill("Cancel", "/m/subscriptions/list/cancel", [("number", number.as_str())]))
        })
        .act(CANCEL, |own| {
            let own = own.as_ref();
            let is_cancelled = own.status.is_live() && own.cancel_at_period_end;
            let number = own.number().to_string();
            is_cancelled.then(|| RowAct::send("Resume", "/m/subscriptions/list/resume", [("number", number)]))
        })
}

async fn show(db: ListDb, Uses(money): Uses<Arc<MoneyFormatter>>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let status = query.get("status").and_then(|word| Status::try_from(word.to_owned()).ok()).map(Status::as_str);
    let email = query.get("customer").map(str::to_lowercase);
    let counted = db.read(queries::COUNT_LISTED).bind(status).bind(email.clone()).bind(MOST_COUNTED + 1);
    let counted = counted.scalar().await?;
    let monthly = db.read(queries::MONTHLY_REVENUE).scalar::<i64>().await?;
    let list = numbered().column("Customer", |own: &ListedSubscription| {
        Cell::link(own.customer_name.clone(), format!("/customers/{}", own.subscription.customer_id))
    });
    let list = described(list)
        .about(format!("What runs comes to {} a month, before discounts and refunds.", money.format(monthly)))
        .choice("status", "Status", Status::ALL.map(Status::as_str))
        .text("customer", "Customer", "ada@example.com")
        .empty("There are no subscriptions yet. They appear here as soon as one is bought.");
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, email) = (db.clone(), email.clone());
        async move {
            db.read(queries::LIST).bind(status).bind(email).bind(limit).bind(after).all::<ListedSubscription>().await
        }
    })
    .await
}

/// Which subscription goes on.
#[derive(Debug, Deserialize)]
struct Named {
    number: String,
}

impl Input for Named {
    const NAME: &'static str = "SubscriptionNamed";

    fn rules() -> Rules {
        Rules::new([field("number").max(20).required()])
    }
}

/// Which subscription is cancelled, and when.
#[derive(Debug, Deserialize)]
struct Cancel {
    number: String,
    at_once: bool,
}

impl Input for Cancel {
    const NAME: &'static str = "SubscriptionCancellation";

    fn rules() -> Rules {
        Rules::new([field("number").max(20).required(), field("at_once").boolean()])
    }
}

fn refused(error: CancellingError) -> Refused {
    match error {
        CancellingError::Unknown => Refused::field("number", &error),
        CancellingError::Db(error) => error.into(),
        other => Refused::because(&other),
    }
}

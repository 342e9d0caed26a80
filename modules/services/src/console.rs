//! The module's page of the operator's console: services with their state, and everything that is done with them; and its box on the
//! page of an order.

use chrono::{NaiveDate, NaiveTime};
use stoa_core::console::{ConsoleForm, ConsolePage};
use stoa_core::http::rules::Field;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::model::{Action, ProvisionedService, ServiceNumber, Status};
use crate::operating::{Caller, LONGEST_REFERENCE, ServiceRefused, activate, change, hold, retry};
use crate::provider::Providers;
use crate::queries;

const VIEW: &str = "services.view";
const RETRY: &str = "services.retry";
const EDIT: &str = "services.edit";
const LIST: &str = "/m/services/list";

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, providers: &Providers) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see services");
    cx.console_ability(RETRY, "ask providers of services again");
    cx.console_ability(EDIT, "activate, suspend, resume, hold and terminate services");
    let services = page("services.list", "Services", VIEW, show).near(Menu::Orders);
    cx.console_page((), acts(providers).into_iter().fold(services, ConsolePage::form))?;
    cx.console_panel(On::Order, VIEW, |order_id, db: Db| async move {
        let rows = db.read(queries::LIST).bind(None::<&str>).bind(None::<&str>).bind(order_id).bind(None::<bool>);
        let rows = rows.bind(None::<i64>).bind(100_i64).all::<ProvisionedService>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Services").rows(list(), rows)))
    });
    Ok(())
}

fn list() -> List<ProvisionedService> {
    List::new("Services", |service: &ProvisionedService| service.id)
        .column("Number", |service| service.number().to_string())
        .column("Status", |service| Cell::state(service.status.as_str()))
        .column("Product", |service| Cell::from(&service.product_name).over(service.external_ref.as_deref()))
        .column("Provider", |service| Cell::from(&service.provider).over(service.plan.as_str()))
        .column("Order", |service| {
            let number = OrderNumber::of(service.order_id).to_string();
            Cell::link(number.as_str(), format!("/orders/{number}"))
        })
        .column("Due", |service| service.due_at)
        .column("Problem", |service| service.last_error.clone().or_else(|| service.drift.clone()).map(Cell::Code))
        .act(RETRY, |service| {
            let has_failed = service.needs_attention || service.attempts > 0 || service.drift.is_some();
            let number = service.number().to_string();
            has_failed.then(|| RowAct::send("Ask again", format!("{LIST}/retry"), [("number", number)]))
        })
        .act(EDIT, |service| {
            let can_be = matches!(service.status, Status::Pending | Status::Provisioning | Status::Failed);
            (can_be && service.over_at.is_none()).then(|| fill("Activate", "activate", service))
        })
        .act(EDIT, |service| {
            let runs = service.status == Status::Active && service.operator_suspended_at.is_none();
            runs.then(|| fill("Suspend", "suspend", service))
        })
        .act(EDIT, |service| {
            let is_held_back = service.status == Status::Suspended || service.operator_suspended_at.is_some();
            let is_over = service.over_at.is_some() || service.status == Status::Terminated;
            (is_held_back && !is_over).then(|| fill("Resume", "resume", service))
        })
        .act(EDIT, |service| (service.status != Status::Terminated).then(|| fill("Hold", "hold", service)))
        .act(EDIT, |service| (service.status != Status::Terminated).then(|| fill("Terminate", "terminate", service)))
}

fn fill(label: &'static str, act: &str, service: &ProvisionedService) -> RowAct {
    RowAct::fill(label, &format!("{LIST}/{act}"), [("number", &*service.number().to_string())])
}

async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let status = query.get("status").and_then(|word| Status::try_from(word.to_owned()).ok()).map(Status::as_str);
    let (provider, attention) = (query.get("provider").map(str::to_owned), query.is_on("attention"));
    let counted = db.read(queries::COUNT_LISTED).bind(status).bind(provider.clone()).bind_flag(attention);
    let counted = counted.bind(MOST_COUNTED + 1).scalar().await?;
    let list = list()
        .about("What was bought and runs at a provider. Pending ones wait for you: make them, then activate them.")
        .choice("status", "Status", Status::ALL.map(Status::as_str))
        .text("provider", "Provider", "manual")
        .flag("attention", "Needs attention")
        .empty("There are no services yet. They appear here as soon as one is bought.");
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, provider) = (db.clone(), provider.clone());
        async move {
            let read = db.read(queries::LIST).bind(status).bind(provider).bind(None::<i64>).bind_flag(attention);
            read.bind(after).bind(limit).all::<ProvisionedService>().await
        }
    })
    .await
}

/// What is done with a service, each at a path of its own below the page's.
fn acts(providers: &Providers) -> [ConsoleForm; 6] {
    let again = providers.clone();
    let retry = form(RETRY, "Ask again", RETRY, move |service: Named, db: Db| {
        let providers = again.clone();
        async move {
            let number = numbered(&service.number)?;
            retry(number, &providers, &db).await.map_err(refused)?;
            Ok(format!("The provider of {number} is asked again.").into())
        }
    });
    let made = providers.clone();
    let activate = form("services.activate", "Activate", EDIT, move |service: Activated, db: Db| {
        let providers = made.clone();
        async move {
            let number = numbered(&service.number)?;
            activate(number, service.external_ref.as_deref(), &providers, &db).await.map_err(refused)?;
            Ok(format!("{number} runs.").into())
        }
    });
    let held = providers.clone();
    let hold = form("services.hold", "Hold", EDIT, move |service: Held, db: Db| {
        let providers = held.clone();
        async move {
            let number = numbered(&service.number)?;
            let day = service.until.map(|day| day.parse::<NaiveDate>()).transpose();
            let day = day.map_err(|_| Refused::field("until", &"enter a day, such as 2027-06-01"))?;
            let until = day.map(|day| day.and_time(NaiveTime::MIN).and_utc());
            if until.is_some_and(|until| until <= db.now()) {
                return Err(Refused::field("until", &"it must be a day in the future"));
            }
            hold(number, until, &providers, &db).await.map_err(refused)?;
            Ok(match until {
                Some(until) => format!("{number} is held until {}.", until.date_naive()).into(),
                None => format!("{number} is not held any longer.").into(),
            })
        }
    });
    [
        retry.about("The provider is asked first what has become of the service, so that nothing is done twice."),
        activate
            .about("Say that it runs: you have made it. Those of providers other than manual are made by themselves.")
            .begins(begin),
        changing("services.suspend", "Suspend", Action::Suspend, providers)
            .about("Nobody can use it until it is resumed; its data stay."),
        changing("services.resume", "Resume", Action::Resume, providers).about("It can be used again."),
        changing("services.terminate", "Terminate", Action::Terminate, providers)
            .about("It is removed with its data, for good. There is no way back, and no money goes back by itself."),
        hold.about("It is not suspended with its subscription before that day. A refund ends it all the same.")
            .begins(begin),
    ]
}

/// A form that suspends, resumes or terminates.
fn changing(name: &'static str, title: &'static str, action: Action, providers: &Providers) -> ConsoleForm {
    let providers = providers.clone();
    let changing = form(name, title, EDIT, move |service: Changed, db: Db| {
        let providers = providers.clone();
        async move {
            let number = numbered(&service.number)?;
            let caller = if service.by_hand { Caller::Nobody } else { Caller::Provider };
            change(number, action, caller, &providers, &db).await.map_err(refused)?;
            Ok(format!("{number} {}.", told(action)).into())
        }
    });
    changing.begins(begin)
}

/// What is said once it was asked for: a provider may have to be called first.
const fn told(action: Action) -> &'static str {
    match action {
        Action::Suspend => "is suspended as soon as its provider has done it",
        Action::Resume => "can be used again as soon as its provider has done it",
        Action::Terminate => "is removed as soon as its provider has done it",
        Action::Create | Action::Inspect => "is looked after",
    }
}

/// Says which service it is.
async fn begin(values: FormValues, db: Db) -> ApiResult<FormStart> {
    let number = values.get("number").and_then(|number| number.parse::<ServiceNumber>().ok());
    let found = match number {
        Some(number) => db.read(queries::FIND).bind(number.id()).optional::<ProvisionedService>().await?,
        None => None,
    };
    Ok(found.map_or_else(FormStart::default, |service| {
        let until = service.hold_until.map(|until| until.date_naive());
        let reference = service.external_ref.clone();
        let about = format!("{}: {}, {}.", service.number(), service.product_name, service.status);
        FormStart::about(about).may("external_ref", reference).may("until", until)
    }))
}

fn numbered(text: &str) -> Result<ServiceNumber, Refused> {
    text.parse().map_err(|error: <ServiceNumber as std::str::FromStr>::Err| Refused::field("number", &error))
}

fn number() -> Field {
    field("number").label("Service").max(20).required()
}

/// Which service is meant.
#[derive(Debug, Deserialize)]
struct Named {
    number: String,
}

impl Input for Named {
    const NAME: &'static str = "ServiceNamed";

    fn rules() -> Rules {
        Rules::new([number()])
    }
}

/// A service that somebody has made.
#[derive(Debug, Deserialize)]
struct Activated {
    number: String,
    external_ref: Option<String>,
}

impl Input for Activated {
    const NAME: &'static str = "ServiceActivated";

    fn rules() -> Rules {
        let reference = field("external_ref").label("Reference").max(LONGEST_REFERENCE);
        Rules::new([number(), reference.describe("What it is called where it runs; the customer sees it.")])
    }
}

/// A service that is suspended, resumed or terminated.
#[derive(Debug, Deserialize)]
struct Changed {
    number: String,
    by_hand: bool,
}

impl Input for Changed {
    const NAME: &'static str = "ServiceChanged";

    fn rules() -> Rules {
        let by_hand = field("by_hand").label("Somebody has done it at the provider by hand: do not call it").boolean();
        Rules::new([number(), by_hand])
    }
}

/// A service that is held.
#[derive(Debug, Deserialize)]
struct Held {
    number: String,
    until: Option<String>,
}

impl Input for Held {
    const NAME: &'static str = "ServiceHeld";

    fn rules() -> Rules {
        let until = field("until").format("date").max(10);
        Rules::new([
            number(),
            until.describe("The day on which it may be suspended again (UTC). Empty to hold it no longer."),
        ])
    }
}

fn refused(error: ServiceRefused) -> Refused {
    match error {
        ServiceRefused::Unknown(_) => Refused::field("number", &error),
        ServiceRefused::Because(..) => Refused::because(&error),
        ServiceRefused::Db(error) => error.into(),
    }
}

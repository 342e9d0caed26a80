//! The module's page of the operator's console: services with their state, and asking a provider again; and its boxes.

use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::model::{ProvisionedService, ServiceNumber, Status};
use crate::operating::{ServiceRefused, retry};
use crate::provider::Providers;
use crate::queries;

const VIEW: &str = "services.view";
const RETRY: &str = "services.retry";

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, providers: &Providers) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see services");
    cx.console_ability(RETRY, "ask providers of services again");
    let providers = providers.clone();
    let retry = form(RETRY, "Ask again", RETRY, move |service: Named, db: Db| {
        let providers = providers.clone();
        async move {
            let number = service.number.parse::<ServiceNumber>().map_err(|error| Refused::field("number", &error))?;
            retry(number, &providers, &db).await.map_err(refused)?;
            Ok(format!("The provider of {number} is asked again.").into())
        }
    });
    let retry =
        retry.about("The provider is asked first what has become of the service, so that nothing is done twice.");
    cx.console_page((), page("services.list", "Services", VIEW, show).near(Menu::Orders).form(retry))?;
    cx.console_panel(On::Order, VIEW, |order_id, db: Db| async move {
        let rows = db.read(queries::LIST).bind(None::<&str>).bind(None::<&str>).bind(order_id).bind(false);
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
            has_failed.then(|| RowAct::send("Ask again", "/m/services/list/retry", [("number", number)]))
        })
}

async fn show(db: Db, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let status = query.get("status").and_then(|word| Status::try_from(word.to_owned()).ok()).map(Status::as_str);
    let (provider, attention) = (query.get("provider").map(str::to_owned), query.is_on("attention"));
    let counted = db.read(queries::COUNT_LISTED).bind(status).bind(provider.clone()).bind(attention);
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
            let read = db.read(queries::LIST).bind(status).bind(provider).bind(None::<i64>).bind(attention);
            read.bind(after).bind(limit).all::<ProvisionedService>().await
        }
    })
    .await
}

/// Which service is meant.
#[derive(Debug, Deserialize)]
struct Named {
    number: String,
}

impl Input for Named {
    const NAME: &'static str = "ServiceNamed";

    fn rules() -> Rules {
        Rules::new([field("number").max(20).required()])
    }
}

fn refused(error: ServiceRefused) -> Refused {
    match error {
        ServiceRefused::Unknown(_) => Refused::field("number", &error),
        ServiceRefused::Because(..) => Refused::because(&error),
        ServiceRefused::Db(error) => error.into(),
    }
}
